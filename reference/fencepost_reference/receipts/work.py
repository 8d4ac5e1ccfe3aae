"""Runs and the events of the work: begin, boundaries, parks, waits, the end of a handler."""

from fencepost_reference.model import NotEnabled, Step
from fencepost_reference.receipts import actions as a
from fencepost_reference.receipts.changes import (
    answered,
    change,
    ended,
    facts_of,
    moved,
    with_execution,
    without_held,
)
from fencepost_reference.receipts.state import (
    COUNTED,
    LIVE,
    Boundary,
    Execution,
    Held,
    Receipt,
    Reply,
    State,
)
from fencepost_spec.receipts import refusals as code
from fencepost_spec.receipts.agent import AgentSpec
from fencepost_spec.receipts.running import UNTRACKED
from fencepost_spec.rule import Rule
from fencepost_spec.vocabulary import Key

_EVENTS = {
    "boundary": "boundary_recorded",
    "park": "park_called",
    "wait_begin": "wait_entered",
    "wait_end": "wait_left",
}


def begin(_spec: AgentSpec, state: State, action: a.Begin) -> Step:
    """The handler of an admitted run starts."""
    execution = state.executions.get(action.key)
    if execution is None or execution.begun:
        raise NotEnabled(action, "no admitted run of this key waits for its handler")
    shown = a.Began(action.key, execution.generation, execution.continuation, execution.call)
    return Step(with_execution(state, action.key, change(execution, begun=True)), (shown,))


def may_never_begin(state: State, execution: Execution) -> bool:
    """Whether a handler that has not started was cancelled: retired, or its client is gone."""
    gone = execution.call is None or execution.call not in state.calls
    return not execution.begun and (gone or execution.status == "retiring")


def never_begin(spec: AgentSpec, state: State, action: a.NeverBegin) -> Step:
    """The handler of an admitted run is cancelled before it starts: it ends as cancelled."""
    execution = state.executions.get(action.key)
    if execution is None or not execution.handler or not may_never_begin(state, execution):
        raise NotEnabled(action, "nobody cancelled a handler of this key before it started")
    step = _finish(spec, state, a.Work("finish", action.key, 0, outcome="cancelled"), execution)
    return Step(step.state, (), step.rules)


def never_begin_untracked(_spec: AgentSpec, state: State, action: a.NeverBeginUntracked) -> Step:
    """The handler of a run without identity is cancelled before it starts: its client is gone."""
    if state.untracked.get(action.call) is not False or action.call in state.calls:
        raise NotEnabled(action, "nobody cancelled a handler of this run before it started")
    return Step(change(state, untracked=state.untracked.delete(action.call)), (), (UNTRACKED,))


def begin_untracked(_spec: AgentSpec, state: State, action: a.BeginUntracked) -> Step:
    """The handler of a run without identity starts."""
    if state.untracked.get(action.call) is not False:
        raise NotEnabled(action, "no admitted run without identity waits for its handler")
    state = change(state, untracked=state.untracked.set(action.call, True))
    return Step(state, (a.Began(None, 1, None, action.call),))


def work(spec: AgentSpec, state: State, action: a.Work) -> Step:
    """An event of the work reaches the participant."""
    if action.key is None:
        return _untracked_event(state, action)
    execution = state.executions.get(action.key)
    if action.event == "finish":
        return _finish(spec, state, action, execution)
    if execution is None or execution.status not in LIVE:
        return Step(state, (a.Returned(action.token, code.STALE_ATTEMPT),))
    if action.event == "refusal":
        if execution.wait is not None:
            execution = change(execution, refusal=True)
        return Step(with_execution(state, action.key, execution), (a.Returned(action.token, None),))
    return _event(spec, state, action, action.key, execution)


def _untracked_event(state: State, action: a.Work) -> Step:
    if action.event == "finish" and action.call is not None and action.call in state.untracked:
        reply = Reply(200, body=("result", action.result[0])) if action.result else None
        state = change(state, untracked=state.untracked.delete(action.call))
        state = answered(state, action.call, reply or Reply(0, loose=True))
        return Step(state, (a.Returned(action.token, None),))
    return Step(state, (a.Returned(action.token, None),), (UNTRACKED,))


def _event(spec: AgentSpec, state: State, action: a.Work, key: Key, execution: Execution) -> Step:
    """An event that may be held: its row decides where the key stands, and what it is answered."""
    event = _EVENTS[action.event]
    rules: tuple[Rule, ...] = ()
    if execution.held is not None:
        return _second_event(state, action, execution)
    if execution.status == "retiring":
        held = Held(event, action.token, code.STALE_ATTEMPT)
        return Step(with_execution(state, key, change(execution, held=held)))
    boundary, record = action.boundary, execution.record
    facts = facts_of(
        execution,
        identity_matches=action.identity_matches,
        advances=boundary is not None and (record is None or boundary.index > record.index),
        same_record=boundary is not None and _is_same(boundary, execution.boundary),
    )
    row = spec.execution.find(execution.status, event, facts)
    held = Held(event, action.token, wait=action.wait)
    if row is None:
        held = change(held, code=code.CHECKPOINT_ERROR)
    else:
        rules = (row.rule,)
        stays = row.target not in COUNTED
        if event == "boundary_recorded" and boundary is not None:
            if record is not None and boundary.call_id == record.call_id:
                # It still names the same model call, made under the capture key it was made under.
                boundary = change(boundary, capture_key=record.capture_key)
            execution = change(execution, boundary=boundary)
        if event == "park_called" and stays:
            held = change(held, code=code.NOT_PARKED)
        if event == "wait_entered" and stays:
            execution = change(execution, waits=(*execution.waits, action.wait or ""))
            held = change(held, entered=True)
        if event == "wait_left" and execution.refusal:
            held = change(held, free=True)
        execution = moved(execution, row)
    return Step(with_execution(state, key, change(execution, held=held)), (), rules)


def _is_same(one: Boundary, other: Boundary | None) -> bool:
    """Whether two boundaries stand for equal records; the digest leaves nothing else open."""
    return other is not None and (one.index, one.digest) == (other.index, other.digest)


def _second_event(state: State, action: a.Work, execution: Execution) -> Step:
    """An event of another task of the handler, while one is held already."""
    if execution.status == "retiring":
        return Step(state, (a.Returned(action.token, code.STALE_ATTEMPT),))
    if execution.status in COUNTED:
        return Step(state, (a.Returned(action.token, code.CHECKPOINT_ERROR),))
    raise NotEnabled(action, "an earlier event of this handler has not been answered")


def may_return(execution: Execution) -> bool:
    """Whether the held event of a key may be answered now."""
    held = execution.held
    return held is not None and (
        held.code is not None or held.free or execution.status in MOVING_OR_ENDING
    )


MOVING_OR_ENDING = frozenset({"running", "park_requested", "retiring"})


def let_go(_spec: AgentSpec, state: State, action: a.LetGo) -> Step:
    """A held event is answered: with its code, with a cancellation, or with ok."""
    execution = state.executions.get(action.key)
    held = None if execution is None else execution.held
    if execution is None or held is None:
        raise NotEnabled(action, "nothing of this key is held")
    answer: str | None
    if action.cancelled:
        client_gone = execution.call is None or execution.call not in state.calls
        if not client_gone and execution.status != "retiring":
            raise NotEnabled(action, "nobody cancelled this handler")
        answer = code.CANCELLED
    elif not may_return(execution):
        raise NotEnabled(action, "the work is counted as parked; only a later resume lets it go")
    else:
        answer = code.STALE_ATTEMPT if execution.status == "retiring" else held.code
    execution = change(execution, held=None)
    execution = change(execution, waits=_waits_after(execution.waits, held, answer))
    if held.event == "wait_left":
        execution = change(execution, refusal=False)
    return Step(with_execution(state, action.key, execution), (a.Returned(held.token, answer),))


def _waits_after(waits: tuple[str, ...], held: Held, answer: str | None) -> tuple[str, ...]:
    """The waits that are open when an event that entered or left one was answered."""
    kind = held.wait or ""
    if held.event == "wait_entered" and answer is None:
        return waits if held.entered else (*waits, kind)
    leaves = held.event == "wait_left" or (held.event == "wait_entered" and held.entered)
    if not leaves or kind not in waits:
        return waits
    last = len(waits) - 1 - waits[::-1].index(kind)
    return (*waits[:last], *waits[last + 1 :])


def return_orphan(_spec: AgentSpec, state: State, action: a.ReturnOrphan) -> Step:
    """A held event of work that has ended is answered."""
    answer = state.orphans.get(action.token)
    if answer is None:
        raise NotEnabled(action, "no such event is held")
    state = change(state, orphans=state.orphans.delete(action.token))
    return Step(state, (a.Returned(action.token, answer or None),))


def park_in_place(spec: AgentSpec, state: State, action: a.ParkInPlace) -> Step:
    """Work that is held and asked to park is parked where it stands."""
    execution = state.executions.get(action.key)
    held = None if execution is None else execution.held
    if execution is None or held is None or held.code is not None or held.free:
        raise NotEnabled(action, "nothing of this key is held")
    row = spec.execution.find(execution.status, "parked_in_place", facts_of(execution))
    if row is None:
        raise NotEnabled(action, "the work is not asked to park")
    return Step(with_execution(state, action.key, moved(execution, row)), (), (row.rule,))


def receipt_of(key: Key, execution: Execution, result: tuple[str, str]) -> Receipt:
    """The receipt of a result `(digest, identity)`: it names the last committed boundary's call."""
    capture_key = call_id = None
    boundary, continuation = execution.boundary, execution.continuation
    if boundary is not None and boundary.call_id is not None:
        capture_key, call_id = boundary.capture_key or key.capture_key, boundary.call_id
    elif continuation is not None and continuation.call_id is not None:
        capture_key, call_id = continuation.capture_key, continuation.call_id
    return Receipt(execution.generation, result[1], result[0], capture_key, call_id)


def _finish(spec: AgentSpec, state: State, action: a.Work, execution: Execution | None) -> Step:
    """The handler ends, or somebody reports that the run has failed."""
    key = action.key
    assert key is not None  # Events without a key are answered elsewhere.
    done = (a.Returned(action.token, None),)
    outcome = action.outcome or "failed"
    if execution is None or execution.status not in LIVE:
        return Step(state, done)
    if not execution.handler and outcome != "failed":
        return Step(state, done)
    event = "handler_ended" if execution.status == "retiring" else f"finish_{outcome}"
    row = spec.execution.find(execution.status, event, facts_of(execution))
    if row is None:
        return Step(state, (a.Returned(action.token, code.CHECKPOINT_ERROR),))
    rules = (row.rule,)
    if row.target == "completed_unacknowledged":
        receipt = receipt_of(key, execution, action.result or ("", ""))
        reply = Reply(200, body=("result", receipt.result_digest), rule=row.rule)
        state = without_held(state, execution.held, code.CANCELLED)
        state = answered(state, execution.call, reply)
        execution = moved(
            execution, row, held=None, handler=False, receipt=receipt, waits=(), call=None
        )
        return Step(with_execution(state, key, execution), done, rules)
    if row.target == "retired":
        return Step(_stopped(spec, state, key, row.rule, outcome), done, rules)
    # The handler may have ended while a task of it is still held here; it stays so until resume.
    state = answered(state, execution.call, Reply(0, loose=True, rule=row.rule))
    execution = moved(execution, row, handler=False, call=None)
    return Step(with_execution(state, key, execution), done, rules)


def _stopped(spec: AgentSpec, state: State, key: Key, why: Rule, outcome: str) -> State:
    """The state after a key ended for good; the retires that waited for it are answered."""
    retiring = state.executions[key].status == "retiring"
    waiting = [
        call
        for call, outstanding in state.calls.items()
        if (outstanding.op, outstanding.key, outstanding.reply) == ("retire", key, None)
    ]
    state = ended(spec, state, key, outcome if not retiring else "retired", why)
    # Of several retires one finds the key live and the others may find that it has ended.
    body = (("retired", True if len(waiting) == 1 else None), ("tombstoned", True))
    for call in waiting:
        state = answered(state, call, Reply(200, body=body, rule=why))
    return state
