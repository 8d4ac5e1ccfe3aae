"""`check_model`: drives a policy model through many small worlds and judges all that it does.

Each case is a fresh participant: first every story, then what is drawn. The first failure that is
not known is played again, shorter and shorter, until nothing can be left out.
"""

import time
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import attrs

from fencepost.blame import frames_of, traceback_of
from fencepost.check_result import CheckResult, NotExercised
from fencepost.driven import Played, perform_all
from fencepost.explaining import Options, explain, name_of, rule_broken
from fencepost.faults import FencepostFault
from fencepost.making import Factory
from fencepost.policy_model import showing
from fencepost.policy_model.driver import ModelDriver
from fencepost.policy_model.enabled import TURNS, Look, World, chosen
from fencepost.policy_model.evidence import used_of, why_not
from fencepost.policy_model.participant import ModelParticipant
from fencepost.policy_model.playing import make_model, play, play_script
from fencepost.policy_model.scripts import needs_of, script_of
from fencepost.policy_model.stories import STORIES
from fencepost.policy_model.wording import action_text
from fencepost.profiles import CASES_MIN, ENOUGH, PROFILES, Profile
from fencepost.trace.lines import Header, Line
from fencepost.verdict import Verdict, verdict_of_fault
from fencepost.watch import Watch, run_watched
from fencepost.xfail import KnownFailure
from fencepost_reference.receipts.policy_model.core import ModelCore
from fencepost_spec.receipts.policy_model.spec import model_rules
from fencepost_spec.rule import Level, Rule

Progress = Callable[[int, int, str], None]
WORLD_ACTIONS = 70
LAST_ACTIONS = 8
REST_EVERY = 6


def must_rules() -> tuple[Rule, ...]:
    """The rules that a policy model must obey."""
    return tuple(rule for rule in model_rules() if rule.level is Level.MUST)


def check_model(
    adapter: Factory | None = None,
    seed: int = 0,
    budget: int | None = None,
    profile: str = "quick",
    xfail: Sequence[KnownFailure] = (),
    progress: Progress | None = None,
    watch: Watch | None = None,
    options: Options | None = None,
) -> CheckResult:
    """Check a policy model. Whatever the adapter does, there is a result."""
    limits = PROFILES[profile]
    if budget is not None:
        limits = attrs.evolve(limits, actions=budget)
    factory = adapter or _bundled()
    named = None if adapter is None else name_of(factory)
    options = options or Options(named, seed, profile, budget, kind="model")
    check = _ModelCheck(factory, options, limits, {each.rule_id for each in xfail}, watch)
    check.progress = progress or check.progress
    try:
        verdict = run_watched(check.run, check.watch)
    except FencepostFault as fault:
        verdict = check.failed(fault)
    return check.result(verdict, profile, tuple(xfail))


def _bundled() -> Factory:
    from fencepost.policy_model.core_adapter import make

    return make


class _ModelCheck:
    """One run of `check_model`, and what it has found out so far."""

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
        self.name = options.adapter or "model"
        self._factory = factory
        self._options = options
        self._limits = limits
        self._known = known
        self._able: frozenset[str] = frozenset()
        self._used: set[str] = set()
        self._failed: set[str] = set()
        self._cases = self._actions = 0
        self._stopped = self._finished = False
        self._driver: ModelDriver | None = None
        self._shown: tuple[Header, tuple[Line, ...]] | None = None
        self._began = time.monotonic()
        self._fault: FencepostFault | None = None

    def run(self) -> Verdict:
        """Play cases until the limits are reached, or a failure that is not known is found."""
        self.watch.doing("the factory")
        participant = make_model(self._factory)
        self._meet(participant)
        number = 0
        while self._actions < self._limits.actions:
            if time.monotonic() - self._began > self._limits.seconds:
                self._stopped = True
                break
            played = self._play(number)
            number += 1
            self._driver = None
            self._count(played.actions)
            self._used |= used_of(played.lines, played.oracle.rules)
            self.progress(self._actions, self._limits.actions, f"actions on {self.name}")
            if played.inconclusive is not None:
                return Verdict("inconclusive", self.name, reason=played.inconclusive)
            rule = rule_broken(played)
            if rule is not None:
                if rule not in self._known:
                    return self._explain(played)
                self._failed.add(rule)
            if not played.actions and number > len(STORIES):
                break
        self._finished = True
        return self._verdict()

    def _meet(self, participant: ModelParticipant) -> None:
        self.name = f"{participant.name} {participant.version}"
        self._able = frozenset(participant.capabilities)

    def _count(self, actions: int) -> None:
        self._cases += actions > 0
        self._actions += actions

    def _play(self, number: int) -> Played:
        """One case: a story, or a world that is drawn."""
        story = STORIES[number] if number < len(STORIES) else None
        random = Random(f"{self._options.seed}:{number}")  # noqa: S311  # chooses actions
        settings = {"role": "policy", "ledger": "file"}
        if story is not None:
            settings = {"role": story.role, "ledger": story.ledger}

        async def doing(driver: ModelDriver) -> bool:
            self._driver = driver
            driver.actions_max = self._limits.actions - self._actions
            if story is not None:
                script = script_of(story.walk().lines)
                await perform_all(driver, filter(self._can, script))
            else:
                await self._wander(driver, random)
            return True

        scenario = f"seed {self._options.seed}, case {number}"
        return play(self._factory, None, doing, self.watch, scenario, settings)

    def _can(self, line: Line) -> bool:
        return needs_of(line) <= self._able

    async def _wander(self, driver: ModelDriver, random: Random) -> None:
        """A world of random actions, with points of rest between, brought to rest in the end."""
        world, core = World(), ModelCore()
        most = min(WORLD_ACTIONS, driver.actions_max)
        tries = 0
        while driver.actions < most and tries < most * 4 and not driver.record.over:
            tries += 1
            state = driver.record.state
            action: Any = chosen(core, state, world, random.randrange(TURNS << 10), own=False)
            if isinstance(action, Look):
                continue
            line = showing.action_line(action, state)
            if line is None or not self._can(line):
                continue
            if await driver.perform(line):
                world = world.after(action)
            if random.randrange(REST_EVERY) == 0:
                await driver.rest()
        if not driver.record.over:
            await driver.rest()

    def _explain(self, played: Played) -> Verdict:
        """The verdict on a failure, told by the shortest run that shows it."""
        verdict, best = explain(self._factory, played, self.watch, self.name, play_script)
        self._shown = (best.header, best.lines)
        return attrs.evolve(verdict, replay=self._options.replay())

    def failed(self, fault: FencepostFault) -> Verdict:
        """The verdict when the participant, or we, could not go on: where, and after what."""
        self._fault = fault
        driver, replay = self._driver, None
        if driver is not None:
            self._count(driver.actions)
            if driver.record.lines:
                self._shown = (driver.header, tuple(driver.record.lines))
                replay = self._options.replay()
        return attrs.evolve(verdict_of_fault(fault, self.name), replay=replay)

    def _verdict(self) -> Verdict:
        """The verdict when nothing unexpected was found."""
        untried = sorted(self._known - self._failed - self._used)
        reach = [rule for rule in must_rules() if why_not(rule.id, self._able) is None]
        share = sum(rule.id in self._used for rule in reach) / len(reach)
        reason = ""
        if not self._actions:
            reason = "nothing was exercised: no action is within the participant's capabilities"
        elif untried:
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
        )
