"""The lines of a trace that show what a model does: each action, and what becomes visible of it.

The other direction of `reading`. A line is numbered by whoever writes it. May import: the
specification, the reference, the lines of a trace, `files`.
"""

from collections.abc import Mapping
from typing import Any

from fencepost.policy_model.files import document_of, look_of, reference_of, row_document
from fencepost.trace import lines
from fencepost_reference.receipts.policy_model import actions as a
from fencepost_reference.receipts.policy_model.rendering import Known, rendered, status_body
from fencepost_reference.receipts.policy_model.state import Checkpoint, State, Ticket, View
from fencepost_reference.receipts.state import Reply
from fencepost_spec.receipts.policy_model.identity import ATTEMPT_HEADER, ROLLOUT_HEADER
from fencepost_spec.receipts.policy_model.refusals import CHECKPOINT_PARKED, RETRY_AFTER_SECONDS
from fencepost_spec.vocabulary import Key, digest_of, seconds_of

JsonObject = dict[str, Any]
_WITH_CAPITALS = ("3", "7")
"""The last digits of calls whose headers have names with capitals, as many clients write them."""

_DIGEST = "0" * 64
_FAULTS = ({"loc": ["body", "extra"], "type": "extra_forbidden"},)
_DAMAGE = {"garbled": "manifest", "newer": "version", "committed": "lineage"}


def request_of(op: str, request: a.Request, state: State) -> JsonObject:
    """The body of a control call; its references describe the indexes that lie on disk."""
    body: JsonObject = {}
    if request.checkpoint_id is not None:
        body["checkpoint_id"] = request.checkpoint_id
    if not request.well_formed:
        return body | {"extra": 7}
    if op == "capabilities":
        return {}
    body["deadline_in"] = seconds_of(request.deadline or 0)
    if request.directory is not None:
        body["checkpoint_dir"] = request.directory
    if op == "commit":
        body["continuation_indexes"] = [
            _reference(path, digest, state) for path, digest in request.indexes
        ]
    if request.key is not None:
        body |= {"rollout_id": request.key.rollout_id, "attempt_index": request.key.attempt}
    if request.waits:
        body["wait_state"] = "paused"
        if request.timeout is not None:
            body["timeout_s"] = seconds_of(request.timeout)
    return body


def _reference(path: str, digest: str, state: State) -> JsonObject:
    """A reference with that fingerprint, whatever lies on disk."""
    index = state.indexes.get(path)
    if index is not None and index.roots is not None and index.digest == digest:
        return reference_of(path, [document_of(root) for root in index.roots])
    sha256, records, size = digest.split()
    named = {"sha256": sha256, "records": int(records), "bytes": int(size)}
    return reference_of(path, []) | named


def action_line(action: Any, state: State) -> lines.Line | None:
    """The line of an action of the world, without a number; None for steps of the participant."""
    match action:
        case a.Call():
            auth = None if action.request.authorised else "none"
            body = request_of(action.op, action.request, state)
            return lines.Call(0, action.op, action.id, body, auth)
        case a.Admit():
            return _admit(action, "ok")
        case a.Record(ticket, row):
            detail = {"ticket": ticket, **row_document(row)}
            return _work("record", detail, state.tickets[ticket])
        case a.Release(ticket):
            return _work("release", {"ticket": ticket}, state.tickets[ticket])
        case a.Gone(call):
            return lines.Lost(0, call, "timeout")
        case a.Tick(microseconds):
            return lines.Tick(0, microseconds)
        case _:
            return _fault(action, state)


def _work(event: str, detail: JsonObject, ticket: Ticket) -> lines.Work:
    key = ticket.key
    rollout, attempt = (None, None) if key is None else (key.rollout_id, key.attempt)
    return lines.Work(0, event, rollout, attempt, detail, "ok", anonymous=key is None)


def headers_of(key: Key | None, *, agrees: bool = True) -> list[list[str]]:
    """The identity headers of a call; half an identity where it is not to agree."""
    if not agrees:
        return [[ROLLOUT_HEADER, "r1"]]
    if key is None:
        return []
    return [[ROLLOUT_HEADER, key.rollout_id], [ATTEMPT_HEADER, str(key.attempt)]]


def _admit(action: a.Admit, outcome: Any) -> lines.Work:
    key = action.key if action.agrees else None
    headers = headers_of(key, agrees=action.agrees)
    if action.ticket.endswith(_WITH_CAPITALS):
        headers = [[name.title(), text] for name, text in headers]
    detail = {"ticket": action.ticket, "path": action.path, "headers": headers}
    rollout, attempt = (None, None) if key is None else (key.rollout_id, key.attempt)
    return lines.Work(0, "admit", rollout, attempt, detail, outcome, anonymous=key is None)


def _fault(action: Any, state: State) -> lines.Line | None:
    def fault(name: str, **detail: Any) -> lines.Fault:
        return lines.Fault(0, name, None, detail)

    match action:
        case a.Replace(disk_kept, ledger_kept):
            detail = {} if ledger_kept or not disk_kept else {"ledger": "fresh"}
            return lines.Fault(0, "replace", "kept" if disk_kept else "empty", detail)
        case a.HoldStorage(op):
            return fault("hold", of=op)
        case a.FreeStorage(op):
            return fault("release", of=op)
        case a.FailStorage(step):
            return fault("fail", step=step)
        case a.SetIndex(path, index):
            if index is None:
                return fault("remove", index=path)
            documents = [document_of(root) for root in index.roots or ()]
            return fault("index", path=path, roots=[{}] if index.roots is None else documents)
        case a.DamageLineage(capture_key):
            return fault("damage", lineage=capture_key)
        case a.SetDirectory(path, content):
            if content is None:
                return fault("remove", to=path)
            return _directory(fault, path, content, state)
        case _:
            return None


def _directory(fault: Any, path: str, content: Checkpoint, state: State) -> lines.Line:
    """A directory that was damaged where it lies, or copied from one that holds the same."""
    if content.damaged or content.kind in ("garbled", "newer"):
        damaged: lines.Line = fault("damage", path=path, change=_DAMAGE[content.kind])
        return damaged
    for name, here in sorted(state.disk.items()):
        if here == content:
            copied: lines.Line = fault("copy", **{"from": name, "to": path})
            return copied
    for name, here in sorted(state.disk.items()):
        if (here.lineages, here.roots, here.id) == (content.lineages, content.roots, content.id):
            claimed = {"from": name, "to": path, "server": content.server}
            taken: lines.Line = fault("copy", **claimed)
            return taken
    raise ValueError(f"nothing on disk is like what was put into {path}")


# What the participant shows.


def gate_line(action: a.Admit, code: str | None) -> lines.Work:
    """A call at the gate with what it got."""
    if code is None:
        return _admit(action, "ok")
    outcome: JsonObject = {"code": code}
    if code == CHECKPOINT_PARKED:
        outcome["retry_after"] = RETRY_AFTER_SECONDS
    return _admit(action, outcome)


def lost_line(call: str) -> lines.Lost:
    """A call that its server left without an answer."""
    return lines.Lost(0, call, "disconnected")


def cancel_line(name: str, ticket: Ticket) -> lines.Work:
    """The task of a call saw its cancellation."""
    return _work("cancel", {"ticket": name}, ticket)


def reply_line(call: str, op: str, reply: Reply, checkpoint: str | None) -> lines.Reply:
    """The answer of a control call."""
    status, body = rendered(op, reply, known_of(reply, checkpoint))
    return lines.Reply(0, call, status, body)


def known_of(reply: Reply, checkpoint: str | None) -> Known:
    """What files would tell of an answer: a digest of what was written, the size of its index."""
    stored: JsonObject = {}
    pairs: Mapping[str, Any] = {}
    if reply.status == 200 and not isinstance(reply.body, View):
        pairs = dict(reply.body or ())
    if "references" in pairs:
        index = {"relative_path": "storage-references.jsonl", "sha256": _DIGEST}
        counted = {"schema_version": 1, "records": pairs["references"], "bytes": 0}
        stored["storage_reference_index"] = index | counted
    if "excluded_inactive" in pairs:
        stored["manifest_digest"] = digest_of([checkpoint, sorted(pairs.items())])
    return Known(checkpoint, stored=stored, faults=_FAULTS)


def report_line(view: View, *, moving: bool = False) -> lines.Report:
    """A status report."""
    return lines.Report(0, status_body(view), moving=moving)


def look_line(path: str, here: Checkpoint | None) -> lines.Disk:
    """A look at a checkpoint directory."""
    return lines.Disk(0, look_of(path, here))
