"""Runs something on a thread of its own and gives up on it when it stops moving.

An adapter that blocks the event loop cannot be stopped, only left behind. What is watched says
what it does; the one who waits looks how long ago that was.
"""

import asyncio
import threading
import time
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar, cast

import attrs

from fencepost import pulse
from fencepost.faults import FencepostFault, HarnessFault, ParticipantFault, deed

T = TypeVar("T")
Call = Awaitable[T] | Callable[[], Awaitable[T]]
"""A call of an adapter, made or still to be made."""

LIMIT_SECONDS = 10.0
SLACK = 1.5
"""How much longer a call may block Python than it may wait in the event loop."""

_LOOK_SECONDS = 0.05


class Watch:
    """What is being done, since when, and how long it may take."""

    def __init__(self, seconds: float = LIMIT_SECONDS) -> None:
        self.seconds = seconds
        self._what = "the start"
        self._since = time.monotonic()

    def doing(self, what: str) -> None:
        """Something new is being done."""
        self._what = what
        self._since = time.monotonic()
        pulse.do(what)

    def overdue(self) -> str | None:
        """What has taken too long, if anything has."""
        # More than the limit of each call, so that those speak first.
        late = time.monotonic() - self._since > self.seconds * SLACK
        return self._what if late else None


def run_watched(main: Callable[[], T], watch: Watch) -> T:
    """What `main` returns or raises; a `ParticipantFault` when it hangs or wants to end Python."""
    outcome: list[tuple[bool, Any]] = []
    ended = threading.Event()

    def body() -> None:
        try:
            outcome.append((True, main()))
        except BaseException as error:  # noqa: BLE001 - it is raised again where it is waited for
            outcome.append((False, error))
        ended.set()

    # A daemon: Python can end although the adapter never returns.
    threading.Thread(target=body, name="participant", daemon=True).start()
    while not ended.wait(_LOOK_SECONDS):
        what = watch.overdue()
        if what is not None:
            raise ParticipantFault(f"{what} has blocked for more than {watch.seconds * SLACK:g} s")
    succeeded, value = outcome[0]
    if succeeded:
        return cast("T", value)
    if isinstance(value, Exception | FencepostFault):
        raise value
    raise ParticipantFault(f"it {deed(value)}") from value


async def limited(watch: Watch, what: str, call: Call[T], extra: float = 0.0) -> T:
    """Await a call of an adapter within the time limit, or raise a `ParticipantFault`.

    A call that is still to be made may raise before there is anything to wait for.
    """
    watch.doing(f"{what}()")
    limit = watch.seconds + extra
    try:
        came = await asyncio.wait_for(_came_of(call), limit)
    except TimeoutError:
        raise ParticipantFault(
            f"{what}() did not return within {limit:g} s of its own time"
        ) from None
    except asyncio.CancelledError:
        raise ParticipantFault(f"{what}() was cancelled from inside") from None
    finally:
        watch.doing("the event loop")
    if not isinstance(came, _Raised):
        return came
    if isinstance(came.error, ParticipantFault | HarnessFault):
        raise came.error
    raise ParticipantFault(f"{what}() {deed(came.error)}") from came.error


@attrs.frozen
class _Raised:
    """What an adapter raised, kept from those who would take it for their own."""

    error: BaseException


async def _came_of(call: Call[T]) -> T | _Raised:
    try:
        return await (call() if callable(call) else call)
    except asyncio.CancelledError:
        raise
    except BaseException as error:  # noqa: BLE001 - whatever it raises, the adapter is to blame
        return _Raised(error)
