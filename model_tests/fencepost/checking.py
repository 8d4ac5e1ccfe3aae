"""`check_agent`: drives an agent through many small worlds and judges everything that it does.

Each case is a fresh participant. The first failure that is not known is played again, shorter and
shorter, until nothing can be left out. How much was tried stands beside the verdict.
"""

from collections import Counter
from collections.abc import Sequence
from random import Random

from fencepost.agent.wording import action_texts
from fencepost.capable import usable
from fencepost.check_result import CheckResult
from fencepost.checked import Asked, Checked, Progress
from fencepost.driven import Played, perform_all
from fencepost.driver import Driver
from fencepost.evidence import why_not
from fencepost.exercise import Exercise
from fencepost.explaining import Options, lines_until, shortest_to
from fencepost.faults import FencepostFault
from fencepost.generating.told import told_within
from fencepost.generator import Generator
from fencepost.judging import findings
from fencepost.making import Factory
from fencepost.playing import make_participant, play
from fencepost.trace.lines import Line
from fencepost.verdict import Finding, Verdict
from fencepost.watch import Watch
from fencepost.xfail import KnownFailure

WORLD_ACTIONS = 70
"""How long a world goes on before it is brought to rest."""


def check_agent(
    adapter: Factory | None = None,
    seed: int = 0,
    budget: int | None = None,
    profile: str = "quick",
    xfail: Sequence[KnownFailure] = (),
    progress: Progress | None = None,
    watch: Watch | None = None,
    options: Options | None = None,
) -> CheckResult:
    """Check an agent participant. Whatever the adapter does, there is a result.

    `options` are what was typed, for the line that says how to see a failure again.
    """
    asked = Asked(adapter, seed, budget, profile, xfail, progress, watch, options)
    return _Check(asked, _bundled()).conclude()


def _bundled() -> Factory:
    from fencepost.adapters.runtime import make

    return make


class _Check(Checked):
    """One run of `check_agent`, and what it has found out so far."""

    kind = "agent"

    def __init__(self, asked: Asked, bundled: Factory) -> None:
        super().__init__(asked, bundled)
        self._exercise = Exercise()
        self._told: list[list[Line]] = []
        self._notes: dict[str, Finding] = {}
        self._unrested = Counter[str]()
        self._lines: tuple[Line, ...] = ()

    def meet(self) -> None:
        """Make an agent, and read what it is called and can do."""
        participant = make_participant(self.factory)
        self.name = f"{participant.name} {participant.version}"
        self.able = usable(participant)
        self._told = told_within(self.able, self.limits.actions)

    def why_not(self, rule_id: str) -> str:
        """Why a rule was not exercised, in few words."""
        return why_not(rule_id, self.able)

    def texts(self, lines: Sequence[Line]) -> Sequence[str]:
        """The actions among some lines, in words."""
        return action_texts(lines)

    def note(self, played: Played) -> None:
        """Note what is remarked on a case."""
        for note in findings(played.oracle):
            self._notes.setdefault(note.rule.id, note)

    def notes(self) -> tuple[Finding, ...]:
        """What is remarked beside a verdict."""
        return tuple(self._notes.values())

    def everything_used(self) -> set[str]:
        """The rules that were used, and the promises that were put to the test."""
        self._exercise.properties()
        return self._exercise.used

    def unrested(self) -> tuple[tuple[str, int], ...]:
        """What kept cases from coming to rest, and how many."""
        return tuple(self._unrested.most_common())

    def run(self) -> Verdict:
        """Play cases; a participant that raises is made to raise again in a shorter run."""
        try:
            return super().run()
        except FencepostFault as fault:
            self.raised, driver = fault, self.driver
            if driver is not None:
                self._lines = shortest_to(self.factory, driver, fault, self.watch)
            raise

    def lines_to(self, fault: FencepostFault) -> tuple[Line, ...]:
        """What led to a fault, in the shortest run that is known."""
        del fault
        return self._lines or lines_until(self.driver)

    def play(self, number: int) -> Played:
        """One case: first what is told, then what is drawn."""
        told = self._told[number] if number < len(self._told) else None

        async def doing(driver: Driver) -> bool:
            self.driver = driver
            driver.actions_max = self.limits.actions - self.actions
            random = Random(f"{self.options.seed}:{number}")  # noqa: S311  # chooses actions, no secret
            generator = Generator(driver, random, self._exercise.used)
            if told is not None:
                await perform_all(driver, told)
            else:
                await self._wander(generator)
            return await self._bring_to_rest(generator)

        scenario = f"seed {self.options.seed}, case {number}"
        return play(self.factory, None, doing, self.watch, self._exercise, scenario)

    async def _wander(self, generator: Generator) -> None:
        """A world of random actions."""
        driver = generator.driver
        most = min(WORLD_ACTIONS, driver.actions_max)
        while driver.actions < most and not driver.record.over:
            if not await generator.act():
                break

    async def _bring_to_rest(self, generator: Generator) -> bool:
        driver = generator.driver
        if _ended(driver):
            return False
        rested = await generator.wind_down() and not _ended(driver)
        self._exercise.add(["R-LIV-5"] if rested else [])
        lacking = None if rested or _ended(driver) else generator.lacking()
        if lacking is not None:
            self._unrested[lacking] += 1
        return rested


def _ended(driver: Driver) -> bool:
    """Whether nothing more can be learned, or nothing more may be done."""
    return driver.record.over or driver.actions >= driver.actions_max
