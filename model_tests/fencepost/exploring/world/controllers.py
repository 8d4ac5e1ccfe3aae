"""Who may play the controller of a world: the intended one, and those with one known fault."""

from fencepost.faults import UsageFault
from fencepost_reference.receipts.controller.core import ControllerCore
from fencepost_reference.receipts.controller.state import Fleet, Participant
from fencepost_reference.worlds.setting import Cores, Setting
from fencepost_spec.receipts.controller.policy import FAULTS
from fencepost_spec.receipts.controller.spec import CONTROLLER, ControllerSpec, faulty
from fencepost_spec.receipts.controller.target_level import Level


def cores_of(
    setting: Setting, spec: ControllerSpec = CONTROLLER, target_level: Level = "turn"
) -> Cores:
    """The cores of a world with a controller that knows its participants."""
    fleet = Fleet(tuple(Participant(place) for place in setting.places), target_level)
    return Cores(ControllerCore(spec, fleet))


def spec_named(name: str) -> ControllerSpec:
    """The controller with a fault, or a `UsageFault` that lists them."""
    names = [fault.name for fault in FAULTS]
    if name in names:
        return faulty(name)
    near = [one for one in names if name.lower() in one.lower()]
    raise UsageFault(
        f"no controller has the fault {name!r}", f"there are: {'; '.join(near or names)}"
    )
