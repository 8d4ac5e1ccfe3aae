"""What the world does: callers that go away, crashes, time, lost memory, faults."""

from immutables import Map

from fencepost_reference.model import NotEnabled, Step
from fencepost_reference.receipts.actions import (
    Answered,
    Gone,
    Leave,
    Tick,
)
from fencepost_reference.receipts.changes import change
from fencepost_reference.receipts.resources import actions as a
from fencepost_reference.receipts.resources.changes import row_for, with_session
from fencepost_reference.receipts.resources.state import Directory, Settings, State
from fencepost_spec.receipts.resources.server import ResourcesSpec


def fresh(settings: Settings) -> State:
    """A process that has just started, on an empty disk."""
    awaited = settings.restore_expected
    return State(settings=settings, accepting=not awaited, restore_awaited=awaited)


def gone(_spec: ResourcesSpec, state: State, action: Gone) -> Step:
    """The caller goes away; what it asked for goes on."""
    if action.id not in state.calls:
        raise NotEnabled(action, "no such call waits for an answer")
    fence = state.fence
    fence = change(fence, callers=tuple(one for one in fence.callers if one != action.id))
    if fence.storing is not None:
        left = tuple(one for one in fence.storing.callers if one != action.id)
        fence = change(fence, storing=change(fence.storing, callers=left))
    return Step(change(state, fence=fence, calls=state.calls.delete(action.id)))


def replace(_spec: ResourcesSpec, state: State, action: a.Replace) -> Step:
    """A new process: nothing is remembered but what lies on disk."""
    dead = state.dead | frozenset(state.calls)
    disk: Map[str, Directory] = state.disk if action.disk_kept else Map()
    return Step(change(fresh(action.settings or state.settings), dead=dead, disk=disk))


def tick(_spec: ResourcesSpec, state: State, action: Tick) -> Step:
    """Time passes: what is left of each deadline becomes less."""
    fence = state.fence
    if fence.deadline is not None:
        fence = change(fence, deadline=max(0, fence.deadline - action.microseconds))
    calls = state.calls
    for name, waiting in calls.items():
        if waiting.op == "retire" and waiting.deadline is not None and waiting.reply is None:
            left = max(0, waiting.deadline - action.microseconds)
            calls = calls.set(name, change(waiting, deadline=left))
    return Step(change(state, fence=fence, calls=calls))


def evict(spec: ResourcesSpec, state: State, action: a.Evict) -> Step:
    """The receipts of a session are taken away."""
    row = row_for(spec, state, action.key, "receipts_evicted")
    session = state.sessions.get(action.key)
    if row is None or session is None:
        return Step(state)
    evicted = change(session, status=row.target, receipts=(), why=row.rule)
    return Step(with_session(state, action.key, evicted), (), (row.rule,))


def leave(_spec: ResourcesSpec, state: State, action: Leave) -> Step:
    """An answer that is decided leaves."""
    waiting = state.calls.get(action.call)
    if waiting is None or waiting.reply is None:
        raise NotEnabled(action, "no answer of this call is decided")
    seen = Answered(action.call, waiting.reply)
    return Step(change(state, calls=state.calls.delete(action.call)), (seen,))
