"""Each `eventually` of a resources server: to whom something is owed, and what is assumed."""

from collections.abc import Iterator

from fencepost.exploring.resources.around import state_of
from fencepost.exploring.resources.scope import ResourcesScope
from fencepost.exploring.servers.owing import Owed, eventually
from fencepost.exploring.servers.scope import text_of
from fencepost.exploring.small_world import Eventually
from fencepost_reference.receipts.resources.serving import may_take_lock
from fencepost_reference.receipts.resources.state import State
from fencepost_spec.receipts.resources.properties import BY_ID
from fencepost_spec.receipts.resources.server import RESOURCES


def _prepares(state: State) -> list[str]:
    """The checkpoint whose prepare waits."""
    return [state.fence.active or "a prepare without an id"] if state.fence.waiting else []


def _stores(state: State) -> list[str]:
    """The commit or restore that runs."""
    return [] if state.fence.storing is None else [state.fence.storing.op]


def _uncertain(state: State) -> list[str]:
    """Sessions of which nobody knows what was changed, until they have gone."""
    blocked = ("uncertain", "retiring")
    return [text_of(key) for key, one in state.sessions.items() if one.status in blocked]


def _ready(state: State) -> Iterator[str]:
    """Requests that can go on, and calls whose answer is decided."""
    for name, request in state.requests.items():
        if request.stage == "handled" or may_take_lock(RESOURCES, state, request):
            yield name
    yield from (f"answer of {name}" for name, one in state.calls.items() if one.reply is not None)


def _retires(state: State) -> list[str]:
    """Retires that are not answered."""
    return [n for n, one in state.calls.items() if one.op == "retire" and one.reply is None]


def _open(state: State) -> list[str]:
    """The server, while a checkpoint is open or nothing says why it is closed."""
    closed = not state.accepting and not state.restore_awaited
    return ["the server"] if state.fence.active is not None or closed else []


OWED: tuple[tuple[str, Owed, tuple[str, ...]], ...] = (
    ("R-RLI-1", _prepares, ("time passes",)),
    ("R-RLI-2", _stores, ()),
    ("R-RLI-3", _uncertain, ("handler ", "give up ", "remove ", "time passes")),
    ("R-RLI-4", _ready, ()),
    ("R-RLI-5", _retires, ("time passes",)),
    ("R-RLI-6", _open, ("give up c",)),
)
"""Which states owe, and the beginnings of the classes that are assumed beside the participant's."""


def promises(scope: ResourcesScope) -> tuple[Eventually, ...]:
    """Every `eventually` whose assumptions the callers of a scope can fulfil."""
    return tuple(
        eventually(BY_ID[name], state_of, owed, *begins)
        for name, owed, begins in OWED
        if name != "R-RLI-3" or "retire" in scope.ops
    )
