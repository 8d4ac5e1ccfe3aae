"""The core of a resources server keeps every promise, whatever is done to it and in which order."""

from random import Random
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, precondition, rule

from fencepost.resources.drawing import Scene, draw
from fencepost_reference.receipts.resources.ghost import Ghost, remembered
from fencepost_reference.receipts.resources.promises import broken
from fencepost_reference.receipts.resources.server import ResourcesCore
from fencepost_reference.receipts.resources.state import Settings

SETTINGS = (
    Settings(),
    Settings(contract="transactional_parallel"),
    Settings(mode="restart_only"),
    Settings(mode="stateless", contract="stateless"),
    Settings(restore_expected=True, capacity=2),
    Settings(capacity=3),
)


class World:
    """A core, what a watcher remembers of it, and what was done so far."""

    def __init__(self, started: Settings) -> None:
        self.core = ResourcesCore()
        self.state = self.core.initial(started)
        self.scene = Scene()
        self.ghost = Ghost()
        self.rules: set[str] = set()

    def take(self, action: Any) -> None:
        """Take one action, if there is one; every `always` is asked of it."""
        if action is None:
            return
        step = self.core.step(self.state, action)
        wrong = broken(self.state, action, step, self.ghost)
        assert wrong == (), f"{action}: {[prop.name for prop in wrong]}"
        self.ghost = remembered(self.ghost, self.state, action, step)
        self.state = step.state
        self.rules |= {one.id for one in step.rules}
        assert hash(self.state) == hash(self.state)


@pytest.mark.parametrize("started", SETTINGS, ids=lambda one: f"{one.mode}, {one.contract}")
def test_no_walk_breaks_a_promise(started: Settings) -> None:
    """Random walks, in every mode: each step keeps every `always`."""
    rules: set[str] = set()
    for seed in range(25):
        random, world = Random(seed), World(started)
        for _ in range(150):
            own = world.core.own(world.state)
            if own and random.random() < 0.6:
                world.take(random.choice(own).action)
            else:
                world.take(draw(world.scene, world.state, random))
        rules |= world.rules

    # The walks go somewhere: each serves, refuses, prepares and commits.
    assert {"R-RRQ-20", "R-RRQ-5", "R-FEN-3", "R-FEN-6", "R-FEN-10"} <= rules


class ResourcesMachine(RuleBasedStateMachine):
    """What Hypothesis draws is always one of the enabled actions."""

    def __init__(self) -> None:
        super().__init__()
        self.world = World(SETTINGS[0])

    @rule(number=st.integers(0, 2**16))
    def world_acts(self, number: int) -> None:
        """The world does something."""
        self.world.take(draw(self.world.scene, self.world.state, Random(number)))

    @precondition(lambda self: self.world.core.own(self.world.state))
    @rule(choice=st.integers(0, 30))
    def server_acts(self, choice: int) -> None:
        """The server takes one of the steps that it may take."""
        own = self.world.core.own(self.world.state)
        self.world.take(own[choice % len(own)].action)


ResourcesMachine.TestCase.settings = settings(
    max_examples=20, stateful_step_count=40, deadline=None
)
TestResourcesMachine = pytest.mark.machine(ResourcesMachine.TestCase)
