"""From the answers and views of the core to the JSON that a participant sends.

The core holds large JSON by digest and knows no file; whoever runs it passes what is missing as
`Known`. A receipt is also read back here. Not decided here: which answer is given.
"""

from collections.abc import Callable, Mapping
from typing import Any

import attrs

from fencepost_reference.receipts.state import (
    COUNTED,
    FROZEN,
    MOVING,
    Boundary,
    Execution,
    Receipt,
    Reply,
    View,
)
from fencepost_spec.receipts import refusals as code
from fencepost_spec.receipts.requests import GivenReceipt
from fencepost_spec.receipts.versions import SCHEMA_VERSION
from fencepost_spec.vocabulary import Key

Body = dict[str, Any]
_AT_REST = FROZEN | {"parked_with_boundary"}
_STUCK = frozenset({"parked_without_boundary"})
_STOPPING = frozenset({"retiring"})
_DONE = frozenset({"completed_unacknowledged"})

EXECUTION_FAILED = "execution_failed"
UNKNOWN_OPERATION = "unknown_operation"
FEATURES = (
    "completed_result_acknowledgement",
    "agent_continuation_index_v1",
    "discard_restored_continuation_v1",
    "agent_resource_dependency_index_v1",
)
"""What an agent of this level can do beyond the first one, as capabilities names it."""


@attrs.frozen
class Failure:
    """How a call ended that has no answer of its own: a run that failed, storage that failed."""

    status: int
    code: str
    detail: str


RUN_FAILED = Failure(500, EXECUTION_FAILED, "the run ended without a result")
STORAGE_FAILED = Failure(500, code.STORAGE_FAILED, code.BY_CODE[code.STORAGE_FAILED].says)


@attrs.frozen
class Known:
    """What an answer needs and the core does not hold.

    `ages` are seconds since each execution began; without them the body is as a trace shows it.
    `stored` are the members of a commit or restore that only files can tell.
    """

    checkpoint_id: str | None = None
    ages: Mapping[Key, float] | None = None
    # For callers that still pass it: the answer itself says what was in the way.
    result: Any = None
    stored: Mapping[str, Any] = attrs.Factory(dict[str, Any])
    failure: Failure = RUN_FAILED
    faults: tuple[Mapping[str, Any], ...] = ()
    name: str = "agent"
    deadline_ts: float | None = None


def rendered(op: str, reply: Reply, known: Known) -> tuple[int, Any]:
    """The status and the body of an answer to a control operation, or to a `run`."""
    if reply.status == 0:
        failure = known.failure
        return failure.status, error_body(failure.code, failure.detail)
    if reply.status == 422:
        return 422, {"validation": [dict(fault) for fault in known.faults]}
    if reply.status != 200:
        return reply.status, error_body(reply.code or UNKNOWN_OPERATION, _detail(reply))
    body = _BODIES[op](reply.body, known) if op in _BODIES else dict(reply.body)
    return 200, body


def error_body(error: str, detail: str) -> Body:
    """The body of a refusal."""
    return {"error": {"code": error, "detail": detail}}


def _detail(reply: Reply) -> str:
    if isinstance(reply.body, View):
        return incomplete_detail(reply.body)
    if reply.rule is not None:
        return reply.rule.says
    refusal = code.BY_CODE.get(reply.code or "")
    return "there is no such operation" if refusal is None else refusal.says


def incomplete_detail(view: View) -> str:
    """What is in the way of a checkpoint, counted as a status counts it."""
    counters = status_body(view)
    named = ("running", "parked_without_boundary", "completed_unacknowledged")
    return "not ready: " + ", ".join(f"{name}={counters[name]}" for name in named)


def status_body(view: View, ages: Mapping[Key, float] | None = None) -> Body:
    """A status body, which is also what a successful prepare answers."""

    def standing(statuses: frozenset[str]) -> list[tuple[Key, Execution]]:
        return [(key, one) for key, one in executions if one.status in statuses]

    def entries(listed: list[tuple[Key, Execution]]) -> list[Body]:
        return [entry_body(key, one, ages) for key, one in listed]

    executions = sorted(view.executions.items())
    at_rest, stuck, done = standing(_AT_REST), standing(_STUCK), standing(_DONE)
    moving = len(standing(MOVING)) + view.untracked
    return {
        "state": "accepting" if view.accepting else "preparing",
        "ready_to_commit": view.ready,
        "running": moving + len(standing(_STOPPING)),
        "parked": len(at_rest) + len(stuck),
        "parked_with_boundary": len(at_rest),
        "parked_without_boundary": len(stuck),
        "completed_unacknowledged": len(done),
        "acknowledged_completed": view.acknowledged,
        "active": moving + len(at_rest) + len(stuck),
        "blocking_attempts": entries(standing(MOVING | _STUCK | _STOPPING)),
        "completed_unacknowledged_attempts": entries(done),
        "selected_boundaries": [_selected(key, one) for key, one in at_rest],
        "executions": entries(executions),
    }


_STATES = {
    "parked_with_boundary": "parked",
    "parked_without_boundary": "parked",
    "completed_unacknowledged": "completed",
    "retiring": "retired",
}


def entry_body(key: Key, execution: Execution, ages: Mapping[Key, float] | None = None) -> Body:
    """One execution as a status lists it; one that is parked stands at what commit would write."""
    counted = execution.status in COUNTED
    stands_at = execution.record if counted else execution.boundary
    entry: Body = {
        "rollout_id": key.rollout_id,
        "attempt_index": key.attempt,
        "generation": execution.generation,
        "state": _STATES.get(execution.status, execution.status),
        "parked_boundary_state": execution.status if counted else None,
        **_boundary(stands_at),
    }
    if execution.receipt is not None:
        entry["completion_receipt"] = receipt_body(key, execution.receipt)
    if ages is not None:
        entry["age_seconds"] = ages.get(key, 0.0)
    return entry


def _boundary(boundary: Boundary | None) -> Body:
    return {
        "boundary_index": None if boundary is None else boundary.index,
        "turn_index": None if boundary is None else boundary.turn_index,
        "boundary_kind": None if boundary is None else boundary.kind,
        "resource_state_revisions": {} if boundary is None else dict(boundary.revisions),
    }


def _selected(key: Key, execution: Execution) -> Body:
    name = {"rollout_id": key.rollout_id, "attempt_index": key.attempt}
    return name | _boundary(execution.record)


def receipt_body(key: Key, receipt: Receipt) -> Body:
    """A completion receipt."""
    return {
        "rollout_id": key.rollout_id,
        "attempt_index": key.attempt,
        **attrs.asdict(receipt),
    }


def receipt_of(given: GivenReceipt) -> Receipt:
    """The receipt that a caller gives back."""
    return Receipt(
        given.execution_generation,
        given.result_identity,
        given.result_digest,
        given.manifest_capture_key,
        given.terminal_model_call_id,
    )


def _status(view: View, known: Known) -> Body:
    return {"checkpoint_id": known.checkpoint_id} | status_body(view, known.ages)


def _prepared(view: View, known: Known) -> Body:
    return status_body(view, known.ages)


def _stored(body: Any, known: Known) -> Body:
    pairs = dict(body[1])
    del pairs["continuations"]
    return pairs | dict(known.stored)


def _batch(body: Any, _known: Known) -> Body:
    return {"acknowledged": [receipt_body(key, receipt) for key, receipt in body[1]]}


def _retired(body: Any, _known: Known) -> Body:
    pairs = dict(body)
    # Where the core leaves it open whether work was stopped, some was.
    return pairs | {"retired": True} if pairs["retired"] is None else pairs


def _receipt(body: Any, _known: Known) -> Body:
    ((key, receipt),) = body[1]
    return receipt_body(key, receipt)


def _capabilities(body: Any, known: Known) -> Body:
    return {
        "component": "responses_api_agents",
        "name": known.name,
        "schema_version": SCHEMA_VERSION,
        "admission_states": ["accepting"],
        "checkpoint_mode": "export_restore",
        "concurrency_contract": "serialized_per_session",
        "multi_process": {"mode": "single_worker", "num_workers": 1},
        "instance_role": None,
        "features": list(FEATURES),
        **dict(body),
        "deadline_ts": known.deadline_ts,
    }


def _result(_body: Any, known: Known) -> Any:
    return known.result


_BODIES: Mapping[str, Callable[[Any, Known], Any]] = {
    "run": _result,
    "prepare": _prepared,
    "status": _status,
    "commit": _stored,
    "restore": _stored,
    "retire": _retired,
    "acknowledge-completed": _batch,
    "completion-receipt": _receipt,
    "capabilities": _capabilities,
}
