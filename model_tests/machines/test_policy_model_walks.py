"""A policy model under random actions: every promise after every step, no alarm, a good end."""

from random import Random

import attrs
import pytest
from hypothesis import note, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

from fencepost.policy_model.enabled import TURNS
from fencepost.policy_model.evidence import UNREACHABLE
from fencepost.policy_model.generations import lead_through
from fencepost.policy_model.stories import STORIES
from fencepost.policy_model.walking import ModelWalk
from fencepost_spec.receipts.policy_model.spec import MODEL

pytestmark = pytest.mark.slow

STEPS = 200
QUICK = 8_000
LONG_PART = 25_000
UNDECIDED_MAX = 0.02
PLACES = 64
BY_THE_ORACLE = {"R-GAT-7", "R-GAT-8", "R-MOP-21"}
"""Rules that no step names: the oracle asks them of lines."""


@attrs.define
class Tally:
    """What walks have come to."""

    walks: int = 0
    actions: int = 0
    undecided: int = 0
    rules: set[str] = attrs.field(factory=set)


def walked(first: int, actions: int) -> Tally:
    """Walk from one seed after another until so many actions were taken; an alarm raises."""
    tally = Tally()
    while tally.actions < actions:
        seed = first + tally.walks
        random = Random(seed)
        role = "auxiliary" if seed % 10 == 9 else "policy"
        walk = ModelWalk(role=role, ledger="none" if seed % 10 == 8 else "file")
        if seed % 10 < 8:
            lead_through(walk, seed % 3)
        for _ in range(STEPS):
            walk.go(random.randrange(TURNS << 10))
        walk.wind_down()
        tally.walks += 1
        tally.actions += len(walk.actions)
        tally.undecided += walk.undecided
        tally.rules.update(walk.rules)
    return tally


def test_a_conforming_model_raises_no_alarm() -> None:
    """Some thousand actions in any order: every promise is kept, and no line is refused."""
    tally = walked(0, QUICK)

    assert tally.actions >= QUICK
    assert tally.undecided <= UNDECIDED_MAX * tally.walks


@pytest.mark.soak
@pytest.mark.parametrize("part", range(4))
def test_a_hundred_thousand_actions_of_a_model_raise_no_alarm(part: int) -> None:
    """A hundred thousand actions, counted, in parts: none is refused."""
    tally = walked(1_000_000 * (part + 1), LONG_PART)

    assert tally.actions >= LONG_PART
    assert tally.undecided <= UNDECIDED_MAX * tally.walks


def test_stories_use_every_rule_that_a_step_can_name() -> None:
    """Nothing in the specification is out of reach but what is listed as such, with a reason."""
    used = {rule_id for story in STORIES for rule_id in story.walk().rules}
    named = {rule.id for rule in MODEL.rules()}

    assert named - used == set(UNREACHABLE) | BY_THE_ORACLE


class PolicyModelMachine(RuleBasedStateMachine):
    """One model, its world, and its oracle."""

    def __init__(self) -> None:
        super().__init__()
        self.walk = ModelWalk()
        self.sound = True

    @initialize(generations=st.integers(0, 2))
    def lives(self, generations: int) -> None:
        """Some processes of the model have come and gone before."""
        self.sound = False
        lead_through(self.walk, generations)
        assert len(self.walk.state.lineages) == min(generations, 1)
        self.sound = True

    @rule(turn=st.integers(0, TURNS - 1), place=st.integers(0, PLACES - 1))
    def act(self, turn: int, place: int) -> None:
        """Anything that is enabled happens."""
        self.sound = False
        self.walk.go(turn + TURNS * place)
        note(f"{len(self.walk.actions)}. {self.walk.actions[-1]}")
        self.sound = True

    def teardown(self) -> None:
        """The faults stop, and the run winds down."""
        if self.sound:
            self.walk.wind_down()


TestPolicyModelMachine = pytest.mark.machine(PolicyModelMachine.TestCase)
TestPolicyModelMachine.settings = settings()
