"""Plays one case on a fresh participant: in a loop of its own, in a folder of its own.

Not decided here: what is played. May import: the driver, the contract, faults, `watch`.
"""

import asyncio
import tempfile
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

import attrs

from fencepost.driven import perform_all, run_boxed
from fencepost.driver import Driver
from fencepost.exercise import Exercise
from fencepost.faults import ParticipantFault, deed
from fencepost.held import Held, held
from fencepost.judges import Judge, Refusal
from fencepost.mismatch import Inconclusive
from fencepost.participant import Participant
from fencepost.trace.lines import Header, Line
from fencepost.watch import Watch
from fencepost_reference.runtime.virtual_time import VirtualLoop

Factory = Callable[[], Any]
INSTANCE = "agent-a"


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


def make_participant(factory: Factory) -> Held:
    """A new participant, or a `ParticipantFault` when the factory makes none that can be used."""
    try:
        made = factory()
    except ParticipantFault:
        raise
    except BaseException as error:
        raise ParticipantFault(f"the factory {deed(error)}") from error
    if not isinstance(made, Participant):
        raise ParticipantFault(
            f"the factory returned a {type(made).__name__}",
            "it makes a fencepost.participant.Participant",
        )
    return held(made)


def header_of(participant: Participant, scenario: str, about: str) -> Header:
    """The header of a case. Its reports stand at every point of rest, which a replay relies on."""
    settings = {"instance_name": INSTANCE, "rests": "reports", "disk": "empty"}
    return Header(
        "receipts", "agent", participant.name, participant.version, scenario, about, settings, ()
    )


def play(
    factory: Factory,
    header: Header | None,
    doing: Callable[[Driver], Awaitable[bool]],
    watch: Watch,
    exercise: Exercise | None = None,
    scenario: str = "replay",
) -> Played:
    """Play a case; `doing` drives it, and says whether it came to its end."""
    watch.doing("the factory")
    participant = make_participant(factory)
    own = header or header_of(participant, scenario, "a case that the generator has drawn")
    loop_factory = VirtualLoop if participant.virtual else asyncio.new_event_loop
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        root = Path(folder).resolve()
        driving = _driven(participant, own, root, doing, watch, exercise)
        played = run_boxed(loop_factory, driving, watch)
    watch.doing("the harness")
    return played


async def _driven(
    participant: Participant,
    header: Header,
    root: Path,
    doing: Callable[[Driver], Awaitable[bool]],
    watch: Watch,
    exercise: Exercise | None,
) -> Played:
    driver = Driver(participant, header, root, watch)
    if exercise is not None:
        exercise.new_world()
        driver.record.on_line = exercise.see
    complete, inconclusive = False, None
    dropped = False
    try:
        await driver.start()
        complete = await doing(driver)
        if not driver.record.over:
            driver.record.check()
    except Inconclusive as why:
        inconclusive = str(why)
    except GeneratorExit:
        dropped = True
        raise
    finally:
        if not dropped:  # Else the event loop is gone, and nothing can be awaited.
            await driver.close()
        if exercise is not None:
            exercise.add(driver.record.oracle.rules)
    return Played(
        header,
        tuple(driver.record.lines),
        tuple(driver.script),
        driver.actions,
        driver.record.refusal,
        driver.record.oracle,
        complete,
        inconclusive,
    )


def play_script(factory: Factory, header: Header, script: Sequence[Line], watch: Watch) -> Played:
    """Play a script on a fresh participant."""

    async def doing(driver: Driver) -> bool:
        await perform_all(driver, script)
        return True

    return play(factory, header, doing, watch)
