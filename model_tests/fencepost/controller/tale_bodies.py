"""The bodies that a tale tells: results, receipts, references, saved ledgers."""

from typing import Any

from fencepost.trace import Header
from fencepost.trace.lines import At, JsonObject
from fencepost_reference.receipts.controller.watch.state import Attempt, Group, Watch
from fencepost_spec.vocabulary import Key, digest_of

CONTROLLER = At("controller", "controller")
A, B = At("agent", "a"), At("agent", "b")
MODEL, TOOLS = At("model", "policy"), At("resources", "tools")
_MODES = {"agent": "export_restore", "model": "export_restore", "resources": "export_restore"}
PREPARE_INCOMPLETE = "agent_prepare_incomplete"


def header_of(
    *places: At, tools: str = "export_restore", about: str = "", level: str = "turn"
) -> Header:
    """The header of a deployment with these participants."""
    listed = [
        {
            "kind": each.kind,
            "instance": each.instance,
            "mode": tools if each.kind == "resources" else _MODES[each.kind],
        }
        for each in places
    ]
    settings = {"participants": listed, "target_level": level, "keep_latest_k": 2}
    return Header("receipts", "controller", "tale", "fencepost-1", "tale", about, settings, ())


def result_of(key: Key) -> JsonObject:
    """The result that an attempt gives."""
    return {"id": f"result-{key.capture_key}", "reward": 1.0}


def receipt_of(key: Key) -> JsonObject:
    """The receipt of that result."""
    return {
        "rollout_id": key.rollout_id,
        "attempt_index": key.attempt,
        "execution_generation": 1,
        "result_identity": f"result-{key.capture_key}",
        "result_digest": digest_of(result_of(key)),
        "manifest_capture_key": None,
        "terminal_model_call_id": None,
    }


def reference(name: str, *records: Any) -> JsonObject:
    """A reference to a file that a participant wrote."""
    return {
        "schema_version": 1,
        "relative_path": f"{name}.jsonl",
        "sha256": digest_of([name, *records]),
        "records": len(records),
        "bytes": 10,
    }


def refused(code: str) -> JsonObject:
    """The body of a refusal."""
    return {"error": {"code": code, "detail": ""}}


def sidecar_of(watch: Watch) -> JsonObject:
    """The ledger that a controller that obeys would save now."""
    groups = [_group(watch, one) for one in watch.ordered() if one.live]
    return {
        "schema_version": 3,
        "groups": groups,
        "pending_completed_execution_acknowledgements": [],
        "batch_shortfall": {},
        "sampler_stamps_target_steps": True,
    }


def _group(watch: Watch, group: Group) -> JsonObject:
    known = [watch.attempts.get(key) for key in group.executions()]
    whole = all(one is not None and one.held for one in known) and not group.again
    seals = [one is not None and one.held and (whole or not group.whole) for one in known]
    siblings = [
        {
            "generation_index": index,
            "attempts": [
                *(_attempt(Key(key.rollout_id, n), "abandoned") for n in range(key.attempt)),
                _attempt(key, _status(known[index], seals[index])),
            ],
        }
        for index, key in enumerate(group.executions())
    ]
    return {
        "group_id": group.group_id,
        "admission_id": group.group_id,
        "prompt_id": "7",
        "prompt_ref": {"sample_id": "7", "task_name": "t"},
        "task_source": None,
        "resolved_agent_name": group.agent if any(seals) else None,
        "recovery_granularity": group.granularity,
        "expected_generations": group.siblings,
        "target_step": group.target_step,
        "start_weight_version": 0,
        "status": "ready_to_finalize" if whole else "generating",
        "phase": "admitted" if group.admitted else "reserved",
        "siblings": siblings,
    }


def _status(known: Attempt | None, sealed: bool) -> str:
    if known is None:
        return "reserved"
    if sealed:
        return "sealed"
    return "abandoned" if known.failed else "dispatched"


def _attempt(key: Key, status: str) -> JsonObject:
    sealed = status == "sealed"
    return {
        "attempt_index": key.attempt,
        "status": status,
        "receipt": None,
        "completion_receipt": receipt_of(key) if sealed else None,
        "reward": 1.0 if sealed else None,
        "mask_sample": False if sealed else None,
        "staging_keys": [],
    }
