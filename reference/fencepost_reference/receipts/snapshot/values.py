"""What a snapshot holds, as values that never change."""

from collections.abc import Mapping

import attrs

from fencepost_reference.receipts.ledger.state import State
from fencepost_spec.operation import Check
from fencepost_spec.receipts.snapshot.refusals import UNREADABLE
from fencepost_spec.receipts.snapshot.results import CheckpointTopology, CommitResult
from fencepost_spec.receipts.snapshot.saved import (
    DataPlaneMetadata,
    DataPlaneRows,
    ReplayIndex,
    SnapshotManifest,
)
from fencepost_spec.rule import Rule
from fencepost_spec.vocabulary import Key


@attrs.frozen
class Refused:
    """Why something is not believed: the rule, the word for it, where, and what is wrong."""

    rule: Rule
    answer: str
    where: str
    reason: str

    @property
    def told(self) -> str:
        """All of it in one line."""
        return f"{self.where}: {self.reason} ({self.rule.id})"

    @classmethod
    def by(cls, check: Check, where: str, reason: str = "") -> "Refused":
        """Refused by a check, which says what is wrong in its own words."""
        said = (check.when.__doc__ or "").strip().rstrip(".")
        return cls(check.rule, check.answer, where, reason or said)

    @classmethod
    def unreadable(cls, rule: Rule, where: str, reason: str) -> "Refused":
        """Refused by a rule of another part of the protocol."""
        return cls(rule, UNREADABLE, where, reason)


@attrs.frozen
class Continuation:
    """Work that can go on: what it was taken from, what it rests on, which rows it has staged.

    `revisions` are those of the resources servers that it relies on, None when nobody knows.
    """

    source: Key
    capture_key: str
    model_call_id: str
    revisions: tuple[tuple[str, int], ...] | None
    staging_keys: tuple[str, ...]

    @property
    def replacement(self) -> Key:
        """The attempt that goes on with it."""
        return self.source.next()

    @property
    def dependencies(self) -> frozenset[str] | None:
        """The resources servers that it relies on, None when nobody knows."""
        return None if self.revisions is None else frozenset(name for name, _ in self.revisions)


@attrs.frozen
class Capture:
    """Everything that a controller puts into a snapshot, taken at one moment.

    `sidecar` is what the ledger builds (`build_rollout_recovery_state`), `replay` the rows of each
    finalized group. What is not looked into comes as bytes.
    """

    base_train_step: int
    trainer_version: int
    current_epoch: int
    sampler_dispatch_index: int
    mutation_version: int
    rolled_back_train_group_count: int
    bootstrap_fingerprint: str | None
    partition_id: str
    sampler_name: str
    sidecar: Mapping[str, object]
    replay: tuple[tuple[str, tuple[str, ...]], ...]
    staging: frozenset[str]
    dataloader: bytes
    config: bytes
    reserve: bytes = b""
    mode: str = "authoritative"
    topology: CheckpointTopology | None = None
    commit: CommitResult | None = None


@attrs.frozen
class Contents:
    """The bytes of a snapshot but for the participants' parts: the files, then the manifest."""

    files: tuple[tuple[str, bytes], ...]
    manifest: bytes


@attrs.frozen
class Documents:
    """The documents of one snapshot, each read and believed by itself."""

    manifest: SnapshotManifest
    metadata: DataPlaneMetadata
    rows: DataPlaneRows
    replay: ReplayIndex
    ledger: State
    recovery: bytes
    replay_bytes: bytes


@attrs.frozen
class Snapshot:
    """A whole snapshot that was believed."""

    documents: Documents
    continuations: tuple[Continuation, ...]
    dataloader: bytes
    config: bytes
    reserve: bytes

    @property
    def manifest(self) -> SnapshotManifest:
        """Its manifest."""
        return self.documents.manifest
