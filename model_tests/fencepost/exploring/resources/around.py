"""A resources server and all around it as the parts of a state."""

from fencepost.exploring.core_world import Here
from fencepost.exploring.parting import Parting
from fencepost.exploring.servers.around import Around
from fencepost.exploring.small_world import Parts
from fencepost_reference.receipts.resources.ghost import Ghost
from fencepost_reference.receipts.resources.state import State

PARTING = Parting(State, Around, Ghost)


def parts_of(here: Here) -> Parts:
    """A state as the parts that a walk keeps."""
    return PARTING.parts(here.state, here.around, here.ghost)


def here_of(parts: Parts) -> Here:
    """The state that the parts were taken from."""
    return Here(*PARTING.whole(parts))


def state_of(parts: Parts) -> State:
    """The state of the participant alone."""
    state: State = PARTING.value(0, parts)
    return state
