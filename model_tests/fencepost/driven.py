"""What playing a case has in common, whatever kind of participant is driven."""

import asyncio
from collections.abc import Callable, Coroutine, Iterable
from typing import Any, Protocol, TypeVar

from fencepost.faults import ParticipantFault, named
from fencepost.trace.lines import Line, Report
from fencepost.watch import Watch

P = TypeVar("P")


class Over(Protocol):
    """What was recorded so far."""

    @property
    def over(self) -> bool:
        """Whether nothing more is to be done."""
        ...


class Performing(Protocol):
    """A driver, as far as a script needs one."""

    @property
    def record(self) -> Over:
        """What was recorded so far."""
        ...

    async def perform(self, line: Line, /) -> Any:
        """Let an action happen."""
        ...

    async def rest(self) -> Any:
        """Let everything come to rest."""
        ...


def run_boxed(
    loop_factory: Callable[[], asyncio.AbstractEventLoop],
    driving: Coroutine[Any, Any, P],
    watch: Watch,
) -> P:
    """Run a case in an event loop of its own, which an adapter may stop or spoil."""
    failed: list[Exception] = []

    async def boxed() -> P | None:
        try:
            return await driving
        except Exception as error:  # noqa: BLE001 - it is raised again, outside the event loop
            failed.append(error)
            return None

    try:
        with asyncio.Runner(loop_factory=loop_factory) as runner:
            # What an adapter leaves behind in its tasks is its own affair.
            runner.get_loop().set_exception_handler(lambda _loop, _context: None)
            played = runner.run(boxed())
            watch.doing("the end of the event loop")
    except asyncio.CancelledError as error:
        raise ParticipantFault("something cancelled the tasks of the harness") from error
    except Exception as error:
        raise ParticipantFault(f"something broke the event loop: {named(error)}") from error
    if played is None:
        raise failed[0]
    return played


async def perform_all(driver: Performing, script: Iterable[Line]) -> None:
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
