"""Plays one case on a fresh controller: in a loop of its own, in virtual time, in its own folder.

Not decided here: what is played.
"""

import asyncio
import tempfile
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Sequence
from pathlib import Path
from typing import Any

from fencepost.controller.driver import Driver
from fencepost.controller.held import VERSION, Factory, make_controller
from fencepost.controller.participant import Controller
from fencepost.controller.scene import SMALLEST, Scene, scene_of
from fencepost.faults import ParticipantFault, TraceFault, named
from fencepost.judges import Judge, judge_of
from fencepost.mismatch import Inconclusive
from fencepost.playing import Played
from fencepost.trace.lines import Header, Line, Report
from fencepost.watch import Watch
from fencepost_reference.runtime.virtual_time import VirtualLoop

Judging = Callable[[Header], Judge]
Doing = Callable[[Driver], Awaitable[bool]]


def header_of(controller: Controller, scene: Scene, scenario: str, about: str) -> Header:
    """The header of a case. A report stands at every point of rest, which a replay relies on."""
    settings = {**scene.settings(), "rests": "reports"}
    return Header("receipts", "controller", controller.name, VERSION, scenario, about, settings, ())


def play(
    factory: Factory,
    header: Header | None,
    doing: Doing,
    watch: Watch,
    scenario: str = "replay",
    scene: Scene = SMALLEST,
    judging: Judging = judge_of,
) -> Played:
    """Play a case; `doing` drives it, and says whether it came to its end."""
    watch.doing("the factory")
    controller = make_controller(factory)
    own = header or header_of(controller, scene, scenario, "a case that the generator has drawn")
    try:
        described = scene_of(own)
    except (KeyError, TypeError) as error:
        raise TraceFault(1, f"the settings describe no deployment: {named(error)}") from error
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        driver = Driver(controller, own, described, Path(folder), judging(own), watch)
        played = _run(_driven(driver, doing), watch)
    watch.doing("the harness")
    return played


def _run(driving: Coroutine[Any, Any, Played], watch: Watch) -> Played:
    """Run a case in an event loop of its own, which an adapter may stop or spoil."""
    failed: list[Exception] = []

    async def boxed() -> Played | None:
        try:
            return await driving
        except Exception as error:  # noqa: BLE001 - it is raised again, outside the event loop
            failed.append(error)
            return None

    try:
        with asyncio.Runner(loop_factory=VirtualLoop) as runner:
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


async def _driven(driver: Driver, doing: Doing) -> Played:
    complete, inconclusive = False, None
    dropped = False
    try:
        await driver.start()
        complete = await doing(driver)
        driver.record.check()
    except Inconclusive as why:
        inconclusive = str(why)
    except GeneratorExit:
        dropped = True
        raise
    finally:
        if not dropped:  # Else the event loop is gone, and nothing can be awaited.
            await driver.close()
    record = driver.record
    return Played(
        driver.header,
        tuple(record.lines),
        tuple(driver.script),
        driver.actions,
        record.refusal,
        record.judge,
        complete,
        inconclusive,
    )


async def perform_all(driver: Driver, script: Iterable[Line]) -> None:
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


def play_script(
    factory: Factory,
    header: Header,
    script: Sequence[Line],
    watch: Watch,
    judging: Judging = judge_of,
) -> Played:
    """Play a script on a fresh controller."""

    async def doing(driver: Driver) -> bool:
        await perform_all(driver, script)
        return True

    return play(factory, header, doing, watch, judging=judging)
