"""A whole snapshot from its files: every check, in order, then all of it or nothing."""

from collections.abc import Callable

from fencepost_reference.receipts.ledger.actions import Answer, Call
from fencepost_reference.receipts.ledger.core import LedgerCore
from fencepost_reference.receipts.ledger.reading import from_json
from fencepost_reference.receipts.ledger.state import State
from fencepost_reference.receipts.snapshot.asking import document, first
from fencepost_reference.receipts.snapshot.building import sha256
from fencepost_reference.receipts.snapshot.joining import (
    current_attempts,
    join,
    required_staging_keys,
)
from fencepost_reference.receipts.snapshot.validating import Custody, Read, validate_commit
from fencepost_reference.receipts.snapshot.values import Documents, Refused, Snapshot
from fencepost_spec.receipts.snapshot import names
from fencepost_spec.receipts.snapshot.continuation_facts import OwnerFacts
from fencepost_spec.receipts.snapshot.facts import (
    BindingFacts,
    FileFacts,
    ManifestFacts,
    PlaceFacts,
)
from fencepost_spec.receipts.snapshot.results import CheckpointTopology, CommitResult
from fencepost_spec.receipts.snapshot.saved import (
    DataPlaneMetadata,
    DataPlaneRows,
    ReplayIndex,
    SnapshotManifest,
)
from fencepost_spec.receipts.snapshot.spec import SNAPSHOT, SnapshotSpec
from fencepost_spec.strict_json import parse_json
from fencepost_spec.vocabulary import Key

Pending = Callable[[CommitResult], "frozenset[Key] | Refused"]
"""Which attempts an agent committed with a model's reply whose actions are not done."""


def nothing_pending(_commit: CommitResult) -> frozenset[Key]:
    """For those who know nothing of it, or know that there is none."""
    return frozenset()


def read_manifest(files: Read, spec: SnapshotSpec = SNAPSHOT) -> SnapshotManifest | Refused:
    """The manifest alone, believed by itself: what a selection needs."""
    data = files(names.MANIFEST)
    refused = first(spec.checks.place, PlaceFacts(has_manifest=data is not None), names.MANIFEST)
    if refused is not None:
        return refused
    manifest = document(spec.checks, names.MANIFEST, SnapshotManifest, data or b"")
    if isinstance(manifest, Refused):
        return manifest
    facts = ManifestFacts(
        manifest.base_train_step,
        manifest.trainer_version,
        manifest.bootstrap_fingerprint is not None,
        manifest.gym_topology_fingerprint is not None,
        manifest.gym_checkpoint is not None,
        frozenset(manifest.files),
    )
    return first(spec.checks.manifest, facts, names.MANIFEST) or manifest


def believe(
    files: Read,
    *,
    topology: CheckpointTopology | None = None,
    pending: Pending = nothing_pending,
    generations: int | None = None,
    spec: SnapshotSpec = SNAPSHOT,
) -> Snapshot | Refused:
    """The snapshot that the files make up, or the first reason not to believe it.

    `generations` is how many siblings the run makes of a prompt, None where nobody says.
    """
    manifest = read_manifest(files, spec)
    if isinstance(manifest, Refused):
        return manifest
    listed = _listed(files, manifest, spec)
    if isinstance(listed, Refused):
        return listed
    documents = _documents(manifest, listed, spec)
    if isinstance(documents, Refused):
        return documents
    custody = _custody(manifest, files, topology, pending, spec)
    if isinstance(custody, Refused):
        return custody
    continuations = join(custody.roots, custody.references)
    finalized = frozenset(group.group_id for group in documents.replay.groups)
    current = current_attempts(documents.ledger, finalized)
    owners = OwnerFacts(tuple(one.source for one in continuations), current)
    refused = first(spec.checks.owner, owners, names.RECOVERY)
    if refused is None:
        facts = _binding(documents, custody, finalized, generations)
        refused = first(spec.checks.binding, facts, names.METADATA)
    if refused is not None:
        return refused
    opaque = [listed.get(name, b"") for name in (names.DATALOADER, names.CONFIG, names.RESERVE)]
    return Snapshot(documents, continuations, *opaque)


def _listed(
    files: Read, manifest: SnapshotManifest, spec: SnapshotSpec
) -> dict[str, bytes] | Refused:
    """The bytes of every listed file, held to the digests of the manifest."""
    found: dict[str, bytes] = {}
    for name, said in manifest.files.items():
        data = files(name)
        content = data or b""
        facts = FileFacts(data is not None, len(content), sha256(content), said.bytes, said.sha256)
        refused = first(spec.checks.file, facts, name)
        if refused is not None:
            return refused
        found[name] = content
    return found


def _documents(
    manifest: SnapshotManifest, listed: dict[str, bytes], spec: SnapshotSpec
) -> Documents | Refused:
    checks = spec.checks
    metadata = document(checks, names.METADATA, DataPlaneMetadata, listed.get(names.METADATA, b""))
    if isinstance(metadata, Refused):
        return metadata
    rows = document(checks, names.ROWS, DataPlaneRows, listed.get(names.ROWS, b""))
    if isinstance(rows, Refused):
        return rows
    replay_bytes = listed.get(names.REPLAY, b"")
    replay = document(checks, names.REPLAY, ReplayIndex, replay_bytes)
    if isinstance(replay, Refused):
        return replay
    recovery = listed.get(names.RECOVERY, b"")
    ledger = read_ledger(recovery)
    if isinstance(ledger, Refused):
        return ledger
    return Documents(manifest, metadata, rows, replay, ledger, recovery, replay_bytes)


def read_ledger(recovery: bytes, core: LedgerCore | None = None) -> State | Refused:
    """The ledger in a recovery file, held to its own checks."""
    core = core or LedgerCore()
    try:
        value = parse_json(recovery)
    except ValueError as error:
        rule = core.spec.loading.shape[-1].rule
        return Refused.unreadable(rule, names.RECOVERY, str(error))
    step = core.step(core.initial(), Call("load", {"state": from_json(value)}))
    answer: Answer = step.outputs[0]
    if not answer.ok:
        return Refused.unreadable(answer.rule, names.RECOVERY, answer.detail or answer.rule.says)
    state: State = step.state
    return state


def _custody(
    manifest: SnapshotManifest,
    files: Read,
    topology: CheckpointTopology | None,
    pending: Pending,
    spec: SnapshotSpec,
) -> Custody | Refused:
    commit = manifest.gym_checkpoint
    if commit is None:
        return Custody()
    found = validate_commit(
        commit,
        files,
        topology=topology,
        fingerprint=manifest.gym_topology_fingerprint,
        spec=spec,
    )
    if isinstance(found, Refused):
        return found
    waiting = pending(commit)
    if isinstance(waiting, Refused) or not waiting:
        return waiting if isinstance(waiting, Refused) else found
    return validate_commit(
        commit,
        files,
        topology=topology,
        fingerprint=manifest.gym_topology_fingerprint,
        pending=waiting,
        spec=spec,
    )


def _binding(
    documents: Documents, custody: Custody, finalized: frozenset[str], generations: int | None
) -> BindingFacts:
    manifest, metadata, replay = documents.manifest, documents.metadata, documents.replay
    ledger = documents.ledger
    steps = (group.target_step for group in ledger.groups.values())
    return BindingFacts(
        (manifest.base_train_step, manifest.trainer_version, manifest.current_epoch),
        (
            metadata.single_controller_train_steps,
            metadata.single_controller_trainer_version,
            metadata.single_controller_epoch,
        ),
        sha256(documents.recovery),
        metadata.rollout_recovery_payload_sha256,
        metadata.rollout_recovery_schema_version,
        len(ledger.groups),
        metadata.rollout_recovery_group_count,
        sha256(documents.replay_bytes),
        metadata.replay_manifest_digest,
        metadata.replay_metadata_schema_version,
        tuple(group.group_id for group in replay.groups),
        metadata.replay_group_count,
        tuple(row for group in replay.groups for row in group.rows),
        tuple(documents.rows.canonical),
        tuple(documents.rows.staging),
        required_staging_keys(ledger, custody.references, canonical=finalized),
        manifest.gym_checkpoint is not None,
        bool(ledger.owed),
        frozenset(step for step in steps if step is not None),
        manifest.sampler_dispatch_index,
        frozenset(
            len(group.siblings)
            for group in ledger.groups.values()
            if group.group_id not in finalized and not group.all_sealed
        ),
        generations,
    )
