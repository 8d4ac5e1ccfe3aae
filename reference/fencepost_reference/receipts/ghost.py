"""What has to be remembered of a run to ask whether its promises were kept.

A state forgets what it does not need. Whoever watches a run keeps a `Ghost` beside it, a value
that is folded over the steps; the participant never sees it. Not decided here: what is promised
(`promises.py`).
"""

from typing import Any

import attrs
from immutables import Map

from fencepost_reference.model import Step
from fencepost_reference.receipts import actions as a
from fencepost_reference.receipts import watched
from fencepost_reference.receipts.changes import change
from fencepost_reference.receipts.state import COUNTED, Boundary, Directory, Receipt, State
from fencepost_reference.receipts.tables import touched
from fencepost_spec.vocabulary import Key

_EMPTY: Map[Any, Any] = Map()


@attrs.frozen(slots=False)
class Ghost:
    """What a watcher remembers of one process; a new process starts with nothing remembered."""

    # Keys whose handler has begun and has not ended.
    handlers: Map[Key, bool] = _EMPTY
    # The highest attempt of each rollout that began or was restored from.
    highest: Map[str, int] = _EMPTY
    # The keys that the open checkpoint counted, each with the record it stood at.
    counted: Map[Key, Boundary | None] = _EMPTY
    # The receipt of each finished result that has not been acknowledged.
    results: Map[Key, Receipt] = _EMPTY
    # Every record that was declared as a boundary of a key, or restored for it.
    declared: Map[tuple[Key, Boundary], bool] = _EMPTY
    # Every operation of a checkpoint id that has succeeded.
    succeeded: Map[tuple[str | None, str], bool] = _EMPTY
    # Keys that were retired while they were live.
    stopped: Map[Key, bool] = _EMPTY
    # Keys that were live or retained and are no more, however that came about.
    over: Map[Key, bool] = _EMPTY


class Moment(watched.Moment[State, Ghost]):
    """One step of an agent."""

    @property
    def replaced(self) -> bool:
        """Whether the process ended here."""
        return type(self.action) is a.Replace


def is_call(action: Any, op: str) -> bool:
    """Whether an action is a call of that operation."""
    return type(action) is a.Call and action.op == op


def admitted(before: State, after: State) -> tuple[Key, ...]:
    """The keys that a step admitted: new ones, and live ones that were started once more."""
    found: list[Key] = []
    for key in touched(before.executions, after.executions):
        execution = after.executions.get(key)
        if execution is None or execution.begun:
            continue
        known = before.executions.get(key)
        if known is None or known.begun or execution.call not in (known.call, None):
            found.append(key)
    return tuple(found)


def published(moment: Moment) -> tuple[Directory, ...]:
    """The directories that the participant made visible as committed in this step."""
    before, after = moment.before.disk, moment.after.disk
    if type(moment.action) is not a.Store or before is after:
        return ()
    return tuple(
        directory
        for name, directory in after.items()
        if directory.kind == "committed" and before.get(name) != directory
    )


def remembered(ghost: Ghost, before: State, action: Any, step: Step) -> Ghost:
    """What is remembered after a step."""
    if type(action) is a.Replace:
        return Ghost()
    after: State = step.state
    ghost = _work_remembered(ghost, action, step)
    if before.executions is not after.executions:
        ghost = _executions_remembered(ghost, before, after)
    if before.fence is not after.fence or before.history is not after.history:
        ghost = _fence_remembered(ghost, before, after)
    return ghost


def _work_remembered(ghost: Ghost, action: Any, step: Step) -> Ghost:
    """Handlers that began or ended, and boundaries that were declared."""
    for output in step.outputs:
        if type(output) is a.Began and output.key is not None:
            ghost = change(ghost, handlers=ghost.handlers.set(output.key, True))
    if type(action) is not a.Work or action.key is None:
        return ghost
    key, boundary = action.key, action.boundary
    if action.event == "finish" and key in ghost.handlers:
        ghost = change(ghost, handlers=ghost.handlers.delete(key))
    if action.event == "boundary" and boundary is not None and action.identity_matches:
        execution = step.state.executions.get(key)
        kept = None if execution is None else execution.boundary
        if kept is not None and stands_for(kept, boundary):
            ghost = change(ghost, declared=ghost.declared.set((key, kept), True))
    return ghost


def _executions_remembered(ghost: Ghost, before: State, after: State) -> Ghost:
    """Attempts that began, results that were kept or released, keys that were retired."""
    highest, results, stopped = ghost.highest, ghost.results, ghost.stopped
    for key in admitted(before, after):
        highest = highest.set(key.rollout_id, max(key.attempt, highest.get(key.rollout_id, -1)))
    over = ghost.over
    for key in touched(before.executions, after.executions):
        execution = after.executions.get(key)
        if execution is None:
            over = over.set(key, True)
            continue
        if execution.receipt is not None and key not in results:
            results = results.set(key, execution.receipt)
        if execution.status == "retiring" and key not in stopped:
            stopped = stopped.set(key, True)
    known, acknowledged = before.history.acknowledged, after.history.acknowledged
    for key in touched(known, acknowledged):
        if key in acknowledged and key in ghost.results:
            results = results.delete(key)
    return change(ghost, highest=highest, results=results, stopped=stopped, over=over)


def _fence_remembered(ghost: Ghost, before: State, after: State) -> Ghost:
    """Operations that succeeded, keys that were counted, records that were restored."""
    for success in watched.successes(before, after):
        ghost = change(ghost, succeeded=ghost.succeeded.set(success, True))
        if success[1] == "prepare":
            standing = after.executions.items()
            counted = Map({key: one.record for key, one in standing if one.status in COUNTED})
            ghost = change(ghost, counted=counted)
        elif success[1] == "resume":
            ghost = change(ghost, counted=_EMPTY)
        elif success[1] == "restore" and before.fence.storing is not None:
            ghost = _restored(ghost, before.fence.storing.records, after)
    return ghost


def _restored(ghost: Ghost, records: tuple[tuple[Key, Boundary], ...], after: State) -> Ghost:
    """A restored record stands for the boundary that it was written from."""
    highest, declared = ghost.highest, ghost.declared
    for source, boundary in records:
        claim = source.next()
        highest = highest.set(
            source.rollout_id, max(source.attempt, highest.get(source.rollout_id, -1))
        )
        waiting = after.pending.get(claim)
        if waiting is not None and stands_for(waiting, boundary):
            declared = declared.set((claim, waiting), True)
    return change(ghost, highest=highest, declared=declared)


def stands_for(kept: Boundary, given: Boundary) -> bool:
    """Whether a record that is kept is the given one; who made its model call may differ."""
    return (kept.index, kept.digest, kept.call_id, kept.kind) == (
        given.index,
        given.digest,
        given.call_id,
        given.kind,
    )
