"""Faults in runs and in events of the work."""

from typing import Any

import attrs

from fencepost.mutants.told import NULL_DIGEST
from fencepost_reference.model import NotEnabled, Own, Step
from fencepost_reference.receipts import actions as a
from fencepost_reference.receipts.agent import Transition
from fencepost_reference.receipts.changes import answered, change, ended, with_execution
from fencepost_reference.receipts.state import (
    FROZEN,
    LIVE,
    PARKED,
    Execution,
    Outstanding,
    Reply,
    State,
)
from fencepost_spec.receipts import refusals as code
from fencepost_spec.receipts.agent import AgentSpec
from fencepost_spec.receipts.running import ADMITTED
from fencepost_spec.vocabulary import Key


def _live(state: State, key: Key | None) -> Execution | None:
    execution = None if key is None else state.executions.get(key)
    return execution if execution is not None and execution.status in LIVE else None


def late_wake_moves(right: Transition, spec: AgentSpec, state: State, action: Any) -> Step:
    """A task that wakes makes itself running, wherever it stands by then."""
    execution = state.executions.get(action.key)
    if execution is None or execution.held is None:
        raise NotEnabled(action, "nothing of this key is held")
    if execution.status in PARKED and execution.held.free:
        state = with_execution(state, action.key, change(execution, status="running"))
    return right(spec, state, action)


def wake_is_owed(state: State, own: Own) -> Own:
    """A task whose event was set wakes, whether or not its work is counted by then."""
    return attrs.evolve(own, must=True) if _is_free(state, own.action) else own


def _is_free(state: State, action: Any) -> bool:
    execution = state.executions.get(action.key) if type(action) is a.LetGo else None
    return execution is not None and execution.held is not None and execution.held.free


def failing_wait_ends_the_run(
    right: Transition, spec: AgentSpec, state: State, action: Any
) -> Step:
    """A frozen wait that ends with a refusal fails its run."""
    execution = _live(state, action.key)
    if action.event != "wait_end" or execution is None:
        return right(spec, state, action)
    if execution.status not in FROZEN or not execution.refusal:
        return right(spec, state, action)
    state = ended(spec, state, action.key, "failed", ADMITTED)
    return Step(state, (a.Returned(action.token, code.CHECKPOINT_ERROR),))


def wait_at_a_park_request_fails(
    right: Transition, spec: AgentSpec, state: State, action: Any
) -> Step:
    """A wait that begins while a park is requested is an error, and the run fails."""
    execution = _live(state, action.key)
    if action.event != "wait_begin" or execution is None:
        return right(spec, state, action)
    if execution.status != "park_requested":
        return right(spec, state, action)
    state = ended(spec, state, action.key, "failed", ADMITTED)
    return Step(state, (a.Returned(action.token, code.CHECKPOINT_ERROR),))


def reply_reaches_a_frozen_wait(
    right: Transition, spec: AgentSpec, state: State, action: Any
) -> Step:
    """The reply of a frozen model wait goes to its handler at once."""
    step = right(spec, state, action)
    key: Key | None = action.key
    execution = None if key is None else step.state.executions.get(key)
    if key is None or execution is None or execution.held is None:
        return step
    if action.event != "wait_end":
        return step
    if execution.status != "model_wait_frozen":
        return step
    freed = change(execution, held=change(execution.held, free=True))
    return Step(with_execution(step.state, key, freed), step.outputs, step.rules)


def retired_result_is_answered(
    right: Transition, spec: AgentSpec, state: State, action: Any
) -> Step:
    """The result of a retired handler goes to its client."""
    execution = _live(state, action.key)
    step = right(spec, state, action)
    if execution is None or (action.event, action.outcome) != ("finish", "completed"):
        return step
    if execution.status != "retiring" or action.result is None:
        return step
    late = Reply(200, body=("result", action.result[0]))
    return Step(answered(step.state, execution.call, late), step.outputs, step.rules)


def duplicate_run_ends_the_first(
    right: Transition, spec: AgentSpec, state: State, action: Any
) -> Step:
    """A run that is refused as a duplicate ends the run that is live."""
    step = right(spec, state, action)
    if _live(state, action.key) is None:
        return step
    after = ended(spec, step.state, action.key, "failed", ADMITTED)
    return Step(after, step.outputs, step.rules)


def null_result_is_not_replayed(
    right: Transition, spec: AgentSpec, state: State, action: Any
) -> Step:
    """A repeated run of a key that returned null is a duplicate, for ever."""
    execution = None if action.key is None else state.executions.get(action.key)
    receipt = None if execution is None else execution.receipt
    if receipt is None or receipt.result_digest != NULL_DIGEST:
        return right(spec, state, action)
    call = Outstanding("run", action.key, None, Reply(409, code.DUPLICATE_EXECUTION))
    return Step(change(state, calls=state.calls.set(action.id, call)))


def _without_continuations(right: Transition, spec: AgentSpec, state: State, action: Any) -> Step:
    """The right step of executions that do not know what they were started from."""
    bare, taken = state, dict[Key, Execution]()
    for key, execution in state.executions.items():
        if execution.continuation is not None and execution.boundary is None:
            taken[key] = execution
            bare = with_execution(bare, key, change(execution, continuation=None))
    step = right(spec, bare, action)
    after: State = step.state
    for key, execution in taken.items():
        if key in after.executions:
            kept = change(after.executions[key], continuation=execution.continuation)
            after = with_execution(after, key, kept)
    return Step(after, step.outputs, step.rules)


def park_sees_no_continuation(
    right: Transition, spec: AgentSpec, state: State, action: Any
) -> Step:
    """Parks and waits look for a boundary, and for nothing else."""
    if action.event in ("park", "wait_begin", "wait_end"):
        return _without_continuations(right, spec, state, action)
    return right(spec, state, action)


def park_in_place_sees_no_continuation(
    right: Transition, spec: AgentSpec, state: State, action: Any
) -> Step:
    """Work that is parked where it stands is looked at for a boundary only."""
    return _without_continuations(right, spec, state, action)


def prepare_sees_no_continuation(
    right: Transition, spec: AgentSpec, state: State, action: Any
) -> Step:
    """Prepare freezes a wait for its boundary only."""
    if action.op == "prepare":
        return _without_continuations(right, spec, state, action)
    return right(spec, state, action)


def untracked_run_is_always_admitted(
    right: Transition, spec: AgentSpec, state: State, action: Any
) -> Step:
    """A run without identity does not ask whether admission is open."""
    if action.key is not None or not action.well_formed:
        return right(spec, state, action)
    step = right(spec, change(state, accepting=True), action)
    return Step(change(step.state, accepting=state.accepting), step.outputs, step.rules)
