"""What somebody hears who calls a controller with a folder wrongly, or whose snapshots fail.

Goal: a mistake is refused in words where it is made, and a snapshot that is not saved says why.
"""

from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import attrs
import pytest

from fencepost.controller.deployment import Process
from fencepost.controller.files_adapter import FINGERPRINT, topology_of
from fencepost.controlling.folders import FIRST, SECOND, Laying, Stage, at_work, run
from fencepost.participant import Answer
from fencepost.trace.lines import JsonObject
from fencepost_reference.receipts.controller.actions import Admit, GoneStale, SnapshotDue, Submit
from fencepost_reference.runtime.controlling.asked import NotStarted
from fencepost_reference.runtime.controlling.folder import SnapshotFolder
from fencepost_reference.runtime.controlling.keeping import FolderController
from fencepost_reference.storage.boundary import Boundary
from fencepost_reference.storage.disk import RealDisk
from fencepost_reference.storage.faulty import Fault, FaultyTreeDisk
from fencepost_reference.storage.snapshots import SnapshotFailed


async def finalize(group_id: str, rows: Any) -> str:
    """Take whatever comes."""
    assert group_id
    assert rows
    return "committed"


@attrs.frozen
class Altered(Laying):
    """A participant whose answers to an operation are others."""

    op: str
    change: Callable[[Answer], Answer]

    def call(self, op: str, request: JsonObject) -> Coroutine[Any, Any, Answer]:
        """Call an operation; it leaves at once."""
        return self._altered(op, super().call(op, request))

    async def _altered(self, op: str, calling: Coroutine[Any, Any, Answer]) -> Answer:
        answer = await calling
        return self.change(answer) if op == self.op else answer


def made(stage: Stage, *, folder: JsonObject | None = None, **more: Any) -> FolderController:
    """A controller that has not been started."""
    clients = Process(stage.ground).clients
    wanted: dict[str, Any] = {"bootstrap_fingerprint": FINGERPRINT} | (folder or {})
    kept = SnapshotFolder(stage.root, topology_of(clients), **wanted)
    return FolderController(kept, map(Laying, clients), finalize, **more)


async def at_work_with(stage: Stage, clients: list[Any], agent: str = "a") -> FolderController:
    """A controller at work that reaches its participants by these clients."""
    for part in stage.ground.parts:
        await part.start()
    folder = SnapshotFolder(stage.root, topology_of(clients), bootstrap_fingerprint=FINGERPRINT)
    controller = FolderController(folder, clients, finalize)
    await controller.start()
    controller.tell(Submit("g1", 2, "sibling", agent))
    await stage.settle(controller)
    await stage.turns(FIRST, SECOND)
    await stage.settle(controller)
    return controller


# Why a snapshot was not saved.


def test_the_disk_says_why_a_snapshot_was_not_saved(tmp_path: Path) -> None:
    """Each ending has its own reason, and one that was saved has none."""

    async def doing(stage: Stage) -> None:
        disk = FaultyTreeDisk(RealDisk())
        controller = await at_work(stage, disk)
        faults: dict[int, Fault] = {}
        disk.faults = faults

        def failing(moment: Any) -> None:
            if moment.step == "write":
                faults[moment.number] = Fault.FAIL

        disk.before = failing
        await stage.saved(controller, FIRST, SECOND)
        disk.before = None
        await stage.saved(controller, FIRST, SECOND)
        failed, saved = controller.endings
        assert (failed.saved, failed.reason) == (False, "storage_failed")
        assert failed.why.startswith("snapshot_000001: ")
        assert saved == (True, "", "")

    run(tmp_path, doing)


def refuse(_answer: Answer) -> Answer:
    """Refuse, and say why."""
    return Answer(422, {"error": {"code": "malformed", "detail": "checkpoint_dir: is relative"}})


@pytest.mark.parametrize(("op", "reason"), [("prepare", "prepare_failed"),
                                            ("commit", "commit_failed")])  # fmt: skip
def test_what_a_participant_answered_says_why_a_snapshot_was_not_saved(
    tmp_path: Path, op: str, reason: str
) -> None:
    """The answer is not only a word of the controller's own."""

    async def doing(stage: Stage) -> None:
        clients = Process(stage.ground).clients
        reached = [Altered(one, op if one.kind == "agent" else "", refuse) for one in clients]
        controller = await at_work_with(stage, reached)
        await stage.saved(controller, FIRST, SECOND)
        said = f"agent a: {op} was answered with 422 malformed: checkpoint_dir: is relative"
        assert controller.endings == [(False, reason, said)]

    run(tmp_path, doing)


class Renamed(Laying):
    """A client that has another name for its agent than that has itself."""

    @property
    def instance(self) -> str:
        """Its name, as the caller believes."""
        return "b" if self.client.kind == "agent" else self.client.instance


def test_a_participant_that_calls_itself_otherwise_is_told(tmp_path: Path) -> None:
    """The instance name of the agent, of its client and of the topology are one."""

    async def doing(stage: Stage) -> None:
        controller = await at_work_with(stage, [*map(Renamed, Process(stage.ground).clients)], "b")
        await stage.saved(controller, FIRST, SECOND)
        (ending,) = controller.endings
        assert (ending.saved, ending.reason) == (False, "storage_failed")
        assert "agent b has written agent/instance-" in ending.why
        assert "the same instance name" in ending.why

    run(tmp_path, doing)


# Mistakes of the caller.


def test_nothing_is_told_to_a_controller_before_its_start(tmp_path: Path) -> None:
    """It says what to do, instead of lacking an attribute."""

    async def doing(stage: Stage) -> None:
        controller = made(stage)
        boundary = Boundary(tmp_path / "a", tmp_path / "b", lambda: None)
        for call in (
            lambda: controller.tell(Submit("g1", 2, "sibling", "a")),
            lambda: controller.offer(SnapshotDue()),
            lambda: controller.give_up("g1"),
            lambda: controller.save_in(boundary),
            controller.begin,
        ):
            with pytest.raises(NotStarted, match=r"await start\(\) first"):
                call()
        with pytest.raises(NotStarted, match="settle comes before"):
            await controller.settle()
        controller.end()
        assert controller.folder.boundary is None
        await controller.start()
        await controller.settle()

    run(tmp_path, doing)


@pytest.mark.parametrize(
    ("action", "says"),
    [
        (Submit("g1", 0, "sibling", "a"), "Submit.siblings is 0"),
        (Submit("g1", 2, "siblings", "a"), "Submit.granularity is 'siblings'"),
        (Submit("", 2, "sibling", "a"), "Submit.group_id is ''"),
        (Submit("g1", 2, "sibling", "a", -1), "Submit.target_step is -1"),
        (Submit("g1", 2, "sibling", "a", prompt_id="x"), "Submit.prompt_id is 'x'"),
        (Submit("g1", 2, "sibling", "b"), "agent b is nobody's name"),
        (Admit("g1", -1), "Admit.target_step is -1"),
        (GoneStale(""), "GoneStale.group_id is ''"),
    ],
)
def test_an_action_that_makes_no_sense_is_refused(tmp_path: Path, action: Any, says: str) -> None:
    """ValueError names the member, its value and what is wrong; nothing has changed."""

    async def doing(stage: Stage) -> None:
        controller = await stage.start()
        await controller.settle()
        before = controller.state
        for tell in (controller.tell, controller.offer):
            with pytest.raises(ValueError, match=says):
                tell(action)
        assert controller.state == before

    run(tmp_path, doing)


@pytest.mark.parametrize(
    ("folder", "more", "says"),
    [
        ({"bootstrap_fingerprint": "abc"}, {}, "bootstrap_fingerprint is 'abc'"),
        ({"bootstrap_fingerprint": None}, {}, "bootstrap_fingerprint is None"),
        ({"generations": 0}, {}, "generations is 0"),
        ({"keep_latest_k": 0}, {}, "at least one snapshot is kept"),
        ({}, {"target_level": "group"}, "target_level is 'group'"),
    ],
)
def test_a_controller_that_makes_no_sense_cannot_be_made(
    tmp_path: Path, folder: JsonObject, more: dict[str, Any], says: str
) -> None:
    """What would fail at the first snapshot fails at once."""

    async def doing(stage: Stage) -> None:
        with pytest.raises(ValueError, match=says):
            made(stage, folder=folder, **more)

    run(tmp_path, doing)


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"train_step": -1}, "train_step is -1"),
        ({"trainer_version": True}, "trainer_version is True"),
        ({"mode": "newest"}, "mode is 'newest'"),
    ],
)
def test_a_start_that_makes_no_sense_is_refused(
    tmp_path: Path, given: dict[str, Any], says: str
) -> None:
    """Nothing in the folder is looked at for it."""

    async def doing(stage: Stage) -> None:
        with pytest.raises(ValueError, match=says):
            await made(stage).start(**given)

    run(tmp_path, doing)


@pytest.mark.parametrize("link", [False, True])
def test_a_root_that_is_no_directory_is_told_at_the_start(tmp_path: Path, link: bool) -> None:
    """It is no fresh run: nobody knows what was to lie there."""

    async def doing(stage: Stage) -> None:
        if link:
            (tmp_path / "elsewhere").mkdir()
            stage.root.symlink_to(tmp_path / "elsewhere")
        else:
            stage.root.write_bytes(b"")
        says = "it is a link" if link else "it is a file, and no directory"
        with pytest.raises(SnapshotFailed, match=says):
            await stage.start()

    run(tmp_path, doing)


def test_a_disk_that_fails_at_the_start_is_told_and_the_next_start_works(tmp_path: Path) -> None:
    """A failing disk is no damage."""

    async def doing(stage: Stage) -> None:
        controller = await at_work(stage)
        await stage.saved(controller, FIRST, SECOND)
        controller.end()
        with pytest.raises(SnapshotFailed):
            await stage.start(FaultyTreeDisk(RealDisk(), {0: Fault.FAIL}))
        again = await stage.start()
        await stage.settle(again)
        assert stage.ground.agents[0].running == [FIRST.next(), SECOND.next()]

    run(tmp_path, doing)
