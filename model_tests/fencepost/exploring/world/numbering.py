"""Where a controller keeps the numbers of its checkpoints."""

from typing import Any

from fencepost.exploring.renaming import renamed
from fencepost_reference.receipts.changes import change


def is_idle(controller: Any) -> bool:
    """Whether no checkpoint is open, and none waits to be released."""
    return controller is not None and controller.round is None


def counter_of(controller: Any) -> int:
    """The number of the next checkpoint."""
    return int(controller.number)


def with_counter(controller: Any, names: dict[str, str], number: int) -> Any:
    """The controller whose next checkpoint has another number."""
    return change(controller, number=number, calls=renamed(controller.calls, names, {}))
