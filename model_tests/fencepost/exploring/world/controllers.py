"""Who may play the controller of a world: the intended one, and those with one known fault."""

from collections.abc import Callable, Mapping

from fencepost.faults import UsageFault
from fencepost_reference.worlds.setting import Controller, Cores

FAULTY: Mapping[str, Callable[[], Controller]] = {}


def cores_of(mutant: str) -> Cores:
    """The cores of a world whose controller has a fault, or a `UsageFault` that lists them."""
    made = FAULTY.get(mutant)
    if made is None:
        raise UsageFault(
            f"no controller has the fault {mutant!r}", f"there are: {'; '.join(FAULTY)}"
        )
    return Cores(made())
