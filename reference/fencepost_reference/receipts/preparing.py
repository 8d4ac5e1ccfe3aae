"""Prepare: closing, asking work to park, waiting, and how it ends."""

from fencepost_reference.model import NotEnabled, Step
from fencepost_reference.receipts import actions as a
from fencepost_reference.receipts.changes import (
    answered,
    change,
    facts_of,
    moved,
    with_execution,
)
from fencepost_reference.receipts.counting import counts_of, is_ready, view_of
from fencepost_reference.receipts.state import Recorded, Reply, State
from fencepost_spec.receipts import refusals as code
from fencepost_spec.receipts.agent import AgentSpec
from fencepost_spec.receipts.operation_rules import PREPARE_RAISED
from fencepost_spec.rule import Rule


def start_prepare(spec: AgentSpec, state: State, action: a.Call, _rule: Rule) -> Step:
    """Close admission, then ask everything that runs to park."""
    request, fence = action.request, state.fence
    if "prepare" in state.failing:
        failing = tuple(step for step in state.failing if step != "prepare")
        raised = Reply(0, loose=True, rule=PREPARE_RAISED)
        state = answered(change(state, failing=failing), action.id, raised)
        return Step(state, (), (PREPARE_RAISED,))
    row = spec.fence.find(fence.phase, "prepare_called", None)
    rules = [] if row is None else [row.rule]
    fence = change(
        fence,
        phase=fence.phase if row is None else row.target,
        active=request.checkpoint_id,
        waiting=True,
        callers=(action.id,),
        deadline=request.deadline,
        allow_model_wait=request.allow_model_wait,
    )
    state = change(state, fence=fence, accepting=False)
    for key, execution in state.executions.items():
        if execution.status != "running":
            continue
        facts = facts_of(execution, request.allow_model_wait)
        asked = spec.execution.find("running", "prepare_called", facts)
        if asked is not None:
            rules.append(asked.rule)
            state = with_execution(state, key, moved(execution, asked))
    return Step(state, (), tuple(rules))


def prepare_may_end(spec: AgentSpec, state: State) -> tuple[bool, bool]:
    """Whether the waiting prepare may end now, and whether it has to."""
    fence = state.fence
    if not fence.waiting:
        return False, False
    counts = counts_of(state)
    due = fence.deadline is not None and fence.deadline <= 0
    ready = is_ready(spec, counts)
    return due or ready or counts.running == 0, due or ready


def conclude(spec: AgentSpec, state: State, action: a.Conclude) -> Step:
    """The waiting prepare ends: prepared, or with what is in the way."""
    if not prepare_may_end(spec, state)[0]:
        raise NotEnabled(action, "work still runs and the deadline has not come")
    fence = state.fence
    if is_ready(spec, counts_of(state)):
        return _prepared(spec, state)
    row = spec.fence.find(fence.phase, "prepare_missed", None)
    rules = [] if row is None else [row.rule]
    # What was in the way is not part of the answer; it explains the answer.
    seen = view_of(spec, state)
    reply = Reply(409, code.PREPARE_INCOMPLETE, body=seen, rule=row.rule if row else None)
    for caller in fence.callers:
        state = answered(state, caller, reply)
    fence = change(fence, waiting=False, callers=(), deadline=None)
    if row is not None:
        fence = change(fence, phase=row.target)
    state = change(state, fence=fence)
    for key, execution in state.executions.items():
        back = spec.execution.find(execution.status, "prepare_withdrawn", facts_of(execution))
        if back is not None:
            rules.append(back.rule)
            state = with_execution(state, key, moved(execution, back))
    return Step(state, (), tuple(rules))


def _prepared(spec: AgentSpec, state: State) -> Step:
    fence = state.fence
    row = spec.fence.find(fence.phase, "prepare_ready", None)
    reply = Reply(200, body=view_of(spec, state), rule=row.rule if row else None)
    for caller in fence.callers:
        state = answered(state, caller, reply)
    fence = change(
        fence,
        phase=fence.phase if row is None else row.target,
        waiting=False,
        callers=(),
        deadline=None,
        recorded=(*fence.recorded, Recorded("prepare", None, reply)),
    )
    return Step(change(state, fence=fence), (), () if row is None else (row.rule,))
