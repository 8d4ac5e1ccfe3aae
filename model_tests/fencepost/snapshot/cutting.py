"""A disk that is cut off while a snapshot is published, and what may be found on it after that."""

from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

from fencepost.snapshot import specimens as s
from fencepost_reference.receipts.snapshot.values import Capture
from fencepost_reference.storage.faulty import FaultyTreeDisk, Moment
from fencepost_reference.storage.memory import MemoryDisk
from fencepost_reference.storage.snapshots import Published, SnapshotStore
from fencepost_reference.storage.trees import put

ROOT = Path("/run/snapshots")
DOUBTS_MAX = 5
PARTICIPANTS, COMMIT = s.participants()
WITH_PARTICIPANTS = s.capture(COMMIT)
ALONE = s.capture(None, reserve=b"")


def publish(
    disk: FaultyTreeDisk | MemoryDisk, capture: Capture = ALONE, keep: int = 1
) -> Published:
    """One snapshot from its beginning to its end, participants included."""
    store = SnapshotStore(ROOT, keep_latest_k=keep, disk=disk)
    store.clear()
    draft = store.begin()
    if capture.commit is not None:
        for name, data in PARTICIPANTS.items():
            put(disk, draft.directory, name, data)
    return store.publish(draft, capture)


def prepared(count: int = 1, keep: int = 1) -> MemoryDisk:
    """A disk on which so many snapshots have been published."""
    disk = MemoryDisk()
    for _ in range(count):
        publish(disk, keep=keep)
    return disk


def whole(disk: MemoryDisk) -> tuple[int, ...]:
    """The numbers of all snapshots, each of which was read and believed."""
    store = SnapshotStore(ROOT, disk=disk)
    for number in store.numbers():
        store.read(number)
    return store.numbers()


def named(moment: Moment) -> str:
    """A step as a test id."""
    return f"{moment.number}-{moment.step}-{moment.path.name[:24]}"


def worlds(disk: MemoryDisk) -> Iterator[MemoryDisk]:
    """Every disk that a power cut may leave, or, with many doubts, those with few exceptions."""
    doubts = range(disk.doubts())
    sizes = {0, 1, len(doubts) - 1, len(doubts)}
    for size in range(len(doubts) + 1):
        if len(doubts) <= DOUBTS_MAX or size in sizes:
            for survived in combinations(doubts, size):
                yield disk.after_power_cut(frozenset(survived))
