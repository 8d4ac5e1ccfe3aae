"""Small requests and saved states, as plain values: what drivers, mutants and tests begin with."""

from copy import deepcopy
from typing import Any

from fencepost_reference.receipts.ledger.actions import Call
from fencepost_reference.receipts.ledger.core import LedgerCore
from fencepost_reference.receipts.ledger.state import State
from fencepost_spec.vocabulary import Key

Plain = dict[str, Any]
DIGEST = "a" * 64


def payload(index: int = 7, task: str = "t") -> Plain:
    """A prompt of the dataset."""
    return {"idx": index, "task_name": task}


def reserve(
    group_id: str, granularity: str = "sibling", generations: int = 2, **more: Any
) -> Plain:
    """The request that reserves a group."""
    return {
        "group_id": group_id,
        "prompt_id": "7",
        "prompt_payload": payload(),
        "expected_generations": generations,
        "target_step": 5,
        "start_weight_version": 3,
        "task_source": "source",
        "recovery_granularity": granularity,
        "admitted": True,
    } | more


def completion(key: Key, identity: str = "") -> Plain:
    """A completion receipt of one execution."""
    return {
        "rollout_id": key.rollout_id,
        "attempt_index": key.attempt,
        "execution_generation": 1,
        "result_identity": identity or f"result-{key.capture_key}",
        "result_digest": DIGEST,
        "manifest_capture_key": key.capture_key,
        "terminal_model_call_id": "call-1",
    }


def result(key: Key, agent: str = "agent", **more: Any) -> Plain:
    """What one finished execution hands over."""
    return {
        "gate_rollout_id": key.capture_key,
        "receipt": {
            "rollout_id": key.capture_key,
            "manifest": [{"staging_key": f"{key.capture_key}/0"}],
            "capture_poisoned": False,
        },
        "reward": 1.0,
        "mask_sample": False,
        "resolved_agent_name": agent,
        "completion_receipt": completion(key),
    } | more


def row(key: Key, agent: str = "agent", identity: str = "") -> Plain:
    """An obligation."""
    return {"receipt": completion(key, identity), "agent_name": agent}


def calls() -> list[Call]:
    """A short life that leaves one group of each granularity, and something owed."""
    first, second = Key("s_g0", 0), Key("p_g0", 0)
    both = {str(index): result(Key(f"p_g{index}", 0)) for index in (0, 1)}
    named = {"group_id": "s", "generation_index": 0}
    return [
        Call("reserve_group", reserve("s", task_source=None)),
        Call("mark_group_dispatched", {"group_id": "s"}),
        Call("mark_sibling_sealed", named | result(first)),
        Call("record_sealed_sibling_acknowledgement", named),
        Call("abandon_unsealed", {"group_id": "s"}),
        Call("prepare_incomplete_retry", {"group_id": "s"}),
        Call("reserve_group", reserve("p", "prompt_group", target_step=None)),
        Call("mark_group_dispatched", {"group_id": "p"}),
        Call("record_partial_group_acknowledgement",
             {"group_id": "p", "generation_index": 0, "result": result(second)}),
        Call("mark_group_sealed", {"group_id": "p", "results": both}),
        Call("reserve_group", reserve("r", generations=1, admitted=False)),
    ]  # fmt: skip


def lived(done: list[Call] | None = None, core: LedgerCore | None = None) -> State:
    """The ledger after some calls, each of which has to be accepted."""
    core = core or LedgerCore()
    state = core.initial()
    for call in calls() if done is None else done:
        step = core.step(state, call)
        assert step.outputs[0].ok, (call, step.outputs[0])
        state = step.state
    return state


def saved() -> Plain:
    """The file that is saved beside a snapshot after that short life."""
    asked = {"batch_shortfall": {5: 1}, "sampler_stamps_target_steps": True}
    answer = LedgerCore().step(lived(), Call("build_rollout_recovery_state", asked)).outputs[0]
    body: Plain = deepcopy(answer.body)
    return body
