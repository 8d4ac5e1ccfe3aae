"""A controller as a library is told things at the wrong time, twice, or with a path that is wrong.

Goal: nothing of that is taken in silence; each error says what came when, and what to do.
Method: one controller over a folder, its participants, and a caller that is mistaken.
"""

import asyncio
import os
from pathlib import Path
from typing import Any

import pytest

from fencepost.controlling.folders import FIRST, SAVED, SECOND, Stage, at_work, bytes_in, run
from fencepost.snapshot.specimens import topology
from fencepost_reference.receipts.controller.actions import Admit, GoneStale, SnapshotDue, Submit
from fencepost_reference.receipts.snapshot.choosing import Mode
from fencepost_reference.runtime import AgentParticipant
from fencepost_reference.runtime.controlling.asked import AlreadyEnded, AlreadyStarted, Halted
from fencepost_reference.runtime.controlling.folder import SnapshotFolder
from fencepost_reference.runtime.controlling.keeping import FolderController
from fencepost_reference.storage.boundary import Boundary
from fencepost_reference.storage.snapshots import SnapshotFailed


def calls_on(controller: FolderController, root: Path) -> list[Any]:
    """Everything that a caller may tell."""
    boundary = Boundary(root / "a", root / "b", lambda: None)
    return [
        lambda: controller.tell(Submit("g2", 1, "sibling", "a")),
        lambda: controller.tell(Admit("g2")),
        lambda: controller.offer(GoneStale("g1")),
        lambda: controller.offer(SnapshotDue()),
        lambda: controller.give_up("g1"),
        lambda: controller.save_in(boundary),
    ]


def test_a_second_start_is_refused_and_the_first_process_goes_on(tmp_path: Path) -> None:
    """Its work is neither lost nor restored from an older snapshot."""

    async def doing(stage: Stage) -> None:
        controller = await at_work(stage)
        await stage.saved(controller, FIRST, SECOND)
        before = controller.state
        with pytest.raises(AlreadyStarted, match=r"end\(\) that one first"):
            await controller.start()
        assert controller.state == before
        await stage.saved(controller, FIRST, SECOND)
        assert controller.endings == [SAVED, SAVED]

    run(tmp_path, doing)


def test_what_comes_after_the_end_is_refused_until_the_next_start(tmp_path: Path) -> None:
    """The end is no place where work and snapshots vanish."""

    async def doing(stage: Stage) -> None:
        controller = await stage.start()
        controller.end()
        for call in calls_on(controller, tmp_path):
            with pytest.raises(AlreadyEnded, match=r"comes after end\(\): await start\(\)"):
                call()
        assert controller.folder.boundary is None
        await controller.start()
        controller.tell(Submit("g1", 2, "sibling", "a"))
        await stage.settle(controller)
        assert stage.ground.agents[0].running == [FIRST, SECOND]

    run(tmp_path, doing)


def test_what_comes_after_a_halt_is_refused_with_the_reason(tmp_path: Path) -> None:
    """A process that halted takes nothing, and says so."""

    async def doing(stage: Stage) -> None:
        controller = await at_work(stage)
        await stage.saved(controller, FIRST, SECOND)
        controller.end()
        # Its participants live on, and restore nothing.
        await controller.start()
        await stage.settle(controller)
        assert controller.state.halted
        for call in calls_on(controller, tmp_path):
            with pytest.raises(Halted, match=controller.state.halted):
                call()

    run(tmp_path, doing)


def test_a_group_is_submitted_once(tmp_path: Path) -> None:
    """One that is held, that was restored, or that training has, is refused by its name."""

    async def doing(stage: Stage) -> None:
        group = Submit("g1", 2, "sibling", "a")
        controller = await at_work(stage)
        with pytest.raises(ValueError, match="'g1': a group of that name is held already"):
            controller.tell(group)
        await stage.saved(controller, FIRST, SECOND)
        controller.end()
        again = await stage.start()
        with pytest.raises(ValueError, match="is held already"):
            again.offer(group)
        await stage.settle(again)
        for key in (FIRST.next(), SECOND.next()):
            stage.ground.agents[0].finish(key, "completed")
        await stage.settle(again)
        assert [name for name, _ in stage.trained] == ["g1"]
        with pytest.raises(ValueError, match="is training data already"):
            again.tell(group)

    run(tmp_path, doing)


@pytest.mark.parametrize("junk", ["x", None, 3, Submit])
def test_what_is_no_action_is_refused_in_words(tmp_path: Path, junk: Any) -> None:
    """No KeyError of the core's; what there is to tell is named."""

    async def doing(stage: Stage) -> None:
        controller = await stage.start()
        for tell in (controller.tell, controller.offer):
            with pytest.raises(ValueError, match=r"is nothing that a controller is told: .*Submit"):
                tell(junk)

    run(tmp_path, doing)


@pytest.mark.parametrize("mode", ["latest", "trainer_checkpoint"])
@pytest.mark.parametrize("there", ["nothing", "a file"])
@pytest.mark.parametrize("saved", [False, True])
def test_a_checkpoint_that_is_not_there_is_refused(
    tmp_path: Path, mode: Mode, there: str, saved: bool
) -> None:
    """A mistyped path is neither left out nor a fresh run."""

    async def doing(stage: Stage) -> None:
        if saved:
            first = await at_work(stage)
            await stage.saved(first, FIRST, SECOND)
            first.end()
        wrong = tmp_path / "step_O"
        if there == "a file":
            wrong.write_bytes(b"")
        says = f"checkpoint {wrong}: .*give the directory of the trainer's checkpoint"
        with pytest.raises(SnapshotFailed, match=says):
            await stage.start(mode=mode, checkpoint=wrong)

    run(tmp_path, doing)


@pytest.mark.parametrize(("checkpoint", "says"), [(None, "is None: with mode"), ("", "is ''"),
                                                  (" ", "is ' '")])  # fmt: skip
def test_a_mode_without_its_checkpoint_is_refused(
    tmp_path: Path, checkpoint: str | None, says: str
) -> None:
    """On an empty root, too, where it would be a fresh run."""
    folder = SnapshotFolder(tmp_path, topology(), bootstrap_fingerprint="f" * 64)
    with pytest.raises(ValueError, match=f"checkpoint {says}"):
        folder.open(0, 0, mode="trainer_checkpoint", checkpoint=checkpoint)


def test_a_checkpoint_without_a_snapshot_is_told(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Nothing is restored of it, and a warning says so."""

    async def doing(stage: Stage) -> None:
        empty = tmp_path / "step_0"
        empty.mkdir()
        await stage.start(mode="trainer_checkpoint", checkpoint=empty)
        assert f"there is no snapshot in {empty}: nothing is restored" in caplog.text

    run(tmp_path, doing)


def test_a_relative_root_is_made_absolute_when_it_is_given(tmp_path: Path) -> None:
    """Participants are told a path that means the same wherever they run."""
    here = Path.cwd()
    folder = SnapshotFolder("snapshots", topology(), bootstrap_fingerprint="f" * 64)
    boundary = Boundary(Path("tmp_step"), Path("step"), lambda: None)
    os.chdir(tmp_path)
    try:
        assert folder.store.root == here / "snapshots"
        assert boundary.draft(1).directory == here / "tmp_step" / "snapshot_000001"
        assert boundary.draft(1).final == here / "step" / "snapshot_000001"
    finally:
        os.chdir(here)


@pytest.mark.parametrize("op", ["commit", "restore"])
@pytest.mark.parametrize("name", ["d1", "a/../b", "./x", "..", " ", "~", "/a\0b"])
def test_a_participant_without_a_root_takes_absolute_directories_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, op: str, name: str
) -> None:
    """A relative one would be below wherever the process was started: 422, and nothing is written.

    An absolute one is taken.
    """
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    at = {"checkpoint_id": "c1", "deadline_in": 5.0}

    async def doing() -> None:
        agent = AgentParticipant(handler=_work, instance_name="a")
        if op == "commit":
            assert (await agent.control("prepare", at)).status == 200
        answer = await agent.control(op, at | {"checkpoint_dir": name})
        fault = {"loc": ["body", "checkpoint_dir"], "type": "value_error"}
        assert (answer.status, answer.body) == (422, {"validation": [fault]})
        assert bytes_in(tmp_path) == {}
        if op == "commit":
            right = at | {"checkpoint_dir": str(tmp_path / "d1")}
            assert (await agent.control("commit", right)).status == 200
        await agent.aclose()

    asyncio.run(doing())


async def _work(_execution: Any, _body: Any) -> None:
    """Do nothing."""
