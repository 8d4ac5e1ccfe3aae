"""How the reference controller stands, as it reports it."""

from fencepost.trace.lines import JsonObject
from fencepost_reference.receipts.controller.outbox import outbox
from fencepost_reference.receipts.controller.state import State
from fencepost_reference.receipts.rendering import receipt_body
from fencepost_spec.vocabulary import Key


def report_of(state: State) -> JsonObject:
    """The report of a controller in this state."""
    owed = outbox(state)
    current = state.round
    begun = current is not None and bool(current.touched)
    running = [call.request.key for call in state.calls.values() if call.op == "run"]
    return {
        "gate": "open" if state.gate else "closed",
        "active_checkpoint_id": current.id if current is not None and begun else None,
        "outbox": [receipt_body(key, owed[key][1]) for key in sorted(owed)],
        "groups": [
            {
                "group_id": name,
                "status": group.status,
                "attempts": [
                    [{"attempt_index": n, "status": one.status} for n, one in enumerate(sibling)]
                    for sibling in group.siblings
                ],
            }
            for name, group in sorted(state.ledger.groups.items())
        ],
        "running": [_named(key) for key in sorted(key for key in running if key is not None)],
    }


def _named(key: Key) -> JsonObject:
    return {"rollout_id": key.rollout_id, "attempt_index": key.attempt}
