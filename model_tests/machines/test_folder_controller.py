"""A controller as a library: participants that write below the draft, a folder, a finalizer.

Goal: what `FolderController` promises holds without a harness between it and its folder. Method:
participants of ours lay their files where a call tells them to, as real ones do.
"""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from pathlib import Path
from typing import Any, cast

import attrs
import pytest

from fencepost.controller.deployment import Ground, Process
from fencepost.controller.files_adapter import FINGERPRINT, topology_of
from fencepost.controller.participant import Client
from fencepost.controller.recording import Recording
from fencepost.controller.scene import Scene, Standing
from fencepost.judges import Judge
from fencepost.participant import Answer
from fencepost.trace.lines import JsonObject, Line
from fencepost_reference.receipts.controller import actions as a
from fencepost_reference.receipts.controller.said import AGENT, MODEL
from fencepost_reference.runtime.controlling.folder import SnapshotFolder
from fencepost_reference.runtime.controlling.keeping import FolderController
from fencepost_reference.runtime.controlling.outside import Rows
from fencepost_reference.runtime.virtual_time import VirtualLoop
from fencepost_reference.storage.disk import RealDisk
from fencepost_reference.storage.faulty import Fault, FaultyTreeDisk, Moment
from fencepost_reference.storage.snapshot_reading import SnapshotRefused
from fencepost_reference.storage.snapshots import SnapshotFailed
from fencepost_reference.storage.trees import make_folder, put
from fencepost_spec.receipts.snapshot.names import MANIFEST
from fencepost_spec.vocabulary import Key

SCENE = Scene((Standing(AGENT, "a"), Standing(MODEL, "policy")))
FIRST, SECOND = Key("g1_g0", 0), Key("g1_g1", 0)


class Unjudged:
    """Takes every line: the referee is asked elsewhere."""

    def feed(self, line: Line) -> None:
        """Take a line."""
        del line


@attrs.frozen
class Laying:
    """A participant that writes where a commit tells it to, and is known there by the number."""

    client: Client

    @property
    def kind(self) -> str:
        """Its kind."""
        return self.client.kind

    @property
    def instance(self) -> str:
        """Its name."""
        return self.client.instance

    @property
    def mode(self) -> str:
        """Its checkpoint mode."""
        return self.client.mode

    def call(self, op: str, request: JsonObject) -> Coroutine[Any, Any, Answer]:
        """Call an operation; it leaves at once."""
        path = Path(request.get("checkpoint_dir", ""))
        name = path.name.removeprefix("tmp_")
        known = request | ({"checkpoint_dir": name} if name else {})
        return self._laid(op, path, name, self.client.call(op, known))

    async def _laid(
        self, op: str, path: Path, name: str, calling: Coroutine[Any, Any, Answer]
    ) -> Answer:
        answer = await calling
        if op == "commit" and answer.status == 200:
            make_folder(RealDisk(), path)
            for each, data in (await self.client.files(name)).items():
                put(RealDisk(), path, each, data)
        return answer

    async def read(self, reference: JsonObject) -> list[JsonObject]:
        """The lines of an index."""
        return await self.client.read(reference)


@attrs.define
class Stage:
    """Participants, a folder, and what the finalizer was given."""

    ground: Ground
    root: Path
    trained: list[tuple[str, Rows]] = attrs.field(factory=list[tuple[str, Rows]])

    async def start(self, disk: Any = None, step: int = 0) -> FolderController:
        """Start all participants, and a new process of the controller."""
        for part in self.ground.parts:
            await part.crash()
            await part.start()
        clients = Process(self.ground).clients
        folder = SnapshotFolder(
            self.root,
            topology_of(clients),
            bootstrap_fingerprint=FINGERPRINT,
            disk=disk or RealDisk(),
        )
        controller = FolderController(folder, map(Laying, clients), self._finalize)
        await controller.start(step, step)
        return controller

    async def _finalize(self, group_id: str, rows: Rows) -> str:
        self.trained.append((group_id, rows))
        return "committed"

    async def settle(self, controller: FolderController, seconds: float = 1.0) -> None:
        """Let time pass until nothing moves."""
        for _ in range(int(seconds * 20)):
            await asyncio.sleep(0.05)
            await controller.settle()
            for part in self.ground.parts:
                await part.settle()

    async def turns(self, *keys: Key) -> None:
        """Work reaches a boundary behind a model call, or parks where the model refuses it."""
        agent, model = self.ground.agents[0], self.ground.models[0]
        for key in keys:
            ticket = await model.admit(key)
            if ticket is None:
                agent.park(key)
                continue
            call_id = f"m-{key.capture_key}-{agent.next_boundary(key)}"
            await model.answer(ticket, call_id)
            agent.boundary(key, call_id, {})

    async def saved(self, controller: FolderController, *keys: Key) -> None:
        """A snapshot falls due, and the work parks for it."""
        controller.offer(a.SnapshotDue())
        await self.settle(controller)
        await self.turns(*keys)
        await self.settle(controller)


def run(tmp_path: Path, doing: Callable[[Stage], Awaitable[None]]) -> None:
    """Run a test in virtual time."""

    async def staged() -> None:
        parts = tmp_path / "parts"
        parts.mkdir()
        ground = Ground(SCENE, parts, Recording(cast("Judge", Unjudged())))
        try:
            await doing(Stage(ground, tmp_path / "snapshots"))
        finally:
            for part in ground.parts:
                await part.crash()

    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        runner.run(staged())


async def at_work(stage: Stage, disk: Any = None) -> FolderController:
    """A controller with two siblings, each behind its first turn."""
    controller = await stage.start(disk)
    controller.tell(a.Submit("g1", 2, "sibling", "a"))
    await stage.settle(controller)
    await stage.turns(FIRST, SECOND)
    await stage.settle(controller)
    return controller


def bytes_in(folder: Path) -> dict[str, bytes]:
    """Every file below a folder."""
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def test_a_new_process_goes_on_with_n_plus_1_and_trains_each_sibling_once(tmp_path: Path) -> None:
    """Participants read their part from the published directory, under its published name."""

    async def doing(stage: Stage) -> None:
        first = await at_work(stage)
        await stage.saved(first, FIRST, SECOND)
        assert first.endings == [(True, "")]
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

        def before_manifest(moment: Moment) -> None:
            if moment.step == "write" and moment.path.name == MANIFEST:
                faults[moment.number] = Fault.FAIL

        disk.before = before_manifest
        await stage.saved(controller, FIRST, SECOND)
        assert controller.endings[1:] == [(False, "storage_failed")]
        assert bytes_in(stage.root) == before
        disk.before = None
        await stage.saved(controller, FIRST, SECOND)
        assert [saved for saved, _ in controller.endings] == [True, False, True]
        assert controller.folder.store.numbers() == (3,)

    run(tmp_path, doing)


def test_a_rename_in_doubt_is_asked_about_until_the_disk_tells(tmp_path: Path) -> None:
    """It happened, and the disk says that it failed: the snapshot is saved all the same."""

    async def doing(stage: Stage) -> None:
        disk = FaultyTreeDisk(RealDisk())
        controller = await at_work(stage, disk)
        faults: dict[int, Fault] = {}
        disk.faults = faults

        def before(moment: Moment) -> None:
            if moment.step == "move_directory":
                # Two tries to make the new name durable fail after it.
                faults.update({moment.number + each: Fault.FAIL_AFTER for each in range(3)})

        disk.before = before
        await stage.saved(controller, FIRST, SECOND)
        assert controller.endings == [(True, "")]
        assert controller.folder.store.numbers() == (1,)

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


def test_what_a_dead_process_left_is_cleared(tmp_path: Path) -> None:
    """A draft that nobody published is gone when the next process has started."""

    async def doing(stage: Stage) -> None:
        (stage.root / "tmp_snapshot_000007" / "agent").mkdir(parents=True)
        controller = await stage.start()
        assert list(stage.root.iterdir()) == []
        assert controller.state.number == 1

    run(tmp_path, doing)
