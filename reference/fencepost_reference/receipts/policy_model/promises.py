"""The promises of a policy model as questions: each `always`, asked of one step.

None of them asks the specification what to do: they read states, and what a watcher remembers in a
`Ghost`, so that a variation of the specification can be caught breaking one.
"""

from collections.abc import Callable, Mapping
from typing import Any

import attrs
from immutables import Map

from fencepost_reference.model import Step
from fencepost_reference.receipts import watched
from fencepost_reference.receipts.changes import change
from fencepost_reference.receipts.policy_model import actions as a
from fencepost_reference.receipts.policy_model.state import (
    Checkpoint,
    History,
    Lineage,
    Rows,
    State,
    Storing,
)
from fencepost_spec.operation import Property
from fencepost_spec.receipts.policy_model.properties import BY_ID
from fencepost_spec.vocabulary import Key

_EMPTY: Map[Any, Any] = Map()
_QUIET = frozenset({"prepared", "committing", "committed_paused"})
_PHASE_OF = {"commit": "committing", "restore": "restoring"}


@attrs.frozen(slots=False)
class Ghost:
    """What a watcher remembers of one process.

    `refused` are attempts that were aborted or that a restored checkpoint had refused; `sources`
    those that were restored from; `before` the ledger and refusals that a restore started over.
    """

    refused: Map[Key, bool] = _EMPTY
    sources: Map[Key, bool] = _EMPTY
    succeeded: Map[tuple[str | None, str], bool] = _EMPTY
    before: tuple[Map[str, Lineage], History] | None = None


class Moment(watched.Moment[State, Ghost]):
    """One step of a policy model."""

    @property
    def replaced(self) -> bool:
        """Whether the process ended here."""
        return type(self.action) is a.Replace

    @property
    def admitted(self) -> tuple[Key | None, ...]:
        """The attempts of the calls that were let in by the step."""
        return tuple(t.key for n, t in self.after.tickets.items() if n not in self.before.tickets)

    @property
    def published(self) -> tuple[Checkpoint, ...]:
        """The checkpoints that the participant made visible in the step."""
        if type(self.action) is not a.Store:
            return ()
        before = self.before.disk
        return tuple(
            here
            for name, here in self.after.disk.items()
            if here.kind == "committed" and before.get(name) != here
        )


def remembered(ghost: Ghost, before: State, action: Any, step: Step) -> Ghost:
    """What is remembered after a step."""
    if type(action) is a.Replace:
        return Ghost()
    after: State = step.state
    moment = Moment(before, action, step, ghost)
    if type(action) is a.Call and action.request.key is not None and _took_effect(moment):
        ghost = change(ghost, refused=ghost.refused.set(action.request.key, True))
    if after.fence.storing is not None and before.fence.storing is None:
        ghost = change(ghost, before=(before.lineages, before.history))
    elif ghost.before is not None and type(action) in (a.Record, a.DamageLineage):
        ghost = change(ghost, before=(_written(ghost.before[0], before, after), after.history))
    for success in watched.successes(moment.before, moment.after, watched.STORED):
        ghost = change(ghost, succeeded=ghost.succeeded.set(success, True))
        if success[1] == "restore":
            ghost = _restored(ghost, before.fence.storing)
    return ghost


def _written(kept: Map[str, Lineage], before: State, after: State) -> Map[str, Lineage]:
    """The ledger as it would be without the restore, after somebody else wrote into it."""
    for name, lineage in after.lineages.items():
        if before.lineages.get(name) != lineage and name not in _copied(before):
            kept = kept.set(name, lineage)
    return kept


def _copied(state: State) -> tuple[str, ...]:
    """The lineages that the restore under way has added."""
    return () if state.fence.storing is None else state.fence.storing.copied


def _took_effect(moment: Moment) -> bool:
    """Whether an abort was answered for the first time."""
    known, now = moment.before.fence.recorded, moment.after.fence.recorded
    return moment.action.op == "abort_inflight" and len(now) > len(known)


def _restored(ghost: Ghost, storing: Storing | None) -> Ghost:
    refused, sources = ghost.refused, ghost.sources
    content = None if storing is None else storing.content
    for key in () if content is None else content.tombstones:
        refused = refused.set(key, True)
    for key in () if content is None else content.sources:
        sources = sources.set(key, True)
    return change(ghost, refused=refused, sources=sources)


def _no_call_is_let_in_while_a_checkpoint_is_open(m: Moment) -> bool:
    return not m.admitted or m.before.fence.phase == "idle"


def _a_call_of_a_refused_attempt_is_never_let_in(m: Moment) -> bool:
    return not any(key in m.ghost.refused for key in m.admitted if key is not None)


def _no_call_of_a_source_or_below_is_let_in(m: Moment) -> bool:
    keys = [key for key in m.admitted if key is not None]
    return not any(
        source.rollout_id == key.rollout_id and key.attempt <= source.attempt
        for key in keys
        for source in m.ghost.sources
    )


def _a_paused_model_has_no_call_in_flight(m: Moment) -> bool:
    return m.after.admission != "paused" or not m.after.tickets


def _a_call_leaves_only_when_its_task_has_ended(m: Moment) -> bool:
    gone = set(m.before.tickets) - set(m.after.tickets)
    ended = m.action.ticket if type(m.action) is a.Release else None
    return m.replaced or gone <= {ended}


def _a_model_is_closed_exactly_while_a_checkpoint_is_open(m: Moment) -> bool:
    return (m.after.admission == "accepting") == (m.after.fence.phase == "idle")


def _a_prepared_model_stays_paused_until_resume(m: Moment) -> bool:
    quiet = m.after.admission == "paused" and not m.after.tickets
    return m.after.fence.phase not in _QUIET or quiet


def _no_row_reaches_the_ledger_while_a_checkpoint_is_prepared(m: Moment) -> bool:
    if m.before.lineages == m.after.lineages or m.replaced:
        return True
    if type(m.action) is a.Record:
        return m.action.ticket in m.before.tickets and m.before.fence.phase not in _QUIET
    restores = type(m.action) is a.Store and m.before.fence.phase == "restoring"
    return restores or type(m.action) is a.DamageLineage


def _a_committed_ledger_never_changes(m: Moment) -> bool:
    if type(m.action) is a.SetDirectory or m.replaced:
        return True
    after = m.after.disk
    return all(after.get(n) == c for n, c in m.before.disk.items() if c.kind != "partial")


def _a_restored_ledger_holds_the_whole_checkpoint(m: Moment) -> bool:
    storing = m.before.fence.storing
    phases = (m.before.fence.phase, m.after.fence.phase)
    if phases != ("restoring", "restored_paused") or storing is None:
        return True
    content, after = storing.content, m.after
    if content is None or content.damaged:
        return False
    held = all(_rows(after, name) == rows for name, rows in content.lineages)
    alone = len(after.lineages) == len(content.lineages)
    refused = all(key in after.history.refused for key in content.tombstones)
    return held and alone and refused and all(k in after.history.sources for k in content.sources)


def _rows(state: State, name: str) -> Rows | None:
    """The rows of a lineage of the live ledger, whatever somebody else did to its file."""
    lineage = state.lineages.get(name)
    return None if lineage is None else lineage.rows


def _a_restore_that_fails_changes_nothing(m: Moment) -> bool:
    was, now = m.before.fence, m.after.fence
    failed = was.phase == "restoring" and was.storing is not None and now.storing is None
    if m.replaced or m.ghost.before is None or not failed or now.phase == "restored_paused":
        return True
    lineages, history = m.ghost.before
    same = m.after.history.refused == history.refused and m.after.history.sources == history.sources
    return same and m.after.lineages == lineages


def _a_model_has_at_most_one_active_id(m: Moment) -> bool:
    was, now = m.before.fence.active, m.after.fence.active
    if now is not None and now in m.after.history.finished:
        return False
    return m.replaced or was is None or now in (was, None)


def _an_operation_succeeds_at_most_once(m: Moment) -> bool:
    some = watched.successes(m.before, m.after, watched.STORED)
    return m.replaced or not any(one in m.ghost.succeeded for one in some)


def _the_fence_has_an_active_id_exactly_when_it_is_not_idle(m: Moment) -> bool:
    fence = m.after.fence
    under_way = None if fence.storing is None else _PHASE_OF[fence.storing.op]
    storing = fence.phase if fence.phase in _PHASE_OF.values() else None
    return (fence.phase == "idle") == (fence.active is None) and under_way == storing


def _every_committed_root_has_one_boundary_row(m: Moment) -> bool:
    for here in m.published:
        lineages = dict(here.lineages)
        for root in here.roots:
            rows = lineages.get(root.capture_key, ())
            found = [row for row in rows if row.call_id == root.call_id and row.failure is None]
            if len(found) != 1 or root.key in m.ghost.refused or root.key in m.ghost.sources:
                return False
        if len({root.capture_key for root in here.roots}) < len(here.roots):
            return False
        if any(key.capture_key in lineages for key in m.ghost.refused):
            return False
    return True


def _a_committed_lineage_is_the_live_one(m: Moment) -> bool:
    written = [one for here in m.published for one in here.lineages]
    return all(_rows(m.before, name) == rows for name, rows in written)


def _an_auxiliary_model_never_closes(m: Moment) -> bool:
    return m.after.role == "policy" or m.after.admission == "accepting"


PROMISES: Mapping[str, Callable[[Moment], bool]] = {
    "R-PMI-1": _no_call_is_let_in_while_a_checkpoint_is_open,
    "R-PMI-2": _a_call_of_a_refused_attempt_is_never_let_in,
    "R-PMI-3": _no_call_of_a_source_or_below_is_let_in,
    "R-PMI-4": _a_paused_model_has_no_call_in_flight,
    "R-PMI-5": _a_call_leaves_only_when_its_task_has_ended,
    "R-PMI-6": _a_model_is_closed_exactly_while_a_checkpoint_is_open,
    "R-PMI-7": _a_prepared_model_stays_paused_until_resume,
    "R-PMI-8": _no_row_reaches_the_ledger_while_a_checkpoint_is_prepared,
    "R-PMI-9": _a_committed_ledger_never_changes,
    "R-PMI-10": _a_restored_ledger_holds_the_whole_checkpoint,
    "R-PMI-11": _a_restore_that_fails_changes_nothing,
    "R-PMI-12": _a_model_has_at_most_one_active_id,
    "R-PMI-13": _an_operation_succeeds_at_most_once,
    "R-PMI-14": _the_fence_has_an_active_id_exactly_when_it_is_not_idle,
    "R-PMI-15": _every_committed_root_has_one_boundary_row,
    "R-PMI-16": _a_committed_lineage_is_the_live_one,
    "R-PMI-17": _an_auxiliary_model_never_closes,
}
"""Every `always` of the specification of a model, by its id."""


def broken(before: State, action: Any, step: Step, ghost: Ghost) -> tuple[Property, ...]:
    """The promises that a step breaks, given what was remembered before it."""
    moment = Moment(before, action, step, ghost)
    return tuple(BY_ID[name] for name, kept in PROMISES.items() if not kept(moment))
