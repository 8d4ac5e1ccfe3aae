"""`check_controller`: has a controller drive our participants, and judges the calls that it makes.

Each case is a fresh controller in a deployment of its own: first every story, then what is drawn.
The first failure that is not known is played again, shorter and shorter.
"""

import time
from collections.abc import Callable, Sequence
from functools import partial
from random import Random

import attrs

from fencepost.blame import frames_of, traceback_of
from fencepost.check_result import CheckResult, NotExercised
from fencepost.controller.drawing import Drawer
from fencepost.controller.driver import Driver
from fencepost.controller.evidence import used_of, why_not
from fencepost.controller.held import make_controller
from fencepost.controller.playing import Judging, play, play_script
from fencepost.controller.scene import Scene, scenes
from fencepost.controller.stories import STORIES
from fencepost.controller.telling import action_text
from fencepost.controller.winding import wind_down
from fencepost.driven import Played, perform_all
from fencepost.explaining import Options, explain, name_of, rule_broken
from fencepost.faults import FencepostFault
from fencepost.judges import judge_of
from fencepost.making import Factory
from fencepost.profiles import CASES_MIN, ENOUGH, PROFILES, Profile
from fencepost.trace.lines import Header, Line
from fencepost.verdict import Verdict, verdict_of_fault
from fencepost.watch import Watch, run_watched
from fencepost.xfail import KnownFailure
from fencepost_spec.receipts.controller.referee import referee_rules
from fencepost_spec.rule import Level, Rule

Progress = Callable[[int, int, str], None]
WORLD_ACTIONS = 40
"""How long a drawn case goes on before it is brought to rest."""

LAST_ACTIONS = 8
REST_EVERY = 2
"""One action in so many is followed by a point of rest."""


def must_rules() -> tuple[Rule, ...]:
    """The rules that a controller must obey."""
    return tuple(rule for rule in referee_rules() if rule.level is Level.MUST)


def check_controller(
    adapter: Factory | None = None,
    seed: int = 0,
    budget: int | None = None,
    profile: str = "quick",
    xfail: Sequence[KnownFailure] = (),
    progress: Progress | None = None,
    watch: Watch | None = None,
    options: Options | None = None,
) -> CheckResult:
    """Check a controller. Whatever the adapter does, there is a result."""
    limits = PROFILES[profile]
    if budget is not None:
        limits = attrs.evolve(limits, actions=budget)
    factory = adapter or _bundled()
    named = None if adapter is None else name_of(factory)
    options = options or Options(named, seed, profile, budget, kind="controller")
    check = _Check(factory, options, limits, {each.rule_id for each in xfail}, watch)
    check.progress = progress or check.progress
    try:
        verdict = run_watched(check.run, check.watch)
    except FencepostFault as fault:
        verdict = check.failed(fault)
    return check.result(verdict, profile, tuple(xfail))


def _bundled() -> Factory:
    from fencepost.controller.core_adapter import make

    return make


class _Check:
    """One run of `check_controller`, and what it has found out so far."""

    def __init__(
        self,
        factory: Factory,
        options: Options,
        limits: Profile,
        known: set[str],
        watch: Watch | None,
    ) -> None:
        self.watch = watch or Watch()
        self.progress: Progress = lambda _done, _most, _text: None
        self.name = options.adapter or "controller"
        self.judging: Judging = judge_of
        self._factory = factory
        self._options = options
        self._limits = limits
        self._known = known
        self._able: frozenset[str] = frozenset()
        self._scenes: tuple[Scene, ...] = ()
        self._drawer = Drawer()
        self._used: set[str] = set()
        self._failed: set[str] = set()
        self._cases = self._actions = self._unrested = 0
        self._stopped = self._finished = False
        self._driver: Driver | None = None
        self._shown: tuple[Header, tuple[Line, ...]] | None = None
        self._began = time.monotonic()
        self._fault: FencepostFault | None = None

    def run(self) -> Verdict:
        """Play cases until the limits are reached, or a failure that is not known is found."""
        self.watch.doing("the factory")
        controller = make_controller(self._factory)
        self.name = f"{controller.name} {controller.version}"
        self._able = frozenset(controller.capabilities)
        self._scenes = tuple(scenes(self._able))
        number = 0
        while self._actions < self._limits.actions:
            if time.monotonic() - self._began > self._limits.seconds:
                self._stopped = True
                break
            played = self._play(number)
            number += 1
            self._driver = None
            self._cases += played.actions > 0
            self._actions += played.actions
            self._unrested += not played.complete
            self._used |= used_of(played.oracle.rules)
            self.progress(self._actions, self._limits.actions, f"actions on {self.name}")
            if played.inconclusive is not None:
                return Verdict("inconclusive", self.name, reason=played.inconclusive)
            rule = rule_broken(played)
            if rule is not None:
                if rule not in self._known:
                    return self._explain(played)
                self._failed.add(rule)
        self._finished = True
        return self._verdict()

    def _play(self, number: int) -> Played:
        """One case: a story, or what is drawn."""
        told = [one for one in STORIES if one.scene in self._scenes]
        story = told[number] if number < len(told) else None
        random = Random(f"{self._options.seed}:{number}")  # noqa: S311  # chooses actions
        scene = story.scene if story is not None else random.choice(self._scenes)

        async def doing(driver: Driver) -> bool:
            self._driver = driver
            driver.actions_max = self._limits.actions - self._actions
            if story is not None:
                await perform_all(driver, story.script)
            else:
                await self._wander(driver, random)
            return await wind_down(driver)

        scenario = f"seed {self._options.seed}, case {number}"
        return play(self._factory, None, doing, self.watch, scenario, scene, self.judging)

    async def _wander(self, driver: Driver, random: Random) -> None:
        """A case of random actions, with points of rest between."""
        most = min(WORLD_ACTIONS, driver.actions_max)
        tries = 0
        while driver.actions < most and tries < most * 2 and not driver.record.over:
            tries += 1
            candidate = self._drawer.draw(driver, random)
            before = set(driver.record.oracle.rules) | self._used
            if not await driver.perform(candidate.line):
                continue
            if random.randrange(REST_EVERY) == 0:
                await driver.rest()
            new = set(driver.record.oracle.rules) - before
            self._used |= new
            self._drawer.learn(candidate.shape, len(new))

    def _explain(self, played: Played) -> Verdict:
        """The verdict on a failure, told by the shortest run that shows it."""
        playing = partial(play_script, judging=self.judging)
        verdict, best = explain(self._factory, played, self.watch, self.name, playing)
        self._shown = (best.header, best.lines)
        return attrs.evolve(verdict, replay=self._options.replay())

    def failed(self, fault: FencepostFault) -> Verdict:
        """The verdict when the controller, or we, could not go on: where, and after what."""
        self._fault = fault
        driver, replay = self._driver, None
        if driver is not None:
            self._cases += driver.actions > 0
            self._actions += driver.actions
            if driver.record.lines:
                about = f"what led to where the controller could not be run: {fault}"
                header = attrs.evolve(driver.header, about=about)
                self._shown = (header, tuple(driver.record.lines))
                replay = self._options.replay()
        return attrs.evolve(verdict_of_fault(fault, self.name), replay=replay)

    def _verdict(self) -> Verdict:
        """The verdict when nothing unexpected was found."""
        untried = sorted(self._known - self._failed - self._used)
        reach = [rule for rule in must_rules() if why_not(rule.id, self._able) is None]
        share = sum(rule.id in self._used for rule in reach) / len(reach)
        reason = ""
        if untried:
            reason = f"known failures were not tried: {', '.join(untried)}"
        elif self._cases < CASES_MIN:
            reason = f"only {self._cases} of the {CASES_MIN} cases that a verdict needs were tried"
        elif share < ENOUGH:
            reason = f"only {share:.0%} of the must rules within its reach were exercised"
        if reason:
            return Verdict("inconclusive", self.name, reason=reason)
        return Verdict("conforms", self.name, rules_exercised=tuple(sorted(self._used)))

    def result(
        self, verdict: Verdict, profile: str, known: tuple[KnownFailure, ...]
    ) -> CheckResult:
        """Everything that there is to tell."""
        musts, used, fault = must_rules(), self._used, self._fault
        shown = () if fault is None or self._shown is None else self._shown[1]
        texts = [text for line in shown if (text := action_text(line)) is not None]
        return CheckResult(
            verdict,
            self.name,
            self._options.seed,
            profile,
            self._cases,
            self._actions,
            time.monotonic() - self._began,
            len(musts),
            sum(rule.id in used for rule in musts),
            tuple(
                NotExercised(rule.id, why_not(rule.id, self._able) or "no case came to it")
                for rule in musts
                if rule.id not in used
            ),
            tuple(each for each in known if each.rule_id in self._failed),
            tuple(each for each in known if each.rule_id in used - self._failed),
            self._shown,
            () if fault is None else frames_of(fault),
            tuple(texts[-LAST_ACTIONS:]),
            "" if fault is None else traceback_of(fault),
            actions_most=self._limits.actions,
            stopped_by_time=self._stopped,
            finished=self._finished,
            unrested=(("what ends it", self._unrested),) if self._unrested else (),
        )
