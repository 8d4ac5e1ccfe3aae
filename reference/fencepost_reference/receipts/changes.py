"""Small changes of a state that several actions share. Each returns a new value."""

from typing import Any, TypeVar

from fencepost_reference.receipts.state import Execution, Held, Reply, State
from fencepost_spec.receipts.agent import AgentSpec
from fencepost_spec.receipts.guards import ExecutionFacts
from fencepost_spec.rule import Rule
from fencepost_spec.table import Row
from fencepost_spec.vocabulary import Key

V = TypeVar("V")


def change(value: V, **changes: Any) -> V:
    """The value with some fields changed: `attrs.evolve` for classes without slots, much faster.

    A step makes a handful of these, which is most of what it does. No validator or converter runs.
    """
    made = object.__new__(type(value))
    fields = made.__dict__
    fields.update(value.__dict__)
    fields.update(changes)
    if len(fields) != len(value.__dict__):
        unknown = ", ".join(sorted(fields.keys() - value.__dict__.keys()))
        raise TypeError(f"{type(value).__name__} has no field {unknown}")
    return made


def facts_of(execution: Execution, allow_model_wait: bool = False, **more: Any) -> ExecutionFacts:
    """What is known about a key when an event reaches it."""
    return ExecutionFacts(
        has_record=execution.record is not None,
        has_handler=execution.handler,
        external_wait_open="external" in execution.waits,
        model_wait_open="model" in execution.waits,
        model_wait_allowed=allow_model_wait,
        refusal_came=execution.refusal,
        **more,
    )


def moved(execution: Execution, row: Row, **more: Any) -> Execution:
    """The execution after a row."""
    return change(execution, status=row.target, why=row.rule, **more)


def with_execution(state: State, key: Key, execution: Execution) -> State:
    """The state in which a key stands otherwise."""
    return change(state, executions=state.executions.set(key, execution))


def answered(state: State, call: str | None, reply: Reply) -> State:
    """The state in which the answer of a call is decided, if anybody waits for it."""
    if call is None or call not in state.calls:
        return state
    outstanding = change(state.calls[call], reply=reply)
    return change(state, calls=state.calls.set(call, outstanding))


def refuse(spec: AgentSpec, state: State, key: Key, cause: str, why: Rule) -> State:
    """The state in which a key is refused, when the specification says that the cause does so."""
    if not any(entry.cause == cause for entry in spec.refuses):
        return state
    history = change(state.history, refused=state.history.refused.set(key, why))
    return change(state, history=history)


def raise_watermark(spec: AgentSpec, state: State, key: Key, cause: str) -> State:
    """The state in which the watermark of a rollout is at least the attempt of a key."""
    if not any(entry.cause == cause for entry in spec.raises):
        return state
    marks = state.history.watermark
    if marks.get(key.rollout_id, -1) >= key.attempt:
        return state
    return change(
        state, history=change(state.history, watermark=marks.set(key.rollout_id, key.attempt))
    )


def without_held(state: State, held: Held | None, code: str) -> State:
    """The state in which a held event of work that has ended waits to be answered."""
    if held is None:
        return state
    return change(state, orphans=state.orphans.set(held.token, code))


def ended(
    spec: AgentSpec, state: State, key: Key, cause: str, why: Rule, code: str = "cancelled"
) -> State:
    """The state after a live key ended: gone, refused, its client answered with no success."""
    execution = state.executions[key]
    state = change(state, executions=state.executions.delete(key))
    state = without_held(state, execution.held, code)
    state = refuse(spec, state, key, cause, why)
    return answered(state, execution.call, Reply(0, loose=True, rule=why))
