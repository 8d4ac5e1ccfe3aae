"""The tiny worlds that are made for one kind of fault each: their size, and what holds in them.

Which fault shows where stands in the table of firsts, and is walked with it.
"""

import pytest

from fencepost.exploring import comparing
from fencepost.exploring.findings import explore
from fencepost.exploring.progress import Answer
from fencepost.exploring.world.scopes_of_faults import SCOPES_OF_FAULTS
from fencepost.exploring.world.world import WorldOfControllers

BY_NAME = {scope.name: scope for scope in SCOPES_OF_FAULTS}

# Distinct states, as they are when siblings are told apart, and transitions.
COUNTS = {
    "world-tiny-quiet-lost": (42, 42, 50),
    "world-tiny-quiet-cohort": (46, 82, 72),
    "world-tiny-quiet-stale": (31, 31, 41),
    "world-tiny-reserved": (105, 105, 223),
    "world-tiny-unreleased": (147, 147, 164),
    "world-tiny-orphan": (616, 616, 1110),
    "world-tiny-level": (263, 263, 420),
    "world-tiny-relaunch": (504, 504, 884),
    "world-tiny-sessions": (582, 582, 803),
    "world-tiny-sessions-lost": (287, 287, 387),
}


@pytest.mark.parametrize("name", BY_NAME)
def test_the_intended_controller_keeps_its_promises(name: str) -> None:
    """Nothing is broken, stuck or cut off from an answer, and the size is known."""
    found = explore(WorldOfControllers(BY_NAME[name]))

    assert comparing.sizes(found) == COUNTS[name]
    assert found.exit_code == 0, list(found.wrong)
    assert set(comparing.answers(found).values()) <= {Answer.HOLDS, Answer.NEVER}


@pytest.mark.parametrize("name", BY_NAME)
def test_verdicts_agree_when_siblings_are_told_apart(name: str) -> None:
    """The whole graph has as many states as the reduced one stands for, and says the same."""
    reduced = explore(WorldOfControllers(BY_NAME[name]))
    whole = explore(WorldOfControllers(BY_NAME[name]), symmetry=False)

    assert whole.states == reduced.whole
    assert comparing.verdicts(whole) == comparing.verdicts(reduced)


def test_what_is_restored_is_owed_where_its_group_may_be_gone() -> None:
    """The promise that orphans are discarded holds there because something was owed."""
    found = explore(WorldOfControllers(BY_NAME["world-tiny-orphan"]))

    assert comparing.answers(found)["R-WEV-8"] is Answer.HOLDS
