"""A snapshot from values: every file but the participants' parts, and the manifest over them."""

import hashlib
import json
from collections.abc import Mapping
from typing import Any, cast

from fencepost_reference.receipts.snapshot.values import Capture, Contents
from fencepost_spec.receipts.snapshot import names
from fencepost_spec.receipts.snapshot.saved import (
    DataPlaneMetadata,
    DataPlaneRows,
    FileDigest,
    ReplayGroup,
    ReplayIndex,
    SnapshotManifest,
)
from fencepost_spec.receipts.versions import LEDGER_SCHEMA, SNAPSHOT_SCHEMA
from fencepost_spec.vocabulary import canonical_json

DATA_PLANE_SCHEMA = 1


def sha256(data: bytes) -> str:
    """The digest of bytes, as 64 lower-case hexadecimal digits."""
    return hashlib.sha256(data).hexdigest()


def contents_of(capture: Capture) -> Contents:
    """The bytes of a snapshot, or ValueError when a value is none that can be saved.

    A group that training owns already is not saved as unfinished: its canonical rows have it.
    """
    owned = {group for group, _ in capture.replay}
    sidecar = dict(capture.sidecar)
    unfinished = [
        group
        for group in cast("list[Mapping[str, Any]]", sidecar["groups"])
        if group["group_id"] not in owned
    ]
    sidecar["groups"] = unfinished
    recovery = _text(sidecar)
    replay = _document(_replay(capture))
    files: list[tuple[str, bytes]] = [
        (names.METADATA, _document(_metadata(capture, recovery, replay, len(unfinished)))),
        (names.ROWS, _document(_rows(capture))),
        (names.REPLAY, replay),
        (names.RECOVERY, recovery),
        (names.DATALOADER, capture.dataloader),
        (names.CONFIG, capture.config),
    ]
    if capture.reserve:
        files.append((names.RESERVE, capture.reserve))
    manifest = _manifest(capture, files)
    shown = json.dumps(manifest.model_dump(mode="json"), indent=2, sort_keys=True)
    return Contents(tuple(files), shown.encode("ascii"))


def _manifest(capture: Capture, files: list[tuple[str, bytes]]) -> SnapshotManifest:
    topology = capture.topology
    return SnapshotManifest(
        schema_version=SNAPSHOT_SCHEMA,
        base_train_step=capture.base_train_step,
        trainer_version=capture.trainer_version,
        current_epoch=capture.current_epoch,
        sampler_dispatch_index=capture.sampler_dispatch_index,
        mutation_version=capture.mutation_version,
        rolled_back_train_group_count=capture.rolled_back_train_group_count,
        bootstrap_fingerprint=capture.bootstrap_fingerprint,
        files={name: FileDigest(sha256=sha256(data), bytes=len(data)) for name, data in files},
        gym_topology_fingerprint=None if topology is None else topology.fingerprint(),
        gym_checkpoint=capture.commit,
    )


def _metadata(
    capture: Capture, recovery: bytes, replay: bytes, recovery_groups: int
) -> DataPlaneMetadata:
    return DataPlaneMetadata.model_validate(
        {
            "data_plane_checkpoint_schema_version": DATA_PLANE_SCHEMA,
            "single_controller_train_steps": capture.base_train_step,
            "single_controller_trainer_version": capture.trainer_version,
            "single_controller_epoch": capture.current_epoch,
            "partition_id": capture.partition_id,
            "sampler_name": capture.sampler_name,
            "mode": capture.mode,
            "replay_metadata_schema_version": SNAPSHOT_SCHEMA,
            "replay_manifest_digest": sha256(replay),
            "replay_group_count": len(capture.replay),
            "rollout_recovery_schema_version": LEDGER_SCHEMA,
            "rollout_recovery_payload_sha256": sha256(recovery),
            "rollout_recovery_group_count": recovery_groups,
        }
    )


def _rows(capture: Capture) -> DataPlaneRows:
    canonical = [row for _, rows in capture.replay for row in rows]
    return DataPlaneRows(
        schema_version=SNAPSHOT_SCHEMA,
        canonical=sorted(canonical),
        staging=sorted(capture.staging),
    )


def _replay(capture: Capture) -> ReplayIndex:
    groups = [ReplayGroup(group_id=name, rows=list(rows)) for name, rows in capture.replay]
    return ReplayIndex(schema_version=SNAPSHOT_SCHEMA, groups=groups)


def _document(model: DataPlaneMetadata | DataPlaneRows | ReplayIndex) -> bytes:
    return _text(model.model_dump(mode="json"))


def _text(value: object) -> bytes:
    return canonical_json(value).encode("ascii")
