"""Prepare: closing admission, waiting for handlers, snapshots under locks, and how it ends."""

from fencepost_reference.model import NotEnabled, Step
from fencepost_reference.receipts.actions import Call, Conclude
from fencepost_reference.receipts.changes import change
from fencepost_reference.receipts.resources import actions as a
from fencepost_reference.receipts.resources.changes import (
    all_answered,
    consumed,
    exports,
    is_locked,
    keeps,
)
from fencepost_reference.receipts.resources.state import (
    HANDLING,
    Receipt,
    Session,
    Snapshot,
    State,
)
from fencepost_reference.receipts.state import Recorded, Reply
from fencepost_spec.receipts.resources import operations as ops
from fencepost_spec.receipts.resources import refusals as code
from fencepost_spec.receipts.resources.policy import Blocker, Standing
from fencepost_spec.receipts.resources.routes import UNGATED
from fencepost_spec.receipts.resources.server import ResourcesSpec
from fencepost_spec.rule import Rule
from fencepost_spec.vocabulary import Key


def standing_of(state: State) -> Standing:
    """What runs, and which sessions stand in the way."""
    handled = [
        one for one in state.requests.values() if one.stage in HANDLING and one.kind != UNGATED
    ]
    statuses = [session.status for session in state.sessions.values()]
    return Standing(
        sum(one.key is not None for one in handled),
        sum(one.key is None for one in handled),
        state.untracked,
        statuses.count("uncertain"),
        statuses.count("evicted"),
        statuses.count("retiring"),
    )


def in_the_way(spec: ResourcesSpec, state: State) -> Blocker | None:
    """The first thing that keeps the prepare from ending prepared; one with a code comes first."""
    standing, exporting = standing_of(state), exports(spec, state)
    found = [
        blocker
        for blocker in spec.blockers
        if (blocker.always or exporting) and blocker.holds(standing)
    ]
    return next((one for one in found if one.code is not None), found[0] if found else None)


def to_export(spec: ResourcesSpec, state: State) -> tuple[Key, ...]:
    """The sessions whose snapshot is still to be taken, sorted; those that ended are skipped."""
    if not exports(spec, state):
        return ()
    statuses = {entry.status for entry in spec.exported}
    taken = {key for key, _ in state.fence.taken}
    return tuple(
        key
        for key in sorted(state.sessions)
        if state.sessions[key].status in statuses and key not in taken
    )


def start_prepare(spec: ResourcesSpec, state: State, action: Call, _rule: Rule) -> Step:
    """Close admission; everything else is a step of its own."""
    row = spec.fence.find(state.fence.phase, "prepare_called", None)
    fence = change(
        state.fence,
        phase=state.fence.phase if row is None else row.target,
        active=action.request.checkpoint_id,
        waiting=True,
        callers=(action.id,),
        deadline=action.request.deadline,
        taken=(),
    )
    state = change(state, fence=fence, accepting=False)
    return Step(state, (), () if row is None else (row.rule,))


def may_export(spec: ResourcesSpec, state: State) -> Key | None:
    """The session whose snapshot is taken next, when its lock is free."""
    if not state.fence.waiting or "prepare" in state.holds or _fails_at_once(spec, state):
        return None
    waiting = to_export(spec, state)
    if not waiting or is_locked(spec, state, waiting[0]):
        return None
    return waiting[0]


def _fails_at_once(spec: ResourcesSpec, state: State) -> bool:
    blocker = in_the_way(spec, state)
    return blocker is not None and blocker.code is not None


def snapshot_of(spec: ResourcesSpec, session: Session) -> Snapshot:
    """What is written of a session."""
    parts = {kept.name for kept in spec.snapshot}
    receipts: tuple[Receipt, ...] = session.receipts if "receipts" in parts else ()
    return Snapshot(session.revision if "revision" in parts else 0, receipts)


def export(spec: ResourcesSpec, state: State, action: a.Export) -> Step:
    """The snapshot of one session is taken, or its export fails and the prepare with it."""
    if may_export(spec, state) != action.key:
        raise NotEnabled(action, "another session is next, or its lock is held")
    if "export" in state.failing:
        failed = consumed(state, "export")
        return _missed(spec, failed, code.CHECKPOINT_ERROR, ops.EXPORT_FAILED)
    snapshot = snapshot_of(spec, state.sessions[action.key])
    # Sorted, whenever a session came to be there: a start may end while others are taken.
    taken = tuple(sorted((*state.fence.taken, (action.key, snapshot)), key=lambda one: one[0]))
    return Step(change(state, fence=change(state.fence, taken=taken)))


def may_conclude(spec: ResourcesSpec, state: State) -> bool:
    """Whether the waiting prepare may end prepared."""
    if not state.fence.waiting or "prepare" in state.holds:
        return False
    return in_the_way(spec, state) is None and not to_export(spec, state)


def may_miss(spec: ResourcesSpec, state: State) -> tuple[bool, bool]:
    """Whether the waiting prepare may end unprepared, and whether it has to.

    It has to when something stands in the way that no waiting removes, or when it is due and
    cannot go on by itself.
    """
    fence = state.fence
    if not fence.waiting:
        return False, False
    if _fails_at_once(spec, state):
        return True, True
    due = fence.deadline is not None and fence.deadline <= 0
    goes_on = may_export(spec, state) is not None or may_conclude(spec, state)
    return due and not may_conclude(spec, state), due and not goes_on


def conclude(spec: ResourcesSpec, state: State, action: Conclude) -> Step:
    """The waiting prepare ends prepared, with the inventory of what it has taken."""
    if not may_conclude(spec, state):
        raise NotEnabled(action, "something is in the way, or a snapshot is still to be taken")
    row = spec.fence.find(state.fence.phase, "prepare_ready", None)
    inventory = tuple(
        (key, snapshot.revision, len(snapshot.receipts)) for key, snapshot in state.fence.taken
    )
    reply = Reply(200, body=("prepared", inventory), rule=row.rule if row else ops.PREPARE)
    state = all_answered(state, state.fence.callers, reply)
    fence = change(
        state.fence,
        phase=state.fence.phase if row is None else row.target,
        waiting=False,
        callers=(),
        deadline=None,
        recorded=(*state.fence.recorded, Recorded("prepare", None, reply)),
    )
    return Step(change(state, fence=fence), (), () if row is None else (row.rule,))


def miss(spec: ResourcesSpec, state: State, action: a.Miss) -> Step:
    """The waiting prepare ends unprepared: its id stays active, admission stays closed."""
    if not may_miss(spec, state)[0]:
        raise NotEnabled(action, "nothing is in the way and the deadline has not come")
    blocker = in_the_way(spec, state)
    if blocker is None:
        return _missed(spec, state, code.CHECKPOINT_ERROR, ops.PREPARE)
    return _missed(spec, state, blocker.code or code.CHECKPOINT_ERROR, blocker.rule)


def _missed(spec: ResourcesSpec, state: State, refusal: str, rule: Rule) -> Step:
    row = spec.fence.find(state.fence.phase, "prepare_missed", None)
    reply = Reply(409, refusal, rule=rule)
    state = all_answered(state, state.fence.callers, reply)
    phase = "idle" if row is None else row.target
    fence = change(
        state.fence,
        phase=phase,
        active=None if row is None else state.fence.active,
        waiting=False,
        callers=(),
        deadline=None,
        taken=(),
    )
    rules = (rule,) if row is None else (rule, row.rule)
    return Step(change(state, fence=fence), (), rules)


def sessions_shown(spec: ResourcesSpec, state: State) -> tuple[Key, ...]:
    """The sessions that a status counts: all but those that are retired and on their way out."""
    if not keeps(spec, state):
        return ()
    return tuple(key for key in sorted(state.sessions) if state.sessions[key].status != "retiring")
