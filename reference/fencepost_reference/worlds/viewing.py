"""What a world asks of a controller's state: only what a report of it would show."""

from typing import Any

from fencepost_spec.vocabulary import Key


def gate_is_open(controller: Any) -> bool:
    """Whether runs may be dispatched, as far as checkpoints go."""
    return bool(getattr(controller, "gate", True))


def owed(controller: Any) -> tuple[Key, ...]:
    """The executions whose acknowledgement is owed."""
    ledger = getattr(controller, "ledger", None)
    return () if ledger is None else tuple(sorted(ledger.owed))


def groups(controller: Any) -> tuple[str, ...]:
    """The prompt groups that the controller owns."""
    ledger = getattr(controller, "ledger", None)
    return () if ledger is None else tuple(sorted(ledger.groups))


def open_checkpoint(controller: Any) -> str | None:
    """The checkpoint that the controller has open, or has to release."""
    open_one = getattr(controller, "tx", None)
    return None if open_one is None else str(open_one.id)
