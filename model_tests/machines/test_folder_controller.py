"""A controller as a library: participants that write below the draft, a folder, a finalizer.

Goal: what `FolderController` promises holds without a harness between it and its folder. Method:
`controlling/folders.py` has the stage.
"""

from pathlib import Path
from typing import Any

import attrs
import pytest

from fencepost.controlling.folders import (
    BUSY,
    FIRST,
    SAVED,
    SECOND,
    Stage,
    at_work,
    bytes_in,
    run,
)
from fencepost_reference.receipts.controller.actions import SnapshotDue, Submit
from fencepost_reference.storage.disk import RealDisk
from fencepost_reference.storage.faulty import Fault, FaultyTreeDisk
from fencepost_reference.storage.snapshot_reading import SnapshotRefused
from fencepost_spec.receipts.snapshot.names import MANIFEST


def test_a_new_process_goes_on_with_n_plus_1_and_trains_each_sibling_once(tmp_path: Path) -> None:
    """Participants read their part from the published directory, under its published name."""

    async def doing(stage: Stage) -> None:
        first = await at_work(stage)
        await stage.saved(first, FIRST, SECOND)
        assert first.endings == [SAVED]
        first.end()
        second = await stage.start()
        await stage.settle(second)
        agent = stage.ground.agents[0]
        assert agent.running == [FIRST.next(), SECOND.next()]
        for key in agent.running:
            agent.finish(key, "completed")
        await stage.settle(second)
        assert [name for name, _ in stage.trained] == ["g1"]
        assert [key for key, _ in stage.trained[0][1]] == [FIRST.next(), SECOND.next()]

    run(tmp_path, doing)


def test_what_was_trained_is_in_the_next_snapshot_and_not_trained_again(tmp_path: Path) -> None:
    """Canonical rows replace a finished group in the recovery file."""

    async def doing(stage: Stage) -> None:
        first = await at_work(stage)
        for key in (FIRST, SECOND):
            stage.ground.agents[0].finish(key, "completed")
        await stage.settle(first)
        await stage.saved(first)
        first.end()
        second = await stage.start()
        await stage.settle(second)
        (group,) = second.folder.store.read(1).documents.replay.groups
        assert (group.group_id, group.rows) == ("g1", ["g1_g0", "g1_g1"])
        assert len(stage.trained) == 1
        assert not second.state.ledger.groups

    run(tmp_path, doing)


def test_a_failing_publication_leaves_the_one_before_byte_for_byte(tmp_path: Path) -> None:
    """The controller tells it as not saved, goes on, and saves the next time."""

    async def doing(stage: Stage) -> None:
        disk = FaultyTreeDisk(RealDisk())
        controller = await at_work(stage, disk)
        await stage.saved(controller, FIRST, SECOND)
        before = bytes_in(stage.root)
        faults: dict[int, Fault] = {}
        disk.faults = faults

        def at_the_manifest(moment: Any) -> None:
            if moment.step == "write" and moment.path.name == MANIFEST:
                faults[moment.number] = Fault.FAIL

        disk.before = at_the_manifest
        await stage.saved(controller, FIRST, SECOND)
        ((saved, reason, why),) = controller.endings[1:]
        assert (saved, reason) == (False, "storage_failed")
        assert why.startswith("snapshot_000002: ")
        assert bytes_in(stage.root) == before
        disk.before = None
        await stage.saved(controller, FIRST, SECOND)
        assert [one.saved for one in controller.endings] == [True, False, True]
        assert controller.folder.store.numbers() == (3,)

    run(tmp_path, doing)


def test_a_rename_in_doubt_is_asked_about_until_the_disk_tells(tmp_path: Path) -> None:
    """It happened, and the disk says that it failed: the snapshot is saved all the same."""

    async def doing(stage: Stage) -> None:
        disk = FaultyTreeDisk(RealDisk())
        controller = await at_work(stage, disk)
        faults: dict[int, Fault] = {}
        disk.faults = faults

        def before(moment: Any) -> None:
            if moment.step == "move_directory":
                # Two tries to make the new name durable fail after it.
                faults.update({moment.number + each: Fault.FAIL_AFTER for each in range(3)})

        disk.before = before
        await stage.saved(controller, FIRST, SECOND)
        assert controller.endings == [SAVED]
        assert controller.folder.store.numbers() == (1,)

    run(tmp_path, doing)


def test_a_snapshot_that_is_turned_down_leaves_the_open_one_alone(tmp_path: Path) -> None:
    """Another falls due before every step on the disk, and what was begun stays."""

    async def doing(stage: Stage) -> None:
        disk = FaultyTreeDisk(RealDisk())
        controller = await at_work(stage, disk)

        def again(_moment: Any) -> None:
            controller.offer(SnapshotDue())

        disk.before = again
        await stage.saved(controller, FIRST, SECOND)
        disk.before = None
        assert controller.endings[-1] == SAVED
        assert len(controller.endings) > 20
        assert set(controller.endings[:-1]) == {BUSY}
        assert controller.folder.store.numbers() == (1,)

    run(tmp_path, doing)


@pytest.mark.parametrize("parked", [1, 2])
def test_a_snapshot_that_falls_due_while_one_is_open_leaves_that_alone(
    tmp_path: Path, parked: int
) -> None:
    """It ends as busy; what participants have committed meanwhile stays, and is published."""

    async def doing(stage: Stage) -> None:
        disk = FaultyTreeDisk(RealDisk())
        controller = await at_work(stage, disk)

        def again(moment: Any) -> None:
            if moment.step == "write" and moment.path.name == "metadata.json" and not told:
                told.append(moment)
                controller.offer(SnapshotDue())

        told: list[Any] = []
        disk.before = again
        controller.offer(SnapshotDue())
        await stage.settle(controller)
        await stage.turns(*(FIRST, SECOND)[:parked])
        controller.offer(SnapshotDue())
        await stage.settle(controller)
        await stage.turns(*(FIRST, SECOND)[parked:])
        await stage.settle(controller)
        assert told
        assert controller.endings == [BUSY, BUSY, SAVED]
        assert controller.folder.store.numbers() == (1,)

    run(tmp_path, doing)


def test_what_the_trainer_is_short_of_is_kept_over_restarts(tmp_path: Path) -> None:
    """P10: a row that was given up is not waited for by a later process either."""

    async def doing(stage: Stage) -> None:
        controller = await at_work(stage)
        short = attrs.evolve(
            controller.folder.beside, batch_shortfall={5: 1}, sampler_stamps_target_steps=True
        )
        controller.folder.beside = short
        for keys in ((FIRST, SECOND), (FIRST.next(), SECOND.next())):
            await stage.saved(controller, *keys)
            assert controller.endings[-1] == SAVED
            controller.end()
            controller = await stage.start()
            await stage.settle(controller)
            assert controller.folder.beside == short
            assert not controller.state.halted

    run(tmp_path, doing)


def test_a_group_whose_retries_are_used_up_leaves_nothing_and_is_counted(tmp_path: Path) -> None:
    """P10, X3: its attempts are retired, a snapshot is taken, and its step is a group short."""

    async def doing(stage: Stage) -> None:
        controller = await stage.start()
        controller.tell(Submit("g1", 2, "sibling", "a", target_step=5))
        await stage.settle(controller)
        stage.ground.agents[0].finish(FIRST, "completed")
        await stage.settle(controller)
        assert controller.give_up("g1")
        assert not controller.give_up("g1")
        await stage.settle(controller)
        assert stage.ground.agents[0].running == []
        assert not controller.state.works
        await stage.saved(controller)
        assert controller.endings == [SAVED]
        controller.end()
        again = await stage.start()
        assert again.folder.beside.batch_shortfall == {5: 1}
        assert not again.state.ledger.groups
        assert stage.trained == []

    run(tmp_path, doing)


def test_a_folder_of_another_step_is_refused(tmp_path: Path) -> None:
    """R-SNS-11: where there are snapshots and none fits, nothing is restored."""

    async def doing(stage: Stage) -> None:
        controller = await at_work(stage)
        await stage.saved(controller, FIRST, SECOND)
        controller.end()
        with pytest.raises(SnapshotRefused, match="none of them fits") as caught:
            await stage.start(step=1)
        assert caught.value.rule.id == "R-SNS-11"

    run(tmp_path, doing)


def test_a_damaged_snapshot_is_refused_and_nothing_starts(tmp_path: Path) -> None:
    """A changed byte in what a participant wrote is noticed before anybody restores."""

    async def doing(stage: Stage) -> None:
        controller = await at_work(stage)
        await stage.saved(controller, FIRST, SECOND)
        controller.end()
        path = stage.root / "snapshot_000001" / "model-ledger" / "policy" / MANIFEST
        path.write_bytes(path.read_bytes() + b" ")
        with pytest.raises(SnapshotRefused):
            await stage.start()
        assert stage.ground.agents[0].running == []

    run(tmp_path, doing)


@pytest.mark.parametrize("incomplete", [False, True])
def test_a_process_falls_back_to_the_snapshot_before(tmp_path: Path, incomplete: bool) -> None:
    """R-SNW-10, 4.1: the damaged one stays till it is older than what is kept, and does not count.

    Two are kept: the one that work went on from, and the next one; with the third the first goes,
    and the damaged one between them.
    """

    async def doing(stage: Stage) -> None:
        stage.keep = 2
        first = await at_work(stage)
        await stage.saved(first, FIRST, SECOND)
        await stage.saved(first, FIRST, SECOND)
        first.end()
        manifest = stage.root / "snapshot_000002" / MANIFEST
        damaged = manifest.read_bytes()[:-1]
        manifest.unlink()
        if not incomplete:
            manifest.write_bytes(damaged)
        second = await stage.start()
        await stage.settle(second)
        agent = stage.ground.agents[0]
        assert agent.running == [FIRST.next(), SECOND.next()]
        store = second.folder.store
        for numbers in ((1, 2, 4), (4, 5)):
            await stage.saved(second, FIRST.next(), SECOND.next())
            assert second.endings[-1] == SAVED
            assert store.numbers() == numbers
        assert [store.read(number).manifest.base_train_step for number in store.numbers()] == [0, 0]

    run(tmp_path, doing)


def test_what_a_dead_process_left_is_cleared(tmp_path: Path) -> None:
    """A draft that nobody published is gone when the next process has started."""

    async def doing(stage: Stage) -> None:
        (stage.root / "tmp_snapshot_000007" / "agent").mkdir(parents=True)
        controller = await stage.start()
        assert list(stage.root.iterdir()) == []
        assert controller.state.number == 1

    run(tmp_path, doing)
