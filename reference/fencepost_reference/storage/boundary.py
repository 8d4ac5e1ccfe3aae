"""A snapshot at the trainer's boundary: it lies inside the trainer's own checkpoint.

It becomes visible with the checkpoint, by the trainer's rename; so there is none of ours. It has
the name that it would have beside the others, and is never pruned: it goes with its checkpoint.
"""

from collections.abc import Callable
from pathlib import Path

import attrs

from fencepost_reference.receipts.snapshot.choosing import Candidate
from fencepost_reference.storage.disk import Kind, TreeDisk
from fencepost_reference.storage.snapshot_reading import candidate_in
from fencepost_reference.storage.snapshots import Draft, Published, SnapshotFailed, failing
from fencepost_reference.storage.trees import make_folder
from fencepost_spec.receipts.snapshot.names import number_of, snapshot_name
from fencepost_spec.receipts.snapshot.spec import SNAPSHOT, SnapshotSpec


def _absolute(path: Path) -> Path:
    return path.absolute()


@attrs.frozen
class Boundary:
    """A checkpoint that the trainer is writing.

    `publish` gives the directory `temporary` its name `final`, durably, or raises OSError.
    """

    temporary: Path = attrs.field(converter=_absolute)
    final: Path = attrs.field(converter=_absolute)
    publish: Callable[[], None]

    def draft(self, number: int) -> Draft:
        """A draft in it, of which nothing need be there."""
        name = snapshot_name(number)
        return Draft(number, self.temporary / name, self.final / name)

    def begin(self, disk: TreeDisk, number: int) -> None:
        """Make the directory of a draft, or SnapshotFailed."""
        with failing(snapshot_name(number), visible=False):
            make_folder(disk, self.draft(number).directory)

    def rename(self, disk: TreeDisk, draft: Draft) -> Published:
        """Have the trainer publish its checkpoint, and the draft with it."""
        with failing(draft.final.name, visible=None):
            self.publish()
        return self.confirm(disk, draft)

    def confirm(self, disk: TreeDisk, draft: Draft) -> Published:
        """Whether the trainer has published: Published, or SnapshotFailed."""
        with failing(draft.final.name, visible=None):
            kind = disk.look(draft.final).kind
        if kind is not Kind.DIRECTORY:
            raise SnapshotFailed(draft.final.name, "it was not published", visible=False)
        return Published(draft.number, draft.final)


def existing_checkpoint(path: Path, disk: TreeDisk) -> Path:
    """Where a checkpoint of the trainer lies, absolute, or SnapshotFailed: nothing is there."""
    path = path.absolute()
    with failing(str(path), visible=False):
        kind = disk.look(path).kind
    if kind is Kind.DIRECTORY:
        return path
    what = "nothing is there" if kind is Kind.ABSENT else "it is no directory"
    raise SnapshotFailed(
        f"checkpoint {path}",
        f"{what}; give the directory of the trainer's checkpoint, or none: then the latest "
        "snapshot that fits is taken",
        visible=False,
    )


def boundary_candidates(
    checkpoint: Path, disk: TreeDisk, spec: SnapshotSpec = SNAPSHOT
) -> tuple[Candidate, ...]:
    """The snapshots inside a checkpoint of the trainer, as a selection takes them."""
    names = disk.names(checkpoint) if disk.look(checkpoint).kind is Kind.DIRECTORY else ()
    numbers = {name: number_of(name) for name in names}
    return tuple(
        candidate_in(checkpoint / name, number, at_boundary=True, spec=spec, disk=disk)
        for name, number in sorted(numbers.items())
        if number is not None
    )
