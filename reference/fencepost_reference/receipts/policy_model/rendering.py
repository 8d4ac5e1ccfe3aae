"""From the answers and views of the core to the JSON that a policy model sends.

The core knows no file and no clock; whoever runs it passes what is missing as `Known`. Not decided
here: which answer is given.
"""

from collections.abc import Callable, Mapping
from typing import Any

import attrs

from fencepost_reference.receipts.policy_model.state import View
from fencepost_reference.receipts.rendering import STORAGE_FAILED, UNKNOWN_OPERATION, error_body
from fencepost_reference.receipts.state import Reply
from fencepost_spec.receipts.policy_model.refusals import BY_CODE
from fencepost_spec.receipts.policy_model.wire import STORAGE_REFERENCES
from fencepost_spec.receipts.versions import SCHEMA_VERSION
from fencepost_spec.vocabulary import Key

Body = dict[str, Any]
WORKER = "worker-0"
STATES = ("accepting", "draining", "paused")


@attrs.frozen
class Known:
    """What an answer needs and the core does not hold.

    `ages` are seconds since each call was let in; without them the body is as a trace shows it.
    `stored` are the members of a commit or restore that only files can tell.
    """

    checkpoint_id: str | None = None
    ages: Mapping[str, float] | None = None
    stored: Mapping[str, Any] = attrs.Factory(dict[str, Any])
    faults: tuple[Mapping[str, Any], ...] = ()
    name: str = "policy"
    deadline_ts: float | None = None


def rendered(op: str, reply: Reply, known: Known) -> tuple[int, Any]:
    """The status and the body of an answer."""
    if reply.status == 0:
        return STORAGE_FAILED.status, error_body(STORAGE_FAILED.code, STORAGE_FAILED.detail)
    if reply.status == 422:
        return 422, {"validation": [dict(fault) for fault in known.faults]}
    if reply.status != 200:
        refusal = BY_CODE.get(reply.code or "")
        detail = "there is no such operation" if refusal is None else refusal.says
        if reply.rule is not None:
            detail = reply.rule.says
        return reply.status, error_body(reply.code or UNKNOWN_OPERATION, detail)
    return 200, _BODIES[op](reply.body, known)


def status_body(view: View, ages: Mapping[str, float] | None = None) -> Body:
    """A status body, which is also a report."""
    return {
        "state": view.admission,
        "per_worker": {WORKER: len(view.tickets)},
        "inflight_total": len(view.tickets),
        "waiters_total": 0,
        "inflight": [_ticket(name, key, ages) for name, key in view.tickets],
        "tombstones": attempts(view.refused),
    }


def attempts(keys: tuple[Key, ...]) -> list[Body]:
    """Attempts by name, as every body lists them."""
    return [{"rollout_id": key.rollout_id, "attempt_index": key.attempt} for key in keys]


def _ticket(name: str, key: Key | None, ages: Mapping[str, float] | None) -> Body:
    entry: Body = {
        "rollout_id": None if key is None else key.rollout_id,
        "attempt_index": None if key is None else key.attempt,
        "plane": None,
    }
    return entry if ages is None else entry | {"age_seconds": ages.get(name, 0.0)}


def _status(view: View, known: Known) -> Body:
    return {"checkpoint_id": known.checkpoint_id} | status_body(view, known.ages)


def _pause(body: Any, _known: Known) -> Body:
    return {"workers": _workers(), "waiters_total": 0, **dict(body)}


def _resume(body: Any, _known: Known) -> Body:
    return {"workers": _workers(), "released_waiters": 0, **dict(body)}


def _workers() -> Body:
    return {"acknowledged": 1, "expected": 1}


def _abort(body: Any, _known: Known) -> Body:
    return dict(body)


def _stored(body: Any, known: Known) -> Body:
    pairs = dict(body)
    del pairs["references"]  # Stands inside the index, which `stored` tells whole.
    for name in ("tombstones", "source_attempts"):
        if name in pairs:
            pairs[name] = attempts(pairs[name])
    return pairs | dict(known.stored)


def _capabilities(body: Any, known: Known) -> Body:
    pairs = dict(body)
    policy = pairs["instance_role"] == "policy"
    return {
        "component": "responses_api_models",
        "name": known.name,
        "schema_version": SCHEMA_VERSION,
        "admission_states": list(STATES) if policy else ["accepting"],
        "checkpoint_mode": "export_restore" if policy else "stateless",
        "concurrency_contract": "stateless",
        "multi_process": {"mode": "single_worker", "num_workers": 1},
        "features": [STORAGE_REFERENCES] if policy else [],
        **pairs,
        "deadline_ts": known.deadline_ts,
    }


_BODIES: Mapping[str, Callable[[Any, Known], Body]] = {
    "pause": _pause,
    "status": _status,
    "resume": _resume,
    "abort_inflight": _abort,
    "commit": _stored,
    "restore": _stored,
    "capabilities": _capabilities,
}
