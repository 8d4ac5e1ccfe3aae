"""Plays one case on a fresh policy model: in an event loop and a folder of its own."""

import tempfile
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

from fencepost.driven import Played, driven, performing, run_boxed
from fencepost.faults import ParticipantFault
from fencepost.making import Factory, claims_of, made_by, name_claimed, set_claimed
from fencepost.policy_model.driver import ModelDriver
from fencepost.policy_model.participant import CAPABILITIES, ModelParticipant
from fencepost.trace.lines import Header, Line
from fencepost.watch import Watch
from fencepost_reference.runtime.virtual_time import VirtualLoop
from fencepost_spec.receipts.policy_model.dialects import model_dialect_of

Doing = Callable[[ModelDriver], Awaitable[bool]]


def make_model(factory: Factory) -> ModelParticipant:
    """A new participant, or a `ParticipantFault` when the factory makes none that can be used."""
    made: ModelParticipant = made_by(factory, ModelParticipant)
    name, version, claimed = claims_of(made, "name", "version", "capabilities")
    name_claimed(name)
    set_claimed(claimed, CAPABILITIES)
    try:
        model_dialect_of(version if isinstance(version, str) else repr(version))
    except KeyError as unknown:
        raise ParticipantFault(str(unknown.args[0])) from None
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
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        driver = ModelDriver(participant, own, Path(folder).resolve(), watch)
        played = run_boxed(VirtualLoop, driven(driver, doing), watch)
    watch.doing("the harness")
    return played


def play_script(factory: Factory, header: Header, script: Sequence[Line], watch: Watch) -> Played:
    """Play a script on a fresh participant."""
    return play(factory, header, performing(script), watch)
