"""What the further faults do: each is given the right step, and does something else with it."""

from typing import Any

from immutables import Map

from fencepost_reference.model import Step
from fencepost_reference.receipts.agent import Transition
from fencepost_reference.receipts.changes import change, with_execution
from fencepost_reference.receipts.state import (
    Directory,
    History,
    State,
)
from fencepost_spec.receipts.agent import AgentSpec
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
