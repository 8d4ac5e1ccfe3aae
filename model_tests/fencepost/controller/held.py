"""A controller as the harness holds it: what it claims is read once, what it gets is a copy."""

from fencepost.controller.participant import CAPABILITIES, GRANULARITIES, Controller
from fencepost.faults import ParticipantFault
from fencepost.making import Factory, claims_of, made_by, name_claimed, set_claimed

VERSION = "fencepost-1"


def make_controller(factory: Factory) -> Controller:
    """A new controller, or a `ParticipantFault` when the factory makes none that can be used."""
    made: Controller = made_by(factory, Controller)
    name, version, claimed = claims_of(made, "name", "version", "capabilities")
    name_claimed(name)
    if version != VERSION:
        raise ParticipantFault(f"its version is {version!r}", f"known: {VERSION}")
    if set_claimed(claimed, CAPABILITIES).isdisjoint(GRANULARITIES):
        wanted = f"one of {', '.join(GRANULARITIES)}"
        raise ParticipantFault("no group can be submitted to it", wanted)
    return made
