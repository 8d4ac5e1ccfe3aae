"""What the further faults do: each is given the right step, and does something else with it."""

from typing import Any

from immutables import Map

from fencepost.mutants.told import RESULTS
from fencepost_reference.model import Step
from fencepost_reference.receipts import actions as a
from fencepost_reference.receipts.agent import Transition
from fencepost_reference.receipts.changes import answered, change, ended, with_execution
from fencepost_reference.receipts.state import (
    Directory,
    Fence,
    History,
    Outstanding,
    Reply,
    State,
)
from fencepost_spec.receipts import refusals as code
from fencepost_spec.receipts.agent import AgentSpec
from fencepost_spec.receipts.running import ADMITTED
from fencepost_spec.vocabulary import Key


def _with_state(step: Step, state: State) -> Step:
    return Step(state, step.outputs, step.rules)


def admission_stays_closed_after_resume(
    right: Transition, spec: AgentSpec, state: State, action: Any
) -> Step:
    """Resume does everything but open admission."""
    step = right(spec, state, action)
    return _with_state(step, change(step.state, accepting=state.accepting and step.state.accepting))


def admission_stays_open(right: Transition, spec: AgentSpec, state: State, action: Any) -> Step:
    """Prepare does everything but close admission."""
    step = right(spec, state, action)
    if action.op != "prepare":
        return step
    return _with_state(step, change(step.state, accepting=state.accepting))


def existing_directory_is_overwritten(
    right: Transition, spec: AgentSpec, state: State, action: Any
) -> Step:
    """The first step of a commit does not look at what is there."""
    storing = state.fence.storing
    if storing is None or (storing.op, storing.stage) != ("commit", "started"):
        return right(spec, state, action)
    if storing.directory in state.disk:
        state = change(state, disk=state.disk.delete(storing.directory))
    return right(spec, state, action)


def damaged_directory_is_read_as_empty(
    right: Transition, spec: AgentSpec, state: State, action: Any
) -> Step:
    """Reading a damaged directory finds a checkpoint of no records."""
    storing = state.fence.storing
    here = None if storing is None else state.disk.get(storing.directory)
    if storing is None or here is None or (storing.op, here.kind) != ("restore", "damaged"):
        return right(spec, state, action)
    empty = Directory("committed", "c1", state.instance)
    read = right(spec, change(state, disk=state.disk.set(storing.directory, empty)), action)
    return _with_state(read, change(read.state, disk=state.disk))


def refused_replacement_is_installed(
    right: Transition, spec: AgentSpec, state: State, action: Any
) -> Step:
    """Installing does not ask whether the next attempt can be claimed."""
    storing = state.fence.storing
    if storing is None or (storing.op, storing.stage) != ("restore", "read"):
        return right(spec, state, action)
    before = state.history
    bare = change(before, refused=Map(), acknowledged=Map(), watermark=Map())
    step = right(spec, change(state, history=bare), action)
    after: State = step.state
    history = History(
        before.refused.update(after.history.refused),
        before.acknowledged,
        before.watermark.update(after.history.watermark),
        after.history.finished,
    )
    return _with_state(step, change(after, history=history))


def failed_manifest_is_visible(
    right: Transition, spec: AgentSpec, state: State, action: Any
) -> Step:
    """The manifest is renamed into place before the step that fails."""
    storing = state.fence.storing
    step = right(spec, state, action)
    if storing is None or "manifest" not in state.failing or "manifest" in step.state.failing:
        return step
    written = Directory("committed", storing.source, state.instance, storing.records)
    return _with_state(
        step, change(step.state, disk=step.state.disk.set(storing.directory, written))
    )


def first_record_only(right: Transition, spec: AgentSpec, state: State, action: Any) -> Step:
    """Installing stops after one record, and answers as if it had not."""
    step = right(spec, state, action)
    after: State = step.state
    if len(after.pending) - len(state.pending) < 2:
        return step
    first = min(after.pending)
    return _with_state(step, change(after, pending=Map({first: after.pending[first]})))


def boundary_repeats_the_continuation(
    right: Transition, spec: AgentSpec, state: State, action: Any
) -> Step:
    """A boundary is compared with the execution's own boundary, and not with its continuation."""
    key: Key | None = action.key
    execution = None if key is None else state.executions.get(key)
    if key is None or action.event != "boundary" or execution is None:
        return right(spec, state, action)
    if execution.boundary is not None:
        return right(spec, state, action)
    bare = with_execution(state, key, change(execution, continuation=None))
    step = right(spec, bare, action)
    kept = change(step.state.executions[key], continuation=execution.continuation)
    return _with_state(step, with_execution(step.state, key, kept))


def continuation_is_handed_over_and_kept(
    right: Transition, spec: AgentSpec, state: State, action: Any
) -> Step:
    """The record that a run takes stays in the table of restored records."""
    step = right(spec, state, action)
    if action.key not in state.pending or action.key in step.state.pending:
        return step
    pending = step.state.pending.set(action.key, state.pending[action.key])
    return _with_state(step, change(step.state, pending=pending))


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
        alone = a.Call("alone", action.op, change(action.request, receipts=(one,)))
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
