"""Medium scopes walked whole, and large ones as far as a budget goes.

Goal: what holds where things go wrong one by one holds where they come together. Method: a medium
scope is walked to its end and its size is pinned; of a large one, which nobody has walked to its
end, every `always` is asked of the states that are nearest.
"""

import pytest

from fencepost.exploring import comparing
from fencepost.exploring.breadth import Budget
from fencepost.exploring.findings import explore
from fencepost.exploring.scopes import PARTS, SCOPES, SIZES, scope_named, scopes_named

# Distinct states, as they are when names are told apart, and transitions.
COUNTS = {
    "agent-medium": (66_407, 130_377, 557_081),
    "ledger-medium": (30_042, 57_637, 439_246),
    "model-medium": (29_394, 29_394, 230_807),
    "resources-medium": (16_768, 16_768, 104_908),
    "world-medium": (120_259, 236_241, 222_076),
}
LARGE = [one.name for one in SCOPES.values() if one.size == "large"]
STATES_MAX = 10_000


def test_every_part_has_a_scope_of_every_size() -> None:
    """Each size names scopes of every part, and no scope is of a size that has no name."""
    assert {one.size for one in SCOPES.values()} == set(SIZES)
    for size in SIZES:
        assert {one.part.name for one in scopes_named(size)} == set(PARTS)
    for part in PARTS:
        assert {one.size for one in scopes_named(part)} == set(SIZES) - {"large"}


def test_every_medium_scope_is_pinned() -> None:
    """A medium scope is one whose size is known."""
    assert set(COUNTS) == {one.name for one in scopes_named("medium")}


LARGEST_SMALL = {
    "agent": 46_306,
    "ledger": 15_958,
    "model": 2_319,
    "resources": 9_996,
    "world": 55_267,
}
"""The distinct states of the largest small scope of each part: fewer than a medium one has."""


def test_a_medium_scope_is_larger_than_the_small_ones() -> None:
    """What is walked in minutes is more than what is walked in one."""
    for part, states in LARGEST_SMALL.items():
        assert COUNTS[f"{part}-medium"][0] > states


@pytest.mark.soak
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("name", COUNTS)
def test_the_intended_core_keeps_its_promises_in_a_medium_world(name: str) -> None:
    """The walk comes to its end, nothing is broken or stuck, and the size is known."""
    found = explore(scope_named(name).world(None))

    assert found.stopped is None
    assert found.exit_code == 0, list(found.wrong)
    assert comparing.sizes(found) == COUNTS[name]


@pytest.mark.soak
@pytest.mark.parametrize("name", LARGE)
def test_a_large_world_is_not_walked_to_its_end(name: str) -> None:
    """Nothing is broken in the part that a budget allows, and so the answer is inconclusive."""
    found = explore(scope_named(name).world(None), budget=Budget(states=STATES_MAX))

    assert found.states > STATES_MAX
    assert found.stopped is not None
    assert (found.verdict, found.exit_code) == ("inconclusive", 3), list(found.wrong)
