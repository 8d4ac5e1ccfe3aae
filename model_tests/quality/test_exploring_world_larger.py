"""Larger worlds walked whole: what holds in the tiny ones holds where faults come together."""

import pytest

from fencepost.exploring.findings import explore
from fencepost.exploring.progress import Answer
from fencepost.exploring.world.scopes import WORLD_SCOPES
from fencepost.exploring.world.world import WorldOfControllers

pytestmark = [pytest.mark.slow, pytest.mark.soak]

BY_NAME = {scope.name: scope for scope in WORLD_SCOPES}

# Distinct states, as they are when siblings are told apart, and transitions.
COUNTS = {
    "world-small": (10445, 19152, 19131),
    "world-small-cohort": (55267, 107968, 104376),
    "world-small-agents": (9164, 9164, 23219),
    "world-small-crash-server": (25184, 25184, 51300),
    "world-small-crash-controller": (3716, 3716, 7970),
    "world-small-crash-all": (3716, 3716, 7970),
}


@pytest.mark.parametrize("name", COUNTS)
def test_the_intended_controller_keeps_its_promises_in_a_larger_world(name: str) -> None:
    """Every promise is kept, and the size is known."""
    found = explore(WorldOfControllers(BY_NAME[name]))

    assert found.stopped is None
    assert found.exit_code == 0, list(found.wrong)
    assert {one.asked.answer for one in found.eventually} == {Answer.HOLDS}
    assert (found.states, found.whole, found.transitions) == COUNTS[name]
