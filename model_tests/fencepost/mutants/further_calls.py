"""What the further faults do to calls: answers, receipts, retires, ids."""

from typing import Any

import attrs
from immutables import Map

from fencepost.mutants.told import RESULTS
from fencepost_reference.model import Step
from fencepost_reference.receipts import actions as a
from fencepost_reference.receipts.agent import Transition
from fencepost_reference.receipts.changes import answered, change, ended
from fencepost_reference.receipts.state import Fence, Outstanding, Reply, State
from fencepost_spec.receipts import refusals as code
from fencepost_spec.receipts.agent import AgentSpec
from fencepost_spec.receipts.running import ADMITTED
from fencepost_spec.vocabulary import Key


def _with_state(step: Step, state: State) -> Step:
    return Step(state, step.outputs, step.rules)


def retire_drops_a_result(right: Transition, spec: AgentSpec, state: State, action: Any) -> Step:
    """A retire of a finished run ends it like any other."""
    step = right(spec, state, action)
    key: Key | None = action.request.key
    execution = None if key is None else step.state.executions.get(key)
    reply = step.state.calls[action.id].reply
    if action.op != "retire" or reply is None or reply.status != 200:
        return step
    if key is None or execution is None:
        return step
    if execution.status != "completed_unacknowledged":
        return step
    done = Reply(200, body=(("retired", True), ("tombstoned", True)))
    after = ended(spec, step.state, key, "retired", ADMITTED)
    return _with_state(step, answered(after, action.id, done))


def retire_gives_up_at_its_deadline(
    right: Transition, spec: AgentSpec, state: State, action: Any
) -> Step:
    """A handler that has not stopped at the deadline is forgotten."""
    step = right(spec, state, action)
    key = state.calls[action.call].key
    if action.early or key is None or key not in step.state.executions:
        return step
    return _with_state(step, ended(spec, step.state, key, "retired", ADMITTED))


def one_refused_receipt_releases_the_others(
    right: Transition, spec: AgentSpec, state: State, action: Any
) -> Step:
    """A batch is refused for one receipt, after the ones before it were released."""
    step = right(spec, state, action)
    reply = step.state.calls[action.id].reply
    if action.op != "acknowledge-completed" or reply is None or reply.status == 200:
        return step
    after: State = step.state
    for one in action.request.receipts:
        alone = a.Call("alone", action.op, attrs.evolve(action.request, receipts=(one,)))
        after = right(spec, after, alone).state
        after = change(after, calls=after.calls.delete("alone"))
    return _with_state(step, after)


def stored_result_is_another(right: Transition, spec: AgentSpec, state: State, action: Any) -> Step:
    """A replayed result is not the one that was kept."""
    step = right(spec, state, action)
    reply = step.state.calls[action.id].reply
    if reply is None or reply.status != 200:
        return step
    other = next(digest for digest in RESULTS if digest != reply.body[1])
    wrong = change(reply, body=("result", other))
    return _with_state(step, answered(step.state, action.id, wrong))


def _refused(state: State, action: a.Call, because: str) -> Step:
    waiting = Outstanding(action.op, action.request.key, None, Reply(409, because))
    return Step(change(state, calls=state.calls.set(action.id, waiting)))


def receipt_waits_for_rest(right: Transition, spec: AgentSpec, state: State, action: Any) -> Step:
    """The receipt of a retained result is refused while a checkpoint is open."""
    step = right(spec, state, action)
    reply = step.state.calls[action.id].reply
    told = action.op == "completion-receipt" and reply is not None and reply.status == 200
    if told and state.fence.phase != "idle":
        return _refused(state, action, code.INVALID_PHASE)
    return step


def repeated_retire_is_an_error(
    right: Transition, spec: AgentSpec, state: State, action: Any
) -> Step:
    """A retire of a key that is refused already is refused itself."""
    key = action.request.key
    ended_before = key in state.history.refused and key not in state.executions
    if action.op == "retire" and ended_before:
        return _refused(state, action, code.STALE_ATTEMPT)
    return right(spec, state, action)


def restore_tells_its_own_id(right: Transition, spec: AgentSpec, state: State, action: Any) -> Step:
    """A restore answers with its own id in place of the one that the directory was made by."""
    step = right(spec, state, action)
    storing, after = state.fence.storing, step.state
    recorded = after.fence.recorded
    if storing is None or storing.op != "restore" or len(recorded) == len(state.fence.recorded):
        return step
    reply = recorded[-1].reply
    pairs = dict(reply.body[1]) | {"source_checkpoint_id": state.fence.active}
    wrong = change(reply, body=("stored", tuple(pairs.items())))
    for caller in storing.callers:
        after = answered(after, caller, wrong)
    return _with_state(step, after)


def batch_tells_only_the_new(right: Transition, spec: AgentSpec, state: State, action: Any) -> Step:
    """A batch leaves out of its answer what was acknowledged before."""
    step = right(spec, state, action)
    reply = step.state.calls[action.id].reply
    if action.op != "acknowledge-completed" or reply is None or reply.status != 200:
        return step
    new = tuple(one for one in reply.body[1] if one[0] not in state.history.acknowledged)
    wrong = change(reply, body=("receipts", new))
    return _with_state(step, answered(step.state, action.id, wrong))


def record_is_made_up(right: Transition, spec: AgentSpec, state: State, action: Any) -> Step:
    """A commit writes every record as if its work were one boundary further."""
    step = right(spec, state, action)
    storing = step.state.fence.storing
    if action.op != "commit" or storing is None or state.fence.storing is not None:
        return step
    ahead = tuple((key, change(record, index=record.index + 1)) for key, record in storing.records)
    fence = change(step.state.fence, storing=change(storing, records=ahead))
    return _with_state(step, change(step.state, fence=fence))


def failed_step_is_taken_for_done(
    right: Transition, spec: AgentSpec, state: State, action: Any
) -> Step:
    """A storage step does not look whether it failed."""
    return right(spec, change(state, failing=()), action)


def caller_takes_its_prepare_along(
    right: Transition, spec: AgentSpec, state: State, action: Any
) -> Step:
    """A prepare is cancelled with the request that began it."""
    first = state.fence.callers[:1]
    step = right(spec, state, action)
    if first != (action.id,):
        return step
    fence = change(step.state.fence, waiting=False, callers=(), deadline=None)
    return _with_state(step, change(step.state, fence=fence))


def id_is_forgotten_at_resume(
    right: Transition, spec: AgentSpec, state: State, action: Any
) -> Step:
    """Nothing remembers which ids have been resumed."""
    step = right(spec, state, action)
    history = change(step.state.history, finished=Map())
    return _with_state(step, change(step.state, history=history))


def capabilities_say_idle(right: Transition, spec: AgentSpec, state: State, action: Any) -> Step:
    """Capabilities tell of no checkpoint, whatever the fence says."""
    if action.op != "capabilities":
        return right(spec, state, action)
    step = right(spec, change(state, fence=Fence()), action)
    return _with_state(step, change(step.state, fence=state.fence))


def live_work_is_called_finished(
    right: Transition, spec: AgentSpec, state: State, action: Any
) -> Step:
    """A retire that should stop a handler answers as if there were a result to adopt."""
    step = right(spec, state, action)
    if action.op != "retire" or step.state.calls[action.id].reply is not None:
        return step
    body = (("retired", False), ("tombstoned", False), ("completed_unacknowledged", True))
    return _with_state(step, answered(step.state, action.id, Reply(200, body=body)))


def acknowledged_key_is_only_refused(
    right: Transition, spec: AgentSpec, state: State, action: Any
) -> Step:
    """An acknowledgement leaves a refused key behind, and no receipt."""
    step = right(spec, state, action)
    history = step.state.history
    if history.acknowledged == state.history.acknowledged:
        return step
    refused = history.refused
    for key in history.acknowledged:
        refused = refused.set(key, ADMITTED)
    bare = change(history, acknowledged=Map(), refused=refused)
    return _with_state(step, change(step.state, history=bare))


def answer_leaves_twice(right: Transition, spec: AgentSpec, state: State, action: Any) -> Step:
    """The answer of a status stays where it is when it is sent for the first time."""
    step = right(spec, state, action)
    waiting = state.calls[action.call]
    if waiting.op != "status" or waiting.deadline == _SENT:
        return step
    again = step.state.calls.set(action.call, change(waiting, deadline=_SENT))
    return _with_state(step, change(step.state, calls=again))


_SENT = -1


def raised_prepare_goes_on(right: Transition, spec: AgentSpec, state: State, action: Any) -> Step:
    """A prepare does not look whether closing admission has failed."""
    if action.op != "prepare":
        return right(spec, state, action)
    return right(spec, change(state, failing=()), action)
