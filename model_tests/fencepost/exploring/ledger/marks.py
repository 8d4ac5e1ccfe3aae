"""What a step of a ledger shows to those who look for something that must be possible."""

from collections.abc import Iterator
from typing import Any

from fencepost.exploring.ledger.around import UP, Around, numbered
from fencepost.exploring.ledger.scope import text_of
from fencepost_reference.model import Step
from fencepost_reference.receipts.ledger.actions import Call
from fencepost_reference.receipts.ledger.state import State

_SAVES = ("build_rollout_recovery_state", "state_dict")
_LOADS = ("load", "load_state_dict")
_OF_GROUP = {
    "abandon_unsealed": "given up",
    "mark_group_sealed": "sealed",
    "finalization_inputs": "inputs",
    "bind_runtime_prompt": "bound",
}


def marks_of(before: State, around: Around, action: Any, step: Step) -> Iterator[str]:
    """The marks of one step; what is refused shows nothing."""
    if not isinstance(action, Call) or not step.outputs[0].ok:
        return
    after: State = step.state
    for key in sorted(set(after.owed) - set(before.owed)):
        early = action.op == "record_partial_group_acknowledgement"
        yield f"owed {text_of(key)}"
        if early:
            yield f"owed early {text_of(key)}"
    if action.op == "mark_completed_executions_acknowledged":
        yield from (f"released {text_of(k)}" for k in sorted(set(before.owed) - set(after.owed)))
    elif action.op in _OF_GROUP:
        yield f"{_OF_GROUP[action.op]} {action.request['group_id']}"
    elif action.op == "mark_sibling_sealed":
        group = after.groups[action.request["group_id"]]
        yield f"sealed {text_of(group.key(action.request['generation_index']))}"
    elif action.op == "prepare_for_restart":
        yield "restarted"
    elif action.op == "discard_group":
        yield from _of_end(before, action.request["group_id"])
    elif action.op in _LOADS:
        yield "read"
    elif action.op in _SAVES and around.stage == UP:
        yield "saved as it was" if around.disk == numbered(before) else "saved"


def _of_end(before: State, group_id: str) -> Iterator[str]:
    group = before.groups.get(group_id)
    if group is not None:
        yield f"gone {group_id}"
        if group.status == "finalizing":
            yield f"finalized {group_id}"
