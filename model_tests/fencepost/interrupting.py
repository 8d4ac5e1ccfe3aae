"""Awaits a coroutine in the task of whoever awaits it, and can leave it where it stands.

The coroutine notices nothing: it runs in the same task and context and in the same turns of the
event loop as if it were awaited plainly, and a cancellation of the task reaches it. Once it was
left, another task can await the rest of it, as if it had been a branch of the first one.
"""

import asyncio
from collections.abc import Callable, Coroutine, Generator
from contextvars import Context
from types import coroutine
from typing import Any


class Left(Exception):
    """A coroutine was left before its end; somebody has to await the rest of it."""


class Leavable:
    """A coroutine that one task awaits, and whose rest another one may."""

    def __init__(self, body: Coroutine[Any, Any, None]) -> None:
        self._body = body
        self._leaving = False
        self._door: _Door | None = None
        # What the body waits for; None when it only gave way to others.
        self._future: asyncio.Future[Any] | None = None

    def leave(self) -> None:
        """Let the one who awaits go on with `Left` when the event loop next turns.

        A body that comes to its end before that is not left.
        """
        self._leaving = True
        if self._door is not None:
            self._door.open()

    def __await__(self) -> Generator[Any, None, None]:
        """Await the body to its end, or raise `Left`."""
        thrown: BaseException | None = None
        while self._goes_on(thrown):
            if self._leaving:
                raise Left
            future = self._future
            self._door = None if future is None else _Door(future)
            thrown = yield from self._waiting(self._door)
            if thrown is None and self._door is not None and self._door.opened:
                raise Left

    @coroutine
    def rest(self) -> Generator[Any, None, None]:
        """Await what is left of the body."""
        while True:
            if self._future is not None:
                self._future._asyncio_future_blocking = True  # see `_Door`
            thrown = yield from self._waiting(self._future)
            if not self._goes_on(thrown):
                return

    def _goes_on(self, thrown: BaseException | None) -> bool:
        """Let the body run until it waits again; False when it has come to its end."""
        try:
            self._future = self._body.throw(thrown) if thrown else self._body.send(None)
        except StopIteration:
            return False
        return True

    def _waiting(
        self, what: "asyncio.Future[Any] | None"
    ) -> Generator[Any, None, BaseException | None]:
        """Have the task wait, and return what it is to raise in the body."""
        try:
            yield what
        except GeneratorExit:
            self._body.close()
            raise
        except BaseException as error:  # noqa: BLE001 - whatever it is, the body is to hear of it
            return error
        return None


class _Door(asyncio.Future[Any]):
    """Stands before a future that a task waits for: it opens with it, or when it is told to.

    asyncio takes any object for a future that keeps to its contract: whoever yields one sets
    `_asyncio_future_blocking`, and the task that waits adds a callback, cancels it, asks its
    result. So what happens here happens in the turn in which it happens to the future behind it.
    """

    def __init__(self, behind: "asyncio.Future[Any]") -> None:
        super().__init__(loop=behind.get_loop())
        self._behind = behind
        behind._asyncio_future_blocking = False  # nobody waits for it but this
        self._asyncio_future_blocking = True
        self.opened = False
        self._wake: Callable[[_Door], object] | None = None
        self._context: Context | None = None

    def open(self) -> None:
        """Let the task that waits go on, unless the future behind is first."""
        self.get_loop().call_soon(self._woken, None, context=self._context)

    def add_done_callback(
        self, fn: "Callable[[_Door], object]", /, *, context: Context | None = None
    ) -> None:
        self._wake, self._context = fn, context
        self._behind.add_done_callback(self._woken, context=context)

    def _woken(self, by: "asyncio.Future[Any] | None") -> None:
        wake, self._wake = self._wake, None
        if wake is not None:
            self.opened = by is None
            wake(self)

    def cancel(self, msg: Any | None = None) -> bool:
        return self._behind.cancel(msg)

    def result(self) -> Any:
        return None if self.opened else self._behind.result()
