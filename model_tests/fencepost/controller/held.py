"""A controller as the harness holds it: what it claims is read once, what it gets is a copy."""

from collections.abc import Callable
from typing import Any

from fencepost.controller.participant import CAPABILITIES, GRANULARITIES, Controller
from fencepost.faults import FencepostFault, ParticipantFault, deed

Factory = Callable[[], Any]
VERSION = "fencepost-1"


def make_controller(factory: Factory) -> Controller:
    """A new controller, or a `ParticipantFault` when the factory makes none that can be used."""
    try:
        made: Any = factory()
    except FencepostFault:
        raise
    except BaseException as error:
        raise ParticipantFault(f"the factory {deed(error)}") from error
    if not isinstance(made, Controller):
        wanted = "it makes a fencepost.controller.participant.Controller"
        raise ParticipantFault(f"the factory returned a {type(made).__name__}", wanted)
    try:
        claims: tuple[Any, Any, Any] = (made.name, made.version, made.capabilities)
    except BaseException as error:
        raise ParticipantFault(f"reading what it claims {deed(error)}") from error
    _require_sensible(*claims)
    return made


def _require_sensible(name: Any, version: Any, capabilities: Any) -> None:
    if not isinstance(name, str) or not name:
        raise ParticipantFault(f"its name is {name!r}", "a name is wanted")
    if version != VERSION:
        raise ParticipantFault(f"its version is {version!r}", f"known: {VERSION}")
    if not issubclass(type(capabilities), set | frozenset):
        raise ParticipantFault(f"its capabilities are a {type(capabilities).__name__}, not a set")
    claimed: frozenset[Any] = frozenset(capabilities)
    unheard_of = sorted(str(each) for each in claimed if each not in CAPABILITIES)
    if unheard_of:
        known = ", ".join(sorted(CAPABILITIES))
        raise ParticipantFault(f"no capability is called {', '.join(unheard_of)}", known)
    if claimed.isdisjoint(GRANULARITIES):
        wanted = f"one of {', '.join(GRANULARITIES)}"
        raise ParticipantFault("no group can be submitted to it", wanted)
