"""Whether an answer or a report is what the model expects, and if not, what differs and why.

Statuses, codes, counters, revisions and identities are compared; never texts or digests of files.
"""

from typing import Any

from pydantic import BaseModel, ValidationError

from fencepost.agent.comparing import code_in
from fencepost.mismatch import Mismatch, as_object, is_object
from fencepost.trace import lines
from fencepost_reference.receipts.resources.state import View
from fencepost_reference.receipts.state import Reply
from fencepost_spec.receipts.refusals import INVALID_PHASE, STALE_CHECKPOINT
from fencepost_spec.receipts.resources.operations import SHAPE
from fencepost_spec.receipts.resources.routes import HEADER_REVISION
from fencepost_spec.receipts.resources.wire import REPLIES, StatusBody, refused_model
from fencepost_spec.rule import Rule
from fencepost_spec.vocabulary import digest_of
from fencepost_spec.wording import counted

_MEAN_ELSE = (None, INVALID_PHASE, STALE_CHECKPOINT)
_TEXT_MOST = 100


def expected_text(reply: Reply) -> str:
    """A decided answer in few words."""
    if reply.loose:
        return "anything but a success"
    if reply.code is not None:
        return f"{reply.status} {reply.code}"
    body = reply.body
    if isinstance(body, View):
        return f"{reply.status} with {counted(len(body.sessions), 'session')}"
    if body and body[0] == "answer":
        return f"{reply.status} as its handler returned it, revision {body[2]}"
    if body and body[0] == "prepared":
        return f"{reply.status} prepared, {counted(len(body[1]), 'session')}"
    pairs = " ".join(f"{name}={value}" for name, value in body or ())
    return f"{reply.status} {pairs}".rstrip()


def came_text(status: int | None, body: object, headers: dict[str, str] | None = None) -> str:
    """An answer in few words."""
    code = code_in(body)
    if code is not None:
        return f"{status} {code}"
    shown = str(body)
    text = shown if len(shown) <= _TEXT_MOST else shown[: _TEXT_MOST - 3] + "..."
    revision = (headers or {}).get(HEADER_REVISION)
    return f"{status} {text}" + ("" if revision is None else f", revision {revision}")


def reply_mismatch(reply: Reply, op: str, line: lines.Reply, strict: bool) -> Mismatch | None:
    """Compare an answer with the one that was decided."""
    status, body = line.status, line.body
    if reply.loose:
        failed = status is not None and status >= 400
        return None if failed else _differs(reply, line, 3)
    if status != reply.status or (reply.code is not None and not _code_fits(reply, body)):
        return _differs(reply, line, 3)
    if op == "request":
        return _request_mismatch(reply, line, strict)
    if status != 200:
        return None
    return _body_mismatch(reply, op, line, strict)


def _differs(reply: Reply, line: lines.Reply, weight: int) -> Mismatch:
    came = came_text(line.status, line.body, line.headers)
    return Mismatch(expected_text(reply), came, reply.rule, weight)


def _code_fits(reply: Reply, body: Any) -> bool:
    if reply.status in (401, 422):
        return True
    code = code_in(body)
    return code == reply.code or (reply.any_code and code not in _MEAN_ELSE)


def _request_mismatch(reply: Reply, line: lines.Reply, strict: bool) -> Mismatch | None:
    if reply.code is None:
        _, digest, revision = reply.body
        header = (line.headers or {}).get(HEADER_REVISION)
        same = revision is None or header == str(revision)
        return None if same and digest_of(line.body) == digest else _differs(reply, line, 4)
    error = as_object(as_object(line.body).get("error"))
    for name, value in reply.body or ():
        if error.get(name) != value:
            came = f"{name}={error.get(name)!r}"
            return Mismatch(f"{name}={value!r}", came, reply.rule, 4)
    if strict and "message" not in error:
        return Mismatch("an error with a message", came_text(line.status, line.body), SHAPE, 4)
    return shape_mismatch(refused_model(reply.code if reply.body else None), line.body, strict)


def _body_mismatch(reply: Reply, op: str, line: lines.Reply, strict: bool) -> Mismatch | None:
    body = line.body
    if not is_object(body):
        return _differs(reply, line, 4)
    if isinstance(reply.body, View):
        found = view_mismatch(reply.body, body, reply.rule)
        return found or shape_mismatch(REPLIES[op], body, strict)
    wanted = dict(reply.body) if reply.body and reply.body[0] != "prepared" else {}
    if reply.body and reply.body[0] == "prepared":
        found = _inventory_mismatch(reply, body)
        if found is not None:
            return found
    for name, value in wanted.items():
        came = body.get(name)
        if came != value or isinstance(came, bool) != isinstance(value, bool):
            return Mismatch(f"{name}={value!r}", f"{name}={came!r}", reply.rule, 4)
    return shape_mismatch(REPLIES[op], body, strict)


def _inventory_mismatch(reply: Reply, body: dict[str, Any]) -> Mismatch | None:
    wanted = [
        {
            "rollout_id": key.rollout_id,
            "attempt_index": key.attempt,
            "revision": revision,
            "mutation_receipts": receipts,
        }
        for key, revision, receipts in reply.body[1]
    ]
    came: Any = body.get("inventory")
    same = isinstance(came, list) and _sorted(came) == _sorted(wanted)
    if same and body.get("sessions") == len(wanted) and body.get("state") == "prepared":
        return None
    return Mismatch(f"inventory {wanted}", f"inventory {came}", reply.rule, 4)


def _sorted(entries: Any) -> list[Any]:
    return sorted(entries, key=digest_of)


class _Entry(BaseModel):
    """What every entry must have to be compared; the rest is compared as it came."""

    rollout_id: Any
    attempt_index: Any


class _Listing(BaseModel):
    """What of a status body must be there to be compared."""

    per_session: list[_Entry]


def view_mismatch(view: View, body: dict[str, Any], rule: Rule | None) -> Mismatch | None:
    """Compare a status body with what the model would show. Sessions on their way out are free."""
    unreadable = shape_mismatch(_Listing, body, strict=True)
    if unreadable is not None:
        return unreadable
    doubtful = {(key.rollout_id, key.attempt) for key in view.doubtful}
    listed = body["per_session"]
    kept = [e for e in listed if (e["rollout_id"], e["attempt_index"]) not in doubtful]
    wanted: dict[str, Any] = {
        "state": view.phase,
        "admission_state": "accepting" if view.accepting else "paused",
        "sessions": len(view.sessions) + len(listed) - len(kept),
        "tombstones": view.refused,
    }
    if not doubtful:
        wanted |= {
            "locked_sessions": len(view.locked),
            "uncertain_sessions": view.uncertain,
            "mutation_receipts": view.receipts,
            "receipt_history_saturated": view.saturated,
        }
    for name, value in wanted.items():
        if body.get(name) != value:
            return Mismatch(f"{name}={value!r}", f"{name}={body.get(name)!r}", rule, 3)
    entries = [
        {
            "rollout_id": one.key.rollout_id,
            "attempt_index": one.key.attempt,
            "revision": one.revision,
            "locked": one.locked,
        }
        for one in view.sessions
    ]
    if _sorted(entries) != _sorted(kept):
        return Mismatch(f"sessions {entries}", f"sessions {kept}", rule, 3)
    return None


def shape_mismatch(model: Any, body: Any, strict: bool) -> Mismatch | None:
    """Whether a body is exactly what its model says; asked of participants of this project."""
    if not strict:
        return None
    try:
        model.model_validate(body)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        return Mismatch("a body of the declared shape", f"{where}: {first['msg']}", SHAPE, 2)
    return None


def report_shape_mismatch(body: Any, strict: bool) -> Mismatch | None:
    """Whether a report is exactly what its model says."""
    return shape_mismatch(StatusBody, body, strict)
