"""Each `eventually` of a policy model: to whom something is owed, and what is assumed."""

from fencepost.exploring.policy_model.around import state_of
from fencepost.exploring.servers.callers import is_open
from fencepost.exploring.servers.owing import Owed, eventually
from fencepost.exploring.small_world import Eventually
from fencepost_reference.receipts.policy_model.state import State
from fencepost_spec.receipts.policy_model.properties import BY_ID


def _drains(state: State) -> list[str]:
    """The model, while it lets nothing in and is not paused."""
    return ["the model"] if state.admission not in ("accepting", "paused") else []


def _statuses(state: State) -> list[str]:
    """Statuses that are not answered."""
    return [n for n, one in state.calls.items() if one.op == "status" and one.reply is None]


def _stores(state: State) -> list[str]:
    """The commit or restore that runs."""
    return [] if state.fence.storing is None else [state.fence.storing.op]


def _open(state: State) -> list[str]:
    """The model, while a checkpoint is open or it is closed."""
    return ["the model"] if state.fence.active is not None or not is_open(state) else []


def _decided(state: State) -> list[str]:
    """Calls whose answer is decided."""
    return [name for name, one in state.calls.items() if one.reply is not None]


OWED: tuple[tuple[str, Owed, tuple[str, ...]], ...] = (
    ("R-PML-1", _drains, ("ends ",)),
    ("R-PML-2", _statuses, ("time passes",)),
    ("R-PML-3", _stores, ()),
    ("R-PML-4", _open, ("give up c",)),
    ("R-PML-5", _decided, ()),
)
"""Which states owe, and the beginnings of the classes that are assumed beside the participant's."""


def promises() -> tuple[Eventually, ...]:
    """Every `eventually` of a policy model."""
    return tuple(eventually(BY_ID[name], state_of, owed, *begins) for name, owed, begins in OWED)
