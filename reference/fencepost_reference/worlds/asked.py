"""What is asked of each kind of participant in a world: its own promises, at each of its steps.

A participant's promises are asked of the steps of its core, with what a watcher remembers of that
process beside it. Nothing here knows what a promise says.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import attrs

from fencepost_reference.model import Step
from fencepost_reference.receipts import actions as agent
from fencepost_reference.receipts import ghost as agent_ghost
from fencepost_reference.receipts import promises as agent_promises
from fencepost_reference.receipts.controller.said import AGENT, MODEL, RESOURCES, Place
from fencepost_reference.receipts.policy_model import actions as model
from fencepost_reference.receipts.policy_model import promises as model_promises
from fencepost_reference.receipts.resources import actions as resources
from fencepost_reference.receipts.resources import ghost as resources_ghost
from fencepost_reference.receipts.resources import promises as resources_promises
from fencepost_reference.worlds import actions as a
from fencepost_spec.operation import Property

Remembered = Callable[[Any, Any, Any, Step], Any]
Broken = Callable[[Any, Any, Step, Any], tuple[Property, ...]]


@attrs.frozen
class Asked:
    """How one kind is asked: what is known at first, what is remembered, what a step breaks."""

    first: Callable[[], Any]
    remembered: Remembered
    broken: Broken
    replaces: Any


ASKED: Mapping[str, Asked] = {
    AGENT: Asked(agent_ghost.Ghost, agent_ghost.remembered, agent_promises.broken, agent.Replace()),
    MODEL: Asked(
        model_promises.Ghost, model_promises.remembered, model_promises.broken, model.Replace()
    ),
    RESOURCES: Asked(
        resources_ghost.Ghost,
        resources_ghost.remembered,
        resources_promises.broken,
        resources.Replace(),
    ),
}


def fresh(places: tuple[Place, ...]) -> tuple[Any, ...]:
    """What is remembered of each participant before anything happened."""
    return tuple(ASKED[place.kind].first() for place in places)


def steps_inside(step: Step) -> Iterator[a.Inside]:
    """The steps that participants took within a step of the world, in order."""
    return (output for output in step.outputs if isinstance(output, a.Inside))


def _after(kinds: tuple[Place, ...], ghosts: list[Any], one: a.Inside) -> None:
    asked = ASKED[kinds[one.number].kind]
    ghosts[one.number] = asked.remembered(ghosts[one.number], one.before, one.action, one.step)


def remembered_inside(
    places: tuple[Place, ...], ghosts: tuple[Any, ...], before: Any, action: Any, step: Step
) -> tuple[Any, ...]:
    """What is remembered of each participant after a step of the world."""
    found = list(ghosts)
    for one in steps_inside(step):
        _after(places, found, one)
    for number, place in enumerate(places):
        gone = isinstance(action, a.Crash) and place in action.places
        if gone or isinstance(action, a.Start):
            asked, now = ASKED[place.kind], Step(step.state.participants[number])
            stood = before.participants[number]
            found[number] = asked.remembered(found[number], stood, asked.replaces, now)
    return tuple(found)


def broken_inside(
    places: tuple[Place, ...], ghosts: tuple[Any, ...], step: Step
) -> tuple[Property, ...]:
    """The promises of their own that participants break within a step of the world."""
    lost, known = list[Property](), list(ghosts)
    for one in steps_inside(step):
        asked = ASKED[places[one.number].kind]
        lost += asked.broken(one.before, one.action, one.step, known[one.number])
        _after(places, known, one)
    return tuple(lost)
