"""Every state of a small world, and whether a core takes each step there as the intact one does."""

from collections.abc import Iterator
from functools import cache
from typing import Any

from fencepost.policy_model.files import document_of, index_of
from fencepost_reference.model import NotEnabled
from fencepost_reference.receipts.policy_model import actions as a
from fencepost_reference.receipts.policy_model.core import ModelCore
from fencepost_reference.receipts.policy_model.state import Root, Row, State
from fencepost_spec.vocabulary import Key

STATES_MAX = 1_500
R1 = Key("r1", 0)
PATH = "agent/one.jsonl"
INDEX = index_of(PATH, [document_of(Root(R1, "r1", "m1"))])
NAMED = ((PATH, INDEX.digest),)


def moves(core: ModelCore, state: State) -> Iterator[Any]:
    """What may happen in the small world: one attempt, one directory, two ids."""
    for own in core.own(state):
        yield own.action
    if len(state.calls) < 2:
        for checkpoint in ("c1", "c2"):
            yield from _calls(f"q{len(state.calls)}", checkpoint, state)
    if not state.tickets:
        yield a.Admit("t1", R1)
    else:
        yield a.Release("t1")
        if "r1" not in state.lineages:
            yield a.Record("t1", Row("m1"))
    if not state.indexes:
        yield a.SetIndex(PATH, INDEX)
    if not state.failing:
        for step in ("records", "after_manifest", "read", "copy"):
            yield a.FailStorage(step)
    if not state.dead:
        yield a.Replace(ledger_kept=False)


def _calls(name: str, checkpoint: str, state: State) -> Iterator[a.Call]:
    if name in state.calls:
        return
    base = a.Request(checkpoint, 0)
    directed = a.Request(checkpoint, 0, "d1")
    for op in ("pause", "status", "resume"):
        yield a.Call(name, op, base)
    yield a.Call(name, "abort_inflight", a.Request(checkpoint, 0, key=R1))
    yield a.Call(name, "commit", a.Request(checkpoint, 0, "d1", NAMED if state.indexes else ()))
    yield a.Call(name, "restore", directed)


@cache
def reachable() -> tuple[State, ...]:
    """The states of the small world, nearest first."""
    core = ModelCore()
    seen: dict[State, None] = {core.initial(): None}
    for state in seen_in_order(seen):
        if len(seen) > STATES_MAX:
            break
        for action in moves(core, state):
            after = _after(core, state, action)
            if after is not None:
                seen[after[0]] = None
    return tuple(seen)


def seen_in_order(seen: dict[State, None]) -> Iterator[State]:
    """The keys of a dictionary that grows while it is read."""
    place = 0
    while place < len(seen):
        batch = list(seen)[place:]
        place += len(batch)
        yield from batch


def _after(core: ModelCore, state: State, action: Any) -> tuple[State, tuple[Any, ...]] | None:
    """The state and what becomes visible after an action; None where it is not enabled."""
    try:
        step = core.step(state, action)
    except NotEnabled:
        return None
    return step.state, step.outputs


def difference(core: ModelCore) -> str | None:
    """The first step that a core takes otherwise than the intact one; None where there is none."""
    intact = ModelCore()
    for state in reachable():
        if [own.action for own in core.own(state)] != [own.action for own in intact.own(state)]:
            return f"own steps in {state.fence.phase}"
        for action in moves(intact, state):
            if _after(core, state, action) != _after(intact, state, action):
                return f"{type(action).__name__} in {state.fence.phase}"
    return None
