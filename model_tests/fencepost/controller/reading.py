"""Lines of a controller's trace into what a watcher sees.

A call's body is read by the model of the participant's operation; a participant's answer is cut
down to what a controller acts on. In a `store` line each of `snapshot.participants` is
`{"kind", "instance", "committed": BODY}`, the body of the answer to its commit, and beside it may
stand `continuations`, the rows of an agent's index.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import BaseModel, ValidationError

from fencepost.faults import TraceFault
from fencepost.ledger.reading import decoded
from fencepost.mismatch import as_object, is_object
from fencepost.trace import lines
from fencepost.trace.lines import is_list
from fencepost_reference.receipts.controller.actions import Request, Snapshot
from fencepost_reference.receipts.controller.said import (
    Answer,
    Committed,
    Continuation,
    Finished,
    Place,
    Readiness,
    Receipted,
    Released,
    Restored,
    Retired,
    Said,
)
from fencepost_reference.receipts.controller.watch.starting import receipt_of
from fencepost_reference.receipts.controller.watch.state import Settings
from fencepost_reference.receipts.state import Receipt
from fencepost_spec.receipts.policy_model.wire import MODEL_REQUESTS
from fencepost_spec.receipts.requests import REQUESTS, GivenReceipt
from fencepost_spec.receipts.resources.wire import REQUESTS as RESOURCES_REQUESTS
from fencepost_spec.receipts.resources.wire import InventoryEntry
from fencepost_spec.vocabulary import Key, canonical_json, digest_of, identity_of_run

MODELS: Mapping[str, Mapping[str, type[BaseModel]]] = {
    "agent": REQUESTS,
    "model": MODEL_REQUESTS,
    "resources": RESOURCES_REQUESTS,
}
"""The bodies of calls, by kind of participant and operation."""


def settings_of(header: lines.Header) -> Settings:
    """The participants that a header lists, or TraceFault."""
    listed: Any = header.settings.get("participants")
    found: list[tuple[Place, str]] = []
    for each in listed if is_list(listed) else ():
        one = as_object(each)
        kind, instance, mode = one.get("kind"), one.get("instance"), one.get("mode")
        if (
            not isinstance(kind, str)
            or kind not in MODELS
            or not isinstance(instance, str)
            or not isinstance(mode, str)
        ):
            raise TraceFault(1, f"no participant: {each!r}", 'write {"kind", "instance", "mode"}')
        found.append((Place(kind, instance), mode))
    if not found:
        raise TraceFault(1, "a controller has participants", "list them in the settings")
    level: Any = header.settings.get("target_level", "turn")
    if level not in ("turn", "sibling", "prompt_group"):
        raise TraceFault(1, f"no target level: {level!r}", "turn, sibling or prompt_group")
    return Settings(tuple(found), level)


def place_of(line: lines.Line) -> Place | None:
    """The participant that a line belongs to; None where it belongs to the controller or nobody."""
    at = getattr(line, "at", None)
    return None if at is None or at.kind == "controller" else Place(at.kind, at.instance)


# Calls.


def request_of(kind: str, op: str, body: Any) -> Request | str:
    """What a call carries, or what is wrong with a body that its operation does not take."""
    if op == "run":
        return _run_request(body)
    model = MODELS.get(kind, {}).get(op)
    if model is None:
        return Request()
    try:
        read: Any = model.model_validate(body)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
        where = ".".join(str(part) for part in first["loc"]) or "it"
        return f"{where}: {first['msg']}"
    if isinstance(read, GivenReceipt):
        receipts = ((read.key, receipt_of(read)),)
        return Request(key=read.key, receipts=receipts)
    key = Key(read.rollout_id, read.attempt_index) if hasattr(read, "rollout_id") else None
    given = getattr(read, "executions", ())
    indexes = getattr(read, "continuation_indexes", ())
    return Request(
        getattr(read, "checkpoint_id", None),
        getattr(read, "checkpoint_dir", None),
        key,
        tuple((each.key, receipt_of(each)) for each in given),
        tuple(digest_of(each.model_dump(mode="json")) for each in indexes),
        getattr(read, "deadline_in", None),
    )


def _run_request(body: Any) -> Request | str:
    try:
        key = identity_of_run(as_object(body))
    except ValueError as error:
        return str(error)
    return "_ng_rollout_id: Field required" if key is None else Request(key=key)


# Answers.


def answer_of(op: str, place: Place, request: Request, line: lines.Reply) -> Answer:
    """What a participant's answer says."""
    status = 200 if line.status is None else line.status
    body = as_object(line.body)
    error = body.get("error")
    named: Any = error.get("code") if is_object(error) else None
    code = named if isinstance(named, str) else None
    if status != 200:
        kept = tuple(key for key, _ in receipts_in(line.body))
        return Answer(status, code, Readiness(False, kept) if op == "prepare" else None)
    if op == "run":
        return Answer(status, None, Finished(digest_of(line.body)))
    return Answer(status, None, _said(op, place, request, body))


def _said(op: str, place: Place, request: Request, body: dict[str, Any]) -> Said:
    if op in ("prepare", "pause", "status"):
        kept = tuple(key for key, _ in receipts_in(body))
        if place.kind == "model":
            return Readiness(body.get("state") == "paused")
        if op == "status":
            return Readiness(False, kept) if place.kind == "agent" else None
        if place.kind == "resources":
            return Readiness(True, sessions=sessions_in(body))
        return Readiness(body.get("ready_to_commit") is True, kept)
    if op == "commit":
        return committed(place.kind, body)
    if op == "restore":
        source = body.get("checkpoint_id" if place.kind == "model" else "source_checkpoint_id")
        return Restored(str(source), reference_digest(place.kind, body))
    if op == "retire" and place.kind == "agent":
        names = ("retired", "tombstoned", "completed_unacknowledged")
        return Retired(*(body.get(name) is True for name in names))
    if op == "completion-receipt":
        asked = request.key or Key("", 0)
        found = dict(receipts_in([body])).get(asked)
        return None if found is None else Receipted(asked, found)
    if op == "acknowledge":
        done = [body.get(name) is True for name in ("acknowledged", "idempotent")]
        return Released(request.receipts) if done.count(True) == 1 else None
    if op == "acknowledge-completed":
        return Released(tuple(receipts_in(body.get("acknowledged"))))
    return None


def sessions_in(body: Mapping[str, Any]) -> tuple[tuple[Key, int], ...] | None:
    """The sessions that a resources server lists, or None where it lists none that can be read."""
    listed: Any = body.get("inventory")
    try:
        read = [InventoryEntry.model_validate(one) for one in listed]
    except (TypeError, ValidationError):
        return None
    return tuple(sorted((one.key, one.revision) for one in read))


def reference_digest(kind: str, body: Mapping[str, Any]) -> str:
    """The digest of the reference that a commit and its restore have in common."""
    if kind == "resources":
        return digest_of({"sessions": body.get("sessions")})
    name = "continuation_index" if kind == "agent" else "storage_reference_index"
    return digest_of(body.get(name))


def committed(kind: str, body: Mapping[str, Any], rows: Any = ()) -> Committed:
    """What a participant wrote, from the body of its answer and the rows of its index."""
    continuations = tuple(_continuation(as_object(row)) for row in rows or ())
    return Committed(reference_digest(kind, body), continuations)


def _continuation(row: dict[str, Any]) -> Continuation:
    revisions: Any = row.get("resource_state_revisions")
    return Continuation(
        Key(str(row.get("rollout_id")), int(row.get("attempt_index") or 0)),
        str(row.get("capture_key")),
        row.get("last_committed_model_call_id"),
        tuple(sorted(revisions.items())) if is_object(revisions) else None,
    )


def receipts_in(value: Any) -> Iterator[tuple[Key, Receipt]]:
    """Every completion receipt that stands anywhere in a body."""
    if is_list(value):
        for each in value:
            yield from receipts_in(each)
    elif is_object(value):
        names = ("rollout_id", "attempt_index", "execution_generation", "result_identity")
        if all(name in value for name in names):
            try:
                read = GivenReceipt.model_validate(value)
            except ValidationError:
                return
            yield read.key, receipt_of(read)
            return
        for each in value.values():
            yield from receipts_in(each)


# Snapshots.


def snapshot_of(line_number: int, body: Any) -> Snapshot:
    """The snapshot that a `store` line shows, or TraceFault."""
    shown = as_object(body)
    numbers = [shown.get(name) for name in ("number", "train_step", "trainer_version")]
    name = shown.get("checkpoint_id")
    if any(type(each) is not int for each in numbers) or not isinstance(name, str):
        reason = "a snapshot has number, checkpoint_id, train_step and trainer_version"
        raise TraceFault(line_number, reason, "write them as the contract says")
    for each in ("participants", "trained"):
        if not is_list(shown.get(each, [])):
            raise TraceFault(line_number, f"{each} of a snapshot are a list", "write them as one")
    number, train_step, version = (int(each or 0) for each in numbers)
    wrote: list[tuple[Place, object]] = []
    for each in shown.get("participants") or ():
        one = as_object(each)
        place = Place(str(one.get("kind")), str(one.get("instance")))
        content = committed(place.kind, as_object(one.get("committed")), one.get("continuations"))
        wrote.append((place, content))
    ledger = canonical_json(_textual(decoded(shown.get("ledger"))))
    trained = tuple(str(each) for each in shown.get("trained") or ())
    return Snapshot(number, name, train_step, version, ledger, tuple(wrote), trained)


def _textual(value: Any) -> Any:
    """JSON has texts as names: numbers as names become texts."""
    if is_list(value):
        return [_textual(each) for each in value]
    if is_object(value):
        return {str(name): _textual(each) for name, each in value.items()}
    return value
