"""`check_agent`: drives an agent through many small worlds and judges everything that it does.

Each case is a fresh participant. The first failure that is not known is played again, shorter and
shorter, until nothing can be left out. How much was tried stands beside the verdict.
"""

import time
from collections import Counter
from collections.abc import Callable, Sequence
from random import Random

import attrs

from fencepost.capable import usable
from fencepost.catalog import must_rules
from fencepost.check_result import CheckResult, NotExercised
from fencepost.driven import Played, perform_all
from fencepost.driver import Driver
from fencepost.evidence import why_not
from fencepost.exercise import Exercise
from fencepost.explaining import (
    Options,
    Stopped,
    explain,
    name_of,
    rule_broken,
    shortest_to,
    stopped,
)
from fencepost.faults import FencepostFault, fault_of
from fencepost.generating.told import told_within
from fencepost.generator import Generator
from fencepost.judging import findings
from fencepost.making import Factory
from fencepost.participant import Participant
from fencepost.playing import make_participant, play
from fencepost.profiles import CASES_MIN, ENOUGH, PROFILES, Profile
from fencepost.trace.lines import Header, Line
from fencepost.verdict import Finding, Verdict, verdict_of_fault
from fencepost.watch import Watch, run_watched
from fencepost.xfail import KnownFailure

Progress = Callable[[int, int, str], None]

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
    limits = PROFILES[profile]
    if budget is not None:
        limits = attrs.evolve(limits, actions=budget)
    factory = adapter or _bundled()
    options = options or Options(name_of(adapter), seed, profile, budget)
    check = _Check(factory, options, limits, {each.rule_id for each in xfail}, progress, watch)
    try:
        verdict = run_watched(check.run, check.watch)
    except Exception as error:  # noqa: BLE001 - there is a result, whatever happens
        verdict = check.failed(check.fault or fault_of(error))
    return check.result(verdict, profile, tuple(xfail))


def _bundled() -> Factory:
    from fencepost.adapters.runtime import make

    return make


class _Check:
    """One run of `check_agent`, and what it has found out so far."""

    def __init__(
        self,
        factory: Factory,
        options: Options,
        limits: Profile,
        known: set[str],
        progress: Progress | None,
        watch: Watch | None,
    ) -> None:
        self.watch = watch or Watch()
        self.exercise = Exercise()
        self.name = options.adapter or "agent"
        self._factory = factory
        self._options = options
        self._seed = options.seed
        self._limits = limits
        self._known = known
        self._progress = progress or _silent
        self._capabilities: frozenset[str] = frozenset()
        self._told: list[list[Line]] = []
        self._failed: set[str] = set()
        self._cases = 0
        self._actions = 0
        self._in_time, self._finished = True, False
        self._notes: dict[str, Finding] = {}
        self._unrested = Counter[str]()
        self._driver: Driver | None = None
        self._shown: tuple[Header, tuple[Line, ...]] | None = None
        self._stopped = Stopped()
        self.fault: FencepostFault | None = None
        self._lines: tuple[Line, ...] = ()
        self._began = time.monotonic()

    # Running.

    def run(self) -> Verdict:
        """Play cases; a participant that raises is made to raise again in a shorter run."""
        try:
            return self._play_cases()
        except FencepostFault as fault:
            self.fault, driver = fault, self._driver
            if driver is not None:
                self._lines = shortest_to(self._factory, driver, fault, self.watch)
            raise

    def _play_cases(self) -> Verdict:
        """Play cases until a failure is found that is not known, or enough was tried."""
        self.watch.doing("the factory")
        self._meet(make_participant(self._factory))
        number = 0
        while self._actions < self._limits.actions:
            if self._late():
                self._in_time = False
                break
            played = self._play(number)
            number += 1
            self._driver = None
            self._count(played.actions)
            self._note(played)
            self._progress(self._actions, self._limits.actions, f"actions on {self.name}")
            if played.inconclusive is not None:
                return Verdict("inconclusive", self.name, reason=played.inconclusive)
            rule = rule_broken(played)
            if rule is not None:
                if rule not in self._known:
                    return self._explain(played)
                self._failed.add(rule)
            if not played.actions:
                break
        self._finished = True
        return self._verdict()

    def _meet(self, participant: Participant) -> None:
        self.name = f"{participant.name} {participant.version}"
        self._capabilities = usable(participant)
        self._told = told_within(self._capabilities, self._limits.actions)

    def _count(self, actions: int) -> None:
        self._cases += actions > 0
        self._actions += actions

    def _late(self) -> bool:
        return time.monotonic() - self._began > self._limits.seconds

    def _play(self, number: int) -> Played:
        """One case: first what is told, then what is drawn."""
        told = self._told[number] if number < len(self._told) else None

        async def doing(driver: Driver) -> bool:
            self._driver = driver
            driver.actions_max = self._limits.actions - self._actions
            random = Random(f"{self._seed}:{number}")  # noqa: S311  # chooses actions, no secret
            generator = Generator(driver, random, self.exercise.used)
            if told is not None:
                await perform_all(driver, told)
            else:
                await self._wander(generator)
            return await self._bring_to_rest(generator)

        scenario = f"seed {self._seed}, case {number}"
        return play(self._factory, None, doing, self.watch, self.exercise, scenario)

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
        self.exercise.add(["R-LIV-5"] if rested else [])
        lacking = None if rested or _ended(driver) else generator.lacking()
        if lacking is not None:
            self._unrested[lacking] += 1
        return rested

    def _note(self, played: Played) -> None:
        for note in findings(played.oracle):
            self._notes.setdefault(note.rule.id, note)

    # Explaining.

    def _explain(self, played: Played) -> Verdict:
        """The verdict on a failure, told by the shortest run that shows it."""
        verdict, best = explain(self._factory, played, self.watch, self.name)
        self._shown = (best.header, best.lines)
        return attrs.evolve(verdict, replay=self._options.replay())

    def failed(self, fault: FencepostFault) -> Verdict:
        """The verdict when the participant, or we, could not go on: where, and after what."""
        self._count(0 if self._driver is None else self._driver.actions)
        self._stopped = stopped(fault, self._driver, self._lines)
        self._shown = self._stopped.shown
        replay = None if self._shown is None else self._options.replay()
        return attrs.evolve(verdict_of_fault(fault, self.name), replay=replay)

    # Results.

    def _verdict(self) -> Verdict:
        """The verdict when nothing unexpected was found."""
        self.exercise.properties()
        used = tuple(sorted(self.exercise.used))
        notes = tuple(self._notes.values())
        if not self._actions:
            reason = "nothing was exercised: no action is within the participant's capabilities"
            return Verdict("inconclusive", self.name, reason=reason)
        untried = sorted(self._known - self._failed - self.exercise.used)
        if untried:
            why = (f"{rule_id} ({why_not(rule_id, self._capabilities)})" for rule_id in untried)
            reason = f"known failures were not tried: {', '.join(why)}"
            return Verdict("inconclusive", self.name, reason=reason, notes=notes)
        if self._cases < CASES_MIN:
            reason = f"only {self._cases} of the {CASES_MIN} cases that a verdict needs were tried"
            return Verdict("inconclusive", self.name, reason=reason, notes=notes)
        reach = [r for r in must_rules() if why_not(r.id, self._capabilities) == UNTRIED]
        share = sum(r.id in self.exercise.used for r in reach) / len(reach)
        if share < ENOUGH:
            reason = f"only {share:.0%} of the must rules within its reach were exercised"
            return Verdict("inconclusive", self.name, reason=reason, notes=notes)
        return Verdict("conforms", self.name, notes=notes, rules_exercised=used)

    def result(
        self, verdict: Verdict, profile: str, known: tuple[KnownFailure, ...]
    ) -> CheckResult:
        """Everything that there is to tell."""
        self.exercise.properties()
        musts, used = must_rules(), self.exercise.used
        failed = self._failed
        return CheckResult(
            verdict,
            self.name,
            self._seed,
            profile,
            self._cases,
            self._actions,
            time.monotonic() - self._began,
            len(musts),
            sum(rule.id in used for rule in musts),
            tuple(
                NotExercised(rule.id, why_not(rule.id, self._capabilities))
                for rule in musts
                if rule.id not in used
            ),
            tuple(each for each in known if each.rule_id in failed),
            tuple(each for each in known if each.rule_id in used - failed),
            self._shown,
            self._stopped.where,
            self._stopped.last_actions,
            self._stopped.traceback,
            actions_most=self._limits.actions,
            stopped_by_time=not self._in_time,
            finished=self._finished,
            unrested=tuple(self._unrested.most_common()),
        )


def _ended(driver: Driver) -> bool:
    """Whether nothing more can be learned, or nothing more may be done."""
    return driver.record.over or driver.actions >= driver.actions_max


def _silent(_done: int, _total: int, _text: str) -> None:
    """Nobody wants to know."""


UNTRIED = why_not("", ())
