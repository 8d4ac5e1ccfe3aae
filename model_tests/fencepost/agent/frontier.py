"""The set of states that explain a trace of an agent so far, and what each line does to it."""

from collections.abc import Callable
from typing import Any

import attrs

from fencepost.agent.blaming import nearer_rule
from fencepost.agent.calling import Asked, explain_call, explain_lost, explain_reply
from fencepost.agent.directories import crashed, without_covered
from fencepost.agent.hidden import (
    Start,
    alternatives,
    displayed,
    parked_or_not,
    shown_parked,
    taken,
)
from fencepost.agent.looking import keep_reads
from fencepost.agent.shapes import report_misshapen
from fencepost.agent.stalling import outstanding_at_rest
from fencepost.agent.statuses import status_mismatch
from fencepost.agent.surrounding import explain_disk, explain_fault, explain_tick
from fencepost.agent.working import explain_work
from fencepost.feeding import explanations
from fencepost.mismatch import Inconclusive, Mismatch, as_object
from fencepost.trace import lines
from fencepost_reference.model import NotEnabled, Step
from fencepost_reference.receipts import actions as a
from fencepost_reference.receipts.agent import AgentCore
from fencepost_reference.receipts.counting import view_of
from fencepost_reference.receipts.state import Reply, State
from fencepost_reference.receipts.work import may_return
from fencepost_spec.receipts import operation_rules as ops
from fencepost_spec.receipts.dialects import Dialect
from fencepost_spec.receipts.properties import BY_ID
from fencepost_spec.receipts.refusals import CANCELLED, STALE_ATTEMPT
from fencepost_spec.rule import Rule
from fencepost_spec.vocabulary import Key

BUDGET = 1024
COUNTED_STAYS = BY_ID["R-INV-7"].rule
LEAVES = BY_ID["R-LIV-9"].rule


@attrs.define
class Frontier:
    """The states in which the participant could be. Empty only after a refusal.

    `asked` holds what open calls asked for, `directories` those that a commit has named, `digests`
    what the commit of each id into each directory was answered with. `begins_empty` says that no
    directory is there but those that the trace tells of. `reads` holds what open calls that only
    read may have seen so far.
    """

    core: AgentCore
    dialect: Dialect
    hidden: frozenset[str]
    states: tuple[State, ...]
    rules: dict[str, int] = attrs.field(factory=dict)
    notes: list[tuple[int, Rule, str]] = attrs.field(factory=list)
    budget: int = BUDGET
    asked: dict[str, Asked] = attrs.field(factory=dict)
    directories: set[str] = attrs.field(factory=set)
    noted: list[tuple[State, Rule, str]] = attrs.field(factory=list)
    digests: dict[tuple[str, str], str] = attrs.field(factory=dict)
    begins_empty: bool = False
    reads: dict[str, tuple[Reply, ...]] = attrs.field(factory=dict)

    def read(self, line: lines.Line) -> Mismatch | None:
        """Take one line in, or say why no state explains it; then nothing changes."""
        found, best = self._explained(line)
        if not found:
            return best or Mismatch("no such line", "the line", None)
        if len(found) > self.budget:
            raise Inconclusive(f"more than {self.budget} states explain line {line.seq}")
        self._note(line, found)
        if isinstance(line, lines.Fault) and line.name == "replace":
            found = without_covered(found)
        self.states = tuple(found)
        keep_reads(self, line)
        return None

    def _note(self, line: lines.Line, found: list[State]) -> None:
        """Keep what rules of level should do not want, where nothing explains the line without."""
        noted, self.noted = self.noted, []
        if not noted or any(all(state != one for one, _, _ in noted) for state in found):
            return
        for _, rule, text in noted:
            self.notes.append((line.seq, rule, text))

    def _explained(self, line: lines.Line) -> tuple[list[State], Mismatch | None]:
        explain = _EXPLAIN[type(line)]
        found: list[State] = []
        best: Mismatch | None = None
        for state in self.states:
            for start in self._starts(state, line):
                explained = False
                for outcome in explanations(explain, self, start.state, line, ops.SHAPE):
                    if isinstance(outcome, State):
                        explained = True
                        if not found or outcome not in found:
                            found.append(outcome)
                    elif best is None or outcome.weight > best.weight:
                        best = outcome
                if explained:
                    self._count(start.rules)
        return found, best

    def _starts(self, state: State, line: lines.Line) -> tuple[Start, ...]:
        """The states that a line may have met. A crash leaves only what lies on disk."""
        if isinstance(line, lines.Fault) and line.name == "replace":
            return (Start(crashed(state)),)
        reaches_in = isinstance(line, lines.Fault | lines.Disk)
        return alternatives(self.core, state, half_done=reaches_in)

    def step(self, state: State, action: Any) -> Step:
        """Take an action and count the rules it uses."""
        step = self.core.step(state, action)
        if step.rules:
            self._count(step.rules)
        return step

    def _count(self, rules: tuple[Rule, ...]) -> None:
        for rule in rules:
            self.rules[rule.id] = self.rules.get(rule.id, 0) + 1

    def report(self, state: State, line: lines.Report) -> list[State | Mismatch]:
        """A status report: at rest nothing may be outstanding, and everything stands as told."""
        wakes_hidden = "wakes" in self.hidden
        state = shown_parked(self.core, state, line.body, wakes_hidden and not line.moving)
        outstanding = None if line.moving else outstanding_at_rest(self.core, state, self.hidden)
        found = status_mismatch(
            line.body,
            view_of(self.core.spec, displayed(state, line.body)),
            self.dialect,
            ops.STATUS_EFFECT,
        )
        if found is not None:
            found = attrs.evolve(found, rule=nearer_rule(state, found) or found.rule)
            return [found if outstanding is None else outstanding]
        return [outstanding or report_misshapen(line.body, self.dialect) or state]

    def returned(self, state: State, line: lines.Returned) -> list[State | Mismatch]:
        """A held event is let go."""
        code = None if line.outcome == "ok" else str(as_object(line.outcome).get("code"))
        if line.of in state.orphans:
            after = self.step(state, a.ReturnOrphan(line.of)).state
            if state.orphans[line.of] == "":
                return [after]
            ended = code in (CANCELLED, STALE_ATTEMPT)
            wrong = Mismatch("cancelled", "ok", BY_ID["R-INV-28"].rule, 4)
            return [after if ended else wrong]
        for key, execution in state.executions.items():
            if execution.held is not None and execution.held.token == line.of:
                starts = parked_or_not(self.core, state, key) if code == CANCELLED else [state]
                found = [self._let_go(start, key, code) for start in starts]
                if code == CANCELLED and may_return(execution):
                    # It was let go already when the cancellation overtook it.
                    woken = taken(self.core, state, a.LetGo(key))
                    found += [] if woken is None else [woken]
                return found
        return [Mismatch("no such event is held", f"line {line.of} returns", COUNTED_STAYS)]

    def _let_go(self, state: State, key: Key, code: str | None) -> State | Mismatch:
        execution = state.executions[key]
        retiring = execution.status == "retiring"
        if code == CANCELLED or (retiring and code == STALE_ATTEMPT):
            after = taken(self.core, state, a.LetGo(key, cancelled=True))
            wrong = Mismatch("held, or let go by resume", "cancelled", COUNTED_STAYS, 3)
            return wrong if after is None else after
        try:
            step = self.step(state, a.LetGo(key))
        except NotEnabled:
            held = f"held: {key.rollout_id} attempt {key.attempt} is counted as parked"
            return Mismatch(held, "let go", COUNTED_STAYS, 4)
        if step.outputs[0].code != code:
            wanted = step.outputs[0].code or "ok"
            return Mismatch(wanted, code or "ok", execution.why, 4)
        after_it: State = step.state
        return after_it


Explain = Callable[[Frontier, State, Any], list[State | Mismatch]]


_EXPLAIN: dict[type, Explain] = {
    lines.Call: explain_call,
    lines.Reply: explain_reply,
    lines.Lost: explain_lost,
    lines.Work: explain_work,
    lines.Returned: Frontier.returned,
    lines.Report: Frontier.report,
    lines.Fault: explain_fault,
    lines.Disk: explain_disk,
    lines.Tick: explain_tick,
    lines.Note: lambda _front, state, _line: [state],
}
