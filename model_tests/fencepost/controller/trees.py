"""What participants of a deployment leave in a checkpoint directory: real documents, from cores.

Everything is a function of what the core holds, so a commit and a later restore name the same
files. What a core holds by digest only (what an agent has said, the state of an environment) is not
in them. Not decided here: where the files lie.
"""

import hashlib
import json
from collections.abc import Iterable
from typing import Any

import attrs

from fencepost.policy_model.files import index_text, reference_of, row_document
from fencepost.trace.lines import JsonObject
from fencepost_reference.receipts.policy_model.state import Checkpoint
from fencepost_reference.receipts.resources.state import Directory
from fencepost_reference.receipts.state import Boundary
from fencepost_reference.storage import layout
from fencepost_spec.receipts.policy_model.saved import LedgerManifest
from fencepost_spec.receipts.resources.saved import ResourcesManifest, SessionFile, file_name
from fencepost_spec.receipts.saved import boundary_record
from fencepost_spec.receipts.snapshot import names
from fencepost_spec.receipts.versions import SAVED_SCHEMA, SCHEMA_VERSION
from fencepost_spec.vocabulary import Key, digest_of

Files = dict[str, bytes]
REFERENCES = "storage-references.jsonl"


@attrs.frozen
class Tree:
    """The files of one participant, and what its answers say of them."""

    files: Files
    manifest_digest: str
    index: JsonObject | None = None
    documents: tuple[JsonObject, ...] = ()


def agent_tree(instance: str, checkpoint_id: str, records: Iterable[tuple[Key, Boundary]]) -> Tree:
    """What an agent leaves: the boundaries of its attempts, and the index of their model calls."""
    saved = sorted((_record(*one) for one in records), key=lambda one: one.key)
    contents = layout.contents_of(checkpoint_id, instance, saved)
    place = layout.place_of(instance)
    files = {f"{place}/{name}": data for name, data in contents.payloads}
    files[f"{place}/{names.MANIFEST}"] = contents.manifest
    roots = (root for one in saved if (root := one.root) is not None)
    return Tree(
        files,
        _sha256(contents.manifest),
        contents.continuation_index.model_dump(mode="json"),
        tuple(root.model_dump(mode="json") for root in roots),
    )


def _record(key: Key, boundary: Boundary) -> Any:
    return boundary_record(
        key,
        boundary.index,
        created_at=0.0,
        turn_index=boundary.turn_index,
        model_call_id=boundary.call_id,
        capture_key=boundary.capture_key,
        revisions=dict(boundary.revisions),
    )


def model_tree(
    server: str, content: Checkpoint, inactive: int, references: list[JsonObject]
) -> Tree:
    """What a policy model leaves: a file of rows for each lineage, and its index."""
    place = f"model-ledger/{server}"
    files: Files = {f"{place}/{REFERENCES}": index_text(references).encode("ascii")}
    lineages: dict[str, Any] = {}
    for name, rows in content.lineages:
        path = f"lineages/{name}.jsonl"
        data = index_text(row_document(row) for row in rows).encode("ascii")
        files[f"{place}/{path}"] = data
        lineages[name] = {"files": {path: _sha256(data)}, "rows": len(rows)}
    index = reference_of(f"{place}/{REFERENCES}", references)
    manifest = LedgerManifest.model_validate(
        {
            "schema_version": SAVED_SCHEMA,
            "checkpoint_id": content.id,
            "server_name": server,
            "rollouts": lineages,
            "bytes": sum(map(len, files.values())),
            "tombstones": [_named(key) for key in content.tombstones],
            "source_attempts": [_named(key) for key in content.sources],
            "continuation_roots": len(content.roots),
            "continuation_roots_sha256": digest_of([str(root) for root in content.roots]),
            "excluded_inactive": inactive,
            "storage_reference_index": index,
        }
    )
    data = _encoded(manifest.model_dump(mode="json"))
    files[f"{place}/{names.MANIFEST}"] = data
    return Tree(files, _sha256(data), index, tuple(references))


def resources_tree(server: str, content: Directory) -> Tree:
    """What a resources server leaves: a file for each session."""
    place = f"resources/{server}"
    sessions = {file_name(key): _session(key, one) for key, one in content.records}
    manifest = ResourcesManifest.model_validate(
        {
            "schema_version": SCHEMA_VERSION,
            "checkpoint_id": content.source,
            "server_name": server,
            "files": {name: _sha256(data) for name, data in sessions.items()},
        }
    )
    data = _encoded(manifest.model_dump(mode="json"))
    files = {f"{place}/{name}": one for name, one in sessions.items()}
    return Tree({**files, f"{place}/{names.MANIFEST}": data}, _sha256(data))


def _session(key: Key, snapshot: Any) -> bytes:
    document: JsonObject = {
        "schema_version": SCHEMA_VERSION,
        "rollout_id": key.rollout_id,
        "attempt_index": key.attempt,
        "revision": snapshot.revision,
        "mutation_receipts": [
            {
                "request_id": one.request_id,
                "expected_revision": one.expected,
                "input_digest": one.input,
                "status": one.status,
                "headers": {},
                "body": one.body,
                "revision": one.revision,
            }
            for one in snapshot.receipts
        ],
        "state": None,
    }
    return _encoded(SessionFile.model_validate(document).model_dump(mode="json"))


def _named(key: Key) -> JsonObject:
    return {"rollout_id": key.rollout_id, "attempt_index": key.attempt}


def _encoded(document: Any) -> bytes:
    return json.dumps(document, indent=2, sort_keys=True).encode("ascii")


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
