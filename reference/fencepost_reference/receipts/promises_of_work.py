"""What is promised about the work: admission, parked work, results, attempts."""

from collections.abc import Iterable

from fencepost_reference.receipts import actions as a
from fencepost_reference.receipts.ghost import Moment, admitted, is_call
from fencepost_reference.receipts.state import (
    COUNTED,
    LIVE,
    PARKED,
    Outstanding,
    Receipt,
    State,
)
from fencepost_reference.receipts.tables import touched
from fencepost_spec.vocabulary import Key

_ACTIVE = LIVE - {"retiring"}
_LET_IN = frozenset({"idle", "restoring"})
_RELEASES = frozenset({"acknowledge", "acknowledge-completed"})


def at_most_one_execution_of_a_key_is_live(m: Moment) -> bool:
    """No handler starts while one of its key runs, and no live key is admitted again."""
    for output in m.step.outputs:
        if type(output) is a.Began and output.key in m.ghost.handlers:
            return False
    standing = m.before.executions
    return not any(
        key in standing and standing[key].status in LIVE for key in admitted(m.before, m.after)
    )


def a_refused_or_acknowledged_key_never_runs_again_in_its_process(m: Moment) -> bool:
    """No such key is admitted, nor one that is over, and no process forgets one."""
    known, now = m.before.history, m.after.history
    for key in admitted(m.before, m.after):
        if key in known.refused or key in known.acknowledged or key in m.ghost.over:
            return False
    if m.replaced or known is now:
        return True
    tables = ((known.refused, now.refused), (known.acknowledged, now.acknowledged))
    return not any(
        key not in after and key in before
        for before, after in tables
        for key in touched(before, after)
    )


def no_attempt_below_the_watermark_of_its_rollout_is_live(m: Moment) -> bool:
    """No live attempt is below the highest that began or was restored from."""
    highest, executions = m.ghost.highest, m.after.executions
    return m.replaced or not any(
        key in executions
        and key.attempt < highest.get(key.rollout_id, -1)
        and executions[key].status in _ACTIVE
        for key in touched(m.before.executions, executions)
    )


def no_work_is_admitted_between_prepare_and_resume(m: Moment) -> bool:
    """A run is admitted only while no checkpoint is open and admission is open."""
    came = len(m.after.untracked) > len(m.before.untracked) or admitted(m.before, m.after)
    return not came or (m.before.fence.phase in _LET_IN and m.before.accepting)


def nothing_that_was_counted_as_parked_moves_before_a_later_resume(m: Moment) -> bool:
    """What is parked or counted stays where it stands, and no event of it is let go with ok."""
    if m.replaced or is_call(m.action, "resume"):
        return True
    let_go = {o.token for o in m.step.outputs if type(o) is a.Returned and o.code is None}
    for key in _moved_or_let_go(m, let_go):
        was = m.before.executions.get(key)
        if was is None or (was.status not in PARKED and key not in m.ghost.counted):
            continue
        held = was.held
        if was.status in COUNTED and held is not None and held.token in let_go and not held.free:
            return False
        now = m.after.executions.get(key)
        if now is None or now.status == "retiring":
            continue
        if now.status not in COUNTED or now.record != was.record:
            return False
    return True


def _moved_or_let_go(m: Moment, let_go: set[int]) -> Iterable[Key]:
    """The keys that a step touched; all, when it let go an event of none of these."""
    standing = m.before.executions
    moved = touched(standing, m.after.executions)
    if not let_go:
        return moved
    held = [standing[key].held for key in moved if key in standing]
    return moved if let_go <= {one.token for one in held if one is not None} else standing


def a_key_is_resumable_or_finished_never_both(m: Moment) -> bool:
    """No finished key waits to be continued or is being written."""
    before, after = m.before, m.after
    acknowledged, executions = after.history.acknowledged, after.executions
    moved = _work_touched(m)
    waiting = {*moved, *touched(before.pending, after.pending)}
    if before.fence is not after.fence:
        waiting.update(_written(after))
    for key in waiting:
        execution = executions.get(key)
        finished = execution is not None and execution.receipt is not None
        if (finished or key in acknowledged) and (key in after.pending or key in _written(after)):
            return False
    return not any(
        key in acknowledged
        or (executions[key].receipt is not None and executions[key].status in LIVE)
        for key in moved
        if key in executions
    )


def _work_touched(m: Moment) -> set[Key]:
    """The keys whose execution, or what is known of their acknowledgement, a step touched."""
    before, after = m.before, m.after
    known, now = before.history.acknowledged, after.history.acknowledged
    return {*touched(before.executions, after.executions), *touched(known, now)}


def _written(state: State) -> tuple[Key, ...]:
    """The keys whose records are being written."""
    storing = state.fence.storing
    records = storing.records if storing is not None and storing.op == "commit" else ()
    return tuple(key for key, _ in records)


def a_finished_result_stays_the_same_until_its_receipt_is_acknowledged(m: Moment) -> bool:
    """The receipt stays, and every answer that gives a result gives that one."""
    before, after = m.before, m.after
    if m.replaced:
        return True
    # An answer that nobody touched is still right while nobody touched a result.
    calls = touched(before.calls, after.calls)
    for key in _work_touched(m):
        receipt = m.ghost.results.get(key)
        if _known(before, key) is not None:
            calls = after.calls
        if receipt is None:
            continue
        execution = after.executions.get(key)
        kept = execution is not None and execution.receipt == receipt
        if not kept and after.history.acknowledged.get(key) is None:
            return False
    return all(_gives_what_is_known(after, after.calls[one]) for one in calls if one in after.calls)


def _known(state: State, key: Key) -> Receipt | None:
    """The receipt of a key that has finished."""
    execution = state.executions.get(key)
    return state.history.acknowledged.get(key) if execution is None else execution.receipt


def _gives_what_is_known(state: State, waiting: Outstanding) -> bool:
    """Whether the answer of a call, if it gives a result, gives the one that is known."""
    reply, name = waiting.reply, waiting.key
    if waiting.op != "run" or name is None or reply is None or reply.status != 200:
        return True
    known = _known(state, name)
    return known is not None and reply.body == ("result", known.result_digest)


def only_an_equal_receipt_releases_a_result(m: Moment) -> bool:
    """A result leaves by a call that repeats its receipt, and a batch leaves whole."""
    known, now = m.before.history.acknowledged, m.after.history.acknowledged
    if m.replaced:
        return True
    fresh = [key for key in touched(known, now) if key in now and key not in known]
    if type(m.action) is not a.Call or m.action.op not in _RELEASES:
        return not fresh
    request = m.action.request
    named = dict(request.receipts)
    for key in fresh:
        execution = m.before.executions.get(key)
        if execution is None or execution.receipt is None or named.get(key) != execution.receipt:
            return False
    return not fresh or (request.authorised and all(key in now for key in named))


def boundary_indices_rise_and_start_above_the_continuation(m: Moment) -> bool:
    """A boundary that takes the place of a record is above it, and is the key's own."""
    for key in touched(m.before.executions, m.after.executions):
        was, now = m.before.executions.get(key), m.after.executions.get(key)
        if now is None:
            continue
        if now.boundary is None or (was is not None and was.boundary == now.boundary):
            if now.boundary is None and was is not None and was.boundary is not None:
                return False
            continue
        record = now.continuation if was is None else was.record
        if now.boundary.attempt != key.attempt:
            return False
        if record is not None and now.boundary.index <= record.index:
            return False
    return True


def the_result_of_a_retired_run_never_reaches_its_client(m: Moment) -> bool:
    """No run of a key that was retired while it was live is answered with a success."""
    for output in m.step.outputs:
        if type(output) is a.Answered and output.reply.status == 200:
            waiting = m.before.calls[output.call]
            if waiting.op == "run" and waiting.key in m.ghost.stopped:
                return False
    return True


def two_attempts_of_a_rollout_are_never_live_together(m: Moment) -> bool:
    """Of every rollout at most one attempt is live or retained, those that stop aside."""
    standing = m.after.executions
    return not any(
        other.rollout_id == key.rollout_id
        and other != key
        and standing[other].status != "retiring"
        and standing[key].status != "retiring"
        for key in touched(m.before.executions, standing)
        if key in standing
        for other in standing
    )
