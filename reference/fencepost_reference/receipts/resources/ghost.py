"""What has to be remembered of a run to ask whether the promises of a resources server were kept.

Whoever watches a run keeps a `Ghost` beside it, a value that is folded over the steps. Not decided
here: what is promised (`promises.py`).
"""

from typing import Any

import attrs
from immutables import Map

from fencepost_reference.model import Step
from fencepost_reference.receipts import watched
from fencepost_reference.receipts.actions import Call, Store
from fencepost_reference.receipts.changes import change
from fencepost_reference.receipts.resources.actions import Began, Handled, Replace
from fencepost_reference.receipts.resources.state import Directory, Records, State
from fencepost_spec.receipts.resources.routes import READ, START, UNGATED
from fencepost_spec.vocabulary import Key

_EMPTY: Map[Any, Any] = Map()


@attrs.frozen(slots=False)
class Ghost:
    """What a watcher remembers. Of a process that ended it keeps what its checkpoints hold."""

    # Requests with a key whose handler succeeded, by session and request id.
    served: Map[tuple[Key, str], bool] = _EMPTY
    # The same, of the sessions that each committed directory holds.
    written: Map[str, frozenset[tuple[Key, str]]] = _EMPTY
    # Every operation of a checkpoint id that has succeeded in this process.
    succeeded: Map[tuple[str | None, str], bool] = _EMPTY
    # Whether the handler of a gated request that may change something has started here.
    stateful: bool = False


class Moment(watched.Moment[State, Ghost]):
    """One step of a resources server."""

    @property
    def replaced(self) -> bool:
        """Whether the process ended here."""
        return type(self.action) is Replace

    @property
    def began(self) -> tuple[Began, ...]:
        """The handlers that started in the step."""
        return tuple(one for one in self.step.outputs if type(one) is Began)


def is_call(action: Any, op: str) -> bool:
    """Whether an action is a call of that operation."""
    return type(action) is Call and action.op == op


def published(moment: Moment) -> tuple[tuple[str, Directory], ...]:
    """The directories that the server made visible as committed in this step."""
    before, after = moment.before.disk, moment.after.disk
    if type(moment.action) is not Store or before is after:
        return ()
    return tuple(
        (name, directory)
        for name, directory in after.items()
        if directory.kind == "committed" and before.get(name) != directory
    )


def installed(moment: Moment) -> Records | None:
    """What a restore installed in this step, or None when no restore ended well in it."""
    storing = moment.before.fence.storing
    if storing is None or storing.op != "restore" or type(moment.action) is not Store:
        return None
    return storing.records if moment.after.fence.phase == "restored_paused" else None


def remembered(ghost: Ghost, before: State, action: Any, step: Step) -> Ghost:
    """What is remembered after a step."""
    moment = Moment(before, action, step, ghost)
    after = moment.after
    if moment.replaced:
        return Ghost(written=ghost.written)
    stateful = ghost.stateful or any(_may_change(after, one) for one in moment.began)
    served, written, succeeded = ghost.served, ghost.written, ghost.succeeded
    if type(action) is Handled and 0 < action.outcome.status < 400:
        request = before.requests[action.request]
        # A key that is refused by now has no effect any more.
        changes = request.kind not in (READ, UNGATED) and after.settings.mode != "stateless"
        if request.key is not None and changes and request.request_id:
            if request.kind == START:  # What came before belongs to a state that is gone.
                for one in served:
                    served = served.delete(one) if one[0] == request.key else served
            served = served.set((request.key, request.request_id), True)
    for name, directory in published(moment):
        keys = {key for key, _ in directory.records}
        written = written.set(name, frozenset(one for one in served if one[0] in keys))
    records = installed(moment)
    if records is not None and before.fence.storing is not None:
        for key, request_id in written.get(before.fence.storing.directory, frozenset()):
            served = served.set((key.next(), request_id), True)
    for success in watched.successes(before, after):
        succeeded = succeeded.set(success, True)
    return change(ghost, served=served, written=written, succeeded=succeeded, stateful=stateful)


def _may_change(state: State, began: Began) -> bool:
    return state.requests[began.request].kind not in (READ, UNGATED)
