"""Plays one case on a fresh policy model: in an event loop and a folder of its own."""

import asyncio
import tempfile
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

from fencepost.driven import perform_all
from fencepost.faults import FencepostFault, ParticipantFault
from fencepost.mismatch import Inconclusive
from fencepost.playing import Factory, Played
from fencepost.policy_model.driver import ModelDriver
from fencepost.policy_model.participant import CAPABILITIES, ModelParticipant
from fencepost.trace.lines import Header, Line
from fencepost.watch import Watch
from fencepost_reference.runtime.virtual_time import VirtualLoop
from fencepost_spec.receipts.policy_model.dialects import model_dialect_of

Doing = Callable[[ModelDriver], Awaitable[bool]]


def make_model(factory: Factory) -> ModelParticipant:
    """A new participant, or a `ParticipantFault` when the factory makes none that can be used."""
    try:
        made = factory()
    except FencepostFault:
        raise
    except Exception as error:
        text = f"the factory raised {type(error).__name__}: {error}"
        raise ParticipantFault(text) from error
    if not isinstance(made, ModelParticipant):
        wanted = "it makes a fencepost.policy_model.participant.ModelParticipant"
        raise ParticipantFault(f"the factory returned a {type(made).__name__}", wanted)
    version: Any = made.version
    claimed: Any = made.capabilities
    try:
        model_dialect_of(version if isinstance(version, str) else repr(version))
    except KeyError as unknown:
        raise ParticipantFault(str(unknown.args[0])) from None
    if not isinstance(claimed, set | frozenset):
        raise ParticipantFault(f"its capabilities are a {type(claimed).__name__}, not a set")
    unheard_of = sorted(str(each) for each in made.capabilities if each not in CAPABILITIES)
    if unheard_of:
        known = ", ".join(sorted(CAPABILITIES))
        raise ParticipantFault(f"no capability is called {', '.join(unheard_of)}", known)
    return made


def header_of(participant: ModelParticipant, scenario: str, settings: dict[str, Any]) -> Header:
    """The header of a case; its reports stand at every point of rest."""
    name, version = participant.name, participant.version
    about = "a case that was drawn, or a story"
    told = {**settings, "rests": "reports"}
    return Header("receipts", "model", name, version, scenario, about, told, ())


def play(
    factory: Factory,
    header: Header | None,
    doing: Doing,
    watch: Watch,
    scenario: str = "replay",
    settings: dict[str, Any] | None = None,
) -> Played:
    """Play a case; `doing` drives it, and says whether it came to its end."""
    watch.doing("the factory")
    participant = make_model(factory)
    own = header or header_of(participant, scenario, settings or {})
    with (
        tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder,
        asyncio.Runner(loop_factory=VirtualLoop) as runner,
    ):
        # What an adapter leaves behind in its tasks is its own affair.
        runner.get_loop().set_exception_handler(lambda _loop, _context: None)
        driver = ModelDriver(participant, own, Path(folder).resolve(), watch)
        played = runner.run(_driven(driver, own, doing))
        watch.doing("the end of the event loop")
    watch.doing("the harness")
    return played


async def _driven(driver: ModelDriver, header: Header, doing: Doing) -> Played:
    record = driver.record
    complete, inconclusive = False, None
    try:
        await driver.start()
        complete = await doing(driver)
        record.check()
    except Inconclusive as why:
        inconclusive = str(why)
    finally:
        await driver.close()
    lines, script = tuple(record.lines), tuple(driver.script)
    return Played(
        header,
        lines,
        script,
        driver.actions,
        record.refusal,
        record.oracle,
        complete,
        inconclusive,
    )


def play_script(factory: Factory, header: Header, script: Sequence[Line], watch: Watch) -> Played:
    """Play a script on a fresh participant."""

    async def doing(driver: ModelDriver) -> bool:
        await perform_all(driver, script)
        return True

    return play(factory, header, doing, watch)
