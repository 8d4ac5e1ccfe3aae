"""The set of states that explain a trace of a policy model so far, and what each line does to it.

Ends of drains, reads of statuses and steps of the storage are hidden: a line that needs one of them
to have happened, or not, decides it. At rest all of them have happened.
"""

from collections.abc import Callable, Iterable
from typing import Any

import attrs

from fencepost.agent.comparing import came_text, code_in
from fencepost.faults import wrong_line
from fencepost.feeding import explanations
from fencepost.mismatch import Inconclusive, Mismatch, as_object
from fencepost.policy_model import reading
from fencepost.policy_model.comparing import expected_text, reply_mismatch, report_mismatch
from fencepost.policy_model.files import checkpoint_of, look_of, same_look
from fencepost.policy_model.hidden import Start, alternatives, moves_unseen
from fencepost.trace import lines
from fencepost_reference.model import NotEnabled, Step
from fencepost_reference.receipts.policy_model import actions as a
from fencepost_reference.receipts.policy_model.core import ModelCore
from fencepost_reference.receipts.policy_model.gate import is_gated
from fencepost_reference.receipts.policy_model.state import State, View, view_of
from fencepost_spec.operation import Operation
from fencepost_spec.receipts import operation_rules as ops
from fencepost_spec.receipts.policy_model import rules as r
from fencepost_spec.receipts.policy_model.dialects import ModelDialect
from fencepost_spec.receipts.policy_model.properties import BY_ID
from fencepost_spec.receipts.policy_model.refusals import CHECKPOINT_PARKED, RETRY_AFTER_SECONDS
from fencepost_spec.rule import Rule

BUDGET = 256
LEAVES = BY_ID["R-PML-5"].rule
READS = BY_ID["R-PML-2"].rule
UNCHANGED = BY_ID["R-PMI-9"].rule


@attrs.define
class Frontier:
    """The states in which the model could be. Empty only after a refusal.

    `asked` holds the checkpoint ids of open calls, `digests` what each id was answered with.
    """

    core: ModelCore
    dialect: ModelDialect
    states: tuple[State, ...]
    rules: dict[str, int] = attrs.field(factory=dict)
    notes: list[tuple[int, Rule, str]] = attrs.field(factory=list)
    budget: int = BUDGET
    asked: dict[str, str | None] = attrs.field(factory=dict)
    digests: dict[str, str] = attrs.field(factory=dict)

    def read(self, line: lines.Line) -> Mismatch | None:
        """Take one line in, or say why no state explains it; then nothing changes."""
        found: dict[State, None] = {}
        best: Mismatch | None = None
        explain = _EXPLAIN[type(line)]
        for state in self.states:
            for start in self._starts(state, line):
                explained = False
                for outcome in explanations(explain, self, start.state, line, r.SHAPE):
                    if isinstance(outcome, State):
                        found[outcome] = None
                        explained = True
                    elif best is None or outcome.weight > best.weight:
                        best = outcome
                if explained:
                    self._count(start.rules)
        if not found:
            return best or Mismatch("no such line", "the line", None)
        if len(found) > self.budget:
            raise Inconclusive(f"more than {self.budget} states explain line {line.seq}")
        self.states = tuple(found)
        return None

    def _starts(self, state: State, line: lines.Line) -> Iterable[Start]:
        reaches_in = isinstance(line, lines.Fault | lines.Disk)
        starts = alternatives(self.core, state, half_done=reaches_in)
        if isinstance(line, lines.Report) and not line.moving:
            return [one for one in starts if not moves_unseen(self.core, one.state)]
        return starts

    def step(self, state: State, action: Any) -> Step:
        """Take an action and count the rules it uses."""
        step = self.core.step(state, action)
        self._count(step.rules)
        return step

    def _count(self, rules: Iterable[Rule]) -> None:
        for rule in rules:
            self.rules[rule.id] = self.rules.get(rule.id, 0) + 1


def _call(front: Frontier, state: State, line: lines.Call) -> list[State | Mismatch]:
    """A request reaches the participant, which takes it here."""
    if line.id in state.calls or line.id in state.dead:
        raise wrong_line(line.seq, f"call id {line.id!r} is open already", "use a new id")
    action = reading.call_action(line)
    front.asked[line.id] = action.request.checkpoint_id
    return [front.step(state, action).state]


def _reply(front: Frontier, state: State, line: lines.Reply) -> list[State | Mismatch]:
    """An answer leaves the participant."""
    waiting = state.calls.get(line.id)
    came = came_text(line.status, line.body)
    if waiting is None:
        return [Mismatch("no answer: the call is not open", came, LEAVES)]
    operation = front.core.spec.operations[waiting.op]
    if waiting.reply is None:
        return [
            Mismatch("no answer yet: it still waits", came, _while_waiting(state, line, operation))
        ]
    shape = front.dialect.shape
    found = reply_mismatch(state, operation, waiting.reply, line.status, line.body, shape)
    found = found or _other_id(front, line, waiting.op) or _other_digest(front, line, waiting.op)
    return [found or front.step(state, a.Leave(line.id)).state]


def _while_waiting(state: State, line: lines.Reply, operation: Operation) -> Rule:
    """The rule by which a call that was answered has to wait, or may not be refused."""
    storing, code = state.fence.storing, code_in(line.body)
    if storing is not None and line.id in storing.callers[1:]:
        return ops.SHARED
    rungs = (check.rule for check in operation.ladder if check.answer == code)
    return next(rungs, operation.effect)


def _other_id(front: Frontier, line: lines.Reply, op: str) -> Mismatch | None:
    """A status answers for the id that it was asked about."""
    asked = front.asked.get(line.id)
    told = as_object(line.body).get("checkpoint_id")
    if op != "status" or line.status != 200 or told == asked:
        return None
    return Mismatch(f"checkpoint_id={asked}", f"checkpoint_id={told}", r.STATUS_EFFECT, 4)


def _other_digest(front: Frontier, line: lines.Reply, op: str) -> Mismatch | None:
    """A commit that is answered again is answered with the same digest."""
    digest = as_object(line.body).get("manifest_digest")
    if op != "commit" or not isinstance(digest, str):
        return None
    before = front.digests.setdefault(str(front.asked.get(line.id)), digest)
    if before == digest:
        return None
    return Mismatch(f"manifest_digest {before}", digest, ops.RECORDED, 4)


def _lost(front: Frontier, state: State, line: lines.Lost) -> list[State | Mismatch]:
    """A call that will never be answered."""
    if line.id in state.dead:
        return [attrs.evolve(state, dead=state.dead - {line.id})]
    waiting = state.calls.get(line.id)
    if waiting is None:
        return [Mismatch("no lost reply: the call is not open", line.how, LEAVES)]
    if line.how in ("cancelled", "timeout"):
        return [front.step(state, a.Gone(line.id)).state]
    wanted = "an answer" if waiting.reply is None else expected_text(waiting.reply)
    return [Mismatch(wanted, "the server ended the call without one", ops.SHARED, 5)]


def _work(front: Frontier, state: State, line: lines.Work) -> list[State | Mismatch]:
    """A call of the data plane reaches the gate, writes, ends, or is cancelled."""
    if line.event not in reading.EVENTS:
        known = ", ".join(reading.EVENTS)
        raise wrong_line(line.seq, f"{line.event!r} is no event of a model", f"known: {known}")
    if line.event == "admit":
        return [_admit(front, state, line)]
    action = reading.work_action(line)
    if isinstance(action, a.Record) and line.rollout_id is None:
        raise wrong_line(line.seq, "a row belongs to an attempt", "name it in the subject")
    try:
        return [front.step(state, action).state]
    except NotEnabled:
        rule = r.TICKET if action.ticket not in state.tickets else r.ABORT_EFFECT
        return [Mismatch(f"no {line.event} of {action.ticket}", line.event, rule, 4)]


def _admit(front: Frontier, state: State, line: lines.Work) -> State | Mismatch:
    action = reading.admit_action(line)
    if action.ticket in state.tickets:
        raise wrong_line(line.seq, f"the ticket {action.ticket!r} is in flight", "use a new name")
    step = front.step(state, action)
    wanted = step.outputs[0].code
    outcome = as_object(line.outcome)
    came = None if line.outcome == "ok" else str(outcome.get("code", line.outcome))
    if came != wanted:
        rule = step.rules[-1]
        if wanted is None and is_gated(front.core.spec, action.path):
            rule = next((c.rule for c in front.core.spec.gate if c.answer == came), rule)
        return Mismatch(wanted or "let in", came or "let in", rule, 4)
    if wanted == CHECKPOINT_PARKED and front.dialect.shape:
        told: object = outcome.get("retry_after")
        if type(told) is not int or told != RETRY_AFTER_SECONDS:
            expected = f"retry-after: {RETRY_AFTER_SECONDS}"
            return Mismatch(expected, f"retry-after: {told}", r.RETRY_AFTER, 4)
    after: State = step.state
    return after


def _returned(_front: Frontier, _state: State, line: lines.Returned) -> list[State | Mismatch]:
    raise wrong_line(line.seq, "nothing waits at the gate of a model", "callers try again")


def _report(front: Frontier, state: State, line: lines.Report) -> list[State | Mismatch]:
    """A status report: at rest nothing may be outstanding, and everything stands as told."""
    if not line.moving:
        for own in front.core.own(state):
            waiting = state.calls.get(str(own.subject))
            reply = None if waiting is None else waiting.reply
            wanted = f"{own.subject} is cancelled" if reply is None else expected_text(reply)
            came = f"still outstanding at rest: {own.subject}"
            return [Mismatch(wanted, came, own.rule, 4, stall=True)]
    found = report_mismatch(state, view_of(state), line.body, front.dialect.shape)
    return [found or state]


def _fault(front: Frontier, state: State, line: lines.Fault) -> list[State | Mismatch]:
    """The harness breaks something."""
    if line.name == "replace":
        front.digests.clear()
    action = reading.fault_action(line, state)
    return [state if action is None else front.step(state, action).state]


def _disk(front: Frontier, state: State, line: lines.Disk) -> list[State | Mismatch]:
    """What lies on disk, looked at now."""
    path, seen = str(line.look["path"]), checkpoint_of(line.look)
    known = state.disk.get(path)
    if same_look(known, seen):
        return [state]
    if known is None:
        return [front.step(state, a.SetDirectory(path, seen)).state]
    wanted = str(look_of(path, known))
    return [Mismatch(wanted[:120], str(line.look)[:120], UNCHANGED, 4)]


def _tick(front: Frontier, state: State, line: lines.Tick) -> list[State | Mismatch]:
    """Time passes; what was due before it has to have happened."""
    for name, waiting in state.calls.items():
        told = waiting.reply is None or isinstance(waiting.reply.body, View)
        if waiting.waits and waiting.left == 0 and told and line.microseconds:
            came = f"status {name} still waits after its deadline"
            return [Mismatch("an answer by the deadline", came, READS, 5, stall=True)]
    return [front.step(state, a.Tick(line.microseconds)).state]


Explain = Callable[[Frontier, State, Any], list[State | Mismatch]]


_EXPLAIN: dict[type, Explain] = {
    lines.Call: _call,
    lines.Reply: _reply,
    lines.Lost: _lost,
    lines.Work: _work,
    lines.Returned: _returned,
    lines.Report: _report,
    lines.Fault: _fault,
    lines.Disk: _disk,
    lines.Tick: _tick,
    lines.Note: lambda _front, state, _line: [state],
}
