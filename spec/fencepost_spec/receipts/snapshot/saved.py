"""The documents of a snapshot directory: the manifest, the data plane's part, the replay index.

A saved document has no defaults: what may be null is still there. Every document has the one
version of the snapshot. What participants commit has models of their own. May import: pydantic,
`strict`, `versions`, `results`.
"""

from typing import Annotated, Literal

from pydantic import Field

from fencepost_spec.receipts.saved import RelativePath
from fencepost_spec.receipts.snapshot.results import CommitResult
from fencepost_spec.receipts.versions import SnapshotSchema
from fencepost_spec.strict import Count, Digest, Positive, RolloutId, Strict, Text

Cursor = Annotated[int, Field(ge=-1)]


class FileDigest(Strict):
    """What the bytes of one file must be."""

    sha256: Digest
    bytes: Count


class SnapshotManifest(Strict):
    """The file that is written last: which moment the snapshot is of, and what lies in it.

    `sampler_dispatch_index` is the last step that the sampler has stamped, -1 before the first.
    The fingerprint of the bootstrap configuration is there while no step has been trained.
    """

    schema_version: SnapshotSchema
    base_train_step: Count
    trainer_version: Count
    current_epoch: Count
    sampler_dispatch_index: Cursor
    mutation_version: Count
    rolled_back_train_group_count: Count
    bootstrap_fingerprint: Digest | None
    files: dict[RelativePath, FileDigest]
    gym_topology_fingerprint: Digest | None
    gym_checkpoint: CommitResult | None


class DataPlaneMetadata(Strict):
    """What is saved with the data plane's own checkpoint, and binds other files to it."""

    data_plane_checkpoint_schema_version: Positive
    single_controller_train_steps: Count
    single_controller_trainer_version: Count
    single_controller_epoch: Count
    partition_id: Text
    sampler_name: Text
    mode: Literal["authoritative", "shadow"]
    replay_metadata_schema_version: Positive
    replay_manifest_digest: Digest
    replay_group_count: Count
    rollout_recovery_schema_version: Positive
    rollout_recovery_payload_sha256: Digest
    rollout_recovery_group_count: Count


class DataPlaneRows(Strict):
    """The keys of the rows that the data plane holds, by partition, each sorted."""

    schema_version: SnapshotSchema
    canonical: list[Text]
    staging: list[Text]


class ReplayGroup(Strict):
    """One finalized group, and the canonical rows that it owns."""

    group_id: RolloutId
    rows: list[Text]


class ReplayIndex(Strict):
    """The finalized groups that training may still draw from."""

    schema_version: SnapshotSchema
    groups: list[ReplayGroup]
