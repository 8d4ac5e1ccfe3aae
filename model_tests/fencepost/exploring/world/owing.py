"""Each `eventually` of a world: to whom something is owed in a state, and what is assumed."""

from collections.abc import Callable

from fencepost.exploring.small_world import Eventually, Fair, Parts
from fencepost.exploring.world.doings import text_of
from fencepost.exploring.world.parts import Layout, Standing
from fencepost.exploring.world.scope import WorldScope
from fencepost_reference.worlds.viewing import gate_is_open, groups, left_over, owed, publishes
from fencepost_spec.receipts.world import BY_ID

_KEEPS_GOING = ("own ", "goes on", "parks", "finishes", "stops", "time passes", "the deadline")
_DUE = "a snapshot is due"
_FINALIZER = "finalizer"


def _kept(standing: Standing) -> list[str]:
    """Results that an agent keeps."""
    return [
        text_of(key)
        for participant in standing.world.participants
        for key, one in getattr(participant, "executions", {}).items()
        if one.status == "completed_unacknowledged"
    ]


def _groups(standing: Standing) -> list[str]:
    return list(groups(standing.world.controller))


def _closed(standing: Standing) -> list[str]:
    return [] if gate_is_open(standing.world.controller) else ["admission"]


def _owed(standing: Standing) -> list[str]:
    return [text_of(key) for key in owed(standing.world.controller)]


def _held(standing: Standing) -> list[str]:
    return [
        f"participant {number}"
        for number, one in enumerate(standing.world.participants)
        if one.fence.active is not None
    ]


def _unpublished(standing: Standing) -> list[str]:
    return [] if publishes(standing.world.controller) else ["a snapshot"]


def _left_over(standing: Standing) -> list[str]:
    return [text_of(key) for key in left_over(standing.world.controller)]


_PROMISES: tuple[tuple[str, Callable[[Standing], list[str]], tuple[str, ...]], ...] = (
    ("R-WEV-1", _kept, (_DUE, _FINALIZER)),
    ("R-WEV-2", _groups, (_DUE, _FINALIZER)),
    ("R-WEV-3", _closed, (_DUE, _FINALIZER)),
    ("R-WEV-4", _owed, (_DUE, _FINALIZER)),
    ("R-WEV-5", _held, (_DUE, _FINALIZER)),
    ("R-WEV-6", _unpublished, (_DUE, _FINALIZER)),
    ("R-WEV-7", _left_over, (_DUE, _FINALIZER)),
)
_OF_SNAPSHOTS = "R-WEV-6"


def promises(layout: Layout, scope: WorldScope) -> tuple[Eventually, ...]:
    """Every `eventually` of a world; of snapshots only where they are due, and waited for."""
    snapshots = scope.snapshots and scope.patient

    def pending(owing: Callable[[Standing], list[str]]) -> Callable[[Parts], frozenset[str]]:
        return lambda parts: frozenset(owing(layout.standing(parts)))

    return tuple(
        Eventually(BY_ID[name], pending(owing), _assumes(classes))
        for name, owing, classes in _PROMISES
        if snapshots or name != _OF_SNAPSHOTS
    )


def _assumes(classes: tuple[str, ...]) -> Callable[[str], Fair]:
    begins = (*_KEEPS_GOING, *classes)

    def assumes(fair: str) -> Fair:
        # A checkpoint may come between, again and again; what it interrupts is done in the end.
        return Fair.STRONG if fair.startswith(begins) else Fair.NOT

    return assumes
