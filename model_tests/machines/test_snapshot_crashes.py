"""A snapshot that is cut off: the old ones are whole, and the new one is there whole or not at all.

Goal: crashes, power cuts, failing and tearing disks never leave half a snapshot under its name, and
never touch one that was published before. Method: count the steps of one publication, end each of
them badly in every way, and look at every disk that may come back.
"""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fencepost.snapshot.cutting import (
    ALONE,
    PARTICIPANTS,
    ROOT,
    WITH_PARTICIPANTS,
    named,
    prepared,
    publish,
    whole,
    worlds,
)
from fencepost_reference.receipts.snapshot.values import Capture
from fencepost_reference.storage.faulty import Fault, FaultyTreeDisk, Moment, Stopped
from fencepost_reference.storage.memory import MemoryDisk
from fencepost_reference.storage.snapshots import (
    Draft,
    Published,
    SnapshotFailed,
    SnapshotStore,
)
from fencepost_spec.receipts.snapshot import names


def moments(capture: Capture = ALONE) -> list[Moment]:
    """The steps of one undisturbed publication that prunes an older snapshot."""
    disk = FaultyTreeDisk(prepared())
    publish(disk, capture)
    return disk.moments


STEPS = moments()
MOVES = [step for step in STEPS if step.step == "move_directory"]
SYNCS = [step for step in STEPS if step.step.startswith("sync")]
ENDS = [*STEPS, Moment(len(STEPS), "the end", ROOT)]


def test_the_steps_of_a_publication_are_known() -> None:
    """R-SNW-1, R-SNW-3, R-SNW-6: manifest last, one rename, and the old name before its content."""
    files = [step.path.name for step in STEPS if step.step == "rename"]
    after = [step.step for step in STEPS[MOVES[0].number :]]

    assert [step.path.name for step in MOVES] == ["snapshot_000002", "trash_snapshot_000001"]
    assert files[-1] == names.MANIFEST
    assert after[:4] == ["move_directory", "sync_directory", "move_directory", "sync_directory"]
    assert set(after[4:]) == {"remove", "remove_directory"}


def test_everything_is_synced_before_the_rename() -> None:
    """R-SNW-2: every file and every directory of the draft is synced, the deepest first."""
    disk = FaultyTreeDisk(MemoryDisk())
    published = publish(disk, WITH_PARTICIPANTS)
    rename = next(step for step in disk.moments if step.step == "move_directory")
    draft = published.directory.with_name(f"tmp_{published.directory.name}")
    synced = [step.path for step in disk.moments[: rename.number] if step.step.startswith("sync")]
    last = synced.index(draft, synced.index(draft / names.MANIFEST))
    every = {draft / name for name in PARTICIPANTS} | {
        (draft / name).parent for name in (*PARTICIPANTS, names.METADATA)
    }

    assert every <= set(synced)
    assert last == len(synced) - 1


@pytest.mark.parametrize("end", ENDS, ids=named)
def test_a_power_cut_leaves_the_old_or_the_new(end: Moment) -> None:
    """I22: whatever of the unsynced steps survives, what is called a snapshot is whole."""
    disk = prepared()
    finished = True
    try:
        publish(FaultyTreeDisk(disk, {end.number: Fault.STOP}))
    except Stopped:
        finished = False
    for world in worlds(disk):
        found = whole(world)
        assert found in ((1,), (1, 2), (2,))
        assert not finished or found == (2,)
        assert publish(world).number > max(found)
        assert len(whole(world)) == 1


@pytest.mark.parametrize("sync", SYNCS[1:], ids=named)
def test_every_sync_is_load_bearing(sync: Moment) -> None:
    """R-SNW-2, R-SNW-3, R-SNW-6: on a disk that skips one sync, a power cut loses a snapshot."""
    bad = 0
    for end in ENDS[sync.number :]:
        disk = prepared()
        finished = True
        try:
            publish(FaultyTreeDisk(disk, {sync.number: Fault.SKIP, end.number: Fault.STOP}))
        except Stopped:
            finished = False
        bad += sum(_spoilt(world, finished) for world in worlds(disk))
    assert bad


@pytest.mark.parametrize("fault", [None, Fault.SKIP], ids=["synced", "not synced"])
def test_the_sync_of_a_start_is_load_bearing(fault: Fault | None) -> None:
    """R-SNW-8: a name that a dead process gave is durable before what it was given to goes."""
    disk = prepared()
    with pytest.raises(Stopped):
        publish(FaultyTreeDisk(disk, {MOVES[1].number + 1: Fault.STOP}))
    faults = {} if fault is None else {0: fault}
    SnapshotStore(ROOT, disk=FaultyTreeDisk(disk, faults)).clear()

    spoilt = [_spoilt(world, finished=True) for world in worlds(disk)]

    assert any(spoilt) == (fault is not None)


def _spoilt(disk: MemoryDisk, finished: bool) -> bool:
    """Is a snapshot broken, or the new one gone although its publication has answered?"""
    try:
        found = whole(disk)
    except Exception:  # noqa: BLE001 - whatever a reader says of half a snapshot
        return True
    return not found or (finished and found != (2,))


@pytest.mark.parametrize("fault", [Fault.FAIL, Fault.FAIL_AFTER, Fault.TEAR, Fault.STOP])
@pytest.mark.parametrize("at", STEPS, ids=named)
def test_a_failing_step_leaves_the_old_or_the_new(at: Moment, fault: Fault) -> None:
    """R-SNW-5, R-SNW-7: a failure before the rename publishes nothing, a later one undoes none."""
    disk = prepared()
    outcome: Published | BaseException
    try:
        outcome = publish(FaultyTreeDisk(disk, {at.number: fault}))
    except (SnapshotFailed, Stopped) as failed:
        outcome = failed
    found = whole(disk)

    assert found in ((1,), (1, 2), (2,))
    if isinstance(outcome, Published):
        assert 2 in found
        assert outcome.left_over or found == (2,)
    elif isinstance(outcome, SnapshotFailed):
        assert outcome.visible is None or outcome.visible == (2 in found)
        assert outcome.visible is not False or found == (1,)
    if at.number > MOVES[0].number:
        assert 2 in found
    assert publish(disk).number > max(found)
    assert whole(disk) == (max(found) + 1,)


def test_a_rename_that_may_have_happened_is_found_out() -> None:
    """R-SNW-7: after a rename that failed for all one knows, `confirm` says which it was."""
    for fault, published in ((Fault.FAIL, False), (Fault.FAIL_AFTER, True)):
        disk = prepared()
        rename = FaultyTreeDisk(disk, {MOVES[0].number: fault})
        with pytest.raises(SnapshotFailed) as failed:
            publish(rename)
        assert failed.value.visible is None
        store = SnapshotStore(ROOT, disk=disk)
        draft = Draft(2, ROOT / "tmp_snapshot_000002", ROOT / "snapshot_000002")
        if published:
            assert store.confirm(draft).number == 2
            assert whole(disk) == (2,)
        else:
            with pytest.raises(SnapshotFailed) as gone:
                store.confirm(draft)
            assert gone.value.visible is False
            assert whole(disk) == (1,)


@settings(deadline=None, max_examples=150)
@given(
    count=st.integers(1, 3),
    keep=st.integers(1, 3),
    with_participants=st.booleans(),
    stops=st.lists(st.integers(0, 90), min_size=1, max_size=3),
    data=st.data(),
)
def test_crash_after_crash_something_whole_is_left(
    count: int, keep: int, with_participants: bool, stops: list[int], data: st.DataObject
) -> None:
    """I22: a process that dies again and again, its disk with it, never loses the last snapshot."""
    disk = prepared(count, keep)
    newest = max(whole(disk))
    capture = WITH_PARTICIPANTS if with_participants else ALONE
    for stop in stops:
        try:
            newest = publish(FaultyTreeDisk(disk, {stop: Fault.STOP}), capture, keep).number
        except Stopped:
            if data.draw(st.booleans(), "only the process dies"):
                SnapshotStore(ROOT, disk=disk).clear()
            doubts = disk.doubts()
            survived = data.draw(st.frozensets(st.integers(0, max(doubts - 1, 0))))
            disk = disk.after_power_cut(frozenset(one for one in survived if one < doubts))
        found = whole(disk)
        assert max(found) in (newest, newest + 1)
        newest = max(found)
    assert publish(disk, capture, keep).number == newest + 1
    assert len(whole(disk)) <= keep
    assert SnapshotStore(ROOT, disk=disk).clear() == ()
