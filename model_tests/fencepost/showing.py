"""The lines of a trace that show what a core does: each action, and what becomes visible of it.

The other direction of `agent.reading`: what is shown here is read there as the same action. Not
decided here: which actions are taken. May import: the specification, the reference, the lines of
a trace, and `agent.reading`.
"""

import functools
from collections.abc import Mapping
from typing import Any

import attrs

from fencepost.agent import reading
from fencepost.trace import lines
from fencepost_reference.receipts import actions as a
from fencepost_reference.receipts import rendering
from fencepost_reference.receipts.state import Boundary, Directory, Receipt, Reply, View
from fencepost_spec.vocabulary import Key, digest_of, seconds_of

JsonObject = dict[str, Any]

RESULTS: Mapping[str, Any] = {
    digest_of(result): result
    for result in (
        {"id": "x1", "reward": 1},
        {"response": {"id": "x2"}},
        {"reward": 0.5},
        None,
        "just text",
    )
}
"""Results that handlers return, by digest: with an identity, without one, and null."""

_WAITS = {event_wait: name for name, event_wait in reading.WAITS.items()}
_DEADLINES = frozenset(
    {"prepare", "commit", "restore", "resume", "retire", "discard-restored-continuation"}
)
_FAULTS = ({"loc": ["body", "extra"], "type": "extra_forbidden"},)
_DIGEST = "0" * 64
_STEPS = {"prepare": "close_admission"}


# What the world does.


def request_of(op: str, request: a.Request) -> JsonObject:
    """The body of a control call."""
    body: JsonObject = {}
    if request.checkpoint_id is not None:
        body["checkpoint_id"] = request.checkpoint_id
    if not request.well_formed:
        return body | {"extra": 7}
    if op in _DEADLINES:
        body["deadline_in"] = seconds_of(request.deadline or 0)
    if request.directory is not None:
        body["checkpoint_dir"] = request.directory
    if request.allow_model_wait:
        body["allow_model_wait_boundary"] = True
    if request.key is not None:
        body |= _named(request.key)
    if op == "acknowledge":
        ((key, receipt),) = request.receipts
        body |= rendering.receipt_body(key, receipt)
    elif op == "acknowledge-completed":
        body["executions"] = [rendering.receipt_body(*one) for one in request.receipts]
    return body


def run_body(action: a.Run) -> JsonObject:
    """The body of a `/run`."""
    if not action.well_formed:
        return {"_ng_rollout_id": 7}
    if action.key is None:
        return {}
    return {"_ng_rollout_id": action.key.rollout_id, "_ng_attempt_index": action.key.attempt}


def call_line(seq: int, action: a.Call | a.Run) -> lines.Call:
    """A request that arrives."""
    if isinstance(action, a.Run):
        return lines.Call(seq, "run", action.id, run_body(action))
    auth = None if action.request.authorised else "wrong"
    return lines.Call(seq, action.op, action.id, request_of(action.op, action.request), auth)


def boundary_detail(boundary: Boundary) -> JsonObject:
    """What a boundary line says of a record."""
    detail: JsonObject = {
        "boundary_index": boundary.index,
        "turn_index": boundary.turn_index,
        "boundary_kind": boundary.kind,
        "resource_state_revisions": dict(boundary.revisions),
    }
    if boundary.call_id is not None:
        detail["model_call_id"] = boundary.call_id
    return detail


@functools.cache
def boundary_of(key: Key, index: int, call_id: str | None, turn_index: int) -> Boundary:
    """The record of a key with that index; another turn makes it another record."""
    bare = Boundary(index, "", key.attempt, call_id, turn_index=turn_index)
    return reading.boundary_of(key, boundary_detail(bare))


def work_line(seq: int, action: a.Work, outcome: str | JsonObject) -> lines.Work:
    """An event of the work."""
    event, detail = action.event, JsonObject()
    if event in ("wait_begin", "wait_end"):
        event = _WAITS[event, action.wait or "model"]
    elif event == "boundary" and action.boundary is not None:
        detail = boundary_detail(action.boundary)
        if not action.identity_matches:
            detail["record"] = {"rollout_id": "somebody-else", "attempt_index": 0}
    elif event == "refusal":
        detail = {"code": "checkpoint_parked"}
    elif event == "finish":
        detail = {"outcome": action.outcome}
        if action.outcome == "completed" and action.result is not None:
            detail["result"] = RESULTS[action.result[0]]
    if action.key is None:
        return lines.Work(seq, event, None, None, detail, outcome, anonymous=True)
    return lines.Work(seq, event, action.key.rollout_id, action.key.attempt, detail, outcome)


def fault_line(seq: int, action: Any) -> lines.Fault:
    """A fault of the storage or of the process."""
    match action:
        case a.Replace(disk_kept):
            return lines.Fault(seq, "replace", "kept" if disk_kept else "empty", {})
        case a.Hold(op):
            return lines.Fault(seq, "hold", None, {"of": op, "step": "storage"})
        case a.Release(op):
            return lines.Fault(seq, "release", None, {"of": op, "step": "storage"})
        case a.FailStorage(step):
            return lines.Fault(seq, "fail", None, {"step": _STEPS.get(step, step)})
        case a.SetDirectory(path, None):
            return lines.Fault(seq, "remove", None, {"path": path})
        case a.SetDirectory(path, Directory(kind="damaged")):
            return lines.Fault(seq, "damage", None, {"path": path, "change": "one byte"})
        case a.SetDirectory(path, _):
            return lines.Fault(seq, "copy", None, {"to": path})
        case _:
            raise TypeError(f"not a fault: {action!r}")


# What the participant shows.


def began_line(seq: int, began: a.Began) -> lines.Work:
    """A handler that starts, with the record that it was given."""
    if began.key is None:
        return lines.Work(seq, "begin", None, None, {"untracked": True}, "ok", anonymous=True)
    detail = began_detail(began)
    return lines.Work(seq, "begin", began.key.rollout_id, began.key.attempt, detail, "ok")


def began_detail(began: a.Began) -> JsonObject:
    """What a begin line says of a handler that has a key."""
    record = began.continuation
    given = None
    if record is not None:
        given = {"attempt_index": record.attempt, "boundary_index": record.index}
    return {"generation": began.generation, "continuation": given}


def reply_line(seq: int, call: str, op: str, reply: Reply, checkpoint: str | None) -> lines.Reply:
    """The answer of a call, with its whole body."""
    stored: JsonObject = {}
    result = None
    if reply.status == 200 and op == "run":
        result = RESULTS[reply.body[1]]
    elif reply.status == 200 and op in ("commit", "restore"):
        index = {"schema_version": 1, "relative_path": "agent/continuations.jsonl", "bytes": 0}
        index |= {"sha256": _DIGEST, "records": dict(reply.body[1])["continuations"]}
        stored = {"continuation_index": index}
        if op == "commit":
            stored["manifest_digest"] = _DIGEST
    known = rendering.Known(checkpoint, result=result, stored=stored, faults=_FAULTS)
    status, body = rendering.rendered(op, reply, known)
    if op == "retire" and status == 200 and body["retired"] is None:
        # A retire that answers before its handler has stopped says that it has.
        body["retired"] = True
    return lines.Reply(seq, call, status, body)


def returned_line(seq: int, returned: a.Returned) -> lines.Returned:
    """A held event that is let go."""
    return lines.Returned(seq, returned.token, outcome_of(returned.code))


def outcome_of(code: str | None) -> str | JsonObject:
    """How a line tells the answer of an event."""
    return "ok" if code is None else {"code": code}


def report_line(seq: int, view: View, *, moving: bool = False) -> lines.Report:
    """A status report."""
    return lines.Report(seq, rendering.status_body(view), moving=moving)


def look_line(seq: int, path: str, directory: Directory) -> lines.Disk:
    """A look at a directory; in a damaged one lies a manifest that says nothing."""
    if directory.kind not in ("committed", "damaged"):
        return lines.Disk(seq, {"path": path, "files": ["records"], "manifest": False})
    look: JsonObject = {
        "path": path,
        "files": ["manifest.json", "records"],
        "manifest": True,
        "checkpoint_id": directory.source,
        "instance_name": directory.instance,
        "records": [record_look(key, boundary) for key, boundary in directory.records],
    }
    return lines.Disk(seq, look)


def record_look(key: Key, boundary: Boundary) -> JsonObject:
    """How a look at a directory tells a record."""
    return _named(key) | {
        "boundary_index": boundary.index,
        "last_committed_model_call_id": boundary.call_id,
        "last_committed_model_capture_key": boundary.capture_key,
    }


def _named(key: Key) -> JsonObject:
    return {"rollout_id": key.rollout_id, "attempt_index": key.attempt}


def wrong_receipt(receipt: Receipt, field: str) -> Receipt:
    """The receipt with one field that is not as it was told; a pair changes together."""
    if field in ("manifest_capture_key", "terminal_model_call_id"):
        pair = {"manifest_capture_key": receipt.manifest_capture_key or "r9"}
        pair["terminal_model_call_id"] = receipt.terminal_model_call_id or "m9"
        changes: dict[str, Any] = pair | {field: "another"}
    else:
        changes = {field: 2 if field == "execution_generation" else "f" * 64}
    return attrs.evolve(receipt, **changes)
