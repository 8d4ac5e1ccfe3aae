"""Read a committed checkpoint: all of it is checked before any of it is believed."""

from pathlib import Path

import attrs

from fencepost_reference.storage.checks import CHECKS, StorageCheck
from fencepost_reference.storage.disk import Disk, RealDisk
from fencepost_reference.storage.errors import CheckpointRefused
from fencepost_reference.storage.evidence import Evidence, Stage
from fencepost_reference.storage.layout import MANIFEST_NAME, path_fault, place_of, sha256
from fencepost_spec.receipts import storage_rules as rules
from fencepost_spec.receipts.saved import AgentBoundaryRecord, ArtifactReference
from fencepost_spec.vocabulary import check_instance_name

REAL_DISK = RealDisk()


@attrs.frozen
class Checkpoint:
    """What an agent committed: under which id, which records, sorted by key."""

    source_checkpoint_id: str
    records: tuple[AgentBoundaryRecord, ...]
    continuation_index: ArtifactReference
    manifest_digest: str


def read_checkpoint(
    directory: str | Path,
    instance_name: str | None,
    *,
    checks: tuple[StorageCheck, ...] = CHECKS,
    disk: Disk = REAL_DISK,
) -> Checkpoint:
    """The checkpoint of an instance, or CheckpointRefused that names the file and the reason.

    Reading changes nothing, so the refusal is definite even when it is the disk that fails.
    """
    directory = Path(directory)
    evidence = evidence_of(directory, instance_name, disk)
    if (fault := path_fault(directory)) is not None:
        raise CheckpointRefused(rules.READABLE, evidence.file(MANIFEST_NAME), fault)
    try:
        return inspect(evidence, checks)
    except (OSError, MemoryError) as error:
        file = evidence.reading or evidence.file(MANIFEST_NAME)
        said = error.strerror if isinstance(error, OSError) else "it does not fit into memory"
        raise CheckpointRefused(rules.READABLE, file, said or str(error)) from error


def evidence_of(directory: Path, instance_name: str | None, disk: Disk) -> Evidence:
    """A reader's evidence before it has read anything."""
    place = place_of(check_instance_name(instance_name))
    return Evidence(disk, directory, instance_name, place)


def inspect(evidence: Evidence, checks: tuple[StorageCheck, ...]) -> Checkpoint:
    """The checkpoint that the evidence shows, or CheckpointRefused; may raise OSError."""
    for stage in Stage:
        evidence.take_in(stage)
        for check in checks:
            if check.stage is stage:
                _hold(check, evidence)
    manifest = evidence.manifest
    return Checkpoint(
        manifest.checkpoint_id,
        evidence.records,
        manifest.continuation_index,
        sha256(evidence.manifest_data),
    )


def _hold(check: StorageCheck, evidence: Evidence) -> None:
    for file, reason in check.faults(evidence):
        raise CheckpointRefused(check.rule, file, reason)
