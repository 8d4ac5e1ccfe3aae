"""What a world asks of a controller's state: what a report would show, and what it remembers."""

from typing import Any

from fencepost_reference.receipts.controller.draft import wanted
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


def reserved(controller: Any) -> tuple[str, ...]:
    """The prompt groups that the controller owns, and that wait for a sampler to admit them."""
    known = controller.ledger.groups
    return tuple(sorted(name for name, group in known.items() if group.phase == "reserved"))


def open_checkpoint(controller: Any) -> str | None:
    """The checkpoint that the controller has open, or has to release."""
    return None if controller.round is None else str(controller.round.id)


def left_over(controller: Any) -> tuple[Key, ...]:
    """The attempts that a controller remembers although nobody waits for their results."""
    return tuple(key for key in sorted(controller.works) if not wanted(controller, key))


def unknown(controller: Any) -> tuple[Key, ...]:
    """The attempts that the ledger calls dispatched and the controller does not remember."""
    return tuple(
        key
        for group in controller.ledger.groups.values()
        for key in group.executions()
        if wanted(controller, key) and key not in controller.works
    )


def publishes(controller: Any) -> bool:
    """Whether the open checkpoint is one whose snapshot has just become visible."""
    current = controller.round
    return current is not None and current.publication == "published"


def asks_again(controller: Any, key: Key) -> bool:
    """Whether the controller asks for a result that it was told is kept."""
    work = getattr(controller, "works", {}).get(key)
    return work is not None and work.status == "adopting"
