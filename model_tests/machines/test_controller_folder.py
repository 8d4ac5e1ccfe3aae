"""A controller whose snapshots lie in a real folder, cut off at every step that its disk takes.

Goal: whatever fails or dies, the snapshot before is untouched, the next process goes on from what
the folder holds, and every sibling is trained on once. Method: one course of events with two
publications, played once to count the steps of the disk, then again for each of them with a fault
there; the referee judges all of it.
"""

from collections.abc import Coroutine, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import attrs
import pytest

from fencepost.controller.core_adapter import Given
from fencepost.controller.deployment import Process
from fencepost.controller.driver import Driver
from fencepost.controller.files_adapter import FilesController, Kept
from fencepost.controller.participant import Deployment
from fencepost.controller.playing import play
from fencepost.controller.scene import EXPORTS, Scene, Standing
from fencepost.controller.telling import finish, restarted, seconds, submit, told, work
from fencepost.controller.winding import wind_down
from fencepost.driven import Played
from fencepost.trace.lines import Call, Line, Work
from fencepost.watch import Watch
from fencepost_reference.receipts.controller import wire
from fencepost_reference.receipts.controller.actions import Snapshot
from fencepost_reference.receipts.controller.said import AGENT, MODEL, RESOURCES, Place
from fencepost_reference.runtime.controlling.folder import SnapshotFolder
from fencepost_reference.runtime.controlling.keeping import store_in
from fencepost_reference.runtime.controlling.outside import NotStored, Written
from fencepost_reference.storage.disk import RealDisk
from fencepost_reference.storage.faulty import Fault, FaultyTreeDisk, Moment, Stopped
from fencepost_reference.storage.snapshots import SnapshotStore

SCENE = Scene(
    (Standing(AGENT, "a"), Standing(MODEL, "policy"), Standing(RESOURCES, "tools", EXPORTS)),
    keep_latest_k=1,
)
DUE = told("snapshot_due")
GROUP = submit(siblings=2)
TURNS = (work("turn", "g1_g0"), work("turn", "g1_g1"))
SCRIPT = (
    GROUP,
    *TURNS,
    DUE,
    *TURNS,
    seconds(1.0),
    finish("g1_g0"),
    seconds(1.0),
    DUE,
    TURNS[1],
    seconds(1.0),
)
FAULTS = (Fault.STOP, Fault.FAIL, Fault.FAIL_AFTER, Fault.TEAR)


class Unsynced(RealDisk):
    """A real disk that is in no hurry: power cuts are looked at elsewhere."""

    def sync_file(self, path: Path) -> None:
        """Do nothing; a step all the same."""

    def sync_directory(self, path: Path) -> None:
        """Do nothing; a step all the same."""


def tree(folder: Path) -> dict[str, bytes]:
    """Every file below a folder."""
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


@attrs.frozen
class OnDisk(Kept):
    """A deployment in which the disk decides what becomes of a step; the harness hears of it."""

    controller: "Dying"

    def store(
        self, step: str, snapshot: Snapshot, written: Mapping[Place, Written]
    ) -> Coroutine[Any, Any, None]:
        """One step of writing a snapshot."""
        return self._decided(step, snapshot, written)

    async def _decided(
        self, step: str, snapshot: Snapshot, written: Mapping[Place, Written]
    ) -> None:
        before = {number: tree(self.folder.store.directory(number)) for number in self._numbers()}
        try:
            if step == "sidecars":
                await self.lay(snapshot)
            await store_in(self.folder, step, snapshot, written, self.sleep)
        except Stopped:
            bodies = {place: one.body for place, one in written.items()}
            documents = {place: list(one.documents) for place, one in written.items()}
            self.controller.died = wire.snapshot_body(snapshot, bodies, documents)
            self._untouched(before, snapshot.number)
            self.controller.end()
            raise
        except NotStored:
            self._untouched(before, snapshot.number)
            assert isinstance(self.deployment, Process)
            self.deployment.ground.failing.append(step)
        await Given.store(self, step, snapshot, written)

    def _numbers(self) -> tuple[int, ...]:
        return self.folder.store.numbers()

    def _untouched(self, before: Mapping[int, Any], number: int) -> None:
        """What was published is there, byte for byte, unless the new one has taken its place."""
        now = {one: tree(self.folder.store.directory(one)) for one in self._numbers()}
        self.controller.compared += 1
        if number not in now:
            assert now == before
        else:
            assert {one: now[one] for one in now if one != number}.items() <= before.items()


class Dying(FilesController):
    """The reference controller on a disk with one fault."""

    def __init__(self, faults: Mapping[int, Fault]) -> None:
        super().__init__()
        self.faults = dict(faults)
        self.disks: list[FaultyTreeDisk] = []
        self.died: dict[str, Any] | None = None
        self.compared = 0

    def disk(self) -> FaultyTreeDisk:
        """The first process has the fault."""
        self.disks.append(FaultyTreeDisk(Unsynced(), {} if self.disks else self.faults))
        return self.disks[-1]

    def kept(self, deployment: Deployment, folder: SnapshotFolder, disk: FaultyTreeDisk) -> Kept:
        """What is around a process."""
        return OnDisk(deployment, folder, disk, self)


async def lived(driver: Driver) -> bool:
    """The script until the process dies, a new process, and the end of everything."""
    controller = driver.controller
    assert isinstance(controller, Dying)
    for action in SCRIPT:
        if controller.died is not None:
            break
        await driver.perform(action)
        await driver.settle()
    visible = SnapshotStore(controller.root).numbers()
    died = controller.died
    if died is not None and died["number"] in visible:
        # It died behind the rename: what nobody was told has happened all the same.
        driver.ground.told("store", {"step": "rename", "snapshot": died})
        driver.ground.snapshots[died["number"]] = died
    controller.died = None
    assert await driver.perform(restarted())
    if not driver.groups:
        # There is no snapshot that knows of it: the sampler hands it over again.
        assert await driver.perform(GROUP)
    return await wind_down(driver)


def played(faults: Mapping[int, Fault] | None = None) -> tuple[Played, Dying]:
    """The whole course, on a disk with faults."""
    controller = Dying(faults or {})
    return play(lambda: controller, None, lived, Watch(), scene=SCENE), controller


@cache
def moments() -> tuple[Moment, ...]:
    """The steps that the disk of the first process takes when nothing fails."""
    result, controller = played()
    assert result.refusal is None
    return tuple(controller.disks[0].moments[1:])  # The first is the start's, tried by itself.


def lines(result: Played, event: str) -> list[Work]:
    """The lines of a kind."""
    return [one for one in result.lines if isinstance(one, Work) and one.event == event]


def is_run(line: Line, attempt: int) -> bool:
    """Whether a line calls an agent to run an attempt of that number."""
    return (
        isinstance(line, Call)
        and line.op == "run"
        and (line.request or {}).get("_ng_attempt_index") == attempt
    )


def trained_once(result: Played) -> None:
    """Every sibling is trained on once, and nobody objects to how it came to that."""
    assert result.refusal is None
    assert result.complete
    rows = [row["rollout_id"] for one in lines(result, "train") for row in one.detail["rows"]]
    assert sorted(rows) == ["g1_g0", "g1_g1"]


def test_a_process_goes_on_from_the_folder_with_the_next_attempt() -> None:
    """The restored work runs as N + 1, from a snapshot that only the folder could tell of."""
    result, controller = played()
    starts = [one.detail["snapshot"] for one in lines(result, "start")]

    trained_once(result)
    assert starts == [None, 2]
    assert any(is_run(one, 1) for one in result.lines)
    assert [path.name for path in controller.root.iterdir()] == ["snapshot_000005"]


def test_the_course_publishes_twice_and_prunes() -> None:
    """Else fewer steps are tried than are told."""
    moved = [one.path.name for one in moments() if one.step == "move_directory"]

    assert moved == ["snapshot_000001", "snapshot_000002", "trash_snapshot_000001"]


@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTS, ids=lambda one: one.name.lower())
def test_whatever_fails_at_any_step_every_sibling_is_trained_on_once(fault: Fault) -> None:
    """The next process finds a whole snapshot or none, and the one before was never touched."""
    compared = 0
    for moment in moments():
        try:
            result, controller = played({moment.number: fault})
            trained_once(result)
        except Exception as error:
            error.add_note(f"{fault} at {moment}")
            raise
        compared += controller.compared

    assert compared > len(moments()) / 3
