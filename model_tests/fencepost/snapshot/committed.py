"""What the participants of the specimen are called, and what they commit."""

import json
from typing import Any

from fencepost_reference.receipts.snapshot.building import sha256
from fencepost_reference.storage import layout
from fencepost_spec.receipts.policy_model.saved import (
    LedgerManifest,
    LineageFiles,
    StorageReference,
)
from fencepost_spec.receipts.policy_model.wire import LedgerCommitReply
from fencepost_spec.receipts.replies import CommitReply
from fencepost_spec.receipts.resources.saved import ResourcesManifest
from fencepost_spec.receipts.resources.wire import CommitReply as ResourcesCommitReply
from fencepost_spec.receipts.saved import (
    AgentBoundaryRecord,
    ArtifactReference,
    PendingModel,
    boundary_record,
)
from fencepost_spec.receipts.snapshot import names
from fencepost_spec.receipts.snapshot.results import (
    CommitResult,
    CommittedAgent,
    CommittedModel,
    CommittedResources,
    ParticipantIdentity,
)
from fencepost_spec.receipts.versions import SAVED_SCHEMA, SCHEMA_VERSION, SNAPSHOT_SCHEMA
from fencepost_spec.vocabulary import Key

ID = "rollout-step-4-snapshot-1-0a"
RESTORE_ID = "restore-1-0b"
STEP = 4
CURSOR = 6
REFERENCES = "storage-references.jsonl"
AGENT, CRITIC, POLICY, TOOLS, FILES = "agent", "critic", "policy", "tools", "files"
PENDING = Key("b_g0", 1)
Files = dict[str, bytes]


def identity(component: str, name: str) -> ParticipantIdentity:
    """The participant of that name, reached at a server named after it."""
    return ParticipantIdentity.model_validate(
        {"server_name": f"server-{name}", "component": component, "participant_name": name}
    )


def records(server: str = TOOLS) -> dict[str, tuple[AgentBoundaryRecord, ...]]:
    """What each agent has parked; the first rollout has used that resources server."""
    pending = PendingModel(
        model_call_id="call-9",
        response={"id": "m"},
        model_server_cookies={},
        usage=None,
        pending_action_cursor=0,
        resource_request_id="q",
    )
    one = boundary_record(
        Key("a_g1", 0), 2, created_at=1.0, model_call_id="call-2", revisions={server: 3}
    )
    two = boundary_record(
        PENDING,
        1,
        created_at=1.0,
        model_call_id="call-9",
        capture_key="b_g0",
        pending_model=pending,
    )
    three = boundary_record(Key("b_g1", 1), 0, created_at=1.0)
    return {AGENT: (one, two), CRITIC: (three,)}


def reference_to(path: str, data: bytes, count: int) -> ArtifactReference:
    """A reference to a file by what it holds."""
    return ArtifactReference(
        schema_version=SCHEMA_VERSION,
        relative_path=path,
        sha256=sha256(data),
        records=count,
        bytes=len(data),
    )


def _agent(files: Files, name: str, parked: tuple[AgentBoundaryRecord, ...]) -> CommittedAgent:
    contents = layout.contents_of(ID, name, parked)
    place = layout.place_of(name)
    files.update({f"{place}/{each}": data for each, data in contents.payloads})
    path = f"{place}/{names.MANIFEST}"
    files[path] = contents.manifest
    result = CommitReply(
        records=len(parked),
        manifest_digest=sha256(contents.manifest),
        continuation_index=contents.continuation_index,
    )
    return CommittedAgent(
        participant=identity(names.AGENT, name), manifest_path=path, result=result
    )


def references() -> list[StorageReference]:
    """The rows that the policy model keeps, each of the boundary call of a continuation."""
    return [
        StorageReference(
            schema_version=SCHEMA_VERSION,
            capture_key=key,
            boundary_model_call_id=call,
            kind="token_capture_staging",
            key=f"{key}/0",
        )
        for key, call in (("a_g1", "call-2"), ("b_g0", "call-9"))
    ]


def _model(files: Files) -> CommittedModel:
    place = f"model-ledger/{POLICY}"
    index = encode_lines([one.model_dump(mode="json") for one in references()])
    files[f"{place}/{REFERENCES}"] = index
    said = reference_to(f"{place}/{REFERENCES}", index, 2)
    lineage = LineageFiles(files={"rows.jsonl": "c" * 64}, rows=1)
    manifest = LedgerManifest(
        schema_version=SAVED_SCHEMA,
        checkpoint_id=ID,
        server_name=POLICY,
        rollouts={"a_g1": lineage, "b_g0": lineage},
        bytes=10,
        tombstones=[],
        source_attempts=[],
        continuation_roots=2,
        continuation_roots_sha256="d" * 64,
        excluded_inactive=0,
        storage_reference_index=said,
    )
    data = encode(manifest.model_dump(mode="json"))
    files[f"{place}/{names.MANIFEST}"] = data
    result = LedgerCommitReply(
        rollouts=2,
        rows=2,
        excluded_tombstoned=0,
        excluded_inactive=0,
        manifest_digest=sha256(data),
        storage_reference_index=said,
    )
    return CommittedModel(
        participant=identity(names.MODEL, POLICY),
        manifest_path=f"{place}/{names.MANIFEST}",
        result=result,
    )


def _resources(files: Files) -> CommittedResources:
    path = f"resources/{TOOLS}/{names.MANIFEST}"
    manifest = ResourcesManifest(
        schema_version=SCHEMA_VERSION,
        checkpoint_id=ID,
        server_name=TOOLS,
        files={"a_g1.a0.json": "e" * 64},
    )
    files[path] = encode(manifest.model_dump(mode="json"))
    result = ResourcesCommitReply(sessions=1, manifest_digest=sha256(files[path]))
    return CommittedResources(
        participant=identity(names.RESOURCES, TOOLS), manifest_path=path, result=result
    )


def participants(server: str = TOOLS) -> tuple[Files, CommitResult]:
    """What the participants of the specimen have written, and what they answered."""
    files: Files = {}
    commit = CommitResult(
        schema_version=SNAPSHOT_SCHEMA,
        checkpoint_id=ID,
        models=[_model(files)],
        agents=[_agent(files, name, parked) for name, parked in records(server).items()],
        resources=[_resources(files)],
    )
    return files, commit


def encode(value: Any) -> bytes:
    """A document as bytes."""
    return json.dumps(value, sort_keys=True).encode("ascii")


def encode_lines(values: list[Any]) -> bytes:
    """Documents as lines."""
    return b"".join(encode(one) + b"\n" for one in values)
