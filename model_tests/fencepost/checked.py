"""What the check of every kind of participant has in common: how long, how it ends, what is told.

A kind says what a case is, which rules there are, and why one cannot be exercised.
"""

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

import attrs

from fencepost import pulse
from fencepost.blame import frames_of, traceback_of
from fencepost.catalog import must_rules
from fencepost.check_result import CheckResult, NotExercised
from fencepost.driven import Played
from fencepost.explaining import LAST_ACTIONS, Options, explain, name_of, rule_broken
from fencepost.faults import FencepostFault, Raised, fault_of
from fencepost.making import Factory
from fencepost.profiles import CASES_MIN, ENOUGH, PROFILES
from fencepost.trace.lines import Header, Line
from fencepost.verdict import Finding, Verdict, verdict_of_fault
from fencepost.watch import Watch, run_watched
from fencepost.xfail import KnownFailure, must_fail_runs
from fencepost_spec.rule import Rule

Progress = Callable[[int, int, str], None]
UNTRIED = "no case came to it"


@attrs.frozen
class Asked:
    """What a check was asked for. `options` are what was typed, to see a failure again."""

    adapter: Factory | None
    seed: int
    budget: int | None
    profile: str
    xfail: Sequence[KnownFailure]
    progress: Progress | None
    watch: Watch | None
    options: Options | None


class Checked(ABC):
    """One run of a check, and what it has found out so far."""

    kind: ClassVar[str]
    """The word for it on the command line."""

    def __init__(self, asked: Asked, bundled: Factory) -> None:
        limits = PROFILES[asked.profile]
        if asked.budget is not None:
            limits = attrs.evolve(limits, actions=asked.budget)
        named = name_of(asked.adapter)
        options = Options(named, asked.seed, asked.profile, asked.budget, kind=self.kind)
        self.options = asked.options or options
        self.watch = asked.watch or Watch()
        self.name = self.options.adapter or self.kind
        self.factory = asked.adapter or bundled
        self.limits = limits
        self.able: frozenset[str] = frozenset()
        self.used: set[str] = set()
        # What drives the case that runs, so that a fault can tell what led to it.
        self.driver: Any = None
        # What the participant raised, whatever becomes of looking for a shorter way to it.
        self.raised: FencepostFault | None = None
        self.cases = self.actions = 0
        self._profile = asked.profile
        self._xfail = tuple(asked.xfail)
        self._known = {each.rule_id for each in asked.xfail}
        self._progress = asked.progress
        self._failed: set[str] = set()
        self._stopped = self._finished = False
        self._shown: tuple[Header, tuple[Line, ...]] | None = None
        self._fault: FencepostFault | None = None
        self._last: tuple[str, ...] = ()
        # What was first raised where nobody awaited it, in a case that obeyed.
        self._raised: tuple[Raised, ...] = ()
        self._began = time.monotonic()

    # What a kind says.

    @abstractmethod
    def meet(self) -> None:
        """Make a participant, and read what it is called and can do."""

    @abstractmethod
    def play(self, number: int) -> Played:
        """Play a case; what drives it is kept in `driver` meanwhile."""

    @abstractmethod
    def why_not(self, rule_id: str) -> str:
        """Why a rule was not exercised, in few words; `UNTRIED` where a case could come to it."""

    @abstractmethod
    def texts(self, lines: Sequence[Line]) -> Sequence[str]:
        """The actions among some lines, in words."""

    def musts(self) -> tuple[Rule, ...]:
        """The rules that such a participant must obey."""
        return must_rules(self.kind)

    def note(self, played: Played) -> None:
        """Note what a case used."""
        self.used |= set(played.oracle.rules)

    def is_spent(self, number: int, played: Played) -> bool:
        """Whether nothing can come of a further case, after one that did nothing."""
        del number
        return not played.actions

    def everything_used(self) -> set[str]:
        """The rules that were used, and those that are used with them."""
        return self.used

    def notes(self) -> tuple[Finding, ...]:
        """What is remarked beside a verdict."""
        return ()

    def unrested(self) -> tuple[tuple[str, int], ...]:
        """What kept cases from coming to rest, and how many."""
        return ()

    def shorter(self, played: Played) -> tuple[Verdict, Played]:
        """The verdict on a refused case, and the shortest run that shows it."""
        return explain(self.factory, played, self.watch, self.name)

    def lines_to(self, fault: FencepostFault) -> tuple[Line, ...]:
        """What led to a fault in the case that was running."""
        del fault
        return tuple(self.driver.record.lines)

    # Running.

    def run(self) -> Verdict:
        """Play cases until a failure is found that is not known, or enough was tried."""
        for each in self._xfail:
            must_fail_runs(each.rule_id, self.kind)
        self.watch.doing("the factory")
        pulse.tell_in(self.texts)
        self.meet()
        number = 0
        while self.actions < self.limits.actions:
            if time.monotonic() - self._began > self.limits.seconds:
                self._stopped = True
                break
            played = self.play(number)
            number += 1
            self.driver = None
            self._count(played.actions)
            self._raised = self._raised or played.raised
            self.note(played)
            if self._progress is not None:
                self._progress(self.actions, self.limits.actions, f"actions on {self.name}")
            if played.inconclusive is not None:
                return Verdict("inconclusive", self.name, reason=played.inconclusive)
            rule = rule_broken(played)
            if rule is not None:
                if rule not in self._known:
                    return self._explain(played)
                self._failed.add(rule)
            if self.is_spent(number, played):
                break
        self._finished = True
        return self._verdict()

    def _count(self, actions: int) -> None:
        self.cases += actions > 0
        self.actions += actions

    def _explain(self, played: Played) -> Verdict:
        verdict, best = self.shorter(played)
        self._shown = (best.header, best.lines)
        raised = best.raised or played.raised
        return attrs.evolve(verdict, replay=self.options.replay(), raised=raised)

    def conclude(self) -> CheckResult:
        """Run it. Whatever the adapter does, there is a result."""
        try:
            verdict = run_watched(self.run, self.watch)
        except Exception as error:  # noqa: BLE001 - there is a result, whatever happens
            verdict = self._failed_by(self.raised or fault_of(error))
        return self._result(verdict)

    def _failed_by(self, fault: FencepostFault) -> Verdict:
        """The verdict when the participant, or we, could not go on: where, and after what."""
        self._fault = fault
        if self.driver is not None:
            self._count(self.driver.actions)
            lines = self.lines_to(fault)
            self._last = tuple(self.texts(lines)[-LAST_ACTIONS:])
            if lines:
                # Whoever reads the file must not take it for a run that was judged.
                about = "what led to where the participant could not be run, which is no verdict"
                header = attrs.evolve(self.driver.header, about=f"{about}: {fault}")
                self._shown = (header, lines)
        replay = None if self._shown is None else self.options.replay()
        return attrs.evolve(verdict_of_fault(fault, self.name), replay=replay)

    # Results.

    def _verdict(self) -> Verdict:
        """The verdict when nothing unexpected was found."""
        used, notes = self.everything_used(), self.notes()
        untried = sorted(self._known - self._failed - used)
        reach = [rule for rule in self.musts() if self.why_not(rule.id) == UNTRIED]
        share = sum(rule.id in used for rule in reach) / len(reach) if reach else 0.0
        reason = ""
        if not self.actions:
            reason = "nothing was exercised: no action is within the participant's capabilities"
        elif untried:
            why = (f"{rule_id} ({self.why_not(rule_id)})" for rule_id in untried)
            reason = f"known failures were not tried: {', '.join(why)}"
        elif self.cases < CASES_MIN:
            reason = f"only {self.cases} of the {CASES_MIN} cases that a verdict needs were tried"
        elif share < ENOUGH:
            reason = f"only {share:.0%} of the must rules within its reach were exercised"
        if reason:
            verdict = Verdict("inconclusive", self.name, reason=reason, notes=notes)
        else:
            exercised = tuple(sorted(used))
            verdict = Verdict("conforms", self.name, notes=notes, rules_exercised=exercised)
        return attrs.evolve(verdict, raised=self._raised)

    def _result(self, verdict: Verdict) -> CheckResult:
        """Everything that there is to tell."""
        musts, used, fault = self.musts(), self.everything_used(), self._fault
        return CheckResult(
            verdict,
            self.name,
            self.options.seed,
            self._profile,
            self.cases,
            self.actions,
            time.monotonic() - self._began,
            len(musts),
            sum(rule.id in used for rule in musts),
            tuple(
                NotExercised(rule.id, self.why_not(rule.id))
                for rule in musts
                if rule.id not in used
            ),
            tuple(each for each in self._xfail if each.rule_id in self._failed),
            tuple(each for each in self._xfail if each.rule_id in used - self._failed),
            self._shown,
            () if fault is None else frames_of(fault),
            self._last,
            "" if fault is None else traceback_of(fault),
            actions_most=self.limits.actions,
            stopped_by_time=self._stopped,
            finished=self._finished,
            unrested=self.unrested(),
        )
