"""What playing a case has in common, whatever kind of participant is driven."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from contextlib import suppress
from typing import Any, Protocol, TypeVar

import attrs

from fencepost.faults import FencepostFault, ParticipantFault, Raised, named
from fencepost.judges import Judge, Refusal
from fencepost.mismatch import Inconclusive
from fencepost.recorded import Recorded
from fencepost.trace.lines import Header, Line, Report
from fencepost.unheard import Unheard
from fencepost.watch import Watch

REST = Report(0, {})
"""Stands in a script for a point of rest, at which the participant reports."""


@attrs.frozen
class Played:
    """What came of a case."""

    header: Header
    lines: tuple[Line, ...]
    script: tuple[Line, ...]
    actions: int
    refusal: Refusal | None
    oracle: Judge
    complete: bool = False
    inconclusive: str | None = None
    raised: tuple[Raised, ...] = ()


class Driving(Protocol):
    """A driver of any kind of participant."""

    @property
    def header(self) -> Header:
        """The header of what it writes down."""
        ...

    @property
    def record(self) -> Recorded[Any]:
        """What was recorded so far."""
        ...

    @property
    def script(self) -> list[Line]:
        """The actions that happened, with the points of rest between them."""
        ...

    @property
    def actions(self) -> int:
        """How many actions happened."""
        ...

    async def start(self) -> None:
        """Start the participant."""
        ...

    async def close(self) -> None:
        """End the participant; nothing is written down any more."""
        ...

    async def perform(self, line: Line, /) -> Any:
        """Let an action happen."""
        ...

    async def rest(self) -> Any:
        """Let everything come to rest."""
        ...


def run_boxed(
    loop_factory: Callable[[], asyncio.AbstractEventLoop],
    driving: Coroutine[Any, Any, Played],
    watch: Watch,
) -> Played:
    """Run a case in an event loop of its own, which an adapter may stop or spoil."""
    failed: list[Exception] = []

    async def boxed() -> Played | None:
        try:
            return await driving
        except Exception as error:  # noqa: BLE001 - it is raised again, outside the event loop
            failed.append(error)
            return None

    try:
        with asyncio.Runner(loop_factory=loop_factory) as runner:
            unheard = Unheard(runner.get_loop())
            played = runner.run(boxed())
            beside = unheard.raised()
            watch.doing("the end of the event loop")
    except asyncio.CancelledError as error:
        raise ParticipantFault("something cancelled the tasks of the harness") from error
    except Exception as error:
        raise ParticipantFault(f"something broke the event loop: {named(error)}") from error
    if played is not None:
        return attrs.evolve(played, raised=beside)
    if isinstance(failed[0], FencepostFault):
        failed[0].beside = beside
    raise failed[0]


async def perform_all(driver: Driving, script: Iterable[Line]) -> None:
    """Let the actions of a script happen; a report among them stands for a point of rest.

    The end is a point of rest too.
    """
    rested = False
    for action in script:
        if driver.record.over:
            return
        rested = isinstance(action, Report)
        if rested:
            await driver.rest()
        else:
            await driver.perform(action)
    if not rested and not driver.record.over:
        await driver.rest()


D = TypeVar("D", bound=Driving)


def performing(script: Iterable[Line]) -> Callable[[Driving], Awaitable[bool]]:
    """What is done to a driver for a script: all of it, to its end."""

    async def doing(driver: Driving) -> bool:
        await perform_all(driver, script)
        return True

    return doing


async def driven(driver: D, doing: Callable[[D], Awaitable[bool]]) -> Played:
    """What comes of a case; `doing` drives it, and says whether it came to its end."""
    record = driver.record
    complete, inconclusive = False, None
    try:
        await driver.start()
        complete = await doing(driver)
        record.check()
    except Inconclusive as why:
        inconclusive = str(why)
    except GeneratorExit:  # The event loop is gone, and nothing can be awaited.
        raise
    except BaseException:
        with suppress(FencepostFault):  # What went wrong first is what is told.
            await driver.close()
        raise
    await driver.close()
    return Played(
        driver.header,
        tuple(record.lines),
        tuple(driver.script),
        driver.actions,
        record.refusal,
        record.oracle,
        complete,
        inconclusive,
    )
