"""Plays one case on a fresh participant: in a loop of its own, in a folder of its own.

Not decided here: what is played. May import: the driver, the contract, faults, `watch`.
"""

import asyncio
import tempfile
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

from fencepost.driven import Played, driven, performing, run_boxed
from fencepost.driver import Driver
from fencepost.exercise import Exercise
from fencepost.held import Held, held
from fencepost.making import Factory, made_by
from fencepost.participant import Participant
from fencepost.trace.lines import Header, Line
from fencepost.watch import Watch
from fencepost_reference.runtime.virtual_time import VirtualLoop

INSTANCE = "agent-a"


def make_participant(factory: Factory) -> Held:
    """A new participant, or a `ParticipantFault` when the factory makes none that can be used."""
    made: Participant = made_by(factory, Participant)
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
        driver = Driver(participant, own, root, watch)
        if exercise is not None:
            exercise.new_world()
            driver.record.on_line = exercise.see
        try:
            played = run_boxed(loop_factory, driven(driver, doing), watch)
        finally:
            if exercise is not None:
                exercise.add(driver.record.oracle.rules)
    watch.doing("the harness")
    return played


def play_script(factory: Factory, header: Header, script: Sequence[Line], watch: Watch) -> Played:
    """Play a script on a fresh participant."""
    return play(factory, header, performing(script), watch)
