"""What a step of a resources server shows to those who look for something that must be possible."""

from collections.abc import Iterator
from typing import Any

from fencepost.exploring.servers.scope import text_of
from fencepost_reference.model import Step
from fencepost_reference.receipts.actions import Conclude, Store
from fencepost_reference.receipts.resources import actions as a
from fencepost_reference.receipts.resources.ghost import Ghost, Moment, installed, published
from fencepost_reference.receipts.resources.state import State
from fencepost_spec.receipts.resources.operations import FOREIGN_SESSIONS

_NOTHING = Ghost()


def marks_of(before: State, action: Any, step: Step) -> Iterator[str]:
    """The marks of one step."""
    after: State = step.state
    if type(action) is a.Replace:
        yield "crash"
        if after.restore_awaited:
            yield "crash expecting"
        return
    for key in after.history.refused:
        if key not in before.history.refused:
            yield f"refused {text_of(key)}"
    if type(action) is Conclude:
        yield "prepared"
        if before.sessions and before.settings.mode != "export_restore":
            yield "prepared unwritten"
    elif type(action) is a.Miss:
        yield "missed"
    elif type(action) is Store:
        yield from _of_store(before, action, step)
    elif type(action) is a.TakeLock:
        yield from _of_lock(before, action, step)
    elif type(action) is a.Publish:
        yield from _of_end(before, action, after)
    elif type(action) is a.Drop and action.key not in after.sessions:
        yield f"dropped {text_of(action.key)}"


def _of_store(before: State, action: Store, step: Step) -> Iterator[str]:
    moment = Moment(before, action, step, _NOTHING)
    for _, directory in published(moment):
        for key, _ in directory.records:
            yield f"written {text_of(key)}"
            session = before.sessions.get(key)
            if session is not None and session.status == "restored":
                yield f"written unused {text_of(key)}"
    records = installed(moment)
    if records is not None:
        yield from (f"restored {text_of(key)}" for key, _ in records)
    elif before.fence.phase == "restoring" and moment.after.fence.phase != "restoring":
        yield "restore refused"
        if FOREIGN_SESSIONS in step.rules:
            yield "foreign"


def _of_lock(before: State, action: a.TakeLock, step: Step) -> Iterator[str]:
    request = before.requests[action.request]
    if step.outputs:
        if request.key is not None:
            yield f"begins {text_of(request.key)}"
        return
    after: State = step.state
    waiting = after.calls.get(action.request)
    if waiting is None or waiting.reply is None or request.key is None:
        return
    replayed = waiting.reply.code is None
    yield f"replayed {text_of(request.key)}" if replayed else "refused under its lock"


def _of_end(before: State, action: a.Publish, after: State) -> Iterator[str]:
    request = before.requests[action.request]
    key = request.key
    if key is None:
        return
    was, now = before.sessions.get(key), after.sessions.get(key)
    if now is not None and now.status == "uncertain" and was != now:
        yield f"uncertain {text_of(key)}"
    if now is not None and now.status == "bound" and was != now:
        fresh = was is not None and was.status == "restored" and now.revision == 1
        yield f"afresh {text_of(key)}" if fresh else f"changed {text_of(key)}"
    for other in before.sessions:
        if other.rollout_id == key.rollout_id and other not in after.sessions and other != key:
            yield f"superseded {text_of(other)}"
