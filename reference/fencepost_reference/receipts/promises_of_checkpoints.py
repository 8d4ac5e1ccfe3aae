"""What is promised about checkpoints: the fence, what is written, what is restored."""

from fencepost_reference.receipts import actions as a
from fencepost_reference.receipts import watched
from fencepost_reference.receipts.counting import counts_of
from fencepost_reference.receipts.ghost import (
    Moment,
    admitted,
    is_call,
    published,
    stands_for,
)
from fencepost_reference.receipts.state import COUNTED, State
from fencepost_reference.receipts.tables import touched

_LET_IN = frozenset({"idle", "restoring"})
_PHASE_OF = {"commit": "committing", "restore": "restoring"}


def a_restored_source_is_refused_and_continues_only_as_the_next_attempt(m: Moment) -> bool:
    """Behind every restored record stands a refused source; one run takes the record, once."""
    after = m.after
    for key in after.pending:
        source = type(key)(key.rollout_id, key.attempt - 1)
        if source not in after.history.refused or source in after.executions:
            return False
    for key in admitted(m.before, after):
        continuation = after.executions[key].continuation
        if continuation is not None and (
            m.before.pending.get(key) != continuation or key in after.pending
        ):
            return False
    return True


def a_written_checkpoint_holds_no_running_blocked_or_finished_work(m: Moment) -> bool:
    """When a manifest becomes visible, everything that is live stands at a boundary."""
    if not published(m):
        return True
    counts = counts_of(m.before)
    return not (
        counts.running
        or counts.parked_without_boundary
        or counts.completed_unacknowledged
        or counts.retiring
        or counts.untracked
    )


def every_exported_record_was_declared_as_a_boundary(m: Moment) -> bool:
    """What a commit makes visible was recorded by its work, or restored from such a record."""
    return all(
        record in m.ghost.declared for directory in published(m) for record in directory.records
    )


def at_most_one_id_is_active_and_a_finished_id_never_is_again(m: Moment) -> bool:
    """An open checkpoint is not replaced by another, nor opened once more."""
    if m.before.fence is m.after.fence and m.before.history is m.after.history:
        return True
    was, now = m.before.fence.active, m.after.fence.active
    if now is not None and now in m.after.history.finished:
        return False
    if m.replaced:
        return now is None
    return was is None or now in (was, None)


def an_operation_of_one_id_succeeds_at_most_once(m: Moment) -> bool:
    """No success of an id is met twice in a process."""
    return m.replaced or not any(
        success in m.ghost.succeeded for success in watched.successes(m.before, m.after)
    )


def the_fence_has_an_active_id_exactly_when_a_checkpoint_is_open(m: Moment) -> bool:
    """Rest has no id and nothing under way; what is under way is what the phase says."""
    fence = m.after.fence
    if fence is m.before.fence:
        return True
    if (fence.phase == "idle") != (fence.active is None):
        return False
    if fence.waiting and fence.phase != "preparing":
        return False
    under_way = None if fence.storing is None else _PHASE_OF[fence.storing.op]
    storing = fence.phase if fence.phase in _PHASE_OF.values() else None
    return under_way == storing


def a_committed_directory_never_changes(m: Moment) -> bool:
    """The participant never touches a committed directory; only the world does."""
    before, after = m.before.disk, m.after.disk
    if before is after or type(m.action) in (a.SetDirectory, a.Replace):
        return True
    return all(
        after.get(name) == directory
        for name, directory in before.items()
        if directory.kind == "committed"
    )


def a_restore_installs_the_whole_directory_or_nothing(m: Moment) -> bool:
    """All records that lay there wait under their next attempts, or nothing has changed."""
    before, after = m.before, m.after
    if before.pending is after.pending and before.fence is after.fence:
        return True
    was, now = before.fence.storing, after.fence.storing
    came = {key: one for key, one in after.pending.items() if key not in before.pending}
    if m.replaced or was is None or was.op != "restore":
        return not came
    if now is not None:
        here = before.disk.get(was.directory)
        whole = now.refusal is not None or (here is not None and now.records == here.records)
        return not came and (now.stage == was.stage or whole)
    if after.fence.phase != "restored_paused":
        return not came and before.history == after.history
    return len(came) == len(was.records) and all(
        key.next() in came and stands_for(came[key.next()], boundary)
        for key, boundary in was.records
    )


def a_restore_meets_no_live_work(m: Moment) -> bool:
    """Records are installed only where nothing runs, is retained or waits."""
    before = m.before
    if before.fence is m.after.fence:
        return True
    if m.after.fence.phase != "restored_paused" or before.fence.phase == "restored_paused":
        return True
    return not (before.executions or before.untracked or before.pending)


def a_restored_record_is_claimed_exported_discarded_or_refused(m: Moment) -> bool:
    """A record leaves by a run, a discard or a refusal; a commit writes all that are held."""
    before, after = m.before, m.after
    if m.replaced:
        return True
    for key in touched(before.pending, after.pending):
        record = before.pending.get(key)
        if record is None or key in after.pending:
            continue
        execution = after.executions.get(key)
        claimed = execution is not None and execution.continuation == record
        discarded = is_call(m.action, "discard-restored-continuation")
        if not claimed and key not in after.history.refused and not discarded:
            return False
    return _writes_every_record(before, after)


def _writes_every_record(before: State, after: State) -> bool:
    """Whether a commit that starts has taken every restored record that nobody got past."""
    if before.fence is after.fence:
        return True
    storing = after.fence.storing
    if storing is None or storing.op != "commit" or before.fence.storing is not None:
        return True
    written = dict(storing.records)
    return all(written.get(key) == record for key, record in before.pending.items()) and all(
        written.get(key) == execution.record
        for key, execution in before.executions.items()
        if execution.status in COUNTED and execution.continuation is not None
    )


def admission_is_closed_while_a_checkpoint_is_open(m: Moment) -> bool:
    """Between prepare and resume nothing is let in, and only resume opens."""
    if m.after.accepting and m.after.fence.phase not in _LET_IN:
        return False
    opened = m.after.accepting and not m.before.accepting
    return not opened or m.replaced or is_call(m.action, "resume")
