"""Pruning that is cut off: older snapshots go one by one, damaged ones too, their names first.

Goal: whatever ends the pruning of several snapshots leaves whole ones, and the next finishes it.
Method: three snapshots with participants, the middle one damaged; end each kind of step badly.
"""

from functools import cache
from itertools import groupby

import pytest

from fencepost.snapshot.cutting import ROOT, WITH_PARTICIPANTS, named, publish, worlds
from fencepost_reference.storage.faulty import Fault, FaultyTreeDisk, Moment, Stopped
from fencepost_reference.storage.memory import MemoryDisk
from fencepost_reference.storage.snapshots import SnapshotStore
from fencepost_reference.storage.trees import put
from fencepost_spec.receipts.snapshot import names


def several() -> MemoryDisk:
    """Three snapshots with participants, the one in the middle damaged."""
    disk = MemoryDisk()
    for _ in range(3):
        publish(disk, WITH_PARTICIPANTS, keep=3)
    put(disk, ROOT / "snapshot_000002", names.CONFIG, b"another")
    disk.sync_directory(ROOT / "snapshot_000002")
    return disk


@cache
def prunings() -> list[Moment]:
    """The steps of a publication that prunes all of them, from its rename on.

    Of the many that take the files of one away, which are all alike, the first and the last.
    """
    disk = FaultyTreeDisk(several())
    publish(disk)
    rename = next(step for step in disk.moments if step.step == "move_directory")
    steps = disk.moments[rename.number :]
    runs = groupby(steps, key=lambda step: step.step.startswith("remove"))
    taken = [(gone, list(run)) for gone, run in runs]
    return [step for gone, run in taken for step in ((run[0], run[-1]) if gone else run)]


def kept(disk: MemoryDisk) -> tuple[int, ...]:
    """The numbers of all snapshots; each but the damaged one was read and believed."""
    store = SnapshotStore(ROOT, disk=disk)
    for number in store.numbers():
        if number != 2:
            store.read(number)
    return store.numbers()


LEFT = ((1, 2, 3), (1, 2, 3, 4), (2, 3, 4), (3, 4), (4,))


@pytest.mark.parametrize("end", prunings(), ids=named)
def test_a_power_cut_amid_the_pruning_of_several_leaves_whole_ones(end: Moment) -> None:
    """R-SNW-6: with participants in them, and a damaged one among them, the oldest go first."""
    disk = several()
    with pytest.raises(Stopped):
        publish(FaultyTreeDisk(disk, {end.number: Fault.STOP}))
    for world in worlds(disk):
        assert kept(world) in LEFT
        assert publish(world).number > max(kept(world)) - 1
        assert len(kept(world)) == 1


@pytest.mark.parametrize("fault", [Fault.FAIL, Fault.FAIL_AFTER, Fault.TEAR])
@pytest.mark.parametrize("at", prunings()[2:], ids=named)
def test_a_pruning_that_fails_is_no_failure_of_the_snapshot(at: Moment, fault: Fault) -> None:
    """R-SNW-7: it is told beside the success, and the next publication prunes what is left."""
    disk = several()
    published = publish(FaultyTreeDisk(disk, {at.number: fault}))

    assert published.number == 4
    assert kept(disk) in LEFT[1:]
    assert published.left_over or kept(disk) == (4,)
    assert publish(disk).number == 5
    assert kept(disk) == (5,)


def test_what_would_be_refused_is_none_of_those_that_are_kept() -> None:
    """R-SNW-10: two are kept besides the damaged one, which goes when it is older than they."""
    disk = several()

    assert publish(disk, keep=2).pruned == (1, 2)
    assert kept(disk) == (3, 4)
    put(disk, ROOT / "snapshot_000004", names.CONFIG, b"another")
    assert publish(disk, keep=2).pruned == ()
    assert SnapshotStore(ROOT, disk=disk).numbers() == (3, 4, 5)
    assert publish(disk, keep=2).pruned == (3, 4)


def test_a_disk_that_cannot_be_read_takes_nothing_away() -> None:
    """R-SNW-10, B19: a snapshot that cannot be looked at now may be whole."""
    disk = several()
    reads = FaultyTreeDisk(disk, count_reads=True)
    publish(reads, keep=3)
    moved = next(step.number for step in reads.moments if step.step == "move_directory")
    looks = [one for one in reads.moments if one.number > moved and one.step == "read"]
    assert looks
    for look in (looks[0], looks[len(looks) // 2], looks[-1]):
        again = several()
        published = publish(
            FaultyTreeDisk(again, {look.number: Fault.FAIL}, count_reads=True), keep=3
        )
        assert published.number == 4
        assert published.left_over
        assert kept(again) == (1, 2, 3, 4)
