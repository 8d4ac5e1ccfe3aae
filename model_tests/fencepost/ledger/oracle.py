"""Reads a ledger's trace line by line and says whether a ledger that obeys could make it.

A ledger does nothing by itself, so one state explains a trace, until a reply is lost: then the call
may have happened or not, and both states are kept until a line tells them apart.
"""

from collections.abc import Sequence
from typing import Any

import attrs

from fencepost.answers import form_fault
from fencepost.faults import TraceFault, wrong_line
from fencepost.feeding import Feeding
from fencepost.judges import Refusal
from fencepost.ledger import wording
from fencepost.ledger.comparing import Difference, report_difference, same, state_difference
from fencepost.ledger.finished import Finished
from fencepost.ledger.legal import legal_texts
from fencepost.ledger.reading import body_of, cut_of, request_of
from fencepost.ledger.report_shape import LedgerReport
from fencepost.mismatch import Mismatch
from fencepost.trace import Call, Fault, Header, Line, Lost, Reply, Report, Work
from fencepost.trace.lines import is_list
from fencepost_reference.model import Step
from fencepost_reference.receipts.ledger import actions as a
from fencepost_reference.receipts.ledger.core import LedgerCore
from fencepost_reference.receipts.ledger.saving import report_of
from fencepost_reference.receipts.ledger.state import State
from fencepost_spec.receipts.ledger.dialects import LedgerDialect, dialect_of
from fencepost_spec.receipts.ledger.operation_rules import LOAD
from fencepost_spec.receipts.ledger.properties import BY_ID
from fencepost_spec.receipts.ledger.spec import LEDGER
from fencepost_spec.rule import Rule
from fencepost_spec.vocabulary import Key

SAVES = ("state_dict", "build_rollout_recovery_state")
_ACKNOWLEDGED = BY_ID["R-LLV-1"].rule
_UNCHANGED = BY_ID["R-LIN-40"].rule
_KEPT = BY_ID["R-LIN-14"].rule
_OBLIGATION = frozenset(LEDGER.obligation.rules)


@attrs.frozen
class Explanation:
    """A ledger that explains what was seen, and its last step, which says why it is as it is."""

    state: State
    last: Step | None = None


class Oracle(Feeding):
    """Judges one trace. Feed it lines; it keeps the ledgers that explain them."""

    def __init__(self, header: Header, core: LedgerCore | None = None) -> None:
        if header.hidden:
            raise TraceFault(1, "nothing can be hidden in the trace of a ledger", "leave it out")
        self.dialect = _dialect(header)
        self.core = core or LedgerCore()
        self.states: tuple[Explanation, ...] = (Explanation(self.core.initial()),)
        self.rules: dict[str, int] = {}
        self.notes: list[tuple[int, Rule, str]] = []
        self._calls: dict[str, a.Call] = {}
        self._finished = Finished(frozenset(self.dialect.operations))

    @property
    def state(self) -> State:
        """A ledger that explains what was seen."""
        return self.states[0].state

    @property
    def _ledgers(self) -> tuple[State, ...]:
        return tuple(one.state for one in self.states)

    def feed(self, line: Line) -> Refusal | None:
        """Take one line in; a refusal ends the judgement."""
        before = self.state
        mismatch = self._read(line)
        return None if mismatch is None else Refusal(line, mismatch, before)

    def _read(self, line: Line) -> Mismatch | None:
        if isinstance(line, Call):
            self._called(line)
        elif isinstance(line, Reply):
            return self._replied(line)
        elif isinstance(line, Lost):
            self._lost(line)
        elif isinstance(line, Report):
            return self._reported(line)
        elif isinstance(line, Work):
            self._worked(line)
        elif isinstance(line, Fault):
            if line.name != "replace":
                raise wrong_line(line.seq, f"no fault of a ledger: {line.name}", "replace is")
            self.states = (Explanation(self.core.initial()),)
            self._finished.forget()
        return None

    # Lines.

    def _called(self, line: Call) -> None:
        if line.op not in self.dialect.operations:
            known = ", ".join(sorted(self.dialect.operations))
            reason = f"{self.dialect.version} has no operation {line.op!r}"
            raise wrong_line(line.seq, reason, f"it has: {known}")
        request = request_of(line.op, line.request, self.dialect)
        self._calls[line.id] = a.Call(line.op, request, cut_of(line.request))

    def _taken(self, line: Reply | Lost) -> a.Call:
        call = self._calls.pop(line.id, None)
        if call is None:
            raise wrong_line(line.seq, f"no call {line.id!r} is open", "a call comes first")
        return call

    def _replied(self, line: Reply) -> Mismatch | None:
        if line.outcome is None:
            reason = "a ledger answers with an outcome, not with a status"
            raise wrong_line(line.seq, reason, 'write "outcome": "ok" or {"error": …}')
        call = self._taken(line)
        left: list[Explanation] = []
        refused: Mismatch | None = None
        for explanation in self.states:
            step = self.core.step(explanation.state, call)
            mismatch = self._difference(call, step, line)
            if mismatch is None:
                left.append(Explanation(step.state, step))
            refused = refused or mismatch
        if not left:
            return refused
        self._keep(left)
        for explanation in left:
            for rule in explanation.last.rules if explanation.last else ():
                self.rules[rule.id] = self.rules.get(rule.id, 0) + 1
        return None

    def _keep(self, found: Sequence[Explanation]) -> None:
        self.states = tuple({one.state: one for one in reversed(found)}.values())
        self._finished.changed(self._ledgers)

    def _lost(self, line: Lost) -> None:
        call = self._taken(line)
        steps = [(one, self.core.step(one.state, call)) for one in self.states]
        self._keep([*self.states, *(Explanation(step.state, step) for _, step in steps)])

    def _difference(self, call: a.Call, step: Step, line: Reply) -> Mismatch | None:
        answer: a.Answer = step.outputs[0]
        if not answer.ok:
            if line.outcome != "ok":
                return None
            why = answer.detail or answer.rule.says
            return Mismatch(f"refused: {why}", wording.line_text(line), answer.rule)
        if line.outcome != "ok":
            rule = _why_accepted(step)
            return Mismatch(f"accepted: {rule.says}", wording.line_text(line), rule)
        if answer.body is None:
            return None
        came = body_of(call.op, line.body, self.dialect)
        if call.op in SAVES:
            found = state_difference(answer.body, came)
            return None if found is None else Mismatch(found.expected, found.came, answer.rule)
        if same(answer.body, came):
            return None
        return Mismatch(f"{answer.body}", f"{came}", answer.rule)

    def _reported(self, line: Report) -> Mismatch | None:
        wrong = form_fault(line.body, LedgerReport)
        if wrong is not None:
            raise wrong_line(line.seq, f"the report has {wrong[0]}", wrong[1])
        left: list[Explanation] = []
        refused: Mismatch | None = None
        for explanation in self.states:
            found = report_difference(report_of(explanation.state), line.body)
            if found is None:
                left.append(explanation)
            else:
                rule = _rule_of(explanation.last, found)
                refused = refused or Mismatch(found.expected, found.came, rule)
        if not left:
            return refused
        self._keep(left)
        return self._stalled()

    def _worked(self, line: Work) -> None:
        if line.event != "completed" or line.rollout_id is None or line.attempt is None:
            raise wrong_line(line.seq, f"no work beside a ledger: {line.event}", "completed is")
        self._finished.completed(self._ledgers, Key(line.rollout_id, line.attempt), line.seq)

    def _stalled(self) -> Mismatch | None:
        """A finished execution of a cohort that nothing can ever acknowledge, at rest."""
        found = self._finished.stalled()
        if found is None:
            return None
        key, seq = found
        named = f"{key.rollout_id} attempt {key.attempt}"
        return Mismatch(
            f"{named}, finished at line {seq}, is owed or can still be",
            "its attempt was given up, and nothing records what is owed for it",
            _ACKNOWLEDGED,
            stall=True,
            key=key,
        )

    # Words.

    def state_text(self, before: State) -> str:
        """The ledger before a refusal, in one line."""
        return wording.state_text(before)

    def legal_texts(self, before: State) -> tuple[str, ...]:
        """What could have been done instead."""
        return legal_texts(self.core, before, self.dialect)

    def step_texts(self, lines: Sequence[Line]) -> list[str]:
        """What was done in some lines, each in few words; the last line always has a text."""
        return wording.step_texts(lines)

    def line_text(self, line: Line) -> str:
        """Any line, in one line of text."""
        return wording.line_text(line)


def _dialect(header: Header) -> LedgerDialect:
    """The dialect of a header; one that lists its operations has no others."""
    try:
        dialect = dialect_of(header.version)
    except KeyError as unknown:
        raise TraceFault(1, str(unknown.args[0]), "set participant.version") from None
    listed: Any = header.settings.get("operations")
    if not is_list(listed):
        return dialect
    return attrs.evolve(dialect, operations=dialect.operations & set(map(str, listed)))


def _why_accepted(step: Step) -> Rule:
    """The rule that says why a call is accepted: of an attempt, of a group, or of the operation."""
    answer, *moves = step.outputs
    of_attempts = [move for move in moves if isinstance(move.subject, Key)]
    rule: Rule = next(iter([*of_attempts, *moves]), answer).rule
    return rule


def _rule_of(last: Step | None, found: Difference) -> Rule:
    """The rule that says why something is as it must be: its last move, or the whole step."""
    if last is None:
        return LOAD
    answer, *moves = last.outputs
    if not answer.ok:
        return _UNCHANGED
    of_subject = [move.rule for move in reversed(moves) if move.subject == found.subject]
    if found.owed is not None:
        # Of an execution that is owed, only what moved the obligation itself can be the reason.
        of_subject = [rule for rule in of_subject if rule in _OBLIGATION]
        if found.owed == "lost" and not of_subject:
            return _KEPT
    rule: Rule = next(iter(of_subject), answer.rule)
    return rule
