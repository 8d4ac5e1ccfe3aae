"""The participants' part of a snapshot: who they are, what they committed, what they restored.

Everything is asked of values. Files come through a function from a path to bytes, which gives None
where there is no file.
"""

import hashlib
from collections.abc import Callable
from typing import Any

import attrs

from fencepost_reference.receipts.snapshot.asking import document, first, lines
from fencepost_reference.receipts.snapshot.values import Refused
from fencepost_spec.receipts.policy_model.saved import LedgerManifest, StorageReference
from fencepost_spec.receipts.resources.saved import ResourcesManifest
from fencepost_spec.receipts.saved import ArtifactReference, ContinuationRoot, Manifest
from fencepost_spec.receipts.snapshot.continuation_facts import (
    JoinFacts,
    RootFacts,
    RowFacts,
)
from fencepost_spec.receipts.snapshot.names import AGENT, MODEL
from fencepost_spec.receipts.snapshot.participant_facts import (
    ArtifactFacts,
    CommitFacts,
    CustodyFacts,
    RestoreFacts,
)
from fencepost_spec.receipts.snapshot.results import (
    CheckpointTopology,
    CommitResult,
    Committed,
    RestoreResult,
    counts_of,
    reference_of,
    source_of,
)
from fencepost_spec.receipts.snapshot.spec import SNAPSHOT, SnapshotSpec
from fencepost_spec.vocabulary import Key

Read = Callable[[str], bytes | None]

_NONE: frozenset[Key] = frozenset()


@attrs.frozen
class Custody:
    """The lines of all indexes that participants committed, and the lineages of the models."""

    roots: tuple[ContinuationRoot, ...] = ()
    references: tuple[StorageReference, ...] = ()
    lineages: frozenset[str] = frozenset()


def validate_topology(
    topology: CheckpointTopology, spec: SnapshotSpec = SNAPSHOT
) -> Refused | None:
    """Why the participants that were found cannot be checkpointed together, or None."""
    return first(spec.checks.topology, topology, "the topology")


def validate_commit(
    commit: CommitResult,
    files: Read,
    *,
    topology: CheckpointTopology | None = None,
    fingerprint: str | None = None,
    wanted_id: str | None = None,
    pending: frozenset[Key] = _NONE,
    spec: SnapshotSpec = SNAPSHOT,
) -> Custody | Refused:
    """The indexes that participants committed, or why the commit is not believed.

    `pending` are the attempts that were parked with a model's reply whose actions are not done.
    Without a topology nobody has looked for participants, and what that shows is not asked;
    `fingerprint` is the one that the snapshot was taken with.
    """
    refused = None if topology is None else validate_topology(topology, spec)
    refused = refused or _who(commit, topology, fingerprint, wanted_id, spec)
    if refused is not None:
        return refused
    custody = Custody()
    for number, (_, member) in enumerate(commit.members()):
        others = tuple(
            one.manifest_path for place, (_, one) in enumerate(commit.members()) if place < number
        )
        lineages = _manifest(commit.checkpoint_id, member, others, files, spec)
        if isinstance(lineages, Refused):
            return lineages
        custody = attrs.evolve(custody, lineages=custody.lineages | lineages)
    for component, member in commit.members():
        reference = reference_of(member)
        if reference is not None:
            taken = _index(component, reference, files, custody, spec)
            if isinstance(taken, Refused):
                return taken
            custody = taken
    resources = None if topology is None else topology.resources()
    facts = join_facts(custody, resources, pending)
    return first(spec.checks.join, facts, "the continuations") or custody


def join_facts(
    custody: Custody, resources: frozenset[str] | None, pending: frozenset[Key]
) -> JoinFacts:
    """What all indexes together are asked."""
    roots = (
        RootFacts(
            Key(one.rollout_id, one.attempt_index),
            one.capture_key,
            one.last_committed_model_call_id,
            None
            if one.resource_state_revisions is None
            else frozenset(one.resource_state_revisions),
        )
        for one in custody.roots
    )
    rows = (
        RowFacts(one.capture_key, one.boundary_model_call_id, one.kind, one.key)
        for one in custody.references
    )
    return JoinFacts(tuple(roots), tuple(rows), custody.lineages, resources, pending)


def _who(
    commit: CommitResult,
    topology: CheckpointTopology | None,
    fingerprint: str | None,
    wanted_id: str | None,
    spec: SnapshotSpec,
) -> Refused | None:
    facts = CommitFacts(
        wanted_id,
        commit.checkpoint_id,
        None if topology is None or fingerprint is None else topology.fingerprint(),
        fingerprint,
        None if topology is None else topology.exporting(),
        tuple((component, one.participant.key) for component, one in commit.members()),
    )
    return first(spec.checks.commit, facts, "the commit result")


def _manifest(
    checkpoint_id: str, member: Committed, others: tuple[str, ...], files: Read, spec: SnapshotSpec
) -> frozenset[str] | Refused:
    """The lineages in the manifest of one participant, or why it is not believed."""
    identity, path = member.participant.key, member.manifest_path
    facts = CustodyFacts(identity, path, others)
    refused = first(spec.checks.custody, facts, path)
    if refused is not None:
        return refused
    data = files(path)
    digest_said = member.result.manifest_digest
    if data is None:
        return first(spec.checks.custody, attrs.evolve(facts, exists=False), path) or frozenset()
    facts = attrs.evolve(facts, digest=_sha256(data), digest_said=digest_said)
    refused = first(spec.checks.custody, facts, path)
    if refused is not None:
        return refused
    manifest = document(spec.checks, path, _manifest_model(identity[0]), data)
    if isinstance(manifest, Refused):
        return manifest
    facts = attrs.evolve(
        facts,
        checkpoint_id=manifest.checkpoint_id,
        checkpoint_id_said=checkpoint_id,
        reference=_reference_in(manifest),
        reference_said=reference_of(member),
        counts=_counts_in(manifest),
        counts_said=counts_of(member),
    )
    return first(spec.checks.custody, facts, path) or _lineages_in(manifest)


def _manifest_model(component: str) -> "type[Manifest | LedgerManifest | ResourcesManifest]":
    if component == AGENT:
        return Manifest
    return LedgerManifest if component == MODEL else ResourcesManifest


def _reference_in(manifest: Any) -> ArtifactReference | None:
    match manifest:
        case Manifest():
            return manifest.continuation_index
        case LedgerManifest():
            return manifest.storage_reference_index
        case _:
            return None


def _lineages_in(manifest: Any) -> frozenset[str]:
    return frozenset(manifest.rollouts if isinstance(manifest, LedgerManifest) else ())


def _counts_in(manifest: Any) -> tuple[int, ...]:
    match manifest:
        case Manifest():
            return (manifest.records,)
        case LedgerManifest():
            return (len(manifest.rollouts), sum(one.rows for one in manifest.rollouts.values()))
        case _:
            return (len(manifest.files),)


def _index(
    component: str, said: ArtifactReference, files: Read, custody: Custody, spec: SnapshotSpec
) -> Custody | Refused:
    """The custody with the lines of one index more."""
    path = said.relative_path
    data = files(path)
    exists, content = data is not None, data or b""
    facts = ArtifactFacts(exists, len(content), _sha256(content), said.records, said)
    refused = first(spec.checks.artifact, facts, path)
    if refused is not None:
        return refused
    roots: tuple[ContinuationRoot, ...] | Refused = ()
    references: tuple[StorageReference, ...] | Refused = ()
    if component == AGENT:
        roots = lines(spec.checks, path, ContinuationRoot, content)
    else:
        references = lines(spec.checks, path, StorageReference, content)
    if isinstance(roots, Refused):
        return roots
    if isinstance(references, Refused):
        return references
    facts = attrs.evolve(facts, records=len(roots) + len(references))
    return first(spec.checks.artifact, facts, path) or Custody(
        (*custody.roots, *roots), (*custody.references, *references), custody.lineages
    )


def validate_restore(
    commit: CommitResult, restore: RestoreResult, spec: SnapshotSpec = SNAPSHOT
) -> Refused | None:
    """Why participants have not restored what was committed, or None."""
    committed = [member for _, member in commit.members()]
    restored = [member for _, member in restore.members()]
    facts = RestoreFacts(
        restore.operation_id,
        commit.checkpoint_id,
        tuple(member.participant.key for member in committed),
        tuple((component, one.participant.key) for component, one in restore.members()),
        tuple(source_of(member) for member in restored),
        tuple((member.participant.key, reference_of(member)) for member in restored),
        tuple((member.participant.key, reference_of(member)) for member in committed),
        tuple((member.participant.key, counts_of(member)) for member in restored),
        tuple((member.participant.key, counts_of(member)) for member in committed),
    )
    return first(spec.checks.restored, facts, "the restore result")


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
