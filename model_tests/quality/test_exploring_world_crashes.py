"""Whoever may crash in a world may do so between any two effects, those on disks too.

Goal: no point is stepped over because two effects are taken in one transition. Method: every state
before the crash is visited, and asked what has been done on disks and who may crash.
"""

from collections.abc import Iterator

import attrs
import pytest

from fencepost.exploring.world.scope import Left, WorldScope
from fencepost.exploring.world.scopes import WORLD_SCOPES
from fencepost.exploring.world.world import WorldOfControllers
from fencepost_reference.worlds.setting import Setting
from fencepost_reference.worlds.state import State

pytestmark = pytest.mark.slow

BY_NAME = {scope.name: scope for scope in WORLD_SCOPES}
WHO = {
    "world-small-crash-server": {"crash of a1", "crash of policy", "crash of tools"},
    "world-small-crash-controller": {"crash of the controller"},
    "world-small-crash-all": {"crash of all"},
}
STAGES = {"started", "written", "published"}
WRITTEN = {"agent": STAGES, "model": STAGES | {"checked"}, "resources": STAGES}
PUBLISHED = {(step, done) for step in ("sidecars", "manifest", "rename") for done in (None, True)}


def before_the_crash(scope: WorldScope) -> Iterator[tuple[State, set[str]]]:
    """Yield every state in which nobody has crashed yet, with the crashes that may come next."""
    world = WorldOfControllers(scope)
    seen, waiting = {world.start()}, [world.start()]
    while waiting:
        parts = waiting.pop()
        crashes: set[str] = set()
        for taken in world.after(parts):
            if taken.deed.name.startswith("crash of"):
                crashes.add(taken.deed.name)
            elif taken.target is not None and taken.target not in seen:
                seen.add(taken.target)
                waiting.append(taken.target)
        yield world.standing(parts).world, crashes


def points_of(scope: WorldScope, who: set[str]) -> tuple[dict[str, set[str]], set[object]]:
    """Return how far commits and the publication were seen, when each of `who` could crash."""
    commits: dict[str, set[str]] = {}
    published: set[object] = set()
    for state, crashes in before_the_crash(scope):
        assert crashes == who
        for place, participant in zip(scope.setting.places, state.participants, strict=True):
            storing = participant.fence.storing
            if storing is not None:
                commits.setdefault(place.kind, set()).add(storing.stage)
        if state.writing is not None:
            published.add((state.writing.storing.step, state.writing.done))
    return commits, published


def test_an_agent_alone_and_all_crash_between_any_two_effects() -> None:
    """The smallest of these worlds has one agent."""
    scope = attrs.evolve(
        BY_NAME["world-small-crash-all"],
        setting=Setting(),
        left=Left(groups=1, snapshots=1, agent_crashes=1, controller_crashes=1, whole_crashes=1),
    )
    commits, published = points_of(
        scope, {"crash of a1", "crash of the controller", "crash of all"}
    )

    assert commits == {"agent": WRITTEN["agent"]}
    assert published == PUBLISHED


@pytest.mark.soak
@pytest.mark.parametrize("name", WHO)
def test_each_server_alone_the_controller_and_all_crash_between_any_two_effects(name: str) -> None:
    """With all kinds of servers, every step of every commit is seen."""
    commits, published = points_of(BY_NAME[name], WHO[name])

    assert commits == WRITTEN
    assert published == PUBLISHED
