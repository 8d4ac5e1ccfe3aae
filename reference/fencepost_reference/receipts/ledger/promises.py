"""What must hold of a ledger, asked of states and of steps. Empty answers mean that all is well."""

from collections.abc import Iterator
from typing import Any

from fencepost_reference.model import Step
from fencepost_reference.receipts.ledger.actions import Answer, Call, Replace
from fencepost_reference.receipts.ledger.core import LedgerCore
from fencepost_reference.receipts.ledger.sealing import RETRIED
from fencepost_reference.receipts.ledger.state import Attempt, Group, State
from fencepost_spec.operation import Property
from fencepost_spec.receipts.ledger.properties import BY_ID
from fencepost_spec.vocabulary import Key

Broken = Iterator[tuple[Property, str]]
UNSAFE = ("finalizing", "finalization_unknown")
READS_STATE = ("load", "load_state_dict")
DROPS_OWED = ("mark_completed_executions_acknowledged", "discard_pending_acknowledgements")


def _always(number: int) -> Property:
    return BY_ID[f"R-LIN-{number}"]


def broken_in_state(state: State) -> Broken:
    """The promises that a ledger breaks as it stands, each with the subject."""
    for group in state.groups.values():
        yield from _broken_in_group(group)
        for index, sibling in enumerate(group.siblings):
            for number, attempt in enumerate(sibling):
                key = Key(group.rollout_id(index), number)
                yield from _broken_in_attempt(key, attempt, last=attempt is sibling[-1])
            yield from _broken_debt(state, group, index)
    admissions = {(g.admission_id, g.phase, g.target_step) for g in state.groups.values()}
    if len(admissions) != len({name for name, _, _ in admissions}):
        yield _always(28), "groups of one admission disagree"
    keys = [*state.owed, *(key for group in state.groups.values() for key in group.executions())]
    if len({key.capture_key for key in keys}) != len(set(keys)):
        yield _always(32), "two executions share a capture key"


def _broken_in_group(group: Group) -> Broken:
    sealed = [attempt.status == "sealed" for attempt in group.current]
    if group.whole_cohorts and any(sealed) and not all(sealed):
        yield _always(6), f"{group.group_id} is half sealed"
    if (group.status == "generating") == all(sealed):
        yield _always(7), f"{group.group_id} is {group.status}"
    sent = {attempt.status for sibling in group.siblings for attempt in sibling}
    if group.phase == "reserved" and sent & {"dispatched", "sealed"}:
        yield _always(28), f"{group.group_id} is reserved and was dispatched"


def _broken_in_attempt(key: Key, attempt: Attempt, *, last: bool) -> Broken:
    result = attempt.result
    if (attempt.status == "sealed") != (result is not None):
        yield _always(4), f"{key.capture_key} is {attempt.status}"
    if not last and attempt.status not in RETRIED:
        yield _always(2), f"{key.capture_key} is {attempt.status} and another follows it"
    if result is None:
        return
    if result.reward is None or result.mask is None:
        yield _always(4), f"{key.capture_key} lacks a part of its result"
    named = result.receipt_json
    if named is not None and named.get("rollout_id") != key.capture_key:
        yield _always(5), f"{key.capture_key} holds the receipt of {named.get('rollout_id')}"
    if result.completion is not None and result.completion.key != key:
        yield _always(5), f"{key.capture_key} holds the completion of {result.completion.key}"


def _broken_debt(state: State, group: Group, index: int) -> Broken:
    """Whether what is owed for a sealed attempt is what its result says."""
    key, result = group.key(index), group.current[index].result
    owed = state.owed.get(key)
    if owed is None or result is None:
        return
    if (owed.receipt, owed.agent_name) != (result.completion, group.agent):
        yield _always(15), f"what is owed for {key.capture_key} is not its receipt"


def broken_by_step(before: State, action: object, step: Step) -> Broken:
    """The promises that a step breaks."""
    if isinstance(action, Replace) or not isinstance(action, Call):
        return
    answer: Answer = step.outputs[0]
    after: State = step.state
    if not answer.ok:
        if after != before:
            yield _always(40), f"{action.op} was refused and changed something"
        return
    saves = action.op in ("state_dict", "build_rollout_recovery_state")
    if saves and any(group.status in UNSAFE for group in before.groups.values()):
        yield _always(8), f"{action.op} while a group is being finalized"
    if action.op in READS_STATE:
        return
    for group in before.groups.values():
        later = after.groups.get(group.group_id)
        if later is not None:
            yield from _broken_history(group, later)
    for key, row in before.owed.items():
        left = after.owed.get(key)
        if left is None and action.op not in DROPS_OWED:
            yield _always(14), f"what is owed for {key.capture_key} is gone"
        if left is not None and left != row:
            yield _always(16), f"what is owed for {key.capture_key} has changed"


def _broken_history(group: Group, later: Group) -> Broken:
    """Whether attempts were only added, and sealed results kept."""
    for index, (old, new) in enumerate(zip(group.siblings, later.siblings, strict=True)):
        if new[: len(old) - 1] != old[:-1] or len(new) not in (len(old), len(old) + 1):
            yield _always(1), f"attempts of {group.rollout_id(index)} have changed"
        elif old[-1].status in RETRIED and new[len(old) - 1].status not in RETRIED:
            yield _always(1), f"{group.rollout_id(index)} uses a number again"
        elif old[-1].status == "sealed" and new[len(old) - 1] != old[-1]:
            yield _always(3), f"{group.rollout_id(index)} has another result"


def broken_round_trip(core: LedgerCore, state: State) -> Broken:
    """Whether a ledger that can be saved is read back as it was, its prompts apart."""
    saved: Answer = core.step(state, Call("state_dict", {})).outputs[0]
    if not saved.ok:
        return
    read = core.step(core.initial(), Call("load_state_dict", {"state": saved.body}))
    if not read.outputs[0].ok:
        yield _always(31), f"what was saved is refused: {read.outputs[0].detail}"
        return
    loaded: State = read.state
    for group in loaded.ordered():
        payload = {"idx": int(group.prompt_id), "task_name": group.task_name}
        request = {"group_id": group.group_id, "prompt_payload": payload}
        loaded = core.step(loaded, Call("bind_runtime_prompt", request)).state
    again: Answer = core.step(loaded, Call("state_dict", {})).outputs[0]
    if again.body != saved.body:
        yield _always(31), "what was read back is another ledger"


def broken_progress(core: LedgerCore, state: State) -> Broken:
    """What can come about no more: each promise of progress, asked as calls that must go through.

    A dispatched attempt can be given up and followed by the next; what is owed can be released; a
    group can be let go.
    """
    for group in state.groups.values():
        named = {"group_id": group.group_id}
        gone = core.step(state, Call("discard_group", named))
        if not gone.outputs[0].ok or group.group_id in gone.state.groups:
            yield BY_ID["R-LLV-15"], f"{group.group_id} cannot be let go"
        if any(attempt.status == "dispatched" for attempt in group.current):
            given_up = core.step(state, Call("abandon_unsealed", named)).state
            after = core.step(given_up, Call("prepare_incomplete_retry", named)).state
            fresh = after.groups[group.group_id].current
            if any(one.status not in ("reserved", "sealed") for one in fresh):
                yield BY_ID["R-LLV-2"], f"{group.group_id} cannot be tried again"
    for key, row in state.owed.items():
        asked = {"acknowledgements": [row.model_dump()]}
        released = core.step(state, Call("mark_completed_executions_acknowledged", asked)).state
        if key in released.owed:
            yield BY_ID["R-LLV-5"], f"what is owed for {key.capture_key} cannot be released"
    yield from _unrecordable(core, state)


def _unrecordable(core: LedgerCore, state: State) -> Broken:
    """The dispatched attempts whose acknowledgement nothing records when they finish."""
    for group in state.groups.values():
        for index, attempt in enumerate(group.current):
            key = group.key(index)
            if attempt.status != "dispatched" or key in state.owed:
                continue
            named = {"group_id": group.group_id, "generation_index": index}
            result = _result(key, _agent_of(state, group))
            after = state
            for call in _recording(group, named, result):
                if call.op in core.spec.operations:
                    after = core.step(after, call).state
            if key not in after.owed:
                yield BY_ID["R-LLV-1"], f"nothing records what is owed for {key.capture_key}"


def _recording(group: Group, named: dict[str, Any], result: dict[str, Any]) -> tuple[Call, ...]:
    if group.whole_cohorts:
        asked = named | {"result": result}
        return (Call("record_partial_group_acknowledgement", asked),)
    return (
        Call("mark_sibling_sealed", named | result),
        Call("record_sealed_sibling_acknowledgement", named),
    )


def _agent_of(state: State, group: Group) -> str:
    """The agent that the group's results name already, or any."""
    owed = (state.owed[key].agent_name for key in group.executions() if key in state.owed)
    return group.agent or next(owed, "agent")


def _result(key: Key, agent: str) -> dict[str, Any]:
    """The smallest result of an execution that can be acknowledged."""
    completion = {
        "rollout_id": key.rollout_id,
        "attempt_index": key.attempt,
        "execution_generation": 1,
        "result_identity": "result",
        "result_digest": "0" * 64,
        "manifest_capture_key": None,
        "terminal_model_call_id": None,
    }
    return {
        "gate_rollout_id": key.capture_key,
        "receipt": None,
        "reward": 0.0,
        "mask_sample": True,
        "resolved_agent_name": agent,
        "completion_receipt": completion,
    }
