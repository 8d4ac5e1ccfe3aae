"""What is around an agent: its handlers, and what callers know; and all of it as parts of a state.

The core knows its side. What its handlers do and what its callers were told follows from what was
seen, so that a participant that forgets a handler still has it.
"""

from typing import Any

import attrs
from immutables import Map

from fencepost.exploring.recording import assembled
from fencepost.exploring.small_world import Parts
from fencepost_reference.receipts import actions as a
from fencepost_reference.receipts.changes import change
from fencepost_reference.receipts.ghost import Ghost
from fencepost_reference.receipts.state import Boundary, Receipt, State
from fencepost_spec.vocabulary import Key

_EMPTY: Map[Any, Any] = Map()

ModelCall = tuple[str | None, str | None]
"""Under which capture key the last model call was made, and its id."""


@attrs.frozen(slots=False)
class Handler:
    """A handler that runs. `held` is the event of its that is not answered; `wait` one it is in."""

    index: int = -1
    call: ModelCall = (None, None)
    held: str = ""
    wait: str = ""
    refused: bool = False
    cancelled: bool = False


@attrs.frozen(slots=False)
class Around:
    """Handlers, the receipts of finished runs as their clients know them, and what may yet fail.

    `left` is how many crashes, lost replies, faults and repeated calls may still come.
    """

    handlers: Map[Key, Handler] = _EMPTY
    done: Map[Key, Receipt] = _EMPTY
    left: tuple[int, int, int, int] = (0, 0, 0, 0)

    def began(self, began: a.Began) -> "Around":
        """A handler has started."""
        if began.key is None:
            return self
        made = Handler()
        continuation = began.continuation
        if continuation is not None:
            made = Handler(continuation.index, call_of(continuation))
        return self.with_handler(began.key, made)

    def with_handler(self, key: Key, handler: Handler | None) -> "Around":
        """A handler stands otherwise, or is gone."""
        handlers = self.handlers
        if handler is not None:
            return change(self, handlers=handlers.set(key, handler))
        return change(self, handlers=handlers.delete(key)) if key in handlers else self

    def returned(self, key: Key, code: str | None) -> "Around":
        """An event of a handler is answered."""
        handler = self.handlers.get(key)
        if handler is None or not handler.held:
            return self
        wait, refused = handler.wait, handler.refused
        if handler.held == "wait_end" or (handler.held == "wait_begin" and code is not None):
            wait, refused = "", False
        elif handler.held == "refusal":
            refused = True
        return self.with_handler(key, change(handler, held="", wait=wait, refused=refused))

    def cancelled(self, key: Key) -> "Around":
        """A handler was told to stop."""
        handler = self.handlers.get(key)
        return self if handler is None else self.with_handler(key, change(handler, cancelled=True))


@attrs.frozen
class Turn:
    """What is otherwise around a participant when an action has been taken.

    `handler` stands so from now on, or is gone; `done` is a run whose client was told its receipt;
    `spends` is one of what may yet fail; after a crash no handler is left.
    """

    handler: tuple[Key, Handler | None] | None = None
    done: tuple[Key, Receipt] | None = None
    spends: int | None = None
    crash: bool = False

    def of(self, around: Around) -> Around:
        """What is around then."""
        if self.handler is not None:
            around = around.with_handler(*self.handler)
        if self.done is not None:
            around = change(around, done=around.done.set(*self.done))
        if self.spends is not None:
            left = list(around.left)
            left[self.spends] -= 1
            around = change(around, left=(left[0], left[1], left[2], left[3]))
        return change(around, handlers=_EMPTY) if self.crash else around


NO_TURN = Turn()


def call_of(boundary: Boundary) -> ModelCall:
    """The model call that a boundary names."""
    return (None, None) if boundary.call_id is None else (boundary.capture_key, boundary.call_id)


STATE_FIELDS = tuple(field.name for field in attrs.fields(State))
AROUND_FIELDS = tuple(field.name for field in attrs.fields(Around))
GHOST_FIELDS = tuple(field.name for field in attrs.fields(Ghost))
FIELDS = (*STATE_FIELDS, *AROUND_FIELDS, *GHOST_FIELDS)
"""What stands in each place of a state: of the participant, around it, and what a watcher keeps."""

_STATE = len(STATE_FIELDS)
_AROUND = _STATE + len(AROUND_FIELDS)


def parts_of(state: State, around: Around, ghost: Ghost) -> Parts:
    """All three as one tuple. The order of the fields is that in which the classes declare them."""
    return (*state.__dict__.values(), *around.__dict__.values(), *ghost.__dict__.values())


def whole_of(parts: Parts) -> tuple[State, Around, Ghost]:
    """The three that the parts were taken from."""
    ghost: Ghost = assembled(Ghost, GHOST_FIELDS, parts[_AROUND:])
    return state_of(parts), around_of(parts), ghost


def state_of(parts: Parts) -> State:
    """The state of the participant."""
    state: State = assembled(State, STATE_FIELDS, parts[:_STATE])
    return state


def around_of(parts: Parts) -> Around:
    """What is around the participant."""
    around: Around = assembled(Around, AROUND_FIELDS, parts[_STATE:_AROUND])
    return around
