"""Control calls: the ladder of each, and what happens when no check answers."""

from collections.abc import Callable

import attrs

from fencepost_reference.model import Step
from fencepost_reference.receipts import actions as a
from fencepost_reference.receipts.acknowledging import acknowledge, completion_receipt
from fencepost_reference.receipts.changes import (
    answered,
    change,
    ended,
    facts_of,
    moved,
    refuse,
    with_execution,
)
from fencepost_reference.receipts.counting import counts_of, exported, is_ready, view_of
from fencepost_reference.receipts.preparing import start_prepare
from fencepost_reference.receipts.state import (
    COUNTED,
    LIVE,
    Fence,
    Outstanding,
    Recorded,
    Reply,
    State,
    Storing,
)
from fencepost_spec.operation import REPLAY, SHARE, Check, Operation
from fencepost_spec.receipts import refusals as code
from fencepost_spec.receipts.agent import AgentSpec
from fencepost_spec.receipts.facts import ControlFacts
from fencepost_spec.rule import Rule
from fencepost_spec.table import Row
from fencepost_spec.vocabulary import Key


def control_facts(
    spec: AgentSpec, state: State, operation: Operation, request: a.Request
) -> ControlFacts:
    """What is known when a control call arrives."""
    execution = state.executions.get(request.key) if request.key is not None else None
    status = "unknown" if execution is None else execution.status
    front = ControlFacts(
        authorised=request.authorised,
        well_formed=request.well_formed,
        key_live=status in LIVE or status == "completed_unacknowledged",
        key_completed=status == "completed_unacknowledged",
    )
    return _fence_facts(spec, state, operation, request, front) if operation.fenced else front


def _fence_facts(
    spec: AgentSpec,
    state: State,
    operation: Operation,
    request: a.Request,
    front: ControlFacts,
) -> ControlFacts:
    """The same, with what the fence and the counters say."""
    fence, name, wanted = state.fence, operation.name, request.checkpoint_id
    recorded = recorded_of(fence, name) if fence.active == wanted else None
    running = _under_way(fence, name) if fence.active == wanted else None
    finished = state.history.finished.get(wanted or "")
    counts = counts_of(state)
    return attrs.evolve(
        front,
        finished=finished is not None,
        finished_by_this=finished is not None and finished[0] == name,
        recorded=recorded is not None,
        recorded_elsewhere=recorded is not None and recorded.directory != request.directory,
        under_way=running is not None,
        under_way_elsewhere=running is not None and running != request.directory,
        other_active=fence.active is not None and fence.active != wanted,
        phase_allows=_phase_allows(spec, fence, operation),
        ready=is_ready(spec, counts),
        anything_live=any(e.status in LIVE for e in state.executions.values())
        or bool(state.untracked),
        anything_unacknowledged=counts.completed_unacknowledged > 0,
        anything_pending=bool(state.pending),
    )


def recorded_of(fence: Fence, name: str) -> Recorded | None:
    """The answer that is kept for an operation of the active id."""
    return next((entry for entry in fence.recorded if entry.op == name), None)


def _under_way(fence: Fence, name: str) -> str | None:
    """The directory of the operation that runs, or "" for a prepare that waits."""
    if name == "prepare":
        return "" if fence.waiting else None
    storing = fence.storing
    return storing.directory if storing is not None and storing.op == name else None


def _phase_allows(spec: AgentSpec, fence: Fence, operation: Operation) -> bool:
    if operation.event is not None:
        return bool(spec.fence.candidates(fence.phase, operation.event))
    return operation.phases is None or fence.phase in operation.phases


def call(spec: AgentSpec, state: State, action: a.Call) -> Step:
    """A control call arrives: the first check that holds answers it, or it takes effect."""
    operation, request = spec.operations.get(action.op), action.request
    if operation is None:
        return Step(_waits(state, action, Reply(404)))
    facts = control_facts(spec, state, operation, request)
    for check in operation.ladder:
        if check.when(facts):
            return _checked(state, action, check)
    step = _EFFECTS[action.op](spec, _waits(state, action, None), action, operation.effect)
    return Step(step.state, step.outputs, (operation.effect, *step.rules))


def _waits(state: State, action: a.Call, reply: Reply | None) -> State:
    request = action.request
    outstanding = Outstanding(action.op, request.key, request.deadline, reply)
    return change(state, calls=state.calls.set(action.id, outstanding))


def _checked(state: State, action: a.Call, check: Check) -> Step:
    """The state after a check answered."""
    fence, rule = state.fence, check.rule
    if check.answer == SHARE:
        state = _waits(state, action, None)
        if action.op == "prepare":
            fence = change(fence, callers=(*fence.callers, action.id))
        elif fence.storing is not None:
            callers = (*fence.storing.callers, action.id)
            fence = change(fence, storing=change(fence.storing, callers=callers))
        return Step(change(state, fence=fence), (), (rule,))
    if check.answer == REPLAY:
        kept = recorded_of(fence, action.op)
        finished = state.history.finished.get(action.request.checkpoint_id or "")
        reply = kept.reply if kept is not None else finished[1] if finished else Reply(409)
        return Step(_waits(state, action, change(reply, rule=rule)), (), (rule,))
    status = {code.UNAUTHORIZED: 401, code.INVALID_REQUEST: 422}.get(check.answer, 409)
    return Step(_waits(state, action, Reply(status, check.answer, rule=rule)), (), (rule,))


def _now(state: State, action: a.Call, rule: Rule, body: object, *rules: Rule) -> Step:
    """The step of an operation that is answered at once with a success."""
    return Step(answered(state, action.id, Reply(200, body=body, rule=rule)), (), rules)


def _status(spec: AgentSpec, state: State, action: a.Call, rule: Rule) -> Step:
    return _now(state, action, rule, view_of(spec, state))


def _capabilities(_spec: AgentSpec, state: State, action: a.Call, rule: Rule) -> Step:
    body = (("phase", state.fence.phase), ("active_checkpoint_id", state.fence.active))
    return _now(state, action, rule, body)


def _commit(spec: AgentSpec, state: State, action: a.Call, _rule: Rule) -> Step:
    storing = Storing(
        "commit",
        action.request.directory or "",
        (action.id,),
        records=exported(spec, state),
        source=action.request.checkpoint_id,
    )
    row = spec.fence.find(state.fence.phase, "commit_called", None)
    return _starts(state, action, storing, row, "committing")


def _restore(spec: AgentSpec, state: State, action: a.Call, _rule: Rule) -> Step:
    storing = Storing("restore", action.request.directory or "", (action.id,))
    row = spec.fence.find(state.fence.phase, "restore_called", None)
    return _starts(state, action, storing, row, "restoring")


def _starts(state: State, action: a.Call, storing: Storing, row: Row | None, phase: str) -> Step:
    """The storage of an operation starts; `phase` is where the fence stands without a row."""
    fence = change(
        state.fence,
        phase=phase if row is None else row.target,
        active=action.request.checkpoint_id,
        storing=storing,
    )
    return Step(change(state, fence=fence), (), () if row is None else (row.rule,))


def _resume(spec: AgentSpec, state: State, action: a.Call, rule: Rule) -> Step:
    """Finish the id, end a prepare that waits, open admission, let everything go on."""
    fence, rules = state.fence, [rule]
    row = spec.fence.find(fence.phase, "resume_called", None)
    if row is not None:
        rules.append(row.rule)
    for caller in fence.callers:
        stale = Reply(409, code.STALE_CHECKPOINT, rule=row.rule if row else rule)
        state = answered(state, caller, stale)
    released = 0
    for key, execution in state.executions.items():
        on = spec.execution.find(execution.status, "resume_called", facts_of(execution))
        if on is None:
            continue
        rules.append(on.rule)
        if on.target == "retired":
            state = ended(spec, state, key, "orphan", on.rule)
        else:
            released += execution.status in COUNTED
            state = with_execution(state, key, moved(execution, on))
    moved_by = rule if row is None else row.rule
    reply = Reply(200, body=(("state", "accepting"), ("released", released)), rule=moved_by)
    history = state.history
    finished = history.finished.set(action.request.checkpoint_id or "", ("resume", reply))
    state = change(
        state,
        fence=Fence("idle" if row is None else row.target),
        accepting=True,
        history=change(history, finished=finished),
    )
    return Step(answered(state, action.id, reply), (), tuple(rules))


def _retire(spec: AgentSpec, state: State, action: a.Call, rule: Rule) -> Step:
    key = action.request.key
    assert key is not None  # A well-formed retire names a key.
    execution = state.executions.get(key)
    row = spec.execution.find(
        _status_of(state, key), "retire_called", facts_of(execution) if execution else None
    )
    done = (("retired", False), ("tombstoned", True))
    if row is None:
        return _now(state, action, rule, done)
    if row.target == "completed_unacknowledged":
        body = (("retired", False), ("tombstoned", False), ("completed_unacknowledged", True))
        return _now(state, action, row.rule, body, row.rule)
    if execution is None:
        state = change(state, pending=state.pending.delete(key)) if key in state.pending else state
        return _now(refuse(spec, state, key, "retired", row.rule), action, row.rule, done, row.rule)
    if row.target == "retired":
        state = ended(spec, state, key, "retired", row.rule)
        gone = (("retired", True), ("tombstoned", True))
        return _now(state, action, row.rule, gone, row.rule)
    if execution.status != "retiring":
        state = refuse(spec, state, key, "retired", row.rule)
        state = with_execution(state, key, moved(execution, row))
    else:
        waiting = change(state.calls[action.id], repeated=True)
        state = change(state, calls=state.calls.set(action.id, waiting))
    return Step(state, (a.CancelHandler(key),), (row.rule,))


def _status_of(state: State, key: Key) -> str:
    """The state of the chart in which a key stands."""
    if key in state.executions:
        return state.executions[key].status
    if key in state.pending:
        return "pending_restored"
    if key in state.history.acknowledged:
        return "acknowledged"
    return "retired" if key in state.history.refused else "unknown"


def _discard(spec: AgentSpec, state: State, action: a.Call, rule: Rule) -> Step:
    key = action.request.key
    row = spec.execution.find("pending_restored", "continuation_discarded", None)
    if key is None or key not in state.pending or row is None:
        return _now(state, action, rule, (("discarded", False),))
    state = change(state, pending=state.pending.delete(key))
    return _now(state, action, rule, (("discarded", True),), row.rule)


_EFFECTS: dict[str, Callable[[AgentSpec, State, a.Call, Rule], Step]] = {
    "prepare": start_prepare,
    "status": _status,
    "commit": _commit,
    "restore": _restore,
    "resume": _resume,
    "retire": _retire,
    "acknowledge": acknowledge,
    "acknowledge-completed": acknowledge,
    "completion-receipt": completion_receipt,
    "discard-restored-continuation": _discard,
    "capabilities": _capabilities,
}
