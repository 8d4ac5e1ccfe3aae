"""The set of states that explain a trace of an agent so far, and what each line does to it."""

from collections.abc import Callable
from typing import Any

import attrs

from fencepost.agent import reading
from fencepost.agent.comparing import came_text, code_in, reply_mismatch
from fencepost.agent.expecting import blamed_for_records, expected_text
from fencepost.agent.faulting import (
    Inconclusive,
)
from fencepost.agent.hidden import (
    Start,
    alternatives,
    certain,
    crashed,
    let_go_early,
    parked_or_not,
    shown_parked,
    taken,
)
from fencepost.agent.looking import read_explained
from fencepost.agent.mismatch import Mismatch, as_object
from fencepost.agent.stalling import never_released, outstanding_at_rest
from fencepost.agent.statuses import status_mismatch
from fencepost.agent.surrounding import explain_disk, explain_fault, explain_tick
from fencepost.agent.working import explain_work
from fencepost.faults import TraceFault
from fencepost.trace import lines
from fencepost_reference.model import NotEnabled, Step
from fencepost_reference.receipts import actions as a
from fencepost_reference.receipts.agent import AgentCore
from fencepost_reference.receipts.counting import view_of
from fencepost_reference.receipts.state import Outstanding, State
from fencepost_reference.receipts.work import may_return
from fencepost_spec.receipts import operations as ops
from fencepost_spec.receipts.dialects import Dialect
from fencepost_spec.receipts.properties import BY_ID, RETIRE_WAITS
from fencepost_spec.receipts.refusals import CANCELLED, CHECKPOINT_ERROR, STALE_ATTEMPT
from fencepost_spec.rule import Rule
from fencepost_spec.vocabulary import Key

BUDGET = 256
COUNTED_STAYS = BY_ID["R-INV-7"].rule
LEAVES = BY_ID["R-LIV-9"].rule


@attrs.define
class Frontier:
    """The states in which the participant could be. Empty only after a refusal."""

    core: AgentCore
    dialect: Dialect
    hidden: frozenset[str]
    states: tuple[State, ...]
    rules: dict[str, int] = attrs.field(factory=dict)
    notes: list[tuple[int, Rule, str]] = attrs.field(factory=list)
    budget: int = BUDGET

    def read(self, line: lines.Line) -> Mismatch | None:
        """Take one line in, or say why no state explains it; then nothing changes."""
        found, best = self._explained(line)
        if not found:
            return best or Mismatch("no such line", "the line", None)
        if len(found) > self.budget:
            raise Inconclusive(f"more than {self.budget} states explain line {line.seq}")
        self.states = tuple(found)
        return None

    def _explained(self, line: lines.Line) -> tuple[list[State], Mismatch | None]:
        explain = _EXPLAIN[type(line)]
        found: list[State] = []
        best: Mismatch | None = None
        for state in self.states:
            for start in self._starts(state, line):
                explained = False
                for outcome in _explanations(explain, self, start.state, line):
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
        return alternatives(self.core, state)

    def step(self, state: State, action: Any) -> Step:
        """Take an action and count the rules it uses."""
        step = self.core.step(state, action)
        if step.rules:
            self._count(step.rules)
        return step

    def _count(self, rules: tuple[Rule, ...]) -> None:
        for rule in rules:
            self.rules[rule.id] = self.rules.get(rule.id, 0) + 1

    def call(self, state: State, line: lines.Call) -> list[State | Mismatch]:
        """A request reaches the participant."""
        if line.id in state.calls or line.id in state.dead:
            raise TraceFault(line.seq, f"call id {line.id!r} is open already", "use a new id")
        if line.op == "run":
            return [self.step(state, reading.run_action(line)).state]
        action = reading.call_action(line)
        starts = certain(state, action.request.directory)
        early = let_go_early(self.core, state, self.hidden) if line.op == "prepare" else None
        starts += [] if early is None else [early]
        return [self.step(start, action).state for start in starts]

    def reply(self, state: State, line: lines.Reply) -> list[State | Mismatch]:
        """An answer leaves the participant."""
        waiting, came = state.calls.get(line.id), came_text(line.status, line.body)
        if waiting is None:
            return [Mismatch("no answer: the call is not open", came, LEAVES)]
        if waiting.op not in self.dialect.operations and waiting.op != "run":
            if line.status in (404, 405):
                return [self._left(state, line.id)]
            return [Mismatch("404: not an operation of this version", came, None, 3)]
        if waiting.reply is None:
            return self._undecided(state, line)
        found = reply_mismatch(waiting.reply, line.status, line.body, self.dialect)
        if found is not None and waiting.op in ("status", "capabilities"):
            read = read_explained(self.core, state, line, waiting, self.dialect)
            return [found if read is None else self._left(read, line.id)]
        if found is not None and _missed(waiting, line):
            return [self._left(state, line.id)]
        if found is not None:
            if waiting.op == "commit":
                missing = blamed_for_records(state, as_object(line.body).get("records"))
                found = attrs.evolve(found, rule=missing or found.rule)
            return [found]
        stall = never_released(state, waiting.op, line.body, self.dialect)
        return [stall or self._left(state, line.id)]

    def _left(self, state: State, call: str) -> State:
        outstanding = state.calls[call]
        if outstanding.reply is None:
            return attrs.evolve(state, calls=state.calls.delete(call))
        left: State = self.step(state, a.Leave(call)).state
        return left

    def _undecided(self, state: State, line: lines.Reply) -> list[State | Mismatch]:
        """An answer to a call that waits: only a retire may speak before it is done."""
        waiting = state.calls[line.id]
        came = came_text(line.status, line.body)
        results: list[State | Mismatch] = []
        if waiting.op == "retire":
            for early in (False, True):
                later = taken(self.core, state, a.AnswerRetire(line.id, early))
                reply = None if later is None else later.calls[line.id].reply
                if later is None or reply is None:
                    continue
                found = reply_mismatch(reply, line.status, line.body, self.dialect)
                if found is not None:
                    found = attrs.evolve(found, rule=ops.RETIRE_EFFECT)
                if found is None and early:
                    self.notes.append((line.seq, RETIRE_WAITS, "the handler has not stopped"))
                results.append(found or self._left(later, line.id))
            return results
        if waiting.op == "run":
            key = waiting.key
            execution = None if key is None else state.executions.get(key)
            why = None if execution is None else execution.why
            return [Mismatch("no answer: the run has not ended", came, why or LEAVES)]
        return [Mismatch("no answer yet", came, LEAVES)]

    def lost(self, state: State, line: lines.Lost) -> list[State | Mismatch]:
        """A call that will never be answered."""
        if line.id in state.dead:
            return [attrs.evolve(state, dead=state.dead - {line.id})]
        waiting = state.calls.get(line.id)
        if waiting is None:
            return [Mismatch("no lost reply: the call is not open", line.how, LEAVES)]
        if line.how in ("cancelled", "timeout"):
            return [self.step(state, a.Gone(line.id)).state]
        if waiting.op == "run":
            reply = waiting.reply
            if reply is not None and reply.loose:
                return [self.step(state, a.Leave(line.id, dropped=True)).state]
            return [self.step(state, a.Gone(line.id)).state]
        wanted = "an answer" if waiting.reply is None else expected_text(waiting.reply)
        return [Mismatch(wanted, "the server ended the call without one", ops.SHARED, 5)]

    def report(self, state: State, line: lines.Report) -> list[State | Mismatch]:
        """A status report: at rest nothing may be outstanding, and everything stands as told."""
        wakes_hidden = "wakes" in self.hidden
        state = shown_parked(self.core, state, line.body, wakes_hidden and not line.moving)
        outstanding = None if line.moving else outstanding_at_rest(self.core, state, self.hidden)
        found = status_mismatch(
            line.body, view_of(self.core.spec, state), self.dialect, ops.STATUS_EFFECT
        )
        if found is not None:
            if found.key is not None:
                ended = state.history.refused.get(found.key)
                found = attrs.evolve(found, rule=ended or found.rule)
            return [found if outstanding is None else outstanding]
        return [outstanding or state]

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


def _explanations(
    explain: Explain, front: Frontier, state: State, line: lines.Line
) -> list[State | Mismatch]:
    """What explains a line; a body of another shape is the participant's, another line ours."""
    try:
        return explain(front, state, line)
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        wrong = f"{type(error).__name__}: {error}"
        if isinstance(line, lines.Reply | lines.Report):
            return [Mismatch("a body of the declared shape", wrong, ops.SHAPE, 1)]
        hint = "see the trace format in docs/reference"
        raise TraceFault(line.seq, f"not the shape of such a line: {wrong}", hint) from error


def _missed(waiting: Outstanding, line: lines.Reply) -> bool:
    """Whether a retire gave up at its deadline, before its handler stopped."""
    due = waiting.op == "retire" and waiting.deadline is not None and waiting.deadline <= 0
    return due and line.status == 409 and code_in(line.body) == CHECKPOINT_ERROR


_EXPLAIN: dict[type, Explain] = {
    lines.Call: Frontier.call,
    lines.Reply: Frontier.reply,
    lines.Lost: Frontier.lost,
    lines.Work: explain_work,
    lines.Returned: Frontier.returned,
    lines.Report: Frontier.report,
    lines.Fault: explain_fault,
    lines.Disk: explain_disk,
    lines.Tick: explain_tick,
    lines.Note: lambda _front, state, _line: [state],
}
