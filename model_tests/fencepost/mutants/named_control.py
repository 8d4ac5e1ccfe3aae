"""Faults in control calls: what a wrong prepare, resume, retire or acknowledgement does."""

from typing import Any

from fencepost.mutants.told import NULL_DIGEST
from fencepost_reference.model import Step
from fencepost_reference.receipts import actions as a
from fencepost_reference.receipts.agent import Transition
from fencepost_reference.receipts.changes import answered, change, with_execution
from fencepost_reference.receipts.state import PARKED, Fence, Outstanding, Reply, State
from fencepost_spec.receipts import refusals as code
from fencepost_spec.receipts.agent import AgentSpec

ACKNOWLEDGEMENTS = ("acknowledge", "acknowledge-completed")


def _refused(state: State, call: a.Call, because: str) -> Step:
    """The step in which a call is refused."""
    state = change(state, calls=state.calls.set(call.id, _waiting(call)))
    return Step(answered(state, call.id, Reply(409, because)))


def _waiting(call: a.Call) -> Outstanding:
    return Outstanding(call.op, call.request.key, call.request.deadline)


def prepare_outlives_resume(right: Transition, spec: AgentSpec, state: State, action: Any) -> Step:
    """Resume finishes the id, and the prepare that waits goes on waiting."""
    step = right(spec, state, action)
    before, after = state.fence, step.state
    if action.op != "resume" or not before.waiting or after.fence.waiting:
        return step
    calls = after.calls
    for caller in before.callers:
        calls = calls.set(caller, state.calls[caller])
    fence = change(after.fence, waiting=True, callers=before.callers, deadline=before.deadline)
    return Step(change(after, fence=fence, calls=calls), step.outputs, step.rules)


def stale_prepare_ends(right: Transition, spec: AgentSpec, state: State, action: Any) -> Step:
    """A prepare whose id is finished ends: its caller hears so, the phase is left preparing."""
    if state.fence.active is not None:
        return right(spec, state, action)
    for caller in state.fence.callers:
        state = answered(state, caller, Reply(409, code.STALE_CHECKPOINT))
    return Step(change(state, fence=Fence("preparing")))


def wake_is_left_to_the_task(right: Transition, spec: AgentSpec, state: State, action: Any) -> Step:
    """Resume lets parked work go without saying that it runs."""
    step = right(spec, state, action)
    after: State = step.state
    if action.op != "resume":
        return step
    for key, execution in state.executions.items():
        now = after.executions.get(key)
        let_go = now is not None and now.held is not None and now.status not in PARKED
        if execution.status in PARKED and now is not None and now.held is not None and let_go:
            held = change(now.held, free=True)
            after = with_execution(after, key, change(now, status=execution.status, held=held))
    return Step(after, step.outputs, step.rules)


def missed_prepare_frees_its_id(
    right: Transition, spec: AgentSpec, state: State, action: Any
) -> Step:
    """A prepare that missed its deadline leaves the fence idle and admission closed."""
    step = right(spec, state, action)
    if step.state.fence.phase != "preparing":
        return step
    return Step(change(step.state, fence=Fence()), step.outputs, step.rules)


def repeated_prepare_is_refused(
    right: Transition, spec: AgentSpec, state: State, action: Any
) -> Step:
    """A prepare of the open id is a wrong phase once the commit has begun."""
    fence = state.fence
    late = fence.phase in ("committing", "committed_paused")
    request = action.request
    repeated = action.op == "prepare" and request.checkpoint_id == fence.active
    if late and repeated and request.authorised and request.well_formed:
        return _refused(state, action, code.INVALID_PHASE)
    return right(spec, state, action)


def retire_answers_at_once(right: Transition, spec: AgentSpec, state: State, action: Any) -> Step:
    """A retire does not wait for the handler that it cancels."""
    step = right(spec, state, action)
    if action.op != "retire" or step.state.calls[action.id].reply is not None:
        return step
    done = Reply(200, body=(("retired", True), ("tombstoned", True)))
    return Step(answered(step.state, action.id, done), step.outputs, step.rules)


def acknowledgement_forgets_after_retire(
    right: Transition, spec: AgentSpec, state: State, action: Any
) -> Step:
    """An acknowledgement of a refused key is refused, whatever was acknowledged before."""
    refused = any(key in state.history.refused for key, _ in action.request.receipts)
    if refused and action.op in ACKNOWLEDGEMENTS:
        return _refused(state, action, code.ACKNOWLEDGEMENT_ERROR)
    return right(spec, state, action)


def null_result_cannot_be_acknowledged(
    right: Transition, spec: AgentSpec, state: State, action: Any
) -> Step:
    """A receipt of a null result is refused."""
    null = any(receipt.result_digest == NULL_DIGEST for _, receipt in action.request.receipts)
    if null and action.op in ACKNOWLEDGEMENTS:
        return _refused(state, action, code.ACKNOWLEDGEMENT_ERROR)
    return right(spec, state, action)
