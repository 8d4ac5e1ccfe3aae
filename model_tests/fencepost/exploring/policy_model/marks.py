"""What a step of a policy model shows to those who look for something that must be possible."""

from collections.abc import Iterator
from typing import Any

from fencepost.exploring.servers.scope import text_of
from fencepost_reference.model import Step
from fencepost_reference.receipts.policy_model import actions as a
from fencepost_reference.receipts.policy_model.promises import Ghost, Moment
from fencepost_reference.receipts.policy_model.state import State

_NOTHING = Ghost()


def marks_of(before: State, action: Any, step: Step) -> Iterator[str]:
    """The marks of one step."""
    after: State = step.state
    if type(action) is a.Replace:
        yield "crash"
    elif type(action) is a.EndDrain:
        yield "drained"
    elif type(action) is a.Admit and len(after.tickets) > len(before.tickets):
        yield "let in"
        if action.key is not None:
            yield f"let in {text_of(action.key)}"
    elif type(action) is a.Release and action.ticket not in after.tickets:
        ticket = before.tickets[action.ticket]
        if ticket.key is not None and ticket.status == "cancelled":
            yield f"ended cancelled {text_of(ticket.key)}"
    elif type(action) is a.Call and action.op == "resume":
        if before.fence.phase == "restore_failed_paused" and after.fence.phase == "idle":
            yield f"given up {before.fence.active}"
    elif type(action) is a.Store:
        yield from _of_store(before, action, step)


def _of_store(before: State, action: a.Store, step: Step) -> Iterator[str]:
    moment = Moment(before, action, step, _NOTHING)
    after = moment.after
    for content in moment.published:
        yield "written"
        yield from (f"written {name}" for name, _ in content.lineages)
    if before.fence.phase != "restoring" or after.fence.phase == "restoring":
        return
    if after.fence.phase != "restored_paused":
        yield f"failed {before.fence.active}"
        return
    yield f"succeeded {before.fence.active}"
    for key in after.history.sources:
        if key not in before.history.sources:
            yield f"restored {text_of(key)}"
            yield f"restored {key.capture_key}"
