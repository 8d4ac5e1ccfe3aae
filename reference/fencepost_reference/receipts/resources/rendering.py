"""From the answers and views of the core to the JSON that a resources server sends.

The core holds large JSON by digest; whoever runs it passes what is missing as `Known`. Not decided
here: which answer is given.
"""

from collections.abc import Mapping
from typing import Any

import attrs

from fencepost_reference.receipts.resources.state import View
from fencepost_reference.receipts.state import Reply
from fencepost_spec.receipts import refusals as common
from fencepost_spec.receipts.resources.refusals import BY_CODE
from fencepost_spec.receipts.resources.routes import HEADER_REVISION
from fencepost_spec.receipts.versions import SCHEMA_VERSION
from fencepost_spec.vocabulary import digest_of

Body = dict[str, Any]
HANDLER_FAILED = "handler_failed"


@attrs.frozen
class Known:
    """What an answer needs and the core does not hold: bodies by digest, and the id asked for."""

    bodies: Mapping[str, Any] = attrs.Factory(dict[str, Any])
    checkpoint_id: str | None = None
    faults: tuple[Mapping[str, Any], ...] = ()


def rendered(op: str, reply: Reply, known: Known) -> tuple[int, Any, dict[str, str]]:
    """The status, the body and the headers of an answer."""
    if op == "request":
        return _request(reply, known)
    if reply.status == 0:
        says = BY_CODE[common.STORAGE_FAILED].says
        return 500, {"error": {"code": common.STORAGE_FAILED, "detail": says}}, {}
    if reply.status == 422:
        return 422, {"validation": [dict(fault) for fault in known.faults]}, {}
    if reply.status != 200:
        detail = "there is no such operation" if reply.rule is None else reply.rule.says
        code = reply.code or "unknown_operation"
        return reply.status, {"error": {"code": code, "detail": detail}}, {}
    return 200, _control(op, reply, known), {}


def _request(reply: Reply, known: Known) -> tuple[int, Any, dict[str, str]]:
    if reply.loose:
        broke = {"code": HANDLER_FAILED, "message": "the handler did not end"}
        return 500, {"error": broke}, {}
    if reply.code is not None:
        says = "" if reply.rule is None else reply.rule.says
        pairs: Body = dict(reply.body or ())
        error: Body = {"code": reply.code, "message": says, **pairs}
        return reply.status, {"error": error}, {}
    _, digest, revision = reply.body
    headers = {} if revision is None else {HEADER_REVISION: str(revision)}
    return reply.status, known.bodies[digest], headers


def _control(op: str, reply: Reply, known: Known) -> Body:
    body = reply.body
    if isinstance(body, View):
        return {"checkpoint_id": known.checkpoint_id} | status_body(body)
    if op == "prepare":
        inventory = [
            {
                "rollout_id": key.rollout_id,
                "attempt_index": key.attempt,
                "revision": revision,
                "mutation_receipts": receipts,
            }
            for key, revision, receipts in body[1]
        ]
        return {"state": "prepared", "sessions": len(inventory), "inventory": inventory}
    pairs = dict(body)
    if op == "commit":
        pairs["manifest_digest"] = digest_of([known.checkpoint_id, pairs])
    return pairs if op != "capabilities" else _capabilities(pairs)


def _capabilities(pairs: Body) -> Body:
    return {
        "component": "resources_servers",
        "schema_version": SCHEMA_VERSION,
        "admission_states": ["accepting", "paused"],
        "multi_process": {"mode": "single_worker", "num_workers": 1},
        "instance_role": None,
        "features": [],
        **pairs,
        "deadline_ts": None,
    }


def status_body(view: View) -> Body:
    """A status body, which is also a report."""
    return {
        "state": view.phase,
        "admission_state": "accepting" if view.accepting else "paused",
        "sessions": len(view.sessions),
        "per_session": [
            {
                "rollout_id": one.key.rollout_id,
                "attempt_index": one.key.attempt,
                "revision": one.revision,
                "locked": one.locked,
            }
            for one in view.sessions
        ],
        "lock_entries": len(view.sessions),
        "locked_sessions": len(view.locked),
        "tombstones": view.refused,
        "uncertain_sessions": view.uncertain,
        "mutation_receipts": view.receipts,
        "receipt_history_saturated": view.saturated,
    }
