"""Checkpoint directories of an agent: a crash leaves all or nothing, a reader believes nothing.

    plan = plan_commit(directory, instance_name, checkpoint_id, records)
    write_records(plan)
    summary = publish_manifest(plan)
    checkpoint = read_checkpoint(directory, instance_name)

Every call may block; a runtime makes it in a worker thread.
"""

from fencepost_reference.storage.checks import CHECKS, StorageCheck
from fencepost_reference.storage.disk import Disk, RealDisk
from fencepost_reference.storage.errors import CheckpointRefused, StorageFailed
from fencepost_reference.storage.reader import Checkpoint, read_checkpoint
from fencepost_reference.storage.writer import (
    CommitPlan,
    CommitSummary,
    plan_commit,
    publish_manifest,
    write_records,
)

__all__ = [
    "CHECKS",
    "Checkpoint",
    "CheckpointRefused",
    "CommitPlan",
    "CommitSummary",
    "Disk",
    "RealDisk",
    "StorageCheck",
    "StorageFailed",
    "plan_commit",
    "publish_manifest",
    "read_checkpoint",
    "write_records",
]
