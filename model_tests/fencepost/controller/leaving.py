"""Something that has been begun, and whose end is to be awaited: like a coroutine, but it may stay.

A coroutine that nobody awaits complains when it is dropped; what a controller has asked for is
under way all the same, and a process that ends drops it.
"""

from collections.abc import Callable, Coroutine, Generator
from types import TracebackType
from typing import Any, TypeVar

T = TypeVar("T")


class Leaving(Coroutine[Any, Any, T]):
    """What is awaited is made when somebody first awaits it.

    Who closes it waits no more, whether it was awaited or not: `dropped` is told.
    """

    def __init__(
        self,
        awaiting: Callable[[], Coroutine[Any, Any, T]],
        dropped: Callable[[], None] | None = None,
    ) -> None:
        self._awaiting = awaiting
        self._dropped = dropped
        self._made: Coroutine[Any, Any, T] | None = None

    def _coroutine(self) -> Coroutine[Any, Any, T]:
        if self._made is None:
            self._made = self._awaiting()
        return self._made

    def __await__(self) -> Generator[Any, Any, T]:
        return self._coroutine().__await__()

    def send(self, value: Any, /) -> Any:
        """Go on."""
        return self._coroutine().send(value)

    def throw(self, typ: Any, val: Any = None, tb: TracebackType | None = None, /) -> Any:
        """Go on with an exception."""
        if val is None and tb is None:
            return self._coroutine().throw(typ)
        return self._coroutine().throw(typ, val, tb)

    def close(self) -> None:
        """Stop waiting."""
        if self._made is not None:
            self._made.close()
        if self._dropped is not None:
            self._dropped()
