"""Calls of the controller's core as JSON, and answers in JSON as the core reads them."""

import json
from collections.abc import Iterable, Mapping
from typing import Any, Protocol, TypeGuard

from fencepost_reference.receipts.controller import said
from fencepost_reference.receipts.controller.actions import Request, Snapshot
from fencepost_reference.receipts.controller.said import AGENT, MODEL, Answer, Place
from fencepost_reference.receipts.rendering import receipt_body
from fencepost_reference.receipts.state import Receipt
from fencepost_spec.vocabulary import Key, canonical_json, digest_of

SOON, LATE = 5.0, 10.0
"""Seconds that a participant may take for a step, and to prepare."""

SAID_MAX = 300
"""So much of what a participant says is kept in words."""

_TIMED = (
    "pause",
    "prepare",
    "commit",
    "restore",
    "resume",
    "retire",
    "discard-restored-continuation",
)
_INDEX = {AGENT: "continuation_index", MODEL: "storage_reference_index"}

JsonObject = dict[str, Any]
Indexes = Mapping[str, JsonObject]


class Heard(Protocol):
    """An answer as it comes."""

    @property
    def status(self) -> int:
        """Its status."""
        ...

    @property
    def body(self) -> Any:
        """Its body, as JSON."""
        ...


def body_of(place: Place, op: str, request: Request, indexes: Indexes) -> JsonObject:
    """The body of a call; `indexes` are the references that agents gave, by their digests."""
    key = request.key
    if op == "run" and key is not None:
        return {"_ng_rollout_id": key.rollout_id, "_ng_attempt_index": key.attempt}
    if request.receipts:
        return {"executions": [receipt_body(*one) for one in request.receipts]}
    body: JsonObject = {}
    if request.checkpoint_id is not None:
        body["checkpoint_id"] = request.checkpoint_id
    if op in _TIMED or (op == "status" and place.kind != AGENT):
        body["deadline_in"] = LATE if op in ("pause", "prepare") else SOON
    if request.directory is not None:
        body["checkpoint_dir"] = request.directory
    if key is not None:
        body |= {"rollout_id": key.rollout_id, "attempt_index": key.attempt}
    if place.kind == MODEL and op == "commit":
        body["continuation_indexes"] = [indexes[digest] for digest in request.agents]
    if place.kind == MODEL and op == "status":
        body["wait_state"] = "paused"
    return body


def answer_of(place: Place, op: str, heard: Heard, documents: list[JsonObject]) -> Answer:
    """An answer as the core reads it; `documents` are the lines of the index that it names."""
    body, code = heard.body, None
    if heard.status != 200:
        code = _code_in(body)
        return Answer(heard.status, code)
    return Answer(200, None, _said(place, op, body, documents))


def _said(place: Place, op: str, body: Any, documents: list[JsonObject]) -> said.Said:
    match op:
        case "run":
            return said.Finished(digest_of(body))
        case "completion-receipt":
            return said.Receipted(_key(body), _receipt(body))
        case "prepare" if place.kind == AGENT:
            return readiness(body)
        case "prepare":
            return said.Readiness(ready=True, sessions=sessions_in(body))
        case "pause" | "status" if place.kind == MODEL:
            return said.Readiness(body["state"] == "paused")
        case "commit":
            return committed(place, body, documents)
        case "restore":
            source = body.get("source_checkpoint_id", body.get("checkpoint_id"))
            return said.Restored(str(source), _digest(place, body))
        case "retire" if place.kind == AGENT:
            kept = bool(body.get("completed_unacknowledged", False))
            return said.Retired(bool(body["retired"]), bool(body["tombstoned"]), kept)
        case "acknowledge-completed":
            return said.Released(tuple((_key(one), _receipt(one)) for one in body["acknowledged"]))
        case _:
            return None


def _is_object(value: Any) -> TypeGuard[JsonObject]:
    return isinstance(value, dict)


def _is_rows(value: Any) -> TypeGuard[list[JsonObject]]:
    return isinstance(value, list)


def _code_in(body: Any) -> str | None:
    """The code of a refusal, if there is one."""
    error = body.get("error") if _is_object(body) else None
    code = error.get("code") if _is_object(error) else None
    return code if isinstance(code, str) else None


def refusal_in(heard: Heard) -> str:
    """A refusal in words: its status, and what its body says."""
    body: Any = heard.body
    error = body.get("error") if _is_object(body) else None
    named = [error.get(one) for one in ("code", "detail")] if _is_object(error) else [body]
    said = ": ".join(str(one) for one in named if one)
    return f"{heard.status} {said}".strip()[:SAID_MAX]


def readiness(status: JsonObject) -> said.Readiness:
    """How ready an agent is, by its status body."""
    kept = tuple(sorted(_key(one) for one in status["completed_unacknowledged_attempts"]))
    return said.Readiness(bool(status["ready_to_commit"]), kept)


def sessions_in(body: Any) -> tuple[tuple[Key, int], ...] | None:
    """The sessions that the answer of a resources server lists, or None where it lists none."""
    listed = body.get("inventory") if _is_object(body) else None
    if not _is_rows(listed):
        return None
    return tuple(sorted((_key(one), one["revision"]) for one in listed))


def _digest(place: Place, body: JsonObject) -> str:
    """By what a participant's commit and restore are known to be about the same."""
    index = body.get(_INDEX.get(place.kind, ""))
    return digest_of(index) if _is_object(index) else str(body.get("manifest_digest", ""))


def index_in(place: Place, body: Any) -> JsonObject | None:
    """The index that the answer to a commit or a restore refers to."""
    index = body.get(_INDEX.get(place.kind, "")) if _is_object(body) else None
    return index if _is_object(index) else None


def committed(place: Place, body: JsonObject, documents: list[JsonObject]) -> said.Committed:
    """What a participant committed; `documents` are the lines of its index."""
    digest = _digest(place, body)
    if place.kind == AGENT:
        return said.Committed(digest, tuple(map(_continuation, documents)))
    references = tuple(
        said.StorageReference(
            one["capture_key"], one["boundary_model_call_id"], one["key"], one["kind"]
        )
        for one in documents
    )
    return said.Committed(digest, references=references)


def _continuation(document: JsonObject) -> said.Continuation:
    revisions = document["resource_state_revisions"]
    used = None if revisions is None else tuple(sorted(revisions.items()))
    call = document["last_committed_model_call_id"]
    return said.Continuation(_key(document), document["capture_key"], call, used)


def _key(body: JsonObject) -> Key:
    return Key(body["rollout_id"], body["attempt_index"])


def _receipt(body: JsonObject) -> Receipt:
    return Receipt(
        body["execution_generation"],
        body["result_identity"],
        body["result_digest"],
        body["manifest_capture_key"],
        body["terminal_model_call_id"],
    )


# Snapshots.


def snapshot_body(
    snapshot: Snapshot,
    answers: Mapping[Place, JsonObject],
    documents: Mapping[Place, list[JsonObject]],
) -> JsonObject:
    """A snapshot as it is stored.

    `answers` are what participants said that they wrote, `documents` the indexes of agents.
    """
    return {
        "number": snapshot.number,
        "checkpoint_id": snapshot.checkpoint_id,
        "train_step": snapshot.train_step,
        "trainer_version": snapshot.trainer_version,
        "ledger": json.loads(snapshot.ledger),
        "participants": [
            {
                "kind": place.kind,
                "instance": place.instance,
                "committed": answers.get(place),
                "continuations": documents.get(place, []) if place.kind == AGENT else [],
            }
            for place, _ in snapshot.participants
        ],
        "trained": list(snapshot.trained),
    }


def places_in(body: JsonObject) -> Iterable[tuple[Place, JsonObject]]:
    """The participants of a stored snapshot, with what they said that they wrote."""
    for one in body["participants"]:
        yield Place(one["kind"], one["instance"]), one["committed"]


def snapshot_of(body: JsonObject, documents: Mapping[Place, list[JsonObject]]) -> Snapshot:
    """A snapshot as the core reads it."""
    participants = tuple(
        (place, committed(place, written, documents.get(place, [])))
        for place, written in places_in(body)
    )
    return Snapshot(
        body["number"],
        body["checkpoint_id"],
        body["train_step"],
        body["trainer_version"],
        canonical_json(body["ledger"]),
        participants,
        tuple(body["trained"]),
    )
