"""Chooses what the world does next: one of the actions that the state of the model allows.

Everything is proposed that could happen, with a weight; what would use a rule that nothing has used
yet is wanted more. Sometimes two things happen with no turn of the event loop between them. At the
end everything is brought to rest, and a last prepare must succeed.
"""

from collections.abc import Callable, Container, Iterable
from random import Random
from typing import Any

import attrs

from fencepost.agent import reading
from fencepost.capable import usable
from fencepost.driver import Driver
from fencepost.generating import winding
from fencepost.generating.faulting import propose_faults
from fencepost.generating.fenced import propose_fenced
from fencepost.generating.keyed import propose_keyed
from fencepost.generating.runs import propose_runs
from fencepost.generating.scene import NEW_RULE_FACTOR, Names, Proposal, Scene
from fencepost.generating.working import propose_work
from fencepost.generating.wrong import propose_wrong
from fencepost.trace.lines import Call, Fault, Line, Lost, Tick, Work
from fencepost_reference.model import NotEnabled, Step
from fencepost_reference.receipts import actions as a
from fencepost_reference.receipts.state import State

PROPOSERS: tuple[Callable[[Scene], Iterable[Proposal]], ...] = (
    propose_runs,
    propose_fenced,
    propose_keyed,
    propose_work,
    propose_faults,
    propose_wrong,
)
TOGETHER = 0.25
DRAWN = 5
SOON_VIRTUAL, SOON = 1.0, 0.05
"""Seconds of a deadline that is let pass; real ones are waited for."""
_LATER = 1_000_000_000


def action_of(line: Line, workers_call: str | None = None) -> Any:
    """The action of the core that stands for an action of the world; None for one it ignores."""
    match line:
        case Call(op="run"):
            return reading.run_action(line)
        case Call():
            return reading.call_action(line)
        case Lost():
            return a.Gone(line.id)
        case Work():
            return attrs.evolve(reading.work_action(line, workers_call), token=_LATER)
        case Tick():
            return a.Tick(line.microseconds)
        case Fault(name="replace"):
            return a.Replace(line.disk != "empty")
        case _:
            return None


class Generator:
    """Plays one small world with a driver. `used` are the ids of rules used so far, anywhere."""

    def __init__(self, driver: Driver, random: Random, used: Container[str] = ()) -> None:
        self.driver = driver
        self.names = Names()
        self.random = random
        """Where choices come from; it may be another one for each action."""
        self._used = used
        self._capabilities = usable(driver.participant)

    @property
    def state(self) -> State:
        """A state that explains what has been seen."""
        return self.driver.record.state

    def scene(self, state: State | None = None) -> Scene:
        """What proposals look at now."""
        driver = self.driver
        calls = tuple(call.line for call in driver.open.values())
        return Scene(
            state or self.state,
            tuple(driver.workers),
            calls,
            self.names,
            self.random,
            self._capabilities,
            self._used,
            SOON_VIRTUAL if driver.participant.virtual else SOON,
        )

    def proposals(self, state: State | None = None) -> list[Proposal]:
        """Everything that may happen now."""
        scene = self.scene(state)
        return [each for propose in PROPOSERS for each in propose(scene)]

    async def act(self) -> int:
        """Let one thing happen, or two at once, then come to rest; how many there were."""
        before = self.state
        first = self._choose(self.proposals(), before)
        if first is None:
            return 0
        chosen = [first]
        if not first.alone and self.random.random() < TOGETHER:
            after = self._step(before, first.line)
            beside = [
                each
                for each in self.proposals(None if after is None else after.state)
                if not each.alone and not _same_subject(first.line, each.line)
            ]
            second = self._choose(beside, before)
            chosen += [] if second is None else [second]
        done = 0
        for proposal in chosen:
            done += await self.driver.perform(self.named(proposal.line))
        if not self.driver.record.over:
            await self.driver.rest()
        return done

    async def wind_down(self) -> bool:
        """Bring everything to rest, then prepare and resume once more.

        False when that did not come about; `lacking` tells whether for want of an operation.
        """
        driver = self.driver
        for _ in range(winding.ROUNDS_MAX):
            steps = winding.next_steps(self.scene())
            if not steps or driver.record.over:
                break
            done = 0
            for line in steps:
                done += await driver.perform(self.named(line))
                await driver.rest()
            if not done:
                break
        if driver.record.over or self.lacking() is not None or not winding.at_rest(self.scene()):
            return False
        for last in (winding.last_prepare, winding.last_resume):
            await driver.perform(self.named(last(self.scene())))
            await driver.rest()
            if driver.record.over:
                break
        return True

    def lacking(self) -> str | None:
        """The operation for want of which nobody can bring the world to rest, or None."""
        return winding.lacking(self.scene())

    def named(self, line: Line) -> Line:
        """The action with a call id of its own; the names in it are used from now on."""
        if isinstance(line, Call):
            line = attrs.evolve(line, id=self.names.fresh_call())
        self.names.used(line)
        return line

    def _choose(self, proposals: list[Proposal], state: State) -> Proposal | None:
        """One of a few that are drawn by weight: rather one that uses a rule for the first time."""
        if not proposals:
            return None
        drawn = self.random.choices(proposals, [each.weight for each in proposals], k=DRAWN)
        return self.random.choices(drawn, [self._bonus(each.line, state) for each in drawn])[0]

    def _bonus(self, line: Line, state: State) -> float:
        step = self._step(state, line)
        if step is None or all(rule.id in self._used for rule in step.rules):
            return 1.0
        return NEW_RULE_FACTOR

    def _step(self, state: State, line: Line) -> Step | None:
        action = action_of(line)
        if action is None or (isinstance(action, a.Gone) and action.id not in state.calls):
            return None
        try:
            return self.driver.record.oracle.frontier.core.step(state, action)
        except NotEnabled:
            return None


def _same_subject(one: Line, other: Line) -> bool:
    """Whether two actions are of one handler or one caller."""
    return not _subjects(one).isdisjoint(_subjects(other))


def _subjects(line: Line) -> set[Any]:
    if isinstance(line, Work):
        return {(line.rollout_id, line.attempt)}
    if isinstance(line, Lost):
        return {line.id}
    return set()
