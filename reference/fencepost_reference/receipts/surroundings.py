"""What the world does: callers that go away, crashes, time, and faults of the storage."""

from immutables import Map

from fencepost_reference.model import NotEnabled, Step
from fencepost_reference.receipts import actions as a
from fencepost_reference.receipts.changes import answered, change
from fencepost_reference.receipts.state import Directory, Execution, Outstanding, Reply, State
from fencepost_spec.receipts import refusals as code
from fencepost_spec.receipts.agent import AgentSpec
from fencepost_spec.receipts.properties import RETIRE_WAITS


def gone(_spec: AgentSpec, state: State, action: a.Gone) -> Step:
    """The caller goes away; what it started belongs to the participant too and goes on."""
    if action.id not in state.calls:
        raise NotEnabled(action, "no such call waits for an answer")
    fence = state.fence
    if action.id in fence.callers:
        left = tuple(caller for caller in fence.callers if caller != action.id)
        fence = change(fence, callers=left)
    storing = fence.storing
    if storing is not None and action.id in storing.callers:
        left = tuple(caller for caller in storing.callers if caller != action.id)
        fence = change(fence, storing=change(storing, callers=left))
    return Step(change(state, fence=fence, calls=state.calls.delete(action.id)))


def replace(_spec: AgentSpec, state: State, action: a.Replace) -> Step:
    """A new process: nothing is remembered but what lies on disk."""
    dead = state.dead | frozenset(state.calls)
    disk: Map[str, Directory] = state.disk if action.disk_kept else Map()
    return Step(State(instance=state.instance, dead=dead, disk=disk))


def tick(_spec: AgentSpec, state: State, action: a.Tick) -> Step:
    """Time passes: what is left of each deadline becomes less."""
    fence = state.fence
    if fence.deadline is not None:
        left = max(0, fence.deadline - action.microseconds)
        fence = change(fence, deadline=left)
    calls = state.calls
    for name, waiting in calls.items():
        if waiting.op == "retire" and waiting.deadline is not None and waiting.reply is None:
            left = max(0, waiting.deadline - action.microseconds)
            calls = calls.set(name, change(waiting, deadline=left))
    return Step(change(state, fence=fence, calls=calls))


def answer_retire(_spec: AgentSpec, state: State, action: a.AnswerRetire) -> Step:
    """A retire answers although its handler has not stopped."""
    waiting = state.calls.get(action.call)
    if waiting is None or waiting.op != "retire" or waiting.reply is not None:
        raise NotEnabled(action, "no retire of this id waits for a handler")
    if action.early:
        body = (("retired", None if waiting.repeated else True), ("tombstoned", True))
        state = answered(state, action.call, Reply(200, body=body, rule=RETIRE_WAITS))
        return Step(state, (), (RETIRE_WAITS,))
    if waiting.deadline is None or waiting.deadline > 0:
        raise NotEnabled(action, "the deadline of this retire has not come")
    reply = Reply(409, code.CHECKPOINT_ERROR, rule=RETIRE_WAITS)
    return Step(answered(state, action.call, reply), (), (RETIRE_WAITS,))


def leave(_spec: AgentSpec, state: State, action: a.Leave) -> Step:
    """An answer that is decided leaves, or the connection of a failed run is closed instead."""
    waiting: Outstanding | None = state.calls.get(action.call)
    if waiting is None or waiting.reply is None:
        raise NotEnabled(action, "no answer of this call is decided")
    if action.dropped and not waiting.reply.loose:
        raise NotEnabled(action, "an answer that is decided is not dropped")
    seen = a.Dropped(action.call) if action.dropped else a.Answered(action.call, waiting.reply)
    return Step(change(state, calls=state.calls.delete(action.call)), (seen,))


def client_is_gone(state: State, execution: Execution) -> bool:
    """Whether nobody waits for the answer of a run any more."""
    return execution.call is None or execution.call not in state.calls
