"""The runtime of the agent under random actions: real tasks, real files, judged line by line.

Hypothesis draws a number for each action, and the generator chooses by it among the actions that
the model has enabled. Every line is read by the oracle, every promise is asked of the states it
goes through, and at the end the run winds down. The adapter over the core alone is led alike.
"""

import asyncio
import tempfile
from collections.abc import Callable, Coroutine
from pathlib import Path
from random import Random
from typing import Any, TypeVar

import pytest
from hypothesis import note, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule

from fencepost.adapters import core, runtime
from fencepost.agent.wording import line_text
from fencepost.driver import Driver
from fencepost.generator import Generator
from fencepost.participant import Participant
from fencepost.playing import header_of
from fencepost.trace import Line
from fencepost.watch import Watch
from fencepost_reference.model import Step
from fencepost_reference.receipts import actions as a
from fencepost_reference.receipts.ghost import Ghost
from fencepost_reference.receipts.promises import broken
from fencepost_reference.receipts.state import State
from fencepost_reference.runtime.virtual_time import VirtualLoop

pytestmark = pytest.mark.slow

T = TypeVar("T")


class Live:
    """One participant that is driven, with its event loop and its folder."""

    def __init__(self, make: Callable[[], Participant]) -> None:
        self._folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self._runner = asyncio.Runner(loop_factory=VirtualLoop)
        participant = make()
        header = header_of(participant, "machine", "a case that Hypothesis has drawn")
        root = Path(self._folder.name).resolve()
        self.driver = Driver(participant, header, root, Watch())
        self.driver.record.on_line = self._seen
        self._lost: list[str] = []
        self.do(self.driver.start())
        self.generator = Generator(self.driver, Random(0))

    def do(self, what: Coroutine[Any, Any, T]) -> T:
        """Run something on the loop of the participant."""
        return self._runner.run(what)

    def act(self, random: Random) -> None:
        """Let one thing happen, or two at once."""
        told = len(self.driver.script)
        self.generator.random = random
        self.do(self.generator.act())
        for line in self.driver.script[told:]:
            note(line_text(line))
        self.check()

    def wind_down(self) -> None:
        """The faults stop: everything ends, and a last prepare succeeds."""
        self.generator.random = Random(0)
        rested = self.do(self.generator.wind_down())
        self.check()
        assert rested, "R-LIV-5: it does not come to rest"
        state = self.driver.record.state
        assert not state.calls, "R-LIV-9: a call is not answered"
        assert not state.orphans, "R-LIV-9: a held event does not return"

    def check(self) -> None:
        """Nothing that it did was refused, and no promise was broken."""
        assert not self._lost, "; ".join(self._lost)
        refusal = self.driver.record.refusal
        if refusal is not None:
            found = refusal.mismatch
            rule_id = "no rule" if found.rule is None else found.rule.id
            lines = [f"{one.seq}. {line_text(one)}" for one in self.driver.record.lines]
            told = f"{rule_id}: expected {found.expected!r}, came {found.came!r}"
            raise AssertionError("\n".join([told, *lines]))

    def _seen(self, _before: State, line: Line, after: State) -> None:
        """Ask the promises about a state; the steps between are the oracle's."""
        for one in broken(after, a.Tick(0), Step(after), Ghost()):
            # Told later: here the participant would get the exception.
            self._lost.append(f"line {line.seq}: {one.id} {one.name}")

    def close(self) -> None:
        """End the participant."""
        self.do(self.driver.close())
        self._runner.close()
        self._folder.cleanup()


class RuntimeMachine(RuleBasedStateMachine):
    """A participant that is driven live, its world, and its oracle."""

    make: Callable[[], Participant] = staticmethod(runtime.make)

    def __init__(self) -> None:
        super().__init__()
        self.live = Live(self.make)
        self.sound = True

    @rule(number=st.integers(0, 2**16))
    def act(self, number: int) -> None:
        """Anything that is enabled happens."""
        self.sound = False
        self.live.act(Random(number))
        self.sound = True

    def teardown(self) -> None:
        """The run winds down, and the participant ends."""
        try:
            if self.sound:
                self.live.wind_down()
        finally:
            self.live.close()


class CoreAdapterMachine(RuntimeMachine):
    """The same, with nothing but the core and a scheduler."""

    make = staticmethod(core.make)


# Real tasks and files are slow, so there are fewer of these.
FEWER = settings(max_examples=settings().max_examples // 2)

TestRuntimeMachine = pytest.mark.machine(RuntimeMachine.TestCase)
TestRuntimeMachine.settings = FEWER
TestCoreAdapterMachine = pytest.mark.machine(CoreAdapterMachine.TestCase)
TestCoreAdapterMachine.settings = FEWER
