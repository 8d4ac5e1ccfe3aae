"""Each `eventually` of an agent: to whom something is owed in a state, and what is assumed.

Whatever the participant owes by itself is assumed of it: that is what fairness to a participant
means. What its callers have to do stands with each promise, as the specification words it.
"""

from collections.abc import Callable

from fencepost.exploring.agent.around import state_of
from fencepost.exploring.agent.scope import AgentScope, text_of
from fencepost.exploring.small_world import Eventually, Fair, Parts
from fencepost_reference.receipts.state import State
from fencepost_spec.receipts.properties import BY_ID


def _completions(state: State) -> list[str]:
    """Keys whose result is retained."""
    standing = state.executions.items()
    return [text_of(key) for key, one in standing if one.status == "completed_unacknowledged"]


def _prepares(state: State) -> list[str]:
    """The checkpoint whose prepare waits."""
    fence = state.fence
    return [fence.active or "a prepare without an id"] if fence.waiting else []


def _open(state: State) -> list[str]:
    """The server, while a checkpoint is open or admission is closed."""
    return ["the server"] if state.fence.active is not None or not state.accepting else []


def _held(state: State) -> list[str]:
    """Keys whose event is held although no checkpoint is open and their client is there."""
    if state.fence.phase != "idle":
        return []
    return [
        text_of(key)
        for key, one in state.executions.items()
        if one.held is not None and one.status != "retiring" and one.call in state.calls
    ]


def _unprepared(state: State) -> list[str]:
    """The checkpoint that is open and not prepared."""
    fence = state.fence
    return [fence.active] if fence.phase == "preparing" and fence.active is not None else []


def _resting(state: State) -> list[str]:
    """The checkpoint that is open while nothing of it is under way."""
    fence = state.fence
    busy = fence.waiting or fence.storing is not None
    return [fence.active] if fence.active is not None and not busy else []


def _restored(state: State) -> list[str]:
    """Restored keys that wait to be run."""
    return [text_of(key) for key in state.pending]


def _decided(state: State) -> list[str]:
    """Calls whose answer is decided, and events that will be answered whatever happens."""
    calls = [f"answer of {call}" for call, one in state.calls.items() if one.reply is not None]
    return calls + (["held events of work that has ended"] if state.orphans else [])


_CONTROLLER = ("call prepare", "call acknowledge", "call retire", "stops", "time passes")

OWED: tuple[tuple[str, Callable[[State], list[str]], tuple[str, ...]], ...] = (
    ("R-LIV-1", _completions, ("call acknowledge",)),
    ("R-LIV-2", _prepares, ("time passes",)),
    ("R-LIV-3", _open, ("give up",)),
    ("R-LIV-4", _held, ()),
    ("R-LIV-5", _unprepared, _CONTROLLER),
    ("R-LIV-6", _resting, ("give up",)),
    ("R-LIV-8", _restored, ("give up", "dispatch")),
    ("R-LIV-9", _decided, ()),
)
"""Which states owe, and the beginnings of the classes that are assumed beside the participant's."""


def promises(scope: AgentScope) -> tuple[Eventually, ...]:
    """Every `eventually` of an agent whose assumptions the callers of a scope can fulfil."""
    retires = "retire" in scope.ops
    return tuple(
        Eventually(BY_ID[name], _pending(owed), _assumes(classes))
        for name, owed, classes in OWED
        if retires or "call retire" not in classes
    )


def _pending(owed: Callable[[State], list[str]]) -> Callable[[Parts], frozenset[str]]:
    return lambda parts: frozenset(owed(state_of(parts)))


def _assumes(classes: tuple[str, ...]) -> Callable[[str], Fair]:
    begins = ("own ", *classes)

    def assumes(fair: str) -> Fair:
        if not fair.startswith(begins):
            return Fair.NOT
        # A caller who is refused for now asks again when it is possible again.
        return Fair.STRONG if fair.startswith(("dispatch ", "give up ")) else Fair.WEAK

    return assumes
