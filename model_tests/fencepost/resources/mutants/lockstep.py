"""Two cores walked together through a small scope: whether one ever does otherwise than the other.

The intact core leads: from every state that it can come to, every action of the scope is taken by
both, and what they may do by themselves is compared. The walk is bounded: what it shows is that
nothing differs near the start.
"""

from collections.abc import Iterator
from typing import Any

import attrs
from immutables import Map

from fencepost_reference.receipts import actions as shared
from fencepost_reference.receipts.changes import change
from fencepost_reference.receipts.resources import actions as a
from fencepost_reference.receipts.resources.server import ResourcesCore
from fencepost_reference.receipts.resources.state import Outcome, Settings, State
from fencepost_spec.receipts.resources.routes import MUTATION, START, TERMINAL, UNGATED
from fencepost_spec.vocabulary import Key

R1 = Key("r1", 0)
OPEN_MOST = 2
PLACES_MAX = 4_000


@attrs.frozen
class Compared:
    """How many states were compared, and the first action after which something differed."""

    places: int
    differs: str | None


def compare(core: ResourcesCore, settings: Settings, places_max: int = PLACES_MAX) -> Compared:
    """Walk a core beside the intact one, breadth first, through at most so many states."""
    intact = ResourcesCore()
    start = intact.initial(settings)
    places, seen = [start], {start}
    for state in places:
        if _choices(core, state) != _choices(intact, state):
            return Compared(len(seen), "what it may do by itself")
        for action in (*_moves(state), *(own.action for own in intact.own(state))):
            right, other = intact.step(state, action), core.step(state, action)
            if (right.outputs, _plain(right.state)) != (other.outputs, _plain(other.state)):
                return Compared(len(seen), repr(action))
            if right.state not in seen and len(seen) < places_max:
                seen.add(right.state)
                places.append(right.state)
    return Compared(len(seen), None)


def _choices(core: ResourcesCore, state: State) -> list[Any]:
    return [(own.action, own.must) for own in core.own(state)]


def _plain(state: State) -> State:
    """The state without the reasons for which keys are refused: they only explain."""
    refused: Map[Any, Any] = Map(dict.fromkeys(state.history.refused, True))
    return change(state, history=change(state.history, refused=refused))


def _moves(state: State) -> Iterator[Any]:
    """What the world may do: a handful of requests of one session, and one checkpoint at a time."""
    for name, request in state.requests.items():
        if request.stage == "running":
            yield a.Handled(name, Outcome(200, "done"))
            yield a.Handled(name, Outcome(0))
    yield shared.Tick(1)
    if any(one.kind == "committed" for one in state.disk.values()):
        yield a.Replace()
    if len(state.calls) >= OPEN_MOST:
        return
    for name, kind, key in _ASKS:
        if name not in state.calls and name not in state.requests:
            yield a.Ask(name, kind, key, request_id=f"m-{name}", input=name)
    checkpoint = state.fence.active or f"c{len(state.history.finished)}"
    if len(state.history.finished) > 1:
        return
    for op in ("prepare", "status", "commit", "restore", "resume", "retire"):
        directory = "d1" if op in ("commit", "restore") else None
        asked = shared.Request(checkpoint, 1, directory, R1 if op == "retire" else None)
        if op not in state.calls:
            yield shared.Call(op, op, asked)


_ASKS = (
    ("start", START, R1),
    ("step", MUTATION, R1),
    ("verify", TERMINAL, R1),
    ("free", UNGATED, None),
    ("nobody", MUTATION, None),
)
