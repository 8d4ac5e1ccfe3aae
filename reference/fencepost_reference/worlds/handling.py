"""What runs in an agent: the rollouts' own steps, and what becomes of them.

A rollout records boundaries, calls a policy model, changes what a resources server keeps, and ends.
Refused for a checkpoint, it parks. Which of it comes next, somebody outside decides.
"""

from typing import Any

from immutables import Map

from fencepost_reference.receipts import actions as agent
from fencepost_reference.receipts.changes import change
from fencepost_reference.receipts.state import Boundary
from fencepost_reference.worlds.setting import Setting
from fencepost_reference.worlds.state import Handler, State
from fencepost_spec.vocabulary import Key

RESULT = ("f" * 64, "result")
"""The digest and the name of every result: who made it is told by its key."""

_WIDTH = 1000


def token_of(key: Key) -> int:
    """The number of the events of a rollout; it has at most one that is not answered."""
    return int.from_bytes(key.rollout_id.encode("ascii"), "big") * _WIDTH + key.attempt


def key_of(token: int) -> Key:
    """The key whose events have a number."""
    name, attempt = divmod(token, _WIDTH)
    return Key(name.to_bytes((name.bit_length() + 7) // 8, "big").decode("ascii"), attempt)


def with_handler(state: State, number: int, key: Key, handler: Handler | None) -> State:
    """The world in which a rollout stands otherwise, or does not run."""
    here: Map[Key, Handler] = state.handlers[number]
    if handler is not None:
        here = here.set(key, handler)
    elif key in here:
        here = here.delete(key)
    return with_handlers(state, number, here)


def with_handlers(state: State, number: int, here: Map[Key, Handler]) -> State:
    """The world in which other rollouts run in an agent."""
    known = state.handlers
    return change(state, handlers=(*known[:number], here, *known[number + 1 :]))


def began(state: State, number: int, key: Key, continuation: Boundary | None) -> State:
    """A rollout starts, or goes on from where another attempt stood."""
    handler = Handler()
    if continuation is not None:
        call_id, revisions = continuation.call_id, dict(continuation.revisions)
        call = None if call_id is None else (continuation.capture_key or "", call_id)
        handler = Handler(
            continuation.index, call=call, revision=max(revisions.values(), default=0)
        )
    return with_handler(state, number, key, handler)


def returned(state: State, number: int, output: agent.Returned) -> State:
    """An event of a rollout is answered."""
    key = key_of(output.token)
    handler = state.handlers[number].get(key)
    if handler is None or not handler.held:
        return state
    return with_handler(state, number, key, change(handler, held=""))


def cancelled(state: State, number: int, key: Key) -> State:
    """A rollout is told to stop."""
    handler = state.handlers[number].get(key)
    if handler is None:
        return state
    return with_handler(state, number, key, change(handler, cancelled=True))


def boundary_of(setting: Setting, key: Key, handler: Handler, index: int) -> Boundary:
    """Where a rollout stands now, as it tells its agent."""
    capture_key, call_id = handler.call if handler.call is not None else (None, None)
    used = bool(setting.resources) and handler.revision > 0
    revisions = ((setting.resources[0], handler.revision),) if used else ()
    name = f"b{index}" if not handler.revision else f"b{index}r{handler.revision}"
    return Boundary(index, name, key.attempt, call_id, capture_key, revisions=revisions)


def finished(key: Key, outcome: str) -> Any:
    """The event by which a rollout ends: "completed", "failed" or "cancelled"."""
    result = RESULT if outcome == "completed" else None
    return agent.Work("finish", key, token_of(key), outcome=outcome, result=result)


def parked(key: Key) -> Any:
    """The event by which a rollout that was refused for a checkpoint parks."""
    return agent.Work("park", key, token_of(key))
