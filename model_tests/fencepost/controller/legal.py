"""What a controller could do next, in few words: deeds that the ladders would let pass."""

from collections.abc import Iterator
from typing import Any

from fencepost_reference.receipts.controller import actions as a
from fencepost_reference.receipts.controller.actions import Request
from fencepost_reference.receipts.controller.said import Place
from fencepost_reference.receipts.controller.watch.core import Refused, Watcher
from fencepost_reference.receipts.controller.watch.state import Watch

_MAX = 8


def legal_texts(watcher: Watcher, watch: Watch) -> tuple[str, ...]:
    """Some deeds that would be legal now."""
    found: dict[str, None] = {}
    for text, deed in _candidates(watch):
        if not isinstance(watcher.step(watch, deed), Refused):
            found[text] = None
    return tuple(found)[:_MAX]


def _candidates(watch: Watch) -> Iterator[tuple[str, Any]]:
    transaction = watch.transaction
    open_id = transaction.checkpoint_id if transaction and transaction.open_at else "a-new-id"
    for place in sorted(transaction.open_at if transaction else ()):
        request = Request(open_id)
        yield f"resume {open_id} at {place}", a.Sent("", place, "resume", request)
    for key in sorted(watch.owed()):
        known = watch.attempts[key]
        if known.receipt is not None:
            request = Request(receipts=((key, known.receipt),))
            text = f"acknowledge {key.rollout_id} attempt {key.attempt}"
            yield text, a.Sent("", known.agent, "acknowledge-completed", request)
    for group in watch.ordered():
        place = Place("agent", group.agent)
        if group.live:
            for key in group.executions():
                for each in (key, key.next()):
                    text = f"run {each.rollout_id} attempt {each.attempt}"
                    yield text, a.Sent("", place, "run", Request(key=each))
                text = f"retire {key.rollout_id} attempt {key.attempt}"
                yield text, a.Sent("", place, "retire", Request(open_id, key=key))
    for place in watch.settings.places:
        for op in ("pause", "prepare"):
            yield f"{op} {open_id} at {place}", a.Sent("", place, op, Request(open_id))
