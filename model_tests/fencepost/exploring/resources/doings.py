"""What the world may do to a resources server: requests, handlers that end, calls, mishaps."""

from collections.abc import Iterator
from typing import Any

import attrs

from fencepost.exploring.core_world import Doing, deed
from fencepost.exploring.resources.scope import ResourcesScope
from fencepost.exploring.servers.around import Around
from fencepost.exploring.servers.callers import Said, calls, mishaps
from fencepost.exploring.servers.scope import DEADLINE, directory_of, text_of
from fencepost_reference.receipts import actions as shared
from fencepost_reference.receipts.resources import actions as a
from fencepost_reference.receipts.resources.state import Outcome, State
from fencepost_spec.receipts.resources.routes import MUTATION, READ, START, TERMINAL
from fencepost_spec.vocabulary import Key

_KINDS = {"start": START, "begin": START, "read": READ, "end": TERMINAL}
_OUTCOMES = {
    "returns": Outcome(200, "done"),
    "creates": Outcome(201, "done"),
    "leads elsewhere": Outcome(302, "done"),
    "refuses": Outcome(400, "no"),
    "fails": Outcome(404, "no"),
    "fails itself": Outcome(500, "no"),
    "breaks off": Outcome(0),
}


def said_to(scope: ResourcesScope) -> Said:
    """How a resources server is told of things."""
    return Said(
        shared.Call,
        _request,
        shared.Gone,
        shared.Tick,
        shared.FailStorage,
        a.SetDirectory,
        tuple((words, a.Replace(settings=how)) for words, how in scope.restarts),
    )


def _request(op: str, checkpoint: str, **more: Any) -> shared.Request:
    deadline = DEADLINE if op in ("prepare", "retire") else None
    return shared.Request(checkpoint, deadline=deadline, **more)


def doings(scope: ResourcesScope, said: Said, state: State, around: Around) -> Iterator[Doing]:
    """Everything that the world may do now, in a stable order."""
    for key in scope.keys:
        yield from _asks(scope, state, around, key)
    for key in sorted(state.sessions):
        if key.attempt >= scope.attempts:
            yield Doing(deed(f"start {text_of(key)}", marks=("attempts",)), cut=True)
        if scope.evicts:
            yield Doing(deed(f"evict {text_of(key)}"), around, a.Evict(key))
    for name in sorted(state.requests):
        if state.requests[name].stage == "running":
            for words in scope.outcomes:
                ended = a.Handled(name, _OUTCOMES[words])
                yield Doing(deed(f"{name} {words}", fair=f"handler {name}"), around, ended)
    if scope.agents:
        yield from _agents(scope, state, around)
    yield from calls(scope, said, state, around)
    yield from mishaps(scope, said, state, around, time_matters=_time_matters(state))


def _asks(scope: ResourcesScope, state: State, around: Around, key: Key) -> Iterator[Doing]:
    asks = [
        a.Ask(
            f"{name} {text_of(key)}",
            _KINDS.get(name, MUTATION),
            key,
            request_id=None if name == "read" else name,
        )
        for name in (scope.asks if key.attempt == 0 or scope.later is None else scope.later)
    ]
    asks += [ask for ask in _wrong(key) if ask.id.split(" ")[0] in scope.wrong]
    for ask in asks:
        if ask.id not in state.calls and ask.id not in state.requests:
            yield Doing(deed(ask.id), around, ask)


def _agents(scope: ResourcesScope, state: State, around: Around) -> Iterator[Doing]:
    """An agent commits beside this server, and writes records that do not agree with its own."""
    if state.fence.phase != "committed_paused":
        return
    named = ((scope.keys[0], 1),)
    for name in map(directory_of, scope.checkpoint_names):
        here = state.disk.get(name)
        if here is not None and here.kind == "committed" and here.agents is None:
            other = a.SetDirectory(name, attrs.evolve(here, agents=named))
            yield Doing(deed(f"an agent names {text_of(named[0][0])} in {name}"), around, other)


def _wrong(key: Key) -> Iterator[a.Ask]:
    """Requests that are refused, whatever the session of the key is like."""
    text = text_of(key)
    yield a.Ask(f"revision {text}", MUTATION, key, request_id="m9", expected=9)
    yield a.Ask(f"input {text}", MUTATION, key, request_id="m1", input="another")
    yield a.Ask(f"identity {text}", MUTATION, None, identity_holds=False, request_id="m9")
    yield a.Ask(f"headers {text}", MUTATION, key, headers_hold=False, request_id="m9")
    yield a.Ask(f"nameless {text}", MUTATION, key)
    yield a.Ask(f"nobody {text}", MUTATION, None, request_id="m9")


def _time_matters(state: State) -> bool:
    """Whether a deadline has not come that somebody waits for."""
    if state.fence.waiting and state.fence.deadline:
        return True
    return any(
        one.op == "retire" and one.reply is None and one.deadline for one in state.calls.values()
    )
