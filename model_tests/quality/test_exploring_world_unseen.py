"""Wrong controllers that no tiny world shows: every tiny world is walked with each of them.

Goal: a reason for which nothing is seen is one that a walk has checked. Method: the graph of each
world is held against that of the intended controller, and every promise is asked of it.
"""

from functools import cache
from typing import Any

import pytest

from fencepost.exploring.findings import Findings, explore
from fencepost.exploring.firsts.finding import tiny_scopes
from fencepost.exploring.firsts.nowhere import NOWHERE
from fencepost.exploring.scopes import SCOPES
from fencepost.exploring.world.controllers import spec_named

TINY = [one.name for one in tiny_scopes("world")]
QUICK = ("world-tiny", "world-tiny-quiet-cohort", "world-tiny-quiet-lost")
IDLE = "ignores what holds up a prepare"
OWES_AGAIN = "owes again what was released, when its cohort is sealed"
COHORTS = {"world-tiny-cohort", "world-tiny-quiet-cohort", "world-tiny-referee"}
"""The worlds with a group that is sealed as a whole: only there anything is owed again."""


@cache
def walked(name: str, fault: str | None = None) -> Findings:
    """Return what a controller shows in a scope."""
    return explore(SCOPES[name].world(None if fault is None else spec_named(fault)))


def whole(found: Findings) -> tuple[Any, ...]:
    """Return every state and transition of a walk, with its words."""
    graph = found.graph
    states = [graph.parts(node) for node in range(graph.states)]
    return states, list(graph.targets), list(graph.done), graph.deeds


def test_those_that_nothing_shows_are_walked_here() -> None:
    """The table has no other mutants of a world without a place."""
    assert set(NOWHERE["world"]) == {IDLE, OWES_AGAIN}


@pytest.mark.parametrize("name", QUICK)
@pytest.mark.parametrize("fault", [IDLE, OWES_AGAIN])
def test_small_worlds_do_not_show_them(fault: str, name: str) -> None:
    """A few worlds that are walked at once."""
    assert walked(name, fault).exit_code == 0


@pytest.mark.soak
@pytest.mark.timeout(900)
@pytest.mark.parametrize("name", TINY)
def test_whoever_ignores_what_holds_up_a_prepare_walks_the_very_same_graph(name: str) -> None:
    """Nothing holds up a prepare that the controller has no memory of, in any tiny world."""
    assert whole(walked(name, IDLE)) == whole(walked(name))


@pytest.mark.soak
@pytest.mark.timeout(900)
@pytest.mark.parametrize("name", TINY)
def test_whoever_owes_again_what_was_released_breaks_no_promise(name: str) -> None:
    """It does otherwise where a cohort is sealed, and that is wrong in no tiny world."""
    found = walked(name, OWES_AGAIN)

    assert found.exit_code == 0
    assert (whole(found) == whole(walked(name))) is (name not in COHORTS)
