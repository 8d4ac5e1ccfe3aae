"""What is promised about the work: admission, parked work, results, attempts."""

from fencepost_reference.receipts import actions as a
from fencepost_reference.receipts.ghost import Moment, admitted, is_call
from fencepost_reference.receipts.state import COUNTED, LIVE, PARKED

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
    return all(key in now.refused for key in known.refused) and all(
        key in now.acknowledged for key in known.acknowledged
    )


def no_attempt_below_the_watermark_of_its_rollout_is_live(m: Moment) -> bool:
    """No live attempt is below the highest that began or was restored from."""
    highest = m.ghost.highest
    return m.replaced or not any(
        key.attempt < highest.get(key.rollout_id, -1)
        for key, execution in m.after.executions.items()
        if execution.status in _ACTIVE
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
    for key, was in m.before.executions.items():
        if was.status not in PARKED and key not in m.ghost.counted:
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


def a_key_is_resumable_or_finished_never_both(m: Moment) -> bool:
    """No finished key waits to be continued or is being written."""
    state = m.after
    acknowledged, executions = state.history.acknowledged, state.executions
    storing = state.fence.storing
    written = storing.records if storing is not None and storing.op == "commit" else ()
    for key in (*state.pending, *(key for key, _ in written)):
        execution = executions.get(key)
        finished = execution is not None and execution.receipt is not None
        if finished or key in acknowledged:
            return False
    return not any(
        key in acknowledged or (one.receipt is not None and one.status in LIVE)
        for key, one in executions.items()
    )


def a_finished_result_stays_the_same_until_its_receipt_is_acknowledged(m: Moment) -> bool:
    """The receipt stays, and every answer that gives a result gives that one."""
    after, acknowledged = m.after, m.after.history.acknowledged
    if m.replaced:
        return True
    for key, receipt in m.ghost.results.items():
        execution = after.executions.get(key)
        kept = execution is not None and execution.receipt == receipt
        if not kept and acknowledged.get(key) is None:
            return False
    for waiting in after.calls.values():
        reply, name = waiting.reply, waiting.key
        if waiting.op != "run" or name is None or reply is None or reply.status != 200:
            continue
        execution = after.executions.get(name)
        known = acknowledged.get(name) if execution is None else execution.receipt
        if known is None or reply.body != ("result", known.result_digest):
            return False
    return True


def only_an_equal_receipt_releases_a_result(m: Moment) -> bool:
    """A result leaves by a call that repeats its receipt, and a batch leaves whole."""
    known, now = m.before.history.acknowledged, m.after.history.acknowledged
    if m.replaced or known is now:
        return True
    fresh = [key for key in now if key not in known]
    if type(m.action) is not a.Call or m.action.op not in _RELEASES:
        return not fresh
    request = m.action.request
    named = dict(request.receipts)
    for key in fresh:
        execution = m.before.executions.get(key)
        if execution is None or execution.receipt is None or named.get(key) != execution.receipt:
            return False
    whole = request.authorised and all(key in now for key in named)
    return not fresh or whole


def boundary_indices_rise_and_start_above_the_continuation(m: Moment) -> bool:
    """A boundary that takes the place of a record is above it, and is the key's own."""
    if m.before.executions is m.after.executions:
        return True
    for key, now in m.after.executions.items():
        was = m.before.executions.get(key)
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
    rollouts = [k.rollout_id for k, e in m.after.executions.items() if e.status != "retiring"]
    return len(rollouts) == len(set(rollouts))
