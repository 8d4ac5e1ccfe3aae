"""What a resources server promises about checkpoints: the fence, what is written and restored."""

from fencepost_reference.receipts import watched
from fencepost_reference.receipts.resources.actions import SetDirectory
from fencepost_reference.receipts.resources.ghost import (
    Moment,
    installed,
    is_call,
    published,
)
from fencepost_reference.receipts.resources.state import GOING_ON, HANDLING, State
from fencepost_spec.receipts.resources.routes import UNGATED
from fencepost_spec.vocabulary import Key

_PREPARED = frozenset({"prepared", "committing", "committed_paused"})
_LET_IN = frozenset({"idle", "restoring"})
_PHASE_OF = {"commit": "committing", "restore": "restoring"}


def the_source_of_a_restored_session_is_refused(m: Moment) -> bool:
    """Behind what a restore installs stands a source that is refused and has no session."""
    return all(
        key in m.after.history.refused and key not in m.after.sessions
        for key, _ in installed(m) or ()
    )


def nothing_moves_in_a_prepared_checkpoint(m: Moment) -> bool:
    """From prepared to resume no gated handler runs, and sessions only go by retire."""
    if m.after.fence.phase not in _PREPARED:
        return True
    if any(r.stage in HANDLING and r.kind != UNGATED for r in m.after.requests.values()):
        return False
    if m.before.fence.phase not in _PREPARED:
        return True
    return all(
        key in m.before.sessions and m.before.sessions[key].revision == session.revision
        for key, session in m.after.sessions.items()
    )


def at_most_one_id_is_active(m: Moment) -> bool:
    """An open checkpoint is not replaced by another, nor opened once more."""
    was, now = m.before.fence.active, m.after.fence.active
    if now is not None and now in m.after.history.finished:
        return False
    return was is None or now in (was, None)


def an_operation_succeeds_at_most_once(m: Moment) -> bool:
    """No success of an id is met twice in a process."""
    return not any(success in m.ghost.succeeded for success in watched.successes(m.before, m.after))


def the_fence_has_an_active_id_when_it_is_not_at_rest(m: Moment) -> bool:
    """Rest has no id and nothing under way; what is under way is what the phase says."""
    fence = m.after.fence
    if (fence.phase == "idle") != (fence.active is None):
        return False
    if fence.waiting and fence.phase != "preparing":
        return False
    under_way = None if fence.storing is None else _PHASE_OF[fence.storing.op]
    return under_way == (fence.phase if fence.phase in _PHASE_OF.values() else None)


def a_committed_directory_never_changes(m: Moment) -> bool:
    """The server never touches a committed directory; only the world does."""
    before, after = m.before.disk, m.after.disk
    if before is after or type(m.action) is SetDirectory:
        return True
    return all(
        after.get(name) == directory
        for name, directory in before.items()
        if directory.kind == "committed"
    )


def a_restore_installs_everything_or_nothing(m: Moment) -> bool:
    """A restore that ends well has installed each record; one that ends otherwise has none."""
    records = installed(m)
    if records is not None:
        return all(
            key.next() in m.after.sessions
            and m.after.sessions[key.next()].revision == snapshot.revision
            and m.after.sessions[key.next()].receipts == snapshot.receipts
            for key, snapshot in records
        )
    if m.before.fence.phase != "restoring":
        return True
    return not any(
        session.status == "restored" and key not in m.before.sessions
        for key, session in m.after.sessions.items()
    )


def a_restore_meets_a_fresh_server(m: Moment) -> bool:
    """Nothing stateful was served before what a restore installs."""
    if installed(m) is None:
        return True
    stateless = m.before.settings.mode == "stateless"
    return not m.before.sessions and (stateless or not m.ghost.stateful)


def a_written_checkpoint_has_every_session(m: Moment) -> bool:
    """What becomes visible has each session that goes on, at its revision, with its receipts.

    A session that lost its receipts since its snapshot was taken is there too, whole.
    """
    for _, directory in published(m):
        written, expected = dict(directory.records), _going_on(m.before)
        if not expected <= set(written):
            return False
        for key, snapshot in written.items():
            session = m.before.sessions.get(key)
            if session is None or snapshot.revision != session.revision:
                return False
            if session.status != "evicted" and snapshot.receipts != session.receipts:
                return False
    return True


def _going_on(state: State) -> set[Key]:
    """The keys that go on, for a server that can write them down."""
    if state.settings.mode != "export_restore":
        return set()
    return {key for key, session in state.sessions.items() if session.status in GOING_ON}


def admission_is_closed_between_prepare_and_resume(m: Moment) -> bool:
    """An open checkpoint lets nothing in, and only resume opens."""
    if m.after.accepting and m.after.fence.phase not in _LET_IN:
        return False
    opened = m.after.accepting and not m.before.accepting
    return not opened or is_call(m.action, "resume")


def what_cannot_be_written_is_in_no_checkpoint(m: Moment) -> bool:
    """A prepare ends prepared, and a directory is written, only without what cannot be kept."""
    exporting = m.after.settings.mode == "export_restore"
    prepares = (m.before.fence.phase, m.after.fence.phase) == ("preparing", "prepared")
    if not exporting or not (prepares or published(m)):
        return True
    statuses = {session.status for session in m.before.sessions.values()}
    if m.before.untracked or "uncertain" in statuses or (prepares and "evicted" in statuses):
        return False
    return not any(
        key in m.before.history.refused
        for _, directory in published(m)
        for key, _ in directory.records
    )


def restored_revisions_are_those_of_the_agents(m: Moment) -> bool:
    """Where agent records can be read, what is installed is what they name."""
    records, storing = installed(m), m.before.fence.storing
    if records is None or storing is None or m.before.settings.mode != "export_restore":
        return True
    here = m.before.disk.get(storing.directory)
    named = None if here is None else here.agents
    return named is None or dict(named) == {key: one.revision for key, one in records}
