"""JSON Schemas of the wire and of saved state, and the lock that holds saved state still.

Decided here: which models are published, under which file names, and what a change of a saved model
demands. Not decided here: where the files lie; the text is made here and written elsewhere. May
import: pydantic and the models of both protocols.
"""

import json
from collections.abc import Mapping
from typing import Any, Final

from pydantic import BaseModel

from fencepost_spec.receipts import saved, wire
from fencepost_spec.receipts.ledger.saved import SavedLedger, SavedSidecar
from fencepost_spec.receipts.policy_model import saved as ledger
from fencepost_spec.receipts.policy_model import wire as model_wire
from fencepost_spec.receipts.replies import TracedEarlyStatus, TracedStatus
from fencepost_spec.receipts.resources import saved as sessions
from fencepost_spec.receipts.resources import wire as sessions_wire
from fencepost_spec.receipts.snapshot import results as participants
from fencepost_spec.receipts.snapshot import saved as snapshot
from fencepost_spec.receipts.versions import (
    LEDGER_SCHEMA,
    SAVED_SCHEMA,
    SCHEMA_VERSION,
    SNAPSHOT_SCHEMA,
)
from fencepost_spec.vocabulary import digest_of

# fmt: off
SAVED: Final[Mapping[str, tuple[type[BaseModel], int]]] = {
    "agent-boundary-record": (saved.AgentBoundaryRecord, SAVED_SCHEMA),
    "manifest":              (saved.Manifest,            SAVED_SCHEMA),
    "agent-index-line":      (saved.IndexLine,           SAVED_SCHEMA),
    "continuation-root":     (saved.ContinuationRoot,    SCHEMA_VERSION),
    "artifact-reference":    (saved.ArtifactReference,   SCHEMA_VERSION),
    "recovery-ledger":       (SavedLedger,               LEDGER_SCHEMA),
    "recovery-sidecar":      (SavedSidecar,              LEDGER_SCHEMA),
    "model-lineage-row":     (ledger.LineageRow,         SCHEMA_VERSION),
    "model-storage-reference": (ledger.StorageReference, SCHEMA_VERSION),
    "model-manifest":        (ledger.LedgerManifest,     SAVED_SCHEMA),
    "resources-session":     (sessions.SessionFile,       SCHEMA_VERSION),
    "resources-manifest":    (sessions.ResourcesManifest, SCHEMA_VERSION),
    "snapshot-manifest":     (snapshot.SnapshotManifest,  SNAPSHOT_SCHEMA),
    "snapshot-data-plane-metadata": (snapshot.DataPlaneMetadata, SNAPSHOT_SCHEMA),
    "snapshot-data-plane-rows": (snapshot.DataPlaneRows,  SNAPSHOT_SCHEMA),
    "snapshot-replay-index": (snapshot.ReplayIndex,       SNAPSHOT_SCHEMA),
    "snapshot-topology":     (participants.CheckpointTopology, SNAPSHOT_SCHEMA),
    "snapshot-commit-result": (participants.CommitResult, SNAPSHOT_SCHEMA),
    "snapshot-restore-result": (participants.RestoreResult, SNAPSHOT_SCHEMA),
}
"""The saved models of the receipts protocol, each with the version that it belongs to."""
# fmt: on

_PROSE: Final = ("title", "description", "examples")


def models() -> dict[str, type[BaseModel]]:
    """Every published model of the receipts protocol, by the stem of its file."""
    published: dict[str, type[BaseModel]] = {
        f"receipts.saved.{name}": model for name, (model, _) in SAVED.items()
    }
    for operation in wire.WIRE_REQUESTS:
        published[f"receipts.wire.{operation}.request"] = wire.WIRE_REQUESTS[operation]
        published[f"receipts.wire.{operation}.reply"] = wire.WIRE_REPLIES[operation]
        published[f"receipts.trace.{operation}.request"] = wire.REQUESTS[operation]
        published[f"receipts.trace.{operation}.reply"] = wire.REPLIES[operation]
    for operation in model_wire.MODEL_REQUESTS:
        stem = f"receipts.model.{{}}.{operation}"
        published[stem.format("wire") + ".request"] = model_wire.MODEL_WIRE_REQUESTS[operation]
        published[stem.format("wire") + ".reply"] = model_wire.MODEL_WIRE_REPLIES[operation]
        published[stem.format("trace") + ".request"] = model_wire.MODEL_REQUESTS[operation]
        published[stem.format("trace") + ".reply"] = model_wire.MODEL_REPLIES[operation]
    published["receipts.model.trace.report"] = model_wire.TracedModelStatus
    for operation in sessions_wire.WIRE_REQUESTS:
        stem = f"resources.{operation}"
        published[f"receipts.wire.{stem}.request"] = sessions_wire.WIRE_REQUESTS[operation]
        published[f"receipts.wire.{stem}.reply"] = sessions_wire.REPLIES[operation]
        published[f"receipts.trace.{stem}.request"] = sessions_wire.REQUESTS[operation]
    published["receipts.wire.resources.refused"] = sessions_wire.RefusedBody
    published["receipts.wire.resources.revision-refused"] = sessions_wire.RevisionRefusedBody
    published["receipts.trace.resources.report"] = sessions_wire.StatusBody
    published["receipts.wire.error"] = wire.ErrorBody
    published["receipts.trace.report"] = TracedStatus
    published["receipts.trace.report-2942"] = TracedEarlyStatus
    return published


def schema_files() -> dict[str, str]:
    """The JSON Schema files as they must be: file name and text."""
    return {
        f"{stem}.json": json.dumps(model.model_json_schema(), indent=2, sort_keys=True) + "\n"
        for stem, model in sorted(models().items())
    }


def shape_of(model: type[BaseModel]) -> str:
    """The digest of what a model accepts, whatever is said about it."""
    schema = model.model_json_schema()
    definitions = schema.pop("$defs", {})
    return digest_of(_bare(schema, definitions))


def current_lock() -> dict[str, dict[str, Any]]:
    """Each saved model with its version and its shape, as the lock file keeps them."""
    return {
        name: {"schema_version": version, "fields": _fields(model), "shape": shape_of(model)}
        for name, (model, version) in sorted(SAVED.items())
    }


def lock_faults(locked: Mapping[str, Any], current: Mapping[str, Any]) -> list[str]:
    """What the lock holds against the current models, each with what to do about it."""
    faults: list[str] = []
    for name in sorted(locked.keys() | current.keys()):
        before, now = locked.get(name), current.get(name)
        if before is None:
            faults.append(f"{name} is new: write the lock again (REWRITE=1)")
        elif now is None:
            faults.append(f"{name} is gone: data saved with it could no longer be read; keep it")
        elif before["shape"] != now["shape"] and before["schema_version"] >= now["schema_version"]:
            changed = sorted(set(before["fields"]) ^ set(now["fields"]))
            where = f" ({', '.join(changed)})" if changed else ""
            faults.append(
                f"{name} changed{where} and its version is still {now['schema_version']}: bump the "
                "version in receipts/versions.py, add the step from the old one to UPGRADES in "
                "receipts/saved.py, then write the lock again (REWRITE=1)"
            )
        elif before != now:
            faults.append(
                f"{name} went from version {before['schema_version']} to {now['schema_version']}: "
                "write the lock again (REWRITE=1) and say in the change log who must act"
            )
    return faults


def _fields(model: type[BaseModel]) -> list[str]:
    return sorted(model.model_fields)


def _bare(node: Any, definitions: Mapping[str, Any]) -> Any:
    """A schema without prose and with its definitions in place, so that names do not matter."""
    match node:
        case [*items]:
            return [_bare(item, definitions) for item in items]
        case {"$ref": str(name)}:
            return _bare(definitions[name.removeprefix("#/$defs/")], definitions)
        case {**members}:
            return {
                name: _bare(value, definitions)
                for name, value in members.items()
                # A property may be called "title"; as an annotation it is never an object.
                if name not in _PROSE or isinstance(value, dict)
            }
        case _:
            return node
