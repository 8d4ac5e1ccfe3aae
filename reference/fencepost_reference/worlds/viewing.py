"""What a world asks of a controller's state: only what a report of it would show."""

from typing import Any

from fencepost_spec.vocabulary import Key


def gate_is_open(controller: Any) -> bool:
    """Whether runs may be dispatched, as far as checkpoints go."""
    return bool(controller.gate)


def owed(controller: Any) -> tuple[Key, ...]:
    """The executions whose acknowledgement is owed."""
    return tuple(sorted(controller.ledger.owed))


def groups(controller: Any) -> tuple[str, ...]:
    """The prompt groups that the controller owns."""
    return tuple(sorted(controller.ledger.groups))


def open_checkpoint(controller: Any) -> str | None:
    """The checkpoint that the controller has open, or has to release."""
    return None if controller.round is None else str(controller.round.id)


def asks_again(controller: Any, key: Key) -> bool:
    """Whether the controller asks for a result that it was told is kept."""
    work = getattr(controller, "works", {}).get(key)
    return work is not None and work.status == "adopting"
