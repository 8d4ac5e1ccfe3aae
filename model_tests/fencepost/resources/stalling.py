"""How a finite trace shows a stall: what must have happened at a point of rest, and has not."""

from fencepost.mismatch import Mismatch
from fencepost.resources.comparing import expected_text
from fencepost_reference.receipts import actions as shared
from fencepost_reference.receipts.resources import actions as a
from fencepost_reference.receipts.resources.server import ResourcesCore
from fencepost_reference.receipts.resources.state import State


def outstanding_at_rest(core: ResourcesCore, state: State) -> Mismatch | None:
    """What must have happened before a point of rest, and has not."""
    for own in core.own(state):
        if own.must:
            waiting = state.calls.get(own.subject) if isinstance(own.subject, str) else None
            reply = None if waiting is None else waiting.reply
            wanted = f"{own.subject} goes on" if reply is None else expected_text(reply)
            kind = own.action.__class__
            came = f"still outstanding at rest: {_OWN.get(kind, 'a step')}"
            return Mismatch(wanted, came, own.rule, 4 if own.hidden else 5, stall=True)
    return None


_OWN = {
    shared.Leave: "an answer that is decided",
    shared.Store: "a storage step",
    shared.Conclude: "the end of a prepare",
    a.Miss: "the end of a prepare",
    a.Export: "a snapshot",
    a.TakeLock: "a request whose lock is free",
    a.Publish: "the answer of a handler that ended",
    a.Drop: "a retired session whose lock is free",
    a.MissRetire: "a retire whose deadline has come",
}
