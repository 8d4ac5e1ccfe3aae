"""An event loop whose time moves only when nothing else can happen.

Waiting costs nothing and no deadline falls due by accident: while a callback is ready or a worker
thread is busy, time stands still. Tests and checks run in it; a server does not.
"""

import asyncio
import selectors
from collections.abc import Callable
from typing import Any, TypeVar, TypeVarTuple

from fencepost_spec.vocabulary import microseconds, seconds_of

T = TypeVar("T")
Ts = TypeVarTuple("Ts")


class _Selector(selectors.DefaultSelector):
    """Instead of sleeping until the next timer, it moves the clock there."""

    def __init__(self) -> None:
        super().__init__()
        self.now_us = 0
        self.threads = 0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout is None or timeout <= 0 or self.threads:
            return super().select(None if self.threads and timeout else timeout)
        ready = super().select(0)
        if not ready:
            # At least one microsecond, or a remainder that rounds to nothing would never pass.
            self.now_us += max(1, microseconds(timeout))
        return ready


class VirtualLoop(asyncio.SelectorEventLoop):
    """A selector event loop in virtual time, which starts at zero.

    >>> async def naps() -> float:
    ...     await asyncio.sleep(3600)
    ...     return asyncio.get_running_loop().time()
    >>> with asyncio.Runner(loop_factory=VirtualLoop) as runner:
    ...     runner.run(naps())
    3600.0
    """

    def __init__(self) -> None:
        self._clock = _Selector()
        super().__init__(self._clock)

    def time(self) -> float:
        """Seconds since the loop was made."""
        return seconds_of(self._clock.now_us)

    def run_in_executor(
        self, executor: Any, func: Callable[[*Ts], T], *args: *Ts
    ) -> "asyncio.Future[T]":
        """Run a function in a worker thread; time stands still until it returns."""
        future = super().run_in_executor(executor, func, *args)
        self._clock.threads += 1
        future.add_done_callback(self._returned)
        return future

    # The signature is the library's; a limit in virtual time would mean nothing.
    async def shutdown_default_executor(
        self,
        timeout: float | None = None,  # noqa: ASYNC109, ARG002 - see above the function
    ) -> None:
        """Wait for the worker threads, however long they take: their time is real."""
        self._clock.threads += 1
        await super().shutdown_default_executor()
        self._clock.threads -= 1

    def _returned(self, _future: "asyncio.Future[Any]") -> None:
        self._clock.threads -= 1
