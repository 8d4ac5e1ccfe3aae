"""Lines that show the work moving: a handler that starts, an event, its outcome."""

from typing import TYPE_CHECKING

import attrs

from fencepost.agent import reading
from fencepost.agent.directories import without_record
from fencepost.agent.hidden import parked_or_not, taken
from fencepost.faults import wrong_line
from fencepost.mismatch import Mismatch, as_object
from fencepost.trace import lines
from fencepost_reference.model import NotEnabled
from fencepost_reference.receipts import actions as a
from fencepost_reference.receipts.state import COUNTED, PARKED, Execution, State
from fencepost_reference.receipts.work import may_return
from fencepost_spec.receipts.agent import AGENT
from fencepost_spec.receipts.properties import BY_ID
from fencepost_spec.receipts.refusals import CANCELLED, CHECKPOINT_ERROR, STALE_ATTEMPT
from fencepost_spec.receipts.running import ADMITTED, UNTRACKED
from fencepost_spec.rule import Rule
from fencepost_spec.vocabulary import Key

if TYPE_CHECKING:
    from fencepost.agent.frontier import Frontier

COUNTED_STAYS = BY_ID["R-INV-7"].rule
_EVENTS = {
    "boundary": "boundary_recorded",
    "park": "park_called",
    "wait_begin": "wait_entered",
    "wait_end": "wait_left",
}


def explain_work(front: "Frontier", state: State, line: lines.Work) -> list[State | Mismatch]:
    """The states that explain an event of the work."""
    if line.event not in reading.EVENTS:
        known = ", ".join(sorted(reading.EVENTS))
        raise wrong_line(line.seq, f"{line.event!r} is no event of an agent", f"known: {known}")
    ends = line.detail.get("outcome", "completed")
    if line.event == "finish" and ends not in reading.ENDS:
        known = ", ".join(sorted(reading.ENDS))
        raise wrong_line(line.seq, f"no work ends as {ends!r}", f"known: {known}")
    key = reading.key_of(line)
    if line.event == "begin" and line.outcome != "ok":
        came = outcome_text(line.outcome)
        return [Mismatch("a handler starts, or it does not", f"begin: {came}", ADMITTED, 4)]
    if key is None:
        explain = _anonymous_began if line.event == "begin" else _untracked
        return explain(front, state, line)
    if line.event == "begin":
        return [_began(front, state, line, key)]
    starts = [state]
    execution = state.executions.get(key)
    ghost = _ghost(front, state, line, key, execution)
    if ghost is not None:
        return [ghost]
    if execution is not None and not execution.begun and "begins" in front.hidden:
        starts = [taken(front.core, state, a.Begin(key)) or state]
    if execution is not None and "wakes" in front.hidden and may_return(execution):
        woken = taken(front.core, starts[0], a.LetGo(key))
        starts = starts if woken is None else [woken, *starts]
    if execution is not None and execution.held is not None:
        starts = [one for start in starts for one in parked_or_not(front.core, start, key)]
    fence = state.fence
    if fence.phase == "preparing":
        starts += [one for start in starts for one in _not_counted_yet(start, key, line)]
    found = [_event(front, start, line, key) for start in starts]
    if outcome_text(line.outcome) == CANCELLED:
        # It may have been parked where it stands before the cancellation came.
        found += [_event(front, start, line, key, parked=True) for start in starts]
    if fence.storing is None:
        return found
    left = [without_record(one, key) for one in found if isinstance(one, State)]
    return [*found, *(one for one in left if one is not None)]


def _not_counted_yet(state: State, key: Key, line: lines.Work) -> list[State]:
    """Parked work that no prepare has counted yet may still be finished by another task."""
    execution = state.executions.get(key)
    ends = line.event == "finish" and line.detail.get("outcome") == "completed"
    if execution is None or not ends or state.fence.phase != "preparing":
        return []
    if execution.status not in PARKED:
        return []
    other = attrs.evolve(execution, status="park_requested")
    return [attrs.evolve(state, executions=state.executions.set(key, other))]


def _ghost(
    front: "Frontier", state: State, line: lines.Work, key: Key, execution: Execution | None
) -> Mismatch | None:
    """Work of a handler that never started, has not started yet, or has ended."""
    name = f"{key.rollout_id} attempt {key.attempt}"
    if execution is None:
        history = state.history
        begun = key.attempt <= history.watermark.get(key.rollout_id, -1)
        if begun or key in history.refused or key in history.acknowledged:
            return None
        return Mismatch(f"no handler of {name}", "it works", _why_not(state, key), 4)
    ends = line.event == "finish" and line.detail.get("outcome", "completed") != "failed"
    if ends and execution.status == "completed_unacknowledged":
        return Mismatch(f"the handler of {name} has ended", "it ends again", execution.why, 4)
    if execution.begun or "begins" in front.hidden:
        return None
    return Mismatch(f"the handler of {name} starts first", "it works", ADMITTED, 4)


def _anonymous_began(front: "Frontier", state: State, line: lines.Work) -> list[State | Mismatch]:
    """A handler without identity starts: the line does not say which of those that wait."""
    given = (line.detail.get("generation", 1), line.detail.get("continuation"))
    if given != (1, None):
        return [Mismatch("generation 1, no continuation", f"{given}", UNTRACKED, 4)]
    found: list[State | Mismatch] = [
        front.step(state, a.BeginUntracked(call)).state
        for call, begun in state.untracked.items()
        if not begun
    ]
    why = _why_not(state, None)
    return found or [Mismatch("no start", "a run without identity starts", why, 4)]


def _began(front: "Frontier", state: State, line: lines.Work, key: Key) -> State | Mismatch:
    """A handler starts: only an admitted run has one, and it gets the restored record."""
    name = f"{key.rollout_id} attempt {key.attempt}"
    try:
        step = front.step(state, a.Begin(key))
    except NotEnabled:
        return Mismatch(f"{name} does not start", "its handler starts", _why_not(state, key), 4)
    began = step.outputs[0]
    generation = line.detail.get("generation")
    if generation is not None and generation != began.generation:
        return Mismatch(f"generation {began.generation}", f"{generation}", ADMITTED, 4)
    wanted = None
    if began.continuation is not None:
        wanted = {
            "attempt_index": began.continuation.attempt,
            "boundary_index": began.continuation.index,
        }
    found = line.detail.get("continuation")
    if found != wanted:
        rule = state.executions[key].why
        return Mismatch(f"continuation {wanted}", f"continuation {found}", rule, 4)
    after_it: State = step.state
    return after_it


def _why_not(state: State, key: Key | None) -> Rule:
    """The rule by which the run of a key was refused, where its answer has not left yet."""
    for waiting in state.calls.values():
        if waiting.op == "run" and waiting.key == key and waiting.reply is not None:
            return waiting.reply.rule or ADMITTED
    return ADMITTED


def _untracked(front: "Frontier", state: State, line: lines.Work) -> list[State | Mismatch]:
    """An event of a run without identity: it records nothing; only its end is told."""
    cancelled = line.detail.get("outcome") == "cancelled"
    if not any(state.untracked.values()) and not cancelled:
        return [Mismatch("no handler without identity", "it works", ADMITTED, 4)]
    if line.outcome != "ok" and outcome_text(line.outcome) != CANCELLED:
        came = outcome_text(line.outcome)
        return [Mismatch("ok: work without identity is never held", came, UNTRACKED, 4)]
    if line.event != "finish":
        return [front.step(state, reading.work_action(line)).state]
    found: list[State | Mismatch] = [
        front.step(state, reading.work_action(line, call)).state
        for call, begun in state.untracked.items()
        if begun
    ]
    return found or [state]


def _event(
    front: "Frontier", state: State, line: lines.Work, key: Key, *, parked: bool = False
) -> State | Mismatch:
    action = reading.work_action(line)
    before = state.executions.get(key)
    try:
        step = front.step(state, action)
    except NotEnabled as refused:
        rule = COUNTED_STAYS if before is None else before.why
        return Mismatch(refused.because, outcome_text(line.outcome), rule, 3)
    after: State = step.state
    if step.outputs:
        return _compared(line, step.outputs[0].code, after, _rule_for(step.rules, before, action))
    execution = after.executions[key]
    rule = _rule_for(step.rules, before, action)
    if line.outcome == "waits":
        held = execution.held
        if held is not None and held.code is not None:
            return Mismatch(f"refused at once: {held.code}", "held", rule, 4)
        return after
    if outcome_text(line.outcome) == CANCELLED:
        stands = taken(front.core, after, a.ParkInPlace(key)) if parked else None
        cancelled = taken(front.core, stands or after, a.LetGo(key, cancelled=True))
        if cancelled is not None:
            return cancelled
    if not may_return(execution):
        return Mismatch(_held_text(execution), outcome_text(line.outcome), rule, 4)
    later = front.step(after, a.LetGo(key))
    return _compared(line, later.outputs[0].code, later.state, rule)


def _compared(
    line: lines.Work, code: str | None, after: State, rule: Rule | None
) -> State | Mismatch:
    wanted, came = code or "ok", outcome_text(line.outcome)
    if wanted == STALE_ATTEMPT and came == CHECKPOINT_ERROR and _has_finished(line, after):
        return after  # The facts name a code for keys that were retired or failed only.
    return after if wanted == came else Mismatch(wanted, came, rule, 4)


def _has_finished(line: lines.Work, state: State) -> bool:
    """Whether the key of an event has a result, acknowledged or not."""
    key = reading.key_of(line)
    if key is None:
        return False
    execution = state.executions.get(key)
    retained = execution is not None and execution.status == "completed_unacknowledged"
    return retained or key in state.history.acknowledged


def _held_text(execution: Execution) -> str:
    if execution.status in COUNTED:
        return f"held: it stands {execution.status.replace('_', ' ')}"
    return "held"


def outcome_text(outcome: object) -> str:
    """An outcome of the work in one word."""
    return outcome if isinstance(outcome, str) else str(as_object(outcome).get("code"))


def _rule_for(rules: tuple[Rule, ...], before: Execution | None, action: a.Work) -> Rule | None:
    """The row that answered, else the nearest row: one for the event elsewhere, else the state."""
    if rules:
        return rules[-1]
    event = _EVENTS.get(action.event, f"finish_{action.outcome}")
    if before is None:
        return BY_ID["R-INV-2"].rule
    near = AGENT.execution.candidates(before.status, event)
    if near:
        return near[0].rule
    return COUNTED_STAYS if before.status in COUNTED else before.why
