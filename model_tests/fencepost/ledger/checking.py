"""`check_ledger`: drives a ledger through many short lives and judges everything that it does.

Each case is a fresh ledger. The first failure that is not known is played again, shorter and
shorter, until nothing can be left out.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from random import Random

import attrs

from fencepost.blame import frames_of, traceback_of
from fencepost.catalog import rules_of
from fencepost.check_result import CheckResult, NotExercised
from fencepost.explaining import Options, name_of
from fencepost.faults import FencepostFault
from fencepost.judging import refused
from fencepost.ledger.drawing import Action, Drawer, Finished
from fencepost.ledger.evidence import why_not, with_properties
from fencepost.ledger.playing import Played, Session, header_of, line_of, make_ledger, play
from fencepost.ledger.samples import completion
from fencepost.ledger.telling import told
from fencepost.ledger.wording import step_texts
from fencepost.making import Factory
from fencepost.profiles import CASES_MIN, ENOUGH, PROFILES, Profile
from fencepost.shrinking import shrunk
from fencepost.trace.lines import Fault, Header, Line, Work
from fencepost.verdict import Verdict, verdict_of_fault
from fencepost.watch import Watch, run_watched
from fencepost.xfail import KnownFailure
from fencepost_reference.receipts.ledger.actions import Call, Replace
from fencepost_spec.rule import Level, Rule

Progress = Callable[[int, int, str], None]
WORLD_ACTIONS = 60
"""How long a life goes on."""
LAST_ACTIONS = 8


def check_ledger(
    adapter: Factory | None = None,
    seed: int = 0,
    budget: int | None = None,
    profile: str = "quick",
    xfail: Sequence[KnownFailure] = (),
    progress: Progress | None = None,
    watch: Watch | None = None,
    options: Options | None = None,
) -> CheckResult:
    """Check a ledger. Whatever the adapter does, there is a result."""
    limits = PROFILES[profile]
    if budget is not None:
        limits = attrs.evolve(limits, actions=budget)
    factory = adapter or _bundled()
    named = None if adapter is None else name_of(factory)
    options = options or Options(named, seed, profile, budget, kind="ledger")
    check = _Check(factory, options, limits, {each.rule_id for each in xfail}, progress, watch)
    try:
        verdict = run_watched(check.run, check.watch)
    except FencepostFault as fault:
        verdict = check.failed(fault)
    return check.result(verdict, profile, tuple(xfail))


def _bundled() -> Factory:
    from fencepost.adapters.ledger import make

    return make


def must_rules() -> tuple[Rule, ...]:
    """The rules that a ledger must obey."""
    return tuple(rule for rule in rules_of("ledger") if rule.level is Level.MUST)


def script_line(action: Action) -> Line:
    """An action as a line of a script."""
    if isinstance(action, Replace):
        return Fault(0, "replace", "kept", {})
    if isinstance(action, Finished):
        key = action.key
        detail = {"completion_receipt": completion(key)}
        return Work(0, "completed", key.rollout_id, key.attempt, detail, "ok")
    return line_of(action)


class _Check:
    """One run of `check_ledger`, and what it has found out so far."""

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
        self.name = options.adapter or "ledger"
        self.used: set[str] = set()
        self._factory = factory
        self._options = options
        self._limits = limits
        self._known = known
        self._failed: set[str] = set()
        self._progress = progress or _silent
        self._operations: frozenset[str] = frozenset()
        self._session: Session | None = None
        self._cases = self._actions = 0
        self._stopped = self._finished = False
        self._shown: tuple[Header, tuple[Line, ...]] | None = None
        self._where: tuple[str, ...] = ()
        self._last: tuple[str, ...] = ()
        self._traceback = ""
        self._began = time.monotonic()

    def run(self) -> Verdict:
        """Play cases until a failure is found that is not known, or enough was tried."""
        self.watch.doing("the factory")
        ledger = make_ledger(self._factory)
        self.name, self._operations = ledger.name, ledger.operations
        for number, case in enumerate(self._cases_of_all_kinds()):
            if self._actions >= self._limits.actions:
                break
            if time.monotonic() - self._began > self._limits.seconds:
                self._stopped = True
                break
            played = self._play(number, case)
            self._cases += 1
            self._actions += played.actions
            self.used |= set(played.oracle.rules)
            self._progress(self._actions, self._limits.actions, f"actions on {self.name}")
            if played.refusal is not None:
                rule = _broken(played)
                if rule not in self._known:
                    return self._explain(played)
                self._failed.add(rule)
        self._finished = True
        return self._verdict()

    def _cases_of_all_kinds(self) -> Iterator[list[Action] | None]:
        """First what is told, then what is drawn, without end."""
        for case in told():
            yield [one for one in case if not isinstance(one, Call) or one.op in self._operations]
        while True:
            yield None

    def _play(self, number: int, case: list[Action] | None) -> Played:
        self.watch.doing("the factory")
        ledger = make_ledger(self._factory)
        about = "a case that was drawn" if case is None else "a case that is always tried"
        header = header_of(ledger, f"seed {self._options.seed}, case {number}", about)
        self._session = session = Session(ledger, header, self.watch)
        left = self._limits.actions - self._actions
        if case is not None:
            for action in case[:left]:
                if not session.over:
                    session.perform(script_line(action))
            return session.played()
        random = Random(f"{self._options.seed}:{number}")  # noqa: S311  # chooses, no secret
        drawer = Drawer(random, self._operations, self.used)
        for _ in range(min(WORLD_ACTIONS, left)):
            if session.over:
                break
            session.perform(script_line(drawer.draw(session.oracle.state)))
        return session.played()

    def _explain(self, played: Played) -> Verdict:
        """The verdict on a failure, told by the shortest run that shows it."""
        wanted, best = _broken(played), played

        def still_shows(script: Sequence[Line]) -> bool:
            nonlocal best
            self.watch.doing("a shorter run")
            try:
                again = play(self._factory, played.header, script, self.watch)
            except FencepostFault:
                return False
            if again.refusal is None or _broken(again) != wanted:
                return False
            best = again
            return True

        if still_shows(played.script):
            shrunk(best.script, still_shows)
        assert best.refusal is not None  # What replaces it was refused too.
        self._shown = (best.header, best.lines)
        verdict = refused(best.header, best.lines, best.refusal, best.oracle, self.name)
        return attrs.evolve(verdict, replay=self._options.replay())

    def failed(self, fault: FencepostFault) -> Verdict:
        """The verdict when the ledger, or we, could not go on: where, and after what."""
        self._where, self._traceback = frames_of(fault), traceback_of(fault)
        session, replay = self._session, None
        if session is not None and session.lines:
            self._last = tuple(step_texts(session.lines)[-LAST_ACTIONS:])
            self._shown = (session.header, tuple(session.lines))
            replay = self._options.replay()
        return attrs.evolve(verdict_of_fault(fault, self.name), replay=replay)

    def _verdict(self) -> Verdict:
        """The verdict when nothing unexpected was found."""
        used = self.used | with_properties(self.used)
        untried = sorted(self._known - self._failed - used)
        reach = [one for one in must_rules() if why_not(one.id, self._operations) == UNTRIED]
        share = sum(one.id in used for one in reach) / len(reach)
        reason = ""
        if untried:
            reason = f"known failures were not tried: {', '.join(untried)}"
        elif self._cases < CASES_MIN:
            reason = f"only {self._cases} of the {CASES_MIN} cases that a verdict needs were tried"
        elif share < ENOUGH:
            reason = f"only {share:.0%} of the must rules within its reach were exercised"
        if reason:
            return Verdict("inconclusive", self.name, reason=reason)
        return Verdict("conforms", self.name, rules_exercised=tuple(sorted(used)))

    def result(
        self, verdict: Verdict, profile: str, known: tuple[KnownFailure, ...]
    ) -> CheckResult:
        """Everything that there is to tell."""
        used = self.used | with_properties(self.used)
        musts = must_rules()
        missed = (one.id for one in musts if one.id not in used)
        return CheckResult(
            verdict,
            self.name,
            self._options.seed,
            profile,
            self._cases,
            self._actions,
            time.monotonic() - self._began,
            len(musts),
            sum(one.id in used for one in musts),
            tuple(NotExercised(each, why_not(each, self._operations)) for each in missed),
            tuple(each for each in known if each.rule_id in self._failed),
            tuple(each for each in known if each.rule_id in used - self._failed),
            self._shown,
            self._where,
            self._last,
            self._traceback,
            actions_most=self._limits.actions,
            stopped_by_time=self._stopped,
            finished=self._finished,
        )


def _silent(_done: int, _total: int, _text: str) -> None:
    """Nobody wants to know."""


def _broken(played: Played) -> str:
    """The id of the rule by which a case was refused."""
    assert played.refusal is not None  # Only cases that were refused are asked.
    rule = played.refusal.mismatch.rule
    assert rule is not None  # The oracle of ledgers always names one.
    return rule.id


UNTRIED = why_not("", ())
