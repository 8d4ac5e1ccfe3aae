"""The snapshots of a controller beside each other: made hidden, published by one rename, pruned.

    store = SnapshotStore(root, keep_latest_k=2)
    store.clear()
    draft = store.begin()
    …                                   participants commit below draft.directory
    published = store.publish(draft, capture)

One process writes at a time. Whatever fails or dies, every directory called `snapshot_NNNNNN` is
whole, and the ones that were there before are untouched. Every call may block.
"""

from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path

import attrs

from fencepost_reference.receipts.snapshot.building import contents_of
from fencepost_reference.receipts.snapshot.choosing import Candidate
from fencepost_reference.receipts.snapshot.values import Capture, Contents, Snapshot
from fencepost_reference.storage.disk import Kind, RealDisk, TreeDisk
from fencepost_reference.storage.errors import StorageFailed
from fencepost_reference.storage.snapshot_reading import (
    SnapshotRefused,
    candidate_in,
    read_snapshot,
)
from fencepost_reference.storage.trees import make_folder, put, remove_tree, sync_tree
from fencepost_spec.receipts.snapshot import writing as rules
from fencepost_spec.receipts.snapshot.names import (
    MANIFEST,
    TEMPORARY_PREFIX,
    TRASH_PREFIX,
    is_left_over,
    number_of,
    snapshot_name,
)
from fencepost_spec.receipts.snapshot.refusals import MISMATCH
from fencepost_spec.receipts.snapshot.spec import SNAPSHOT, SnapshotSpec

REAL_TREE_DISK = RealDisk()


class SnapshotFailed(StorageFailed):  # named as what it is: a step of the disk that failed
    """A step on the disk failed. `visible` says whether the new snapshot can be seen.

    False: it is not published and never will be. None: the rename may have happened; `confirm`
    finds out. True: it is there, and not yet known to be durable; `confirm` makes it so.
    """

    def __init__(self, file: str, reason: str, visible: bool | None) -> None:
        super().__init__(file, reason)
        self.visible = visible


@attrs.frozen
class Draft:
    """A snapshot in the making, under a name that nobody reads."""

    number: int
    directory: Path
    final: Path


@attrs.frozen
class Published:
    """A snapshot that is visible and durable.

    `left_over` says why older ones could not be taken away, or looked at, if they could not; that
    is no failure of this one.
    """

    number: int
    directory: Path
    pruned: tuple[int, ...] = ()
    left_over: str = ""


def contents_for(directory: Path, capture: Capture) -> Contents:
    """The bytes of a snapshot, or SnapshotRefused when what was captured cannot be saved."""
    try:
        return contents_of(capture)
    except (ValueError, KeyError, TypeError) as error:
        reason = str(error)
        raise SnapshotRefused(rules.BELIEVABLE, MISMATCH, directory.name, reason) from error


class SnapshotStore:
    """The snapshots below one directory."""

    def __init__(
        self,
        root: str | Path,
        *,
        keep_latest_k: int = 1,
        spec: SnapshotSpec = SNAPSHOT,
        disk: TreeDisk = REAL_TREE_DISK,
    ) -> None:
        if keep_latest_k < 1:
            raise ValueError(f"at least one snapshot is kept, not {keep_latest_k}")
        self.root = Path(root)
        self.keep_latest_k = keep_latest_k
        self._spec = spec
        self._disk = disk

    def numbers(self) -> tuple[int, ...]:
        """The numbers of the published snapshots, rising."""
        found = (number_of(name) for name in self._names())
        return tuple(sorted(number for number in found if number is not None))

    def directory(self, number: int) -> Path:
        """Where a snapshot lies."""
        return self.root / snapshot_name(number)

    def read(self, number: int) -> Snapshot:
        """A published snapshot, or SnapshotRefused."""
        return read_snapshot(self.directory(number), spec=self._spec, disk=self._disk)

    def candidates(self) -> tuple[Candidate, ...]:
        """Every published snapshot, as a selection takes it."""
        return tuple(
            candidate_in(self.directory(number), number, spec=self._spec, disk=self._disk)
            for number in self.numbers()
        )

    def clear(self) -> tuple[str, ...]:
        """Take away what an earlier process left unfinished; call it before anything else.

        Names that a dead process gave are made durable first: what is found may be relied on, and
        nothing goes from under a name that a power cut would bring back.
        """
        left_over = tuple(name for name in self._names() if is_left_over(name))
        with failing(str(self.root), visible=False):
            if self._disk.look(self.root).kind is Kind.DIRECTORY:
                self._disk.sync_directory(self.root)
            for name in left_over:
                remove_tree(self._disk, self.root / name)
        return left_over

    def draft(self, number: int) -> Draft:
        """A draft of that number, of which nothing need be there."""
        name = snapshot_name(number)
        return Draft(number, self.root / f"{TEMPORARY_PREFIX}{name}", self.root / name)

    def next_number(self) -> int:
        """A number above all that are there, finished or not."""
        return 1 + max((_any_number(name) for name in self._names()), default=0)

    def begin(self, number: int | None = None) -> Draft:
        """A new directory under a temporary name, with a number above all that are there.

        Who numbers snapshots by itself says which; one that is used up raises ValueError.
        """
        with failing(str(self.root), visible=False):
            make_folder(self._disk, self.root)
            least = self.next_number()
            if number is not None and number < least:
                raise ValueError(f"snapshot {number} comes after {least - 1}")
            draft = self.draft(least if number is None else number)
            self._disk.make_directory(draft.directory)
        return draft

    def publish(self, draft: Draft, capture: Capture) -> Published:
        """Make a draft a snapshot, or leave everything as it was and take the draft away.

        SnapshotRefused when what was captured is none that would be believed, SnapshotFailed when
        the disk fails; only there it may be visible all the same.
        """
        self.describe(draft, capture)
        self.seal(draft, capture)
        return self.rename(draft)

    def describe(self, draft: Draft, capture: Capture) -> None:
        """The first of the three steps of `publish`: every file but the manifest."""
        with self._undone(draft):
            for name, data in contents_for(draft.final, capture).files:
                put(self._disk, draft.directory, name, data)

    def seal(self, draft: Draft, capture: Capture) -> None:
        """The second: the manifest; then all of it is read back, believed, and made durable."""
        with self._undone(draft):
            manifest = contents_for(draft.final, capture).manifest
            put(self._disk, draft.directory, MANIFEST, manifest)
            topology = capture.topology
            read_snapshot(draft.directory, topology=topology, spec=self._spec, disk=self._disk)
            sync_tree(self._disk, draft.directory)

    def rename(self, draft: Draft) -> Published:
        """The third: the draft gets its name, and older ones go."""
        with failing(draft.final.name, visible=None):
            self._disk.move_directory(draft.directory, draft.final)
        return self.confirm(draft)

    @contextmanager
    def _undone(self, draft: Draft) -> Generator[None]:
        """Take a draft away when a step before the rename fails."""
        try:
            with failing(draft.final.name, visible=False):
                yield
        except (SnapshotRefused, StorageFailed):
            self.drop(draft)
            raise

    def confirm(self, draft: Draft) -> Published:
        """A draft whose rename was tried: published and durable, or SnapshotFailed."""
        with failing(draft.final.name, visible=None):
            kind = self._disk.look(draft.final).kind
        if kind is not Kind.DIRECTORY:
            raise SnapshotFailed(draft.final.name, "it was not published", visible=False)
        with failing(draft.final.name, visible=True):
            self._disk.sync_directory(self.root)
        pruned: list[int] = []
        left_over = ""
        try:
            for number in self._not_kept(draft.number):
                self._prune(number)
                pruned.append(number)
        except (OSError, StorageFailed) as error:
            left_over = getattr(error, "strerror", None) or str(error)
        return Published(draft.number, draft.final, tuple(pruned), left_over)

    def _not_kept(self, published: int) -> tuple[int, ...]:
        """The snapshots below the newest that are whole, as many as are kept.

        One that would be refused is none of them, and goes when it is below them.
        """
        numbers = self.numbers()
        left = self.keep_latest_k
        for place in reversed(range(len(numbers))):
            # What is older than all that are kept need not be read.
            number = numbers[place]
            left -= number == published or self._is_whole(number)
            if not left:
                return numbers[:place]
        return ()

    def _is_whole(self, number: int) -> bool:
        try:
            self.read(number)
        except SnapshotRefused:
            return False
        return True

    def drop(self, draft: Draft) -> None:
        """Take a draft away; what cannot be taken away now is cleared at the next start."""
        with suppress(OSError):
            remove_tree(self._disk, draft.directory)

    def _prune(self, number: int) -> None:
        """Take a snapshot away: first its name, for good, and then what is in it."""
        trash = self.root / f"{TRASH_PREFIX}{snapshot_name(number)}"
        remove_tree(self._disk, trash)
        self._disk.move_directory(self.directory(number), trash)
        self._disk.sync_directory(self.root)
        remove_tree(self._disk, trash)

    def _names(self) -> tuple[str, ...]:
        kind = self._disk.look(self.root).kind
        if kind is Kind.ABSENT:
            return ()
        if kind is not Kind.DIRECTORY:
            raise SnapshotFailed(str(self.root), f"it is {_A[kind]}, and no directory", False)
        return self._disk.names(self.root)


_A = {Kind.FILE: "a file", Kind.OTHER: "a link, a pipe or a device"}


def _any_number(name: str) -> int:
    for prefix in (TEMPORARY_PREFIX, TRASH_PREFIX):
        name = name.removeprefix(prefix)
    return number_of(name) or 0


@contextmanager
def failing(file: str, *, visible: bool | None) -> Generator[None]:
    """A step that the disk could not take, with what is known of the snapshot."""
    try:
        yield
    except StorageFailed as failed:
        raise SnapshotFailed(failed.file, failed.reason, visible) from failed
    except OSError as error:
        raise SnapshotFailed(file, error.strerror or str(error), visible) from error
