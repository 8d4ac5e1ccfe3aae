"""`check_resources`: drives a resources server through many small worlds and judges what it does.

Each case is a fresh server. The first failure that is not known is played again, shorter and
shorter, until nothing can be left out. How much was tried stands beside the verdict.
"""

import shlex
import time
from collections.abc import Callable, Sequence
from random import Random

import attrs

from fencepost.blame import frames_of, traceback_of
from fencepost.check_result import CheckResult, NotExercised
from fencepost.driven import Played, perform_all
from fencepost.explaining import Options, name_of
from fencepost.faults import FencepostFault
from fencepost.judging import DEFAULT_RULE, refused
from fencepost.making import Factory
from fencepost.profiles import CASES_MIN, ENOUGH, PROFILES, Profile
from fencepost.resources.driver import Driver
from fencepost.resources.evidence import MODES, must_rules, used_with, why_not
from fencepost.resources.playing import make_participant, play, play_script, wander
from fencepost.resources.stories import STORIES, Story
from fencepost.resources.wording import action_texts
from fencepost.shrinking import shrunk
from fencepost.trace.lines import Header, Line
from fencepost.verdict import Verdict, verdict_of_fault
from fencepost.watch import Watch, run_watched
from fencepost.xfail import KnownFailure

Progress = Callable[[int, int, str], None]
FILE = "failing.ndjson"
LAST_ACTIONS = 8
SHRINK_SECONDS = 8.0
UNTRIED = why_not("", ())


def check_resources(
    adapter: Factory | None = None,
    seed: int = 0,
    budget: int | None = None,
    profile: str = "quick",
    xfail: Sequence[KnownFailure] = (),
    progress: Progress | None = None,
    watch: Watch | None = None,
    options: Options | None = None,
) -> CheckResult:
    """Check a resources server. Whatever the adapter does, there is a result."""
    limits = PROFILES[profile]
    if budget is not None:
        limits = attrs.evolve(limits, actions=budget)
    named = None if adapter is None else name_of(adapter)
    options = options or Options(named, seed, profile, budget)
    known = {each.rule_id for each in xfail}
    check = _Check(adapter or _bundled(), options, limits, known, progress, watch or Watch())
    try:
        verdict = run_watched(check.run, check.watch)
    except FencepostFault as fault:
        verdict = check.failed(fault)
    return check.result(verdict, profile, tuple(xfail))


def _bundled() -> Factory:
    from fencepost.adapters.resources import make

    return make


def rule_broken(played: Played) -> str | None:
    """The id of the rule by which a case was refused, or None."""
    if played.refusal is None:
        return None
    return (played.refusal.mismatch.rule or DEFAULT_RULE).id


class _Check:
    """One run of `check_resources`, and what it has found out so far."""

    def __init__(
        self,
        factory: Factory,
        options: Options,
        limits: Profile,
        known: set[str],
        progress: Progress | None,
        watch: Watch,
    ) -> None:
        self.watch = watch
        self.name = options.adapter or "resources"
        self._factory = factory
        self._options = options
        self._limits = limits
        self._known = known
        self._progress = progress
        self._able: frozenset[str] = frozenset()
        self._modes: frozenset[tuple[str, str]] = frozenset()
        self._stories: list[Story] = []
        self._used: set[str] = set()
        self._failed: set[str] = set()
        self._cases = self._actions = 0
        self._stopped = self._finished = False
        self._driver: Driver | None = None
        self._shown: tuple[Header, tuple[Line, ...]] | None = None
        self._fault: FencepostFault | None = None
        self._began = time.monotonic()

    # Running.

    def run(self) -> Verdict:
        """Play cases until a failure is found that is not known, or enough was tried."""
        self.watch.doing("the factory")
        made = make_participant(self._factory)
        self.name = f"{made.name} {made.version}"
        self._modes = frozenset(made.modes)
        self._able = made.capabilities | {word for pair in made.modes for word in pair}
        self._stories = [story for story in STORIES if self._tellable(story)]
        number = 0
        while self._actions < self._limits.actions:
            if time.monotonic() - self._began > self._limits.seconds:
                self._stopped = True
                break
            played = self._play(number)
            number += 1
            if played.inconclusive is not None:
                return Verdict("inconclusive", self.name, reason=played.inconclusive)
            rule = rule_broken(played)
            if rule is not None and rule not in self._known:
                return self._explain(played)
            self._failed |= set() if rule is None else {rule}
            if not played.actions:
                break
        self._finished = True
        return self._verdict()

    def _tellable(self, story: Story) -> bool:
        """Whether the server can do what a story needs, and all of it may still be done."""
        settings = dict(story.settings)
        mode = (settings.get("mode", "export_restore"), "serialized_per_session")
        enough = len(story.script) <= self._limits.actions
        return story.needs <= self._able and mode in self._modes and enough

    def _play(self, number: int) -> Played:
        left = self._limits.actions - self._actions

        if number < len(self._stories):
            return self._counted(self._tell(self._stories[number]))

        async def doing(driver: Driver) -> bool:
            self._driver = driver
            scenario = f"{self._options.seed}:{number}"
            random = Random(scenario)  # noqa: S311 - it chooses actions, no secret
            return await wander(driver, random, min(left, _most(random)))

        scenario = f"seed {self._options.seed}, case {number}"
        return self._counted(play(self._factory, None, doing, self.watch, scenario))

    def _tell(self, story: Story) -> Played:
        """Play a story."""

        async def doing(driver: Driver) -> bool:
            self._driver = driver
            await perform_all(driver, story.script)
            return not driver.record.over

        return play(self._factory, None, doing, self.watch, story.name, dict(story.settings))

    def _counted(self, played: Played) -> Played:
        self._driver = None
        self._cases += played.actions > 0
        self._actions += played.actions
        self._used |= set(played.oracle.rules)
        self._used |= _of_settings(played.header)
        if self._progress is not None:
            self._progress(self._actions, self._limits.actions, f"actions on {self.name}")
        return played

    # Explaining.

    def _explain(self, played: Played) -> Verdict:
        """The verdict on a failure, told by the shortest run that shows it."""
        wanted, best = rule_broken(played), played

        def still_shows(script: Sequence[Line]) -> bool:
            nonlocal best
            self.watch.doing("a shorter run")
            try:
                again = play_script(self._factory, played.header, script, self.watch)
            except FencepostFault:
                return False
            if rule_broken(again) == wanted:
                best = again
            return rule_broken(again) == wanted

        if still_shows(played.script):
            shrunk(best.script, still_shows, SHRINK_SECONDS)
        assert best.refusal is not None  # What replaces it was refused too.
        self._shown = (best.header, best.lines)
        verdict = refused(best.header, best.lines, best.refusal, best.oracle, self.name)
        return attrs.evolve(verdict, replay=self._replay())

    def _replay(self) -> str:
        """What to type to judge the failing run again."""
        options = self._options
        adapter = [] if options.adapter is None else ["--adapter", options.adapter]
        again = shlex.join(["fencepost", "replay", options.save or FILE, *adapter])
        if options.save is not None:
            return again
        words = ["fencepost", "check", "resources", *adapter]
        words += ["--seed", str(options.seed)]
        words += [] if options.profile == "quick" else ["--profile", options.profile]
        words += [] if options.budget is None else ["--budget", str(options.budget)]
        words += [] if options.xfail is None else ["--xfail", options.xfail]
        return f"{shlex.join([*words, '--save', FILE])}; {again}"

    def failed(self, fault: FencepostFault) -> Verdict:
        """The verdict when the server, or we, could not go on."""
        self._fault = fault
        if self._driver is not None:
            self._cases += self._driver.actions > 0
            self._actions += self._driver.actions
            if self._driver.record.lines:
                self._shown = (self._driver.header, tuple(self._driver.record.lines))
        return verdict_of_fault(fault, self.name)

    # Results.

    def _verdict(self) -> Verdict:
        """The verdict when nothing unexpected was found."""
        used = used_with(self._used)
        reason = None
        untried = sorted(self._known - self._failed - used)
        reach = [r for r in must_rules() if why_not(r.id, self._able) == UNTRIED]
        share = sum(rule.id in used for rule in reach) / len(reach)
        if not self._actions:
            reason = "nothing was exercised: no action is within the server's capabilities"
        elif untried:
            reason = f"known failures were not tried: {', '.join(untried)}"
        elif self._cases < CASES_MIN:
            reason = f"only {self._cases} of the {CASES_MIN} cases that a verdict needs were tried"
        elif share < ENOUGH:
            reason = f"only {share:.0%} of the must rules within its reach were exercised"
        if reason is not None:
            return Verdict("inconclusive", self.name, reason=reason)
        return Verdict("conforms", self.name, rules_exercised=tuple(sorted(used)))

    def result(
        self, verdict: Verdict, profile: str, known: tuple[KnownFailure, ...]
    ) -> CheckResult:
        """Everything that there is to tell."""
        musts, used, fault = must_rules(), used_with(self._used), self._fault
        lines = () if fault is None or self._driver is None else tuple(self._driver.record.lines)
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
                NotExercised(rule.id, why_not(rule.id, self._able))
                for rule in musts
                if rule.id not in used
            ),
            tuple(each for each in known if each.rule_id in self._failed),
            tuple(each for each in known if each.rule_id in used - self._failed),
            self._shown,
            () if fault is None else frames_of(fault),
            tuple(action_texts(lines)[-LAST_ACTIONS:]),
            "" if fault is None else traceback_of(fault),
            actions_most=self._limits.actions,
            stopped_by_time=self._stopped,
            finished=self._finished,
        )


def _most(random: Random) -> int:
    """How long a world goes on: mostly short ones, since what is shorter is told better."""
    return random.choice((15, 30, 60, 60))


def _of_settings(header: Header) -> set[str]:
    """The rules that a case uses by the way in which it was started."""
    words = (header.settings["mode"], header.settings["contract"])
    return {rule for word in words for rule in MODES.get(word, "").split()}
