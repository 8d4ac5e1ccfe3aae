"""A commit that is cut off: at every step either no checkpoint is left, or the whole one.

Goal: crashes, power cuts, failing and tearing disks never leave half a checkpoint that is believed.
Method: count the steps of one commit, then end each of them badly in every way, and look.
"""

from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import pytest

from fencepost_reference.storage import (
    Checkpoint,
    CheckpointRefused,
    CommitSummary,
    Disk,
    RealDisk,
    StorageFailed,
    plan_commit,
    publish_manifest,
    read_checkpoint,
    write_records,
)
from fencepost_reference.storage.faulty import Fault, FaultyDisk, Moment, Stopped
from fencepost_reference.storage.layout import Limits
from fencepost_reference.storage.memory import MemoryDisk
from fencepost_spec.receipts import storage_rules as rules
from fencepost_spec.receipts.saved import AgentBoundaryRecord, boundary_record
from fencepost_spec.vocabulary import Key

INSTANCE = "agent-a"
DIRECTORY = Path("/shared/dir1")
RECORDS = tuple(
    boundary_record(Key(f"r{number}", 0), 1, created_at=1.0, model_call_id="call")
    for number in range(3)
)
DOUBTS_MAX = 6


def commit(
    disk: Disk,
    directory: Path = DIRECTORY,
    records: tuple[AgentBoundaryRecord, ...] = RECORDS,
) -> CommitSummary:
    """All steps of a commit in two parts."""
    limits = Limits(members_max=2)
    plan = plan_commit(directory, INSTANCE, "c1", records, limits=limits, disk=disk)
    write_records(plan)
    return publish_manifest(plan)


def found(disk: Disk, directory: Path = DIRECTORY) -> Checkpoint | None:
    """The whole checkpoint, or None where none was committed; a damaged one is raised."""
    try:
        checkpoint = read_checkpoint(directory, INSTANCE, disk=disk)
    except CheckpointRefused as refused:
        if refused.rule is rules.COMMITTED:
            return None
        raise
    assert checkpoint.records == RECORDS
    return checkpoint


def cut_off(disk: Disk, faults: dict[int, Fault]) -> bool:
    """Commit on a disk with faults, and say whether the commit answered."""
    try:
        commit(FaultyDisk(disk, faults))
    except Stopped:
        return False
    return True


def spoilt(disk: Disk, finished: bool) -> bool:
    """Is there half a checkpoint, or none although the commit has answered?"""
    try:
        return found(disk) is None and finished
    except CheckpointRefused:
        return True


def moments() -> list[Moment]:
    """The steps of one undisturbed commit."""
    disk = FaultyDisk(MemoryDisk())
    commit(disk)
    return disk.moments


STEPS = moments()
SYNCS = [moment for moment in STEPS if moment.step.startswith("sync")]
ENDS = [*STEPS, Moment(len(STEPS), "the end", DIRECTORY)]


def named(moment: Moment) -> str:
    """A step as a test id."""
    return f"{moment.number}-{moment.step}-{moment.path.name[:18]}"


def worlds(disk: MemoryDisk) -> Iterator[MemoryDisk]:
    """Every disk that a power cut may leave, or, with many doubts, those with few exceptions."""
    doubts = range(disk.doubts())
    sizes = {0, 1, 2, len(doubts) - 2, len(doubts) - 1, len(doubts)}
    for size in range(len(doubts) + 1):
        if len(doubts) <= DOUBTS_MAX or size in sizes:
            for survived in combinations(doubts, size):
                yield disk.after_power_cut(frozenset(survived))


def test_the_steps_of_a_commit_are_known() -> None:
    """Payloads are written, synced and named; then the manifest, which is named last (R-STO-1)."""
    files = [(m.step, m.path.name) for m in STEPS if m.step in {"rename", "publish"}]
    assert files == [
        ("rename", "agent-part-000000.tar"),
        ("rename", "agent-part-000001.tar"),
        ("rename", "agent-index.jsonl"),
        ("rename", "continuations.jsonl"),
        ("publish", "manifest.json"),
    ]
    assert [m.step for m in STEPS[-5:]] == [
        "sync_directory",
        "write",
        "sync_file",
        "publish",
        "sync_directory",
    ]


@pytest.mark.parametrize("end", ENDS, ids=named)
def test_a_power_cut_leaves_all_or_nothing(end: Moment) -> None:
    """I18: whatever of the unsynced steps survives, there is no checkpoint or the whole one."""
    disk = MemoryDisk()
    finished = cut_off(disk, {end.number: Fault.STOP})
    for world in worlds(disk):
        assert not spoilt(world, finished)
        assert commit(world).records == 3
        assert found(world) is not None


@pytest.mark.parametrize("sync", SYNCS, ids=named)
def test_every_sync_is_load_bearing(sync: Moment) -> None:
    """On a disk that skips any one sync, some power cut leaves what must not be (R-STO-1)."""
    bad = 0
    for end in ENDS[sync.number :]:
        disk = MemoryDisk()
        finished = cut_off(disk, {sync.number: Fault.SKIP, end.number: Fault.STOP})
        bad += sum(spoilt(world, finished) for world in worlds(disk))
    assert bad


@pytest.mark.parametrize("fault", [Fault.FAIL, Fault.FAIL_AFTER, Fault.TEAR, Fault.STOP])
@pytest.mark.parametrize("at", STEPS, ids=named)
def test_a_failing_step_leaves_all_or_nothing(tmp_path: Path, at: Moment, fault: Fault) -> None:
    """P6: a step that fails, tears or dies leaves all or nothing, and a repeat succeeds."""
    directory = tmp_path / "shared" / "dir1"
    disk = FaultyDisk(RealDisk(), {at.number: fault})
    with pytest.raises(Stopped if fault is Fault.STOP else StorageFailed) as failed:
        commit(disk, directory)
    if isinstance(failed.value, StorageFailed):
        assert failed.value.code == "storage_failed"
        assert failed.value.file.startswith("agent/instance-")

    left = found(RealDisk(), directory)
    summary = commit(RealDisk(), directory)
    whole = found(RealDisk(), directory)

    assert whole is not None
    assert left in (None, whole)
    assert summary.manifest_digest == whole.manifest_digest


@pytest.mark.parametrize("at", range(12))
def test_a_disk_that_fails_while_reading_is_refused_for_certain(at: int) -> None:
    """R20: a restore that cannot read is refused, names a file and has changed nothing."""
    disk = MemoryDisk()
    commit(disk)
    failing = FaultyDisk(disk, {at: Fault.FAIL}, count_reads=True)
    with pytest.raises(CheckpointRefused, match="agent/instance-") as refused:
        read_checkpoint(DIRECTORY, INSTANCE, disk=failing)
    assert refused.value.rule is rules.READABLE
    assert {moment.step for moment in failing.moments} <= {"look", "read"}
    assert found(disk) is not None


def test_a_repeat_on_a_disk_that_fails_while_reading_stays_open() -> None:
    """A repeated commit that cannot look is no refusal: the manifest may well be the right one."""
    disk = MemoryDisk()
    commit(disk)
    reads = FaultyDisk(disk, count_reads=True)
    commit(reads)
    for moment in reads.moments:
        with pytest.raises(StorageFailed):
            commit(FaultyDisk(disk, {moment.number: Fault.FAIL}, count_reads=True))
    assert found(disk) is not None


@pytest.mark.parametrize("same", [True, False], ids=["the same records", "other records"])
@pytest.mark.parametrize("at", [m for m in STEPS if m.step in {"write", "publish"}], ids=named)
def test_a_manifest_that_appears_meanwhile_is_not_replaced(at: Moment, same: bool) -> None:
    """R-STO-2: when another writer publishes first, its checkpoint stays, and ours is compared."""
    disk = MemoryDisk()
    theirs = RECORDS if same else RECORDS[:1]

    def publish_first(moment: Moment) -> None:
        if moment.number == at.number:
            commit(disk, records=theirs)

    late = FaultyDisk(disk, before=publish_first)
    if same:
        assert commit(late).records == 3
    else:
        with pytest.raises(CheckpointRefused) as refused:
            commit(late)
        assert refused.value.rule is rules.SAME_RECORDS
    assert read_checkpoint(DIRECTORY, INSTANCE, disk=disk).records == theirs


def test_a_partial_commit_of_more_parts_does_not_disturb_a_later_one() -> None:
    """What a cut-off commit left behind is passed over by the next one and by every reader."""
    disk = MemoryDisk()
    many = tuple(boundary_record(Key("r", n), n, created_at=1.0) for n in range(9))
    plan = plan_commit(DIRECTORY, INSTANCE, "c1", many, limits=Limits(2), disk=disk)
    write_records(plan)
    assert found(disk) is None
    commit(disk)
    assert found(disk) is not None


def test_links_are_not_needed_to_publish(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a file system has no hard links, a visible manifest is not replaced either."""

    def no_links(*_: object, **__: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr("os.link", no_links)
    disk = RealDisk()
    commit(disk, tmp_path)
    assert found(disk, tmp_path) is not None
    taken = disk.write(tmp_path / "manifest", b"first")
    with pytest.raises(FileExistsError):
        disk.publish(disk.write(tmp_path / "manifest", b"second"), taken)
    assert disk.read(taken) == b"first"
