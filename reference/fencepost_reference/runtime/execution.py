"""What a handler holds of its own run: where it can continue, where it waits, when it parks.

A handler that calls these at the right places can be parked, written down and continued elsewhere.
Every call may wait until a later resume; one that is refused raises `Refused`.
"""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any, Final, TypeVar

from fencepost_reference.receipts import actions as a
from fencepost_reference.runtime.engine import Engine
from fencepost_reference.runtime.errors import NotParked, Refused
from fencepost_reference.runtime.events import happen
from fencepost_reference.runtime.handlers import Handlers
from fencepost_reference.runtime.records import Record, Records, read
from fencepost_spec.vocabulary import Key

T = TypeVar("T")

DOWNSTREAM: Final = frozenset({"checkpoint_parked", "resources_admission_closed"})
"""The codes by which a server further down says that it is paused and has done nothing."""

BACKOFF_SECONDS: Final = 0.05
BACKOFF_SECONDS_MAX: Final = 1.0


class Execution:
    """One run, as its handler sees it. A run without identity has neither rollout nor record."""

    def __init__(
        self,
        engine: Engine,
        handlers: Handlers,
        records: Records,
        began: a.Began,
    ) -> None:
        self.key: Key | None = began.key
        self.generation = began.generation
        self.continuation: dict[str, Any] | None = None
        """The restored record that the run continues from, or None."""
        self._engine = engine
        self._handlers = handlers
        self._records = records
        self._call = began.call
        if began.continuation is not None:
            self.continuation = records.of(began.continuation).model_dump(mode="json")

    @property
    def rollout_id(self) -> str | None:
        """The rollout, or None for a run without identity."""
        return None if self.key is None else self.key.rollout_id

    @property
    def attempt(self) -> int | None:
        """The attempt, or None for a run without identity."""
        return None if self.key is None else self.key.attempt

    async def boundary(self, record: Record) -> None:
        """The work can be continued from this record; returns when it may go on.

        Raises ValueError when it is no record, and Refused when it names another run or does not
        lie beyond the last one.
        """
        own = read(record)
        boundary = self._records.keep(own)
        matches = self.key is None or own.key == self.key
        await self._happen("boundary", boundary=boundary, identity_matches=matches)

    async def park(self) -> None:
        """A call further down was refused; returns after resume, when it is to be issued again.

        Raises NotParked when no prepare is active: issue the call again, a little later.
        """
        await self._happen("park")

    def refused(self, code: str) -> None:
        """The call that the open wait stands for was refused further down: that is no reply."""
        assert code  # Which one it is makes no difference.
        if self._engine.alive:
            self._engine.apply(a.Work("refusal", self.key, self._engine.new_token()))

    async def begin_model_wait(self) -> None:
        """A model call is about to be made; the work may be written down until it is answered."""
        await self._happen("wait_begin", wait="model")

    async def end_model_wait(self) -> None:
        """The model has answered; returns when the work may go on with it."""
        await self._happen("wait_end", wait="model")

    async def begin_external_wait(self) -> None:
        """The work is about to wait for something outside that can be asked for again."""
        await self._happen("wait_begin", wait="external")

    async def end_external_wait(self) -> None:
        """What was waited for is there; returns when the work may go on with it."""
        await self._happen("wait_end", wait="external")

    def model_wait(self) -> AbstractAsyncContextManager[None]:
        """A block that is one model call."""
        return self._wait(self.begin_model_wait, self.end_model_wait)

    def external_wait(self) -> AbstractAsyncContextManager[None]:
        """A block that is one wait for something outside."""
        return self._wait(self.begin_external_wait, self.end_external_wait)

    async def reissue(self, call: Callable[[], Awaitable[T]]) -> T:
        """Make a call further down, again and again while it is refused because of a checkpoint.

        The work parks at each refusal. When no prepare is active here, it waits for a moment that
        doubles up to `BACKOFF_SECONDS_MAX`. A run without identity gets the refusal.
        """
        pause = BACKOFF_SECONDS
        while True:
            try:
                return await call()
            except Refused as refusal:
                if refusal.code not in DOWNSTREAM or self.key is None:
                    raise
            try:
                await self.park()
                pause = BACKOFF_SECONDS
            except NotParked:
                await asyncio.sleep(pause)
                pause = min(2 * pause, BACKOFF_SECONDS_MAX)

    @asynccontextmanager
    async def _wait(
        self, begin: Callable[[], Awaitable[None]], end: Callable[[], Awaitable[None]]
    ) -> AsyncGenerator[None]:
        await begin()
        try:
            yield
        except asyncio.CancelledError:
            # The participant's own cancellation ends the run where it stands; any other is kept
            # until the work may move.
            if not self._handlers.is_cancelled(self._name):
                await end()
            raise
        except Refused as refusal:
            if refusal.code in DOWNSTREAM:
                self.refused(refusal.code)
            await end()
            raise
        except Exception:
            await end()
            raise
        else:
            await end()

    @property
    def _name(self) -> Key | str:
        return (self._call or "") if self.key is None else self.key

    async def _happen(self, event: str, **more: Any) -> None:
        token = self._engine.new_token()
        await happen(self._engine, a.Work(event, self.key, token, call=self._call, **more))
