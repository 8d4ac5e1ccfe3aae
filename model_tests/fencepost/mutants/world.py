"""What a harness knows of a participant: handlers that began, calls that are open, what was told.

Everything here follows from the lines that were seen, never from the participant's own state: a
handler that a wrong participant has forgotten still runs, and can still do something.
"""

import attrs

from fencepost_reference.receipts.actions import Began
from fencepost_reference.receipts.state import Receipt
from fencepost_spec.vocabulary import Key


@attrs.frozen
class Handler:
    """A handler that began and has not ended. `held` is the token of its event that waits."""

    key: Key | None
    call: str
    held: int = 0
    wait: str | None = None
    refused: bool = False
    index: int = -1
    variant: str = ""
    model_call: str | None = None
    ended: bool = False


@attrs.frozen
class Open:
    """A call without an answer."""

    id: str
    op: str
    key: Key | None = None
    checkpoint: str | None = None


@attrs.frozen
class World:
    """Handlers, open calls, receipts of finished runs, faults put in, directories seen."""

    handlers: tuple[Handler, ...] = ()
    open: tuple[Open, ...] = ()
    done: tuple[tuple[Key, Receipt], ...] = ()
    faults: frozenset[str] = frozenset()
    directories: frozenset[str] = frozenset()
    crashes: int = 0

    def handler(self, key: Key | None) -> Handler | None:
        """The handler of a key that can act or waits, if one runs."""
        return next((one for one in self.handlers if one.key == key and not one.ended), None)

    def fresh_call(self) -> str:
        """A call id that no open call has, and no handler that still runs was called by."""
        taken = {call.id for call in self.open} | {handler.call for handler in self.handlers}
        return next(name for name in (f"q{n}" for n in range(1, 99)) if name not in taken)

    def fresh_token(self) -> int:
        """A number that no waiting event has."""
        taken = {handler.held for handler in self.handlers}
        return next(number for number in range(1, 99) if number not in taken)

    def receipt(self, key: Key) -> Receipt | None:
        """The receipt of a run that finished, as its client can work it out."""
        return next((receipt for done, receipt in self.done if done == key), None)

    def called(self, call: Open) -> "World":
        """The world in which a call is open."""
        return attrs.evolve(self, open=(*self.open, call))

    def answered(self, call: str) -> "World":
        """The world in which a call is open no longer."""
        return attrs.evolve(self, open=tuple(one for one in self.open if one.id != call))

    def began(self, began: Began) -> "World":
        """The world in which a handler has begun."""
        handler = Handler(began.key, began.call or "")
        if began.continuation is not None:
            handler = attrs.evolve(handler, index=began.continuation.index)
        ordered = sorted((*self.handlers, handler), key=_place)
        return attrs.evolve(self, handlers=tuple(ordered))

    def with_handler(self, before: Handler, after: Handler | None) -> "World":
        """The world in which one handler stands otherwise, or is gone."""
        places = list(self.handlers)
        place = places.index(before)
        places[place : place + 1] = [] if after is None else [after]
        return attrs.evolve(self, handlers=tuple(places))

    def returned(self, token: int) -> "World":
        """The world in which the event of that number waits no longer."""
        for handler in self.handlers:
            if handler.held == token:
                freed = None if handler.ended else attrs.evolve(handler, held=0)
                return self.with_handler(handler, freed)
        return self

    def replaced(self) -> "World":
        """The world after a crash: no handler runs, and no call will be answered."""
        return attrs.evolve(self, handlers=(), open=(), crashes=self.crashes + 1)


def _place(handler: Handler) -> tuple[str, int, str]:
    key = handler.key
    return ("", 0, handler.call) if key is None else (key.rollout_id, key.attempt, handler.call)
