"""A whole world under random actions: every promise after every step, a referee, and a good end.

Hypothesis draws numbers, and each stands for one of the things that may happen: work of both
granularities on two agents, or with a policy model and a resources server; failures, crashes, lost,
late and repeated calls, storage that fails, damaged snapshots, groups that go stale. Then the
faults stop, and each sibling of each group has contributed one row; nothing is owed; a snapshot can
be published, and whoever starts from it can publish the next one.
"""

import pytest
from hypothesis import note, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

from fencepost.exploring.world.controllers import spec_named
from fencepost.exploring.world.driving import Broken, Endless
from fencepost.exploring.world.walking import SETTINGS, Walk

pytestmark = pytest.mark.slow

PLACES = 64
TURNS = 4


class WorldMachine(RuleBasedStateMachine):
    """One world and its referee."""

    def __init__(self) -> None:
        super().__init__()
        self.walk = Walk(SETTINGS[0])
        self.sound = True

    @initialize(setting=st.sampled_from(SETTINGS))
    def lives(self, setting: object) -> None:
        """Two agents, or one with everything around it."""
        self.walk = Walk(next(one for one in SETTINGS if one is setting))

    @rule(turn=st.integers(0, TURNS - 1), place=st.integers(0, PLACES - 1))
    def act(self, turn: int, place: int) -> None:
        """Anything that is possible happens; in one of four turns it comes from outside."""
        self.sound = False
        self.walk.go(turn, place)
        if self.walk.done:
            note(f"{len(self.walk.done)}. {self.walk.done[-1]}")
        self.sound = True

    def teardown(self) -> None:
        """The faults stop, and the run winds down."""
        if self.sound:
            self.walk.wind_down()


TestWorldMachine = pytest.mark.machine(WorldMachine.TestCase)
TestWorldMachine.settings = settings()


FAULTS = (
    "acknowledges only whole groups",
    "reruns after a lost reply without retiring",
    "does not repeat a release",
    "opens the gate before the release is confirmed",
    "dispatches while frozen",
    "publishes after failed storage",
    "lets a group go and forgets its attempts",
)


@pytest.mark.parametrize("fault", FAULTS)
def test_a_walk_notices_a_controller_that_is_wrong(fault: str) -> None:
    """The machine is no decoration: some walk of a few hundred trips over each of these."""
    spec = spec_named(fault)
    for seed in range(1, 400):
        walk = Walk(SETTINGS[0], spec)
        try:
            for number in range(60):
                walk.go((seed * 7 + number * number) % TURNS, seed * (number + 3) % PLACES)
            walk.wind_down()
        except (Broken, Endless, AssertionError):
            return
    pytest.fail(f"no walk notices a controller that {fault}")
