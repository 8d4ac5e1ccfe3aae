"""Control calls: the ladder of each, and what happens when no check answers."""

from collections.abc import Callable

import attrs

from fencepost_reference.model import NotEnabled, Step
from fencepost_reference.receipts.changes import change
from fencepost_reference.receipts.policy_model import actions as a
from fencepost_reference.receipts.policy_model.gate import closed
from fencepost_reference.receipts.policy_model.state import (
    Fence,
    Outstanding,
    Recorded,
    State,
    Storing,
    view_of,
)
from fencepost_reference.receipts.state import Reply
from fencepost_spec.operation import REPLAY, SHARE, Check, Operation
from fencepost_spec.receipts import refusals as code
from fencepost_spec.receipts.policy_model.facts import ModelFacts
from fencepost_spec.receipts.policy_model.rules import TOLD_PAUSED, WAITS_END
from fencepost_spec.receipts.policy_model.spec import ModelSpec
from fencepost_spec.rule import Rule
from fencepost_spec.vocabulary import Key

Rules = tuple[Rule, ...]


def recorded_name(op: str, key: Key | None) -> str:
    """Under which name an answer is kept: an abort's, with its attempt."""
    return op if key is None else f"{op} {key.rollout_id} {key.attempt}"


def recorded_of(fence: Fence, name: str) -> Recorded | None:
    """The answer that is kept for an operation of the active id."""
    return next((entry for entry in fence.recorded if entry.op == name), None)


def control_facts(
    spec: ModelSpec, state: State, operation: Operation, request: a.Request
) -> ModelFacts:
    """What is known when a control call arrives."""
    fence, wanted = state.fence, request.checkpoint_id
    mine = fence.active is not None and fence.active == wanted
    recorded = recorded_of(fence, recorded_name(operation.name, request.key)) if mine else None
    storing = fence.storing
    running = storing if mine and storing and storing.op == operation.name else None
    finished = state.history.finished.get(wanted or "")
    front = ModelFacts(
        authorised=request.authorised,
        well_formed=request.well_formed,
        policy=state.role == "policy",
        has_ledger=state.has_ledger,
        quiescent=state.admission == "paused" and not state.tickets,
    )
    if not operation.fenced:
        return front
    return attrs.evolve(
        front,
        finished=finished is not None,
        finished_by_this=finished is not None and finished[0] == operation.name,
        recorded=recorded is not None,
        recorded_elsewhere=recorded is not None and recorded.directory != request.directory,
        under_way=running is not None,
        under_way_elsewhere=running is not None and running.directory != request.directory,
        other_active=fence.active is not None and not mine,
        phase_allows=_phase_allows(spec, fence, operation),
    )


def _phase_allows(spec: ModelSpec, fence: Fence, operation: Operation) -> bool:
    if operation.event is not None:
        return bool(spec.fence.candidates(fence.phase, operation.event))
    return operation.phases is None or fence.phase in operation.phases


def call(spec: ModelSpec, state: State, action: a.Call) -> Step:
    """A control call arrives: the first check that holds answers it, or it takes effect."""
    if action.id in state.calls:
        raise NotEnabled(action, "a call of this id is open")
    operation = spec.operations.get(action.op)
    if operation is None:
        return Step(_waits(state, action, Reply(404)))
    facts = control_facts(spec, state, operation, action.request)
    for check in operation.ladder:
        if check.when(facts):
            return _checked(state, action, check)
    step = _EFFECTS[action.op](spec, _waits(state, action, None), action, operation.effect)
    return Step(step.state, step.outputs, (operation.effect, *step.rules))


def _waits(state: State, action: a.Call, reply: Reply | None) -> State:
    request = action.request
    left: int | None = None
    if request.waits:
        bounds = [one for one in (request.deadline, request.timeout) if one is not None]
        left = min(bounds, default=None)
    outstanding = Outstanding(action.op, request.waits, left, reply)
    return change(state, calls=state.calls.set(action.id, outstanding))


def _checked(state: State, action: a.Call, check: Check) -> Step:
    """The state after a check answered."""
    rule, request = check.rule, action.request
    storing = state.fence.storing
    if check.answer == SHARE and storing is not None:
        joined = change(storing, callers=(*storing.callers, action.id))
        fence = change(state.fence, storing=joined)
        return Step(change(_waits(state, action, None), fence=fence), (), (rule,))
    if check.answer == REPLAY:
        kept = recorded_of(state.fence, recorded_name(action.op, request.key))
        finished = state.history.finished.get(request.checkpoint_id or "")
        reply = kept.reply if kept is not None else finished[1] if finished else Reply(409)
        return Step(_waits(state, action, change(reply, rule=rule)), (), (rule,))
    status = {code.UNAUTHORIZED: 401, code.INVALID_REQUEST: 422}.get(check.answer, 409)
    return Step(_waits(state, action, Reply(status, check.answer, rule=rule)), (), (rule,))


def answered(state: State, call_id: str, reply: Reply) -> State:
    """The state in which the answer of a call is decided, if anybody waits for it."""
    waiting = state.calls.get(call_id)
    if waiting is None:
        return state
    return change(state, calls=state.calls.set(call_id, change(waiting, reply=reply)))


def kept(state: State, op: str, directory: str | None, reply: Reply) -> State:
    """The state in which an answer is recorded for the active id."""
    entry = Recorded(op, directory, reply)
    return change(state, fence=change(state.fence, recorded=(*state.fence.recorded, entry)))


def _told_paused(spec: ModelSpec, state: State) -> tuple[State, Rules]:
    """The state after an answer told that the model is paused, if it does."""
    row = spec.fence.find(state.fence.phase, "prepare_ready", None)
    if state.admission != "paused" or row is None:
        return state, ()
    return change(state, fence=change(state.fence, phase=row.target)), (row.rule, TOLD_PAUSED)


def _pause(spec: ModelSpec, state: State, action: a.Call, rule: Rule) -> Step:
    """Close, and tell how far the drain has come."""
    row = spec.fence.find(state.fence.phase, "prepare_called", None)
    phase = state.fence.phase if row is None else row.target
    fence = change(state.fence, phase=phase, active=action.request.checkpoint_id)
    state, closing = closed(spec, change(state, fence=fence))
    body = (("state", state.admission), ("inflight_total", len(state.tickets)))
    state, told = _told_paused(spec, state)
    reply = Reply(200, body=body, rule=(*closing, rule)[0])
    state = answered(kept(state, "pause", None, reply), action.id, reply)
    return Step(state, (), (*(() if row is None else (row.rule,)), *closing, *told))


def _status(_spec: ModelSpec, state: State, _action: a.Call, _rule: Rule) -> Step:
    """A status reads later: it may wait, and nothing says that it does not."""
    return Step(state)


def may_read(state: State, call_id: str) -> bool:
    """Whether a status may tell what it sees now."""
    waiting = state.calls.get(call_id)
    if waiting is None or waiting.op != "status" or waiting.reply is not None:
        return False
    due = waiting.left is not None and waiting.left <= 0
    return not waiting.waits or due or state.admission == "paused"


def read(spec: ModelSpec, state: State, action: a.Read) -> Step:
    """A status reads; when it finds the model paused, the checkpoint is prepared."""
    if not may_read(state, action.call):
        raise NotEnabled(action, "no status of this id may tell anything yet")
    rule = spec.operations["status"].effect
    reply = Reply(200, body=view_of(state), rule=rule)
    state, told = _told_paused(spec, state)
    return Step(answered(state, action.call, reply), (), told)


def _resume(spec: ModelSpec, state: State, action: a.Call, rule: Rule) -> Step:
    """Finish the id, end what waits for it, let calls in."""
    row = spec.fence.find(state.fence.phase, "resume_called", None)
    opened = spec.admission.find(state.admission, "reopened", None)
    rules: list[Rule] = [one.rule for one in (row, opened) if one is not None]
    for name in sorted(state.calls):
        waiting = state.calls[name]
        if waiting.op == "status" and waiting.reply is None:
            state = answered(state, name, Reply(409, code.STALE_CHECKPOINT, rule=WAITS_END))
            rules.append(WAITS_END)
    reply = Reply(200, body=(("state", "accepting"),), rule=rule if row is None else row.rule)
    finished = state.history.finished.set(action.request.checkpoint_id or "", ("resume", reply))
    state = change(
        state,
        fence=Fence("idle" if row is None else row.target),
        admission=state.admission if opened is None else opened.target,
        history=change(state.history, finished=finished),
    )
    return Step(answered(state, action.id, reply), (), tuple(rules))


def refuse(spec: ModelSpec, state: State, key: Key, cause: str) -> tuple[State, Rules]:
    """The state in which an attempt is refused, when the specification says that the cause does."""
    rules = tuple(entry.rule for entry in spec.refuses if entry.cause == cause)
    if not rules:
        return state, ()
    history = state.history
    if cause == "source":
        history = change(history, sources=history.sources.set(key, rules[0]))
    else:
        history = change(history, refused=history.refused.set(key, rules[0]))
    return change(state, history=history), rules


def _abort(spec: ModelSpec, state: State, action: a.Call, rule: Rule) -> Step:
    """Refuse the attempt, and cancel its calls."""
    key = action.request.key
    assert key is not None  # A well-formed abort names an attempt.
    state, refusing = refuse(spec, state, key, "aborted")
    rules, tickets = list(refusing), state.tickets
    mine = [name for name, ticket in state.tickets.items() if ticket.key == key]
    for name in mine:
        row = spec.ticket.find(tickets[name].status, "abort_called", None)
        if row is not None:
            tickets = tickets.set(name, change(tickets[name], status=row.target))
            rules.append(row.rule)
    state = change(state, tickets=tickets)
    body = (
        ("state", state.admission),
        ("aborted_inflight", len(mine)),
        ("inflight_total", len(tickets)),
    )
    reply = Reply(200, body=body, rule=rule)
    state = kept(state, recorded_name("abort_inflight", key), None, reply)
    return Step(answered(state, action.id, reply), (), tuple(rules))


def _commit(spec: ModelSpec, state: State, action: a.Call, _rule: Rule) -> Step:
    request = action.request
    storing = Storing("commit", request.directory or "", (action.id,), request.indexes)
    return _starts(spec, state, action, storing)


def _restore(spec: ModelSpec, state: State, action: a.Call, _rule: Rule) -> Step:
    """Close before anything is looked at."""
    state, closing = closed(spec, state)
    storing = Storing("restore", action.request.directory or "", (action.id,))
    step = _starts(spec, state, action, storing)
    return Step(step.state, (), (*closing, *step.rules))


def _starts(spec: ModelSpec, state: State, action: a.Call, storing: Storing) -> Step:
    row = spec.fence.find(state.fence.phase, f"{storing.op}_called", None)
    phase = {"commit": "committing", "restore": "restoring"}[storing.op]
    fence = change(
        state.fence,
        phase=phase if row is None else row.target,
        active=action.request.checkpoint_id,
        storing=storing,
    )
    return Step(change(state, fence=fence), (), () if row is None else (row.rule,))


def _capabilities(_spec: ModelSpec, state: State, action: a.Call, rule: Rule) -> Step:
    body = (
        ("phase", state.fence.phase),
        ("active_checkpoint_id", state.fence.active),
        ("instance_role", state.role),
    )
    return Step(answered(state, action.id, Reply(200, body=body, rule=rule)))


_EFFECTS: dict[str, Callable[[ModelSpec, State, a.Call, Rule], Step]] = {
    "pause": _pause,
    "status": _status,
    "resume": _resume,
    "abort_inflight": _abort,
    "commit": _commit,
    "restore": _restore,
    "capabilities": _capabilities,
}
