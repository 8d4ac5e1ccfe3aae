"""Index files and looks at checkpoint directories, as a trace shows them."""

import hashlib
from collections.abc import Iterable, Mapping
from typing import Any

from pydantic import ValidationError

from fencepost_reference.receipts.policy_model.state import Checkpoint, Index, Root, Row, Rows
from fencepost_spec.receipts.saved import ContinuationRoot
from fencepost_spec.receipts.versions import SCHEMA_VERSION
from fencepost_spec.vocabulary import Key, canonical_json

JsonObject = dict[str, Any]


def document_of(root: Root) -> JsonObject:
    """A root as an agent writes it into its index."""
    return {
        "schema_version": SCHEMA_VERSION,
        "rollout_id": root.key.rollout_id,
        "attempt_index": root.key.attempt,
        "capture_key": root.capture_key,
        "last_committed_model_call_id": root.call_id,
        "resource_state_revisions": {},
    }


def index_text(documents: Iterable[Any]) -> str:
    """The text of an index file: one root a line."""
    return "".join(canonical_json(document) + "\n" for document in documents)


def reference_of(path: str, documents: list[Any]) -> JsonObject:
    """The reference by which a commit names an index."""
    text = index_text(documents).encode("ascii")
    return {
        "schema_version": SCHEMA_VERSION,
        "relative_path": path,
        "sha256": hashlib.sha256(text).hexdigest(),
        "records": len(documents),
        "bytes": len(text),
    }


def fingerprint(reference: Mapping[str, Any]) -> str:
    """Everything that a reference says of its file, as one text."""
    return f"{reference['sha256']} {reference['records']} {reference['bytes']}"


def index_of(path: str, documents: list[Any]) -> Index:
    """An index as it lies on disk; one with a line that is no root has none."""
    digest = fingerprint(reference_of(path, documents))
    try:
        models = [ContinuationRoot.model_validate(document) for document in documents]
        roots = tuple(
            Root(
                Key(one.rollout_id, one.attempt_index),
                one.capture_key,
                one.last_committed_model_call_id,
            )
            for one in models
        )
    except ValidationError:
        return Index(None, digest)
    return Index(roots, digest)


def row_document(row: Row) -> JsonObject:
    """A row as a trace shows it."""
    names = ("model_call_id", "failure_reason", "storage_key")
    return dict(zip(names, (row.call_id, row.failure, row.storage_key), strict=True))


def row_of(document: Mapping[str, Any]) -> Row:
    """The row that a line shows."""
    call_id = document["model_call_id"]
    if not isinstance(call_id, str) or not call_id:
        raise ValueError(f"not a model call id: {call_id!r}")
    return Row(call_id, document.get("failure_reason"), document.get("storage_key"))


def look_of(path: str, here: Checkpoint | None) -> JsonObject:
    """What somebody sees who looks at a directory."""
    if here is None or here.kind == "partial":
        return {"path": path, "manifest": False}
    if here.kind != "committed" or here.damaged:
        return {"path": path, "manifest": True, "readable": False}
    return {
        "path": path,
        "manifest": True,
        "checkpoint_id": here.id,
        "server_name": here.server,
        "lineages": {name: [row_document(row) for row in rows] for name, rows in here.lineages},
        "tombstones": [_name(key) for key in here.tombstones],
        "source_attempts": [_name(key) for key in here.sources],
        "roots": [document_of(root) for root in here.roots],
    }


def _name(key: Key) -> JsonObject:
    return {"rollout_id": key.rollout_id, "attempt_index": key.attempt}


def keys_of(named: Any) -> tuple[Key, ...]:
    """The attempts that a list names, sorted."""
    return tuple(sorted(Key.of(one["rollout_id"], one["attempt_index"]) for one in named))


def checkpoint_of(look: Mapping[str, Any]) -> Checkpoint:
    """What a look shows; one that cannot be read is garbled."""
    if not look["manifest"]:
        return Checkpoint("partial")
    if not look.get("readable", True):
        return Checkpoint("garbled")
    lineages: dict[str, Rows] = {
        name: tuple(row_of(row) for row in rows) for name, rows in look["lineages"].items()
    }
    roots = index_of("", list(look["roots"])).roots
    return Checkpoint(
        "committed",
        look["checkpoint_id"],
        look["server_name"],
        tuple(sorted(lineages.items())),
        tombstones=keys_of(look["tombstones"]),
        sources=keys_of(look["source_attempts"]),
        roots=tuple(sorted(roots or ())),
    )


def same_look(known: Checkpoint | None, seen: Checkpoint) -> bool:
    """Whether a look shows what is known to lie there."""
    wanted = checkpoint_of(look_of("", known))
    return wanted == seen
