"""An agent core under random actions: every promise after every step, and a good end.

Hypothesis draws numbers, and each stands for one of the actions that are enabled. The same history
is shown to the oracle, which must have nothing against it.
"""

import pytest
from hypothesis import note, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

from fencepost.enabled import TURNS
from fencepost.generations import lead_through
from fencepost.judged_walk import JudgedWalk
from fencepost.winding import wind_down

pytestmark = pytest.mark.slow

PLACES = 64


class AgentCoreMachine(RuleBasedStateMachine):
    """One participant, its world, and its oracle."""

    def __init__(self) -> None:
        super().__init__()
        self.walk = JudgedWalk()
        self.sound = True

    @initialize(generations=st.integers(0, 2), claims=st.booleans())
    def lives(self, generations: int, claims: bool) -> None:
        """Some processes of the participant have come and gone before."""
        self.sound = False
        lead_through(self.walk, generations, claims=claims)
        assert bool(self.walk.state.pending) == (generations > 0)
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
            wind_down(self.walk)


TestAgentCoreMachine = pytest.mark.machine(AgentCoreMachine.TestCase)
TestAgentCoreMachine.settings = settings()
