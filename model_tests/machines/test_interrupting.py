"""A coroutine that can be left is awaited as if it could not, and goes on once it was left."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from fencepost.interrupting import Leavable, Left
from fencepost.stage import virtual

Body = Callable[[list[str]], Awaitable[None]]


async def _gives_way(log: list[str]) -> None:
    for turn in range(3):
        log.append(f"turn {turn}")
        await asyncio.sleep(0)


async def _waits(log: list[str]) -> None:
    future: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    asyncio.get_running_loop().call_soon(future.set_result, "rung")
    log.append(await future)


async def _has_a_child(log: list[str]) -> None:
    await asyncio.create_task(_as_coroutine(_gives_way, log))
    log.append("the child is done")


async def _waits_at_most(log: list[str]) -> None:
    try:
        async with asyncio.timeout(0.01):
            await asyncio.get_running_loop().create_future()
    except TimeoutError:
        log.append("too late")


async def _tidies_up(log: list[str]) -> None:
    try:
        await asyncio.get_running_loop().create_future()
    except asyncio.CancelledError:
        await asyncio.sleep(0)
        log.append("tidy")
        raise


async def _raises(log: list[str]) -> None:
    await asyncio.sleep(0)
    log.append("about to raise")
    raise LookupError


async def _as_coroutine(body: Body, log: list[str]) -> None:
    await body(log)


@pytest.mark.parametrize("cancelled_in", [None, 0, 1, 2])
@pytest.mark.parametrize(
    "body", [_gives_way, _waits, _has_a_child, _waits_at_most, _tidies_up, _raises]
)
def test_what_is_awaited_so_that_it_can_be_left_notices_nothing(
    body: Body, cancelled_in: int | None
) -> None:
    """It ends as it does when it is awaited plainly, and in the same turn of the event loop."""
    if body is _tidies_up and cancelled_in is None:
        return  # It would wait for ever.

    async def told(leavable: bool) -> tuple[list[str], str]:
        log: list[str] = []

        async def main() -> None:
            await (Leavable(_as_coroutine(body, log)) if leavable else body(log))

        task = asyncio.create_task(main())
        for turn in range(12):
            if turn == cancelled_in:
                task.cancel()
            await asyncio.sleep(0)
            log.append(f"turn {turn} of the loop, done {task.done()}")
        await asyncio.sleep(1.0)
        return log, "cancelled" if task.cancelled() else repr(task.exception())

    assert virtual(told(leavable=True)) == virtual(told(leavable=False))


def test_what_was_left_goes_on_in_another_task() -> None:
    """Its future is not touched, and whoever awaits the rest can cancel it."""

    async def story() -> list[str]:
        log: list[str] = []
        rung: asyncio.Future[str] = asyncio.get_running_loop().create_future()

        async def body() -> None:
            log.append(await rung)
            await _tidies_up(log)

        leavable = Leavable(body())

        async def main() -> None:
            try:
                await leavable
            except Left:
                log.append("left")

        first = asyncio.create_task(main())
        await asyncio.sleep(0)
        leavable.leave()
        await first
        rest = asyncio.create_task(_rest_of(leavable))
        rung.set_result("rung")
        for _ in range(3):
            await asyncio.sleep(0)
        rest.cancel()
        await asyncio.gather(rest, return_exceptions=True)
        return [*log, str(rest.cancelled())]

    assert asyncio.run(story()) == ["left", "rung", "tidy", "True"]


async def _rest_of(leavable: Leavable) -> None:
    await leavable.rest()


def test_what_ends_before_it_is_left_is_not_left() -> None:
    """A wait that was over already when somebody asked for it to be left returns."""

    async def story() -> bool:
        rung: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        async def body() -> None:
            await rung

        leavable = Leavable(body())

        async def main() -> None:
            await leavable

        task = asyncio.create_task(main())
        await asyncio.sleep(0)
        rung.set_result(None)
        leavable.leave()
        await task
        return task.done() and task.exception() is None

    assert asyncio.run(story())
