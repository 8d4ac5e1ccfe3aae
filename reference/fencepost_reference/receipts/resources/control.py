"""Control calls: the ladder of each, and what happens when no check answers."""

from collections.abc import Callable

from fencepost_reference.model import NotEnabled, Step
from fencepost_reference.receipts.actions import Call
from fencepost_reference.receipts.changes import change
from fencepost_reference.receipts.resources import actions as a
from fencepost_reference.receipts.resources.changes import (
    all_answered,
    answered,
    consumed,
    is_handled,
    is_locked,
    refuse,
    row_for,
    status_of,
    waits,
    with_session,
    without_snapshot,
)
from fencepost_reference.receipts.resources.control_facts import control_facts, recorded_of
from fencepost_reference.receipts.resources.preparing import sessions_shown, start_prepare
from fencepost_reference.receipts.resources.state import (
    Fence,
    Session,
    SessionView,
    State,
    Storing,
    View,
)
from fencepost_reference.receipts.state import Reply
from fencepost_spec.operation import REPLAY, SHARE, Check
from fencepost_spec.receipts.refusals import STALE_CHECKPOINT
from fencepost_spec.receipts.resources import operations as ops
from fencepost_spec.receipts.resources import refusals as code
from fencepost_spec.receipts.resources.server import ResourcesSpec
from fencepost_spec.rule import Rule
from fencepost_spec.table import Row
from fencepost_spec.vocabulary import Key


def call(spec: ResourcesSpec, state: State, action: Call) -> Step:
    """A control call arrives: the first check that holds answers it, or it takes effect."""
    operation, request = spec.operations.get(action.op), action.request
    if operation is None:
        return Step(_open(state, action, Reply(404)))
    facts = control_facts(spec, state, operation, request)
    for check in operation.ladder:
        if check.when(facts):
            return _checked(state, action, check)
    step = _EFFECTS[action.op](spec, _open(state, action, None), action, operation.effect)
    return Step(step.state, step.outputs, (operation.effect, *step.rules))


def _open(state: State, action: Call, reply: Reply | None) -> State:
    request = action.request
    return waits(state, action.id, action.op, request.key, request.deadline, reply)


def _checked(state: State, action: Call, check: Check) -> Step:
    """The state after a check answered."""
    fence, rule = state.fence, check.rule
    if check.answer == SHARE:
        state = _open(state, action, None)
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
        return Step(_open(state, action, change(reply, rule=rule)), (), (rule,))
    status = code.BY_CODE[check.answer].status
    return Step(_open(state, action, Reply(status, check.answer, rule=rule)), (), (rule,))


def view_of(spec: ResourcesSpec, state: State) -> View:
    """What a status shows now."""
    shown = sessions_shown(spec, state)
    sessions = tuple(
        SessionView(key, state.sessions[key].revision, is_locked(spec, state, key)) for key in shown
    )
    held = {one.key for one in state.requests.values() if one.key is not None}
    statuses = [state.sessions[key].status for key in shown]
    receipts = [len(state.sessions[key].receipts) for key in shown]
    return View(
        state.fence.phase,
        state.accepting,
        sessions,
        frozenset(key for key in held if is_locked(spec, state, key)),
        len(state.history.refused),
        statuses.count("uncertain"),
        sum(receipts),
        any(count >= state.settings.capacity for count in receipts),
        frozenset(key for key in state.sessions if key not in shown),
    )


def _status(spec: ResourcesSpec, state: State, action: Call, rule: Rule) -> Step:
    reply = Reply(200, body=view_of(spec, state), rule=rule)
    return Step(answered(state, action.id, reply))


def _capabilities(_spec: ResourcesSpec, state: State, action: Call, rule: Rule) -> Step:
    settings = state.settings
    body = (
        ("phase", state.fence.phase),
        ("active_checkpoint_id", state.fence.active),
        ("checkpoint_mode", settings.mode),
        ("concurrency_contract", settings.contract),
        ("name", settings.name),
    )
    return Step(answered(state, action.id, Reply(200, body=body, rule=rule)))


def _commit(spec: ResourcesSpec, state: State, action: Call, _rule: Rule) -> Step:
    directory, source = action.request.directory or "", action.request.checkpoint_id
    storing = Storing("commit", directory, (action.id,), "started", state.fence.taken, source)
    row = spec.fence.find(state.fence.phase, "commit_called", None)
    return _starts(state, action, storing, row, "committing")


def _restore(spec: ResourcesSpec, state: State, action: Call, _rule: Rule) -> Step:
    storing = Storing("restore", action.request.directory or "", (action.id,))
    row = spec.fence.find(state.fence.phase, "restore_called", None)
    return _starts(state, action, storing, row, "restoring")


def _starts(state: State, action: Call, storing: Storing, row: Row | None, phase: str) -> Step:
    """The storage of an operation starts; `phase` is where the fence stands without a row."""
    fence = change(
        state.fence,
        phase=phase if row is None else row.target,
        active=action.request.checkpoint_id,
        storing=storing,
    )
    return Step(change(state, fence=fence), (), () if row is None else (row.rule,))


def _resume(spec: ResourcesSpec, state: State, action: Call, rule: Rule) -> Step:
    """Finish the id, end a prepare that waits, open admission."""
    fence = state.fence
    row = spec.fence.find(fence.phase, "resume_called", None)
    by = rule if row is None else row.rule
    stale = Reply(409, STALE_CHECKPOINT, rule=by)
    state = all_answered(state, fence.callers, stale)
    reply = Reply(200, body=(("state", "accepting"),), rule=by)
    finished = state.history.finished.set(action.request.checkpoint_id or "", ("resume", reply))
    state = change(
        state,
        fence=Fence("idle" if row is None else row.target),
        accepting=True,
        history=change(state.history, finished=finished),
    )
    return Step(answered(state, action.id, reply), (), (rule,) if row is None else (rule, by))


def _retire(spec: ResourcesSpec, state: State, action: Call, rule: Rule) -> Step:
    """The key is refused and its snapshot dropped at once; the session goes under its lock."""
    key = action.request.key
    if key is None:  # Only where malformed calls are let through.
        return Step(answered(state, action.id, Reply(200, body=(("retired", True),), rule=rule)))
    row = row_for(spec, state, key, "retire_called")
    if row is None:
        return Step(answered(state, action.id, _retired(key, rule)))
    going = status_of(state, key) == "retiring"
    if not going:
        state = refuse(spec, state, key, "retired", row.rule)
    state = without_snapshot(state, key)
    if row.target == "retiring":
        session = state.sessions.get(key, Session("unbound"))
        session = change(session, status="retiring", why=row.rule)
        return Step(with_session(state, key, session), (), (row.rule,))
    return Step(answered(state, action.id, _retired(key, row.rule)), (), (row.rule,))


def _retired(key: Key, rule: Rule) -> Reply:
    body = (
        ("retired", True),
        ("rollout_id", key.rollout_id),
        ("attempt_index", key.attempt),
    )
    return Reply(200, body=body, rule=rule)


def retirers(state: State, key: Key) -> tuple[str, ...]:
    """The calls that wait for a retired session to go."""
    return tuple(
        sorted(
            name
            for name, one in state.calls.items()
            if one.op == "retire" and one.key == key and one.reply is None
        )
    )


def may_drop(spec: ResourcesSpec, state: State, key: Key) -> bool:
    """Whether a retired session may go now."""
    return row_for(spec, state, key, "lock_freed") is not None and not is_handled(state, key)


def drop(spec: ResourcesSpec, state: State, action: a.Drop) -> Step:
    """The retired session is handed to the hook of the environment, and goes."""
    key, row = action.key, row_for(spec, state, action.key, "lock_freed")
    if row is None or not may_drop(spec, state, key):
        raise NotEnabled(action, "no retired session of this key, or a handler of it runs")
    if "retire_hook" in state.failing:
        reply = Reply(409, code.CHECKPOINT_ERROR, rule=ops.HOOK_FAILED)
        state = all_answered(consumed(state, "retire_hook"), retirers(state, key), reply)
        return Step(state, (), (ops.HOOK_FAILED,))
    state = all_answered(state, retirers(state, key), _retired(key, row.rule))
    return Step(with_session(state, key, None), (), (row.rule,))


def miss_retire(_spec: ResourcesSpec, state: State, action: a.MissRetire) -> Step:
    """A retire says at its deadline that the lock was not free."""
    waiting = state.calls.get(action.call)
    if waiting is None or waiting.op != "retire" or waiting.reply is not None:
        raise NotEnabled(action, "no retire of this id waits")
    if waiting.deadline is None or waiting.deadline > 0:
        raise NotEnabled(action, "the deadline of this retire has not come")
    reply = Reply(409, code.CHECKPOINT_ERROR, rule=ops.RETIRE_MISSED)
    return Step(answered(state, action.call, reply), (), (ops.RETIRE_MISSED,))


_EFFECTS: dict[str, Callable[[ResourcesSpec, State, Call, Rule], Step]] = {
    "prepare": start_prepare,
    "status": _status,
    "commit": _commit,
    "restore": _restore,
    "resume": _resume,
    "retire": _retire,
    "capabilities": _capabilities,
}
