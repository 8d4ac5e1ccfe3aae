"""The oracle is silent on a participant that conforms, however its own steps are ordered.

Walks are drawn from fixed seeds, so a walk that raises an alarm raises it again.
"""

from random import Random

import attrs
import pytest

from fencepost.enabled import TURNS
from fencepost.generations import lead_through
from fencepost.judged_walk import JudgedWalk
from fencepost.walking import Walk
from fencepost.winding import wind_down
from fencepost_spec.receipts.agent import AGENT

pytestmark = pytest.mark.slow

STEPS = 250
VISIBLE: frozenset[str] = frozenset()
WAKES = frozenset({"wakes"})
QUICK = 4_000
LONG_PART = 12_500
LONG_PARTS = 8
COVERING_WALKS = 500
UNDECIDED_MAX = 0.02
"""How many of the walks may be left undecided, because too many states explain them."""

NEVER_STEPPED = {
    "R-FEN-9": "only a policy model closes before it fails",
    "R-FEN-12": "only a policy model closes before it fails",
    "R-FEN-18": "only a policy model closes before it fails",
    "R-EXE-3": "the rung R-RUN-5 answers for it",
    "R-OPS-14": "nothing starts between a restore and its resume",
    "R-OPS-31": "a rule for bodies, which the oracle asks",
}
_ASKED_ELSEWHERE = ("R-RDY", "R-EXP", "R-REC", "R-REF", "R-WAT")
"""Rules that a step obeys without naming them: lists of the specification."""


@attrs.define
class Tally:
    """What walks have come to."""

    walks: int = 0
    actions: int = 0
    undecided: int = 0


def walked(first: int, actions: int, hidden: frozenset[str]) -> Tally:
    """Walk from one seed after another until so many actions were taken; an alarm raises."""
    tally = Tally()
    while tally.actions < actions:
        random = Random(first + tally.walks)
        walk = JudgedWalk(hidden=hidden)
        for _ in range(STEPS):
            walk.go(random.randrange(TURNS << 10))
        wind_down(walk)
        tally.walks += 1
        tally.actions += len(walk.actions)
        tally.undecided += walk.undecided
    return tally


@pytest.mark.parametrize("hidden", [VISIBLE, WAKES], ids=["visible", "wakes hidden"])
def test_a_conforming_core_raises_no_alarm(hidden: frozenset[str]) -> None:
    """Some thousand actions in any order: no line that shows them is refused."""
    tally = walked(0, QUICK, hidden)
    assert tally.actions >= QUICK
    assert tally.undecided <= UNDECIDED_MAX * tally.walks


@pytest.mark.soak
@pytest.mark.parametrize("part", range(LONG_PARTS))
@pytest.mark.parametrize("hidden", [VISIBLE, WAKES], ids=["visible", "wakes hidden"])
def test_a_hundred_thousand_actions_raise_no_alarm(part: int, hidden: frozenset[str]) -> None:
    """A hundred thousand actions, counted, in parts: none is refused."""
    assert LONG_PART * LONG_PARTS == 100_000
    tally = walked(1_000_000 * (part + 1), LONG_PART, hidden)
    assert tally.actions >= LONG_PART
    assert tally.undecided <= UNDECIDED_MAX * tally.walks


@pytest.mark.soak
def test_walks_use_every_rule_of_an_agent() -> None:
    """What walks may do is enough: every rule that a step names is named by some step."""
    used: set[str] = set()
    for seed in range(COVERING_WALKS):
        random = Random(seed)
        walk = Walk()
        lead_through(walk, seed % 3, claims=bool(seed % 2))
        for _ in range(STEPS):
            walk.go(random.randrange(TURNS << 10))
        wind_down(walk)
        used.update(walk.rules)
    named = {one.id for one in AGENT.rules() if not one.id.startswith(_ASKED_ELSEWHERE)}
    assert named - used == set(NEVER_STEPPED)
