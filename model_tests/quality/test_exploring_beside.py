"""The intended core beside itself: nothing ever differs, however the two are walked.

Goal: what is called a difference is one of the cores, not of the walk. Method: every tiny scope of
every part that has one intended core is walked to its end with two of them, remembered and asked
anew of each state.
"""

from typing import Any

import pytest

from fencepost.exploring.beside import (
    AskedSide,
    Beside,
    Heard,
    RememberingSide,
    Side,
    first_otherwise,
    intended_side,
    side_beside,
)
from fencepost.exploring.firsts.finding import tiny_scopes
from fencepost.exploring.scopes import PARTS, SCOPES
from fencepost.exploring.small_world import Branching, SmallWorld

COMPARED = [part for part, one in PARTS.items() if one.intended is not None]
SCOPE_NAMES = [one.name for part in COMPARED for one in tiny_scopes(part)]
FEW = ("agent-tiny-results", "ledger-tiny", "resources-tiny", "model-tiny")
"""One scope of each part, so that something is compared whenever tests are run."""
SHORT = 3


def intended(name: str) -> tuple[SmallWorld, Heard]:
    """Return a tiny scope around a new intended core, and that core."""
    make: Any = SCOPES[name].part.intended
    core = Heard(make())
    return SCOPES[name].world(core), core


def as_compared(name: str) -> tuple[Side, Side]:
    """Return the two sides as a mutant would be walked beside the intended core."""
    ours = intended_side(*intended(name))
    return ours, side_beside(ours, *intended(name))


def asked_anew(name: str) -> tuple[Side, Side]:
    """Return two sides of which neither remembers anything."""
    return AskedSide(*intended(name)), AskedSide(*intended(name))


@pytest.mark.parametrize("name", FEW)
def test_the_first_actions_of_the_intended_core_do_not_differ(name: str) -> None:
    """Three actions of one tiny scope of each part, both ways."""
    for sides in (as_compared(name), asked_anew(name)):
        walk = Beside(*sides)
        assert [walk.go() for _ in range(SHORT)] == [None] * SHORT
        assert not walk.done


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("name", SCOPE_NAMES)
def test_the_intended_core_beside_itself_never_differs(name: str) -> None:
    """A whole tiny scope, as a mutant is compared."""
    assert first_otherwise(*as_compared(name)) is None


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("name", [name for name in SCOPE_NAMES if name.startswith("agent")])
def test_the_intended_core_asked_anew_never_differs(name: str) -> None:
    """The same where nothing is remembered; only the world of an agent remembers."""
    ours, theirs = asked_anew(name)

    assert isinstance(ours.world, Branching)
    assert isinstance(as_compared(name)[0], RememberingSide)
    assert first_otherwise(ours, theirs) is None
