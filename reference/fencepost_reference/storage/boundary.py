"""A snapshot at the trainer's boundary: it lies inside the trainer's own checkpoint.

It becomes visible with the checkpoint, by the trainer's rename; so there is none of ours.
"""

from pathlib import Path

from fencepost_reference.receipts.snapshot.values import Capture
from fencepost_reference.storage.disk import TreeDisk
from fencepost_reference.storage.snapshot_reading import read_snapshot
from fencepost_reference.storage.snapshots import REAL_TREE_DISK, contents_for
from fencepost_reference.storage.trees import put, sync_tree
from fencepost_spec.receipts.snapshot.names import MANIFEST
from fencepost_spec.receipts.snapshot.spec import SNAPSHOT, SnapshotSpec


def complete(
    directory: Path,
    capture: Capture,
    *,
    spec: SnapshotSpec = SNAPSHOT,
    disk: TreeDisk = REAL_TREE_DISK,
) -> None:
    """Everything but the rename: a snapshot written into a directory, believed, and durable.

    What fails raises SnapshotRefused or OSError.
    """
    contents = contents_for(directory, capture)
    for name, data in contents.files:
        put(disk, directory, name, data)
    put(disk, directory, MANIFEST, contents.manifest)
    read_snapshot(directory, topology=capture.topology, spec=spec, disk=disk)
    sync_tree(disk, directory)
