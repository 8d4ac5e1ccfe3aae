"""What a ledger would accept now, in few words."""

from fencepost_reference.receipts.ledger.actions import Call
from fencepost_reference.receipts.ledger.core import LedgerCore
from fencepost_reference.receipts.ledger.state import State
from fencepost_spec.receipts.ledger.dialects import LedgerDialect

_OF_GROUP = (
    "mark_group_dispatched",
    "abandon_unsealed",
    "prepare_incomplete_retry",
    "record_sealed_group_acknowledgements",
    "finalization_inputs",
    "mark_finalization_started",
    "mark_finalization_unknown",
    "discard_group",
)
_ALONE = ("state_dict", "prepare_for_restart")
_GROUPS_MAX = 3


def legal_texts(core: LedgerCore, state: State, dialect: LedgerDialect) -> tuple[str, ...]:
    """Operations that need no value of their own and would be accepted."""
    asked = [
        (f"{op} {group.group_id}", Call(op, {"group_id": group.group_id}))
        for group in state.ordered()[:_GROUPS_MAX]
        for op in _OF_GROUP
    ]
    asked += [(op, Call(op, {})) for op in _ALONE]
    return tuple(
        text
        for text, call in asked
        if call.op in dialect.operations and core.step(state, call).outputs[0].ok
    )
