"""Each `eventually` of a world: to whom something is owed in a state, and what is assumed."""

from collections.abc import Callable, Sequence
from typing import Any

from fencepost.exploring.agent import owing as agent
from fencepost.exploring.policy_model import owing as policy_model
from fencepost.exploring.resources import owing as resources
from fencepost.exploring.small_world import Eventually, Fair, Parts
from fencepost.exploring.world.doings import text_of
from fencepost.exploring.world.parts import Layout, Standing
from fencepost.exploring.world.scope import WorldScope
from fencepost_reference.receipts.controller.said import AGENT, MODEL, RESOURCES
from fencepost_reference.worlds.viewing import (
    gate_is_open,
    groups,
    left_over,
    owed,
    publishes,
    reserved,
)
from fencepost_spec.operation import Property
from fencepost_spec.receipts.policy_model.properties import BY_ID as MODEL_BY_ID
from fencepost_spec.receipts.properties import BY_ID as AGENT_BY_ID
from fencepost_spec.receipts.resources.properties import BY_ID as RESOURCES_BY_ID
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
    """Groups that are owned; one that is reserved waits for a sampler, who may take its time."""
    controller = standing.world.controller
    waiting = reserved(controller)
    return [name for name in groups(controller) if name not in waiting]


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


def _restored(standing: Standing) -> list[str]:
    """Continuations that wait in an agent for the attempt that takes them up."""
    return [
        text_of(key)
        for participant in standing.world.participants
        for key in getattr(participant, "pending", ())
    ]


Owing = Callable[[Standing], list[str]]

_PROMISES: tuple[tuple[str, Owing, tuple[str, ...]], ...] = (
    ("R-WEV-1", _kept, (_DUE, _FINALIZER)),
    ("R-WEV-2", _groups, (_DUE, _FINALIZER)),
    ("R-WEV-3", _closed, (_DUE, _FINALIZER)),
    ("R-WEV-4", _owed, (_DUE, _FINALIZER)),
    ("R-WEV-5", _held, (_DUE, _FINALIZER)),
    ("R-WEV-6", _unpublished, (_DUE, _FINALIZER)),
    ("R-WEV-7", _left_over, (_DUE, _FINALIZER)),
    ("R-WEV-8", _restored, (_DUE, _FINALIZER)),
)
_OF_SNAPSHOTS, _OF_RESTORES = "R-WEV-6", "R-WEV-8"


_OF_KIND: dict[str, tuple[dict[str, Property], Sequence[Any]]] = {
    AGENT: (AGENT_BY_ID, agent.OWED),
    MODEL: (MODEL_BY_ID, policy_model.OWED),
    RESOURCES: (RESOURCES_BY_ID, resources.OWED),
}
NEVER_OWED = frozenset({"R-RLI-3", "R-RLI-5"})
"""What no controller of a world comes to be owed: no handler there breaks off, none is retired."""


def promises(layout: Layout, scope: WorldScope) -> tuple[Eventually, ...]:
    """Every `eventually` of a world, and those of its participants where it is strict.

    A snapshot is owed only where one is due, and waited for; a continuation where a controller may
    have to start again; nothing where no rollout ends.
    """
    if not scope.ends:
        return ()
    absent = set[str]() if scope.snapshots and scope.patient else {_OF_SNAPSHOTS}
    if not (scope.left.whole_crashes or scope.left.controller_crashes):
        absent.add(_OF_RESTORES)
    found = [
        Eventually(BY_ID[name], _pending(layout, owing), _assumes(classes))
        for name, owing, classes in _PROMISES
        if name not in absent
    ]
    for kind, (by_id, some) in _OF_KIND.items() if scope.strict else ():
        numbers = scope.setting.of_kind(kind)
        for name, owing, _ in some if numbers else ():
            if name not in NEVER_OWED:
                asked = _pending(layout, _inside(scope, numbers, owing))
                found.append(Eventually(by_id[name], asked, _assumes((_DUE, _FINALIZER))))
    return tuple(found)


def _pending(layout: Layout, owing: Owing) -> Callable[[Parts], frozenset[str]]:
    return lambda parts: frozenset(owing(layout.standing(parts)))


def _inside(scope: WorldScope, numbers: tuple[int, ...], owing: Any) -> Owing:
    """What the participants of one kind owe, each under its name."""
    places = scope.setting.places

    def held(standing: Standing) -> list[str]:
        return [
            f"{places[number].instance}: {one}"
            for number in numbers
            for one in owing(standing.world.participants[number])
        ]

    return held


def _assumes(classes: tuple[str, ...]) -> Callable[[str], Fair]:
    begins = (*_KEEPS_GOING, *classes)

    def assumes(fair: str) -> Fair:
        # A checkpoint may come between, again and again; what it interrupts is done in the end.
        return Fair.STRONG if fair.startswith(begins) else Fair.NOT

    return assumes
