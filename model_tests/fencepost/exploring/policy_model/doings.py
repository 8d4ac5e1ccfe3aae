"""What the world may do to a policy model: calls and their rows, indexes, control, mishaps."""

from collections.abc import Iterator
from typing import Any

import attrs

from fencepost.exploring.core_world import Doing, deed
from fencepost.exploring.policy_model.scope import ModelScope
from fencepost.exploring.servers.around import FAULTS, Around
from fencepost.exploring.servers.callers import Asked, Said, calls, mishaps
from fencepost.exploring.servers.scope import DEADLINE, directory_of, text_of
from fencepost_reference.receipts.policy_model import actions as a
from fencepost_reference.receipts.policy_model.state import (
    Checkpoint,
    Index,
    Lineage,
    Root,
    Row,
    State,
)
from fencepost_spec.vocabulary import Key

RESPONSES = "/v1/responses"


def said_to(scope: ModelScope) -> Said:
    """How a policy model is told of things."""
    return Said(
        a.Call,
        _request,
        a.Gone,
        a.Tick,
        a.FailStorage,
        a.SetDirectory,
        tuple((words, a.Replace(ledger_kept=kept)) for words, kept in scope.restarts),
        _commits(scope),
    )


def _request(op: str, checkpoint: str, **more: Any) -> a.Request:
    waits = op == "status"
    return a.Request(checkpoint, waits=waits, timeout=DEADLINE if waits else None, **more)


def _commits(scope: ModelScope) -> Any:
    """What a commit may ask: for nothing, for one index, for all, or for one that is another."""

    def commits(state: State) -> Iterator[Asked]:
        yield (), {}
        paths = sorted(state.indexes) if scope.indexes else []
        for path in paths:
            digest = state.indexes[path].digest
            yield ("of", path), {"indexes": ((path, digest),)}
            if scope.wrongly:
                yield ("of", path, "wrongly"), {"indexes": ((path, "another"),)}
        if len(paths) > 1:
            every = tuple((path, state.indexes[path].digest) for path in paths)
            yield ("of", "all"), {"indexes": every}

    return commits


def doings(scope: ModelScope, said: Said, state: State, around: Around) -> Iterator[Doing]:
    """Everything that the world may do now, in a stable order."""
    for key in scope.keys if scope.calls else ():
        yield from _calls(scope, state, around, key)
    if scope.nameless:
        yield _nameless(state, around, "call of nobody")
    for path in scope.paths:
        yield _nameless(state, around, f"call at {path}", path)
    if scope.indexes:
        for key in scope.keys:
            yield from _indexes(state, around, key)
    yield from calls(scope, said, state, around)
    yield from mishaps(scope, said, state, around, time_matters=_time_matters(state))
    for checkpoint in scope.checkpoint_names:
        yield from _damages(scope, state, around, directory_of(checkpoint))


def _calls(scope: ModelScope, state: State, around: Around, key: Key) -> Iterator[Doing]:
    name = f"call {text_of(key)}"
    if name not in state.tickets:
        yield Doing(deed(name), around, a.Admit(name, key))
        return
    bound = scope.rows if key.attempt < scope.keeps else 0
    rows = state.lineages.get(key.capture_key, Lineage()).rows
    if len(rows) < bound:
        call_id = f"m{len(rows) + 1}"
        row = Row(call_id, None, f"{call_id} {text_of(key)}")
        yield Doing(deed(f"{name} is kept"), around, a.Record(name, row))
        for reason in scope.failures:
            failed = a.Record(name, Row(call_id, reason, None))
            yield Doing(deed(f"{name} is kept as {reason}"), around, failed)
    elif bound:
        yield Doing(deed(f"{name} is kept", marks=("rows",)), cut=True)
    yield Doing(deed(f"{name} ends", fair=f"ends {name}"), around, a.Release(name))


def _nameless(state: State, around: Around, name: str, path: str = RESPONSES) -> Doing:
    """A call that says nobody's name, at the first gated route or at another path."""
    if name in state.tickets:
        return Doing(deed(f"{name} ends", fair=f"ends {name}"), around, a.Release(name))
    return Doing(deed(name), around, a.Admit(name, None, path))


def _indexes(state: State, around: Around, key: Key) -> Iterator[Doing]:
    """An agent says on which call of its lineage, or of the one it continues, its work rests."""
    before = Key(key.rollout_id, key.attempt - 1)
    for source in (key, before):
        lineage = state.lineages.get(source.capture_key)
        if source.attempt < 0 or lineage is None or not lineage.rows:
            continue
        if source == before and before not in state.history.sources:
            continue
        call = lineage.rows[-1].call_id
        digest = f"{source.capture_key} {call}"
        made = Index((Root(key, source.capture_key, call),), digest)
        path = text_of(key)
        if state.indexes.get(path) != made:
            words = f"{path} rests on {call} of {text_of(source)}"
            yield Doing(deed(words), around, a.SetIndex(path, made))
        return


def _damages(scope: ModelScope, state: State, around: Around, directory: str) -> Iterator[Doing]:
    here = state.disk.get(directory)
    if here is None or here.kind != "committed" or here.damaged:
        return
    spoilt: list[tuple[str, Checkpoint]] = []
    if scope.damages:
        spoilt.append((f"{directory} is damaged", attrs.evolve(here, damaged=True)))
    if scope.garbles:
        spoilt.append((f"the manifest of {directory} becomes nonsense", Checkpoint("garbled")))
    for words, content in spoilt:
        if around.left[FAULTS]:
            damaged = a.SetDirectory(directory, content)
            yield Doing(deed(words), around.less(FAULTS), damaged)
        else:
            yield Doing(deed(words, marks=("storage faults",)), cut=True)


def _time_matters(state: State) -> bool:
    """Whether a status waits whose time has not come."""
    return any(one.waits and one.reply is None and one.left for one in state.calls.values())
