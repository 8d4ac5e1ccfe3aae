"""From the lines of a trace to the actions of the core: requests, work events, faults, looks."""

from typing import Any, get_args

from pydantic import ValidationError

from fencepost.agent.directories import LOOKED
from fencepost.faults import wrong_line
from fencepost.mismatch import as_object, is_object
from fencepost.trace import lines
from fencepost_reference.receipts import actions as a
from fencepost_reference.receipts.rendering import receipt_of
from fencepost_reference.receipts.state import Boundary, Directory
from fencepost_spec.receipts.saved import BoundaryKind
from fencepost_spec.receipts.wire import REQUESTS
from fencepost_spec.vocabulary import (
    Key,
    check_attempt,
    digest_of,
    identity_of_run,
    microseconds,
    result_identity,
    without,
)

# What a detail of a boundary says beside the record itself.
_NOT_THE_RECORD = ("uncaught", "record", "created_at")
WAITS = {
    "model_wait_begin": ("wait_begin", "model"),
    "model_wait_end": ("wait_end", "model"),
    "external_wait_begin": ("wait_begin", "external"),
    "external_wait_end": ("wait_end", "external"),
}
EVENTS = frozenset({"begin", "boundary", "park", "finish", "refusal", *WAITS})
ENDS = frozenset({"completed", "failed", "cancelled"})
QUERIES = frozenset({"status", "completion-receipt", "capabilities"})
# Which steps of the core fail when a recording names one of its own; by operation, then by name.
EVERY_WRITE = ("records", "manifest", "after_manifest")
FAILS = {"records": ("records",), "manifest": ("manifest",), "after_manifest": ("after_manifest",)}

_STEPS = frozenset({*EVERY_WRITE, "read", "admission", "close_admission", "storage"})


def failing_steps(step: str | None, of: str | None) -> tuple[str, ...]:
    """The steps of the core that a `fail` may mean; KeyError for a step that is none."""
    if step is not None and step not in _STEPS:
        raise KeyError(step)
    if of == "prepare" or step in ("admission", "close_admission"):
        return ("prepare",)
    if of == "restore" or step == "read":
        return ("read",)
    if step in FAILS:
        return FAILS[step]
    return EVERY_WRITE if of == "commit" else (*EVERY_WRITE, "read")


def run_action(call: lines.Call) -> a.Run:
    """The `/run` of a line."""
    if call.request is None:
        return a.Run(call.id, None, well_formed=False)
    try:
        return a.Run(call.id, identity_of_run(call.request))
    except ValueError:
        return a.Run(call.id, None, well_formed=False)


def run_actions(call: lines.Call) -> list[a.Run]:
    """The readings of a `/run`; an empty rollout id may also be read as none."""
    action = run_action(call)
    if call.request is not None and call.request.get("_ng_rollout_id") == "":
        return [action, a.Run(call.id, None)]
    return [action]


def call_actions(call: lines.Call) -> list[a.Call]:
    """The readings of a control call: one, and where only its JSON types are loose, a second.

    Strict types on the wire are asked for at level should, so a participant may take the number
    in "5"; and a query may carry more than was asked for.
    """
    action = call_action(call)
    if action.request.well_formed or call.request is None:
        return [action]
    model = REQUESTS[call.op]
    known = {name: value for name, value in call.request.items() if name in model.model_fields}
    raw = known if call.op in QUERIES else call.request
    try:
        body: Any = model.model_validate(raw, strict=False)
    except ValidationError:
        return [action]
    return [action, a.Call(call.id, call.op, _request(body, action.request.authorised))]


def call_action(call: lines.Call) -> a.Call:
    """The control call of a line; a body of another shape is marked, not dropped."""
    authorised = call.auth not in ("none", "wrong")
    model = REQUESTS.get(call.op)
    if model is None:
        raise wrong_line(
            call.seq,
            f"no operation of an agent is called {call.op!r}",
            f"known: run, {', '.join(REQUESTS)}",
        )
    try:
        body: Any = model.model_validate(call.request)
    except ValidationError:
        raw = call.request or {}
        wanted = raw.get("checkpoint_id")
        name = wanted if isinstance(wanted, str) else None
        return a.Call(call.id, call.op, a.Request(name, authorised=authorised, well_formed=False))
    return a.Call(call.id, call.op, _request(body, authorised))


def _request(body: Any, authorised: bool) -> a.Request:
    # The fields as they are: asking a pydantic model for one that it lacks is slow.
    fields: dict[str, Any] = body.__dict__
    deadline = fields.get("deadline_in")
    receipts: tuple[Any, ...] = ()
    if "executions" in fields:
        receipts = tuple((one.key, receipt_of(one)) for one in fields["executions"])
    elif "result_digest" in fields:
        receipts = ((body.key, receipt_of(body)),)
    return a.Request(
        fields.get("checkpoint_id"),
        None if deadline is None else max(0, microseconds(deadline)),
        fields.get("checkpoint_dir"),
        body.key if "rollout_id" in fields else None,
        fields.get("allow_model_wait_boundary", False),
        receipts,
        authorised,
    )


def work_action(line: lines.Work, call: str | None = None) -> a.Work:
    """The event of the work that a line shows."""
    key = key_of(line)
    detail = line.detail
    if line.event in WAITS:
        event, wait = WAITS[line.event]
        return a.Work(event, key, line.seq, wait=wait)
    if line.event == "boundary" and key is not None:
        named = detail.get("record")
        return a.Work(
            "boundary",
            key,
            line.seq,
            boundary=boundary_of(key, detail),
            identity_matches=can_be_saved(detail)
            and (named is None or _same_key(as_object(named), key)),
        )
    if line.event == "finish":
        outcome = detail.get("outcome", "completed")
        result = result_of(detail.get("result")) if outcome == "completed" else None
        return a.Work("finish", key, line.seq, outcome=outcome, result=result, call=call)
    return a.Work(line.event, key, line.seq)


def result_of(result: object) -> tuple[str, str]:
    """The digest and the identity of a result."""
    return digest_of(result), result_identity(result)


def key_of(line: lines.Work) -> Key | None:
    """The key that a work event is about, or None for a run without identity."""
    if line.rollout_id is None or line.attempt is None:
        return None
    return Key(line.rollout_id, line.attempt)


def _same_key(named: dict[str, Any], key: Key) -> bool:
    attempt = named.get("attempt_index", named.get("attempt", key.attempt))
    return bool(
        named.get("rollout_id", key.rollout_id) == key.rollout_id and attempt == key.attempt
    )


def boundary_of(key: Key, detail: dict[str, Any]) -> Boundary:
    """The boundary that a record declares."""
    index = detail.get("boundary_index", -1)
    if not can_be_saved(detail):
        return Boundary(-1, digest_of(record_of(detail)), key.attempt)  # It is never recorded.
    call_id = detail.get("model_call_id")
    turn = detail.get("turn_index")
    revisions = as_object(detail.get("resource_state_revisions"))
    return Boundary(
        index,
        digest_of(record_of(detail)),
        key.attempt,
        call_id,
        key.capture_key if call_id is not None else None,
        detail.get("boundary_kind") or "turn_complete",
        index if turn is None else turn,
        tuple(sorted(revisions.items())),
    )


def can_be_saved(detail: dict[str, Any]) -> bool:
    """Whether a boundary's detail is a record that a checkpoint can hold."""
    revisions = detail.get("resource_state_revisions")
    kind, call_id = detail.get("boundary_kind"), detail.get("model_call_id")
    turn = detail.get("turn_index")
    return (
        _is_count(detail.get("boundary_index"))
        and (turn is None or _is_count(turn))
        and (kind is None or kind in get_args(BoundaryKind))
        and (call_id is None or (isinstance(call_id, str) and call_id != ""))
        and (revisions is None or _are_counts(revisions))
        and (detail.get("pending_model") is None or kind == "pending_model")
    )


def _are_counts(value: object) -> bool:
    return is_object(value) and all(map(_is_count, value.values()))


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def record_of(detail: dict[str, Any]) -> dict[str, Any]:
    """What of a boundary's detail is the record: by this two records are equal."""
    return without(detail, *_NOT_THE_RECORD)


def directory_of(look: dict[str, Any]) -> Directory:
    """What a look at a directory shows."""
    manifest = look.get("manifest")
    if manifest is not None and not isinstance(manifest, bool):
        raise TypeError("manifest says whether there is one")
    if not manifest:
        return Directory("partial")
    records: list[tuple[Key, Boundary]] = []
    for entry in look.get("records") or ():
        key = Key.of(entry["rollout_id"], entry["attempt_index"])
        call_id = entry["last_committed_model_call_id"]
        check_attempt(entry["boundary_index"])
        boundary = Boundary(
            entry["boundary_index"],
            LOOKED + digest_of(entry),
            key.attempt,
            call_id,
            entry.get("last_committed_model_capture_key") or (key.capture_key if call_id else None),
        )
        records.append((key, boundary))
    records.sort(key=lambda record: record[0])
    return Directory(
        "committed", look.get("checkpoint_id"), look.get("instance_name"), tuple(records)
    )
