"""A snapshot inside the trainer's own checkpoint: it comes, stays and goes with that.

Goal: mode `trainer_checkpoint` restores what was saved with the checkpoint, and nothing later.
Method: a controller as a library, and a trainer that writes a directory and gives it its name.
"""

from collections.abc import Callable
from pathlib import Path

import pytest

from fencepost.controlling.folders import FIRST, SAVED, SECOND, Stage, at_work, bytes_in, run
from fencepost_reference.runtime.controlling.keeping import FolderController
from fencepost_reference.storage.boundary import Boundary
from fencepost_reference.storage.snapshot_reading import SnapshotRefused


def trainer(root: Path, publish: Callable[[Path, Path], object] = Path.rename) -> Boundary:
    """A trainer that is about to publish its checkpoint."""
    temporary, final = root / "tmp_step_0", root / "step_0"
    temporary.mkdir(parents=True)
    (temporary / "weights").write_bytes(b"w")

    def published() -> None:
        publish(temporary, final)

    return Boundary(temporary, final, published)


async def save(stage: Stage, controller: FolderController, boundary: Boundary) -> None:
    """A snapshot with the trainer's checkpoint."""
    assert controller.save_in(boundary)
    assert not controller.save_in(boundary)
    await stage.settle(controller)
    await stage.turns(FIRST, SECOND)
    await stage.settle(controller)


def test_it_is_published_and_restored_with_the_checkpoint(tmp_path: Path) -> None:
    """R-SNS-2, S0: in mode `trainer_checkpoint` a later snapshot is passed over."""

    async def doing(stage: Stage) -> None:
        first = await at_work(stage)
        await save(stage, first, trainer(tmp_path / "trainer"))
        assert first.endings == [SAVED]
        checkpoint = tmp_path / "trainer" / "step_0"
        assert {path.name for path in checkpoint.iterdir()} == {"weights", "snapshot_000001"}
        assert first.folder.store.numbers() == ()
        await stage.saved(first, FIRST, SECOND)
        assert first.folder.store.numbers() == (2,)
        first.end()
        again = await stage.start(mode="trainer_checkpoint", checkpoint=checkpoint)
        assert again.folder.source == checkpoint / "snapshot_000001"
        assert again.state.number > 2
        await stage.settle(again)
        assert stage.ground.agents[0].running == [FIRST.next(), SECOND.next()]
        again.end()
        latest = await stage.start(checkpoint=checkpoint)
        assert latest.folder.source == latest.folder.store.directory(2)
        latest.end()
        (tmp_path / "empty").mkdir()
        with pytest.raises(SnapshotRefused, match="R-SNS-11"):
            await stage.start(mode="trainer_checkpoint", checkpoint=tmp_path / "empty")

    run(tmp_path, doing)


def _fails(temporary: Path, final: Path) -> None:
    raise OSError(5, f"{temporary} did not become {final}")


def _happens_and_fails(temporary: Path, final: Path) -> None:
    temporary.rename(final)
    _fails(temporary, final)


@pytest.mark.parametrize(("publish", "saved"), [(_fails, False), (_happens_and_fails, True)])
def test_what_the_trainer_did_decides(
    tmp_path: Path, publish: Callable[[Path, Path], object], saved: bool
) -> None:
    """R-SNW-7, I22: one rename makes both visible, and a failing one is looked at afterwards."""

    async def doing(stage: Stage) -> None:
        controller = await at_work(stage)
        await stage.saved(controller, FIRST, SECOND)
        before = bytes_in(stage.root)
        boundary = trainer(tmp_path / "trainer", publish)
        await save(stage, controller, boundary)
        (ending,) = controller.endings[1:]
        assert (ending.saved, ending.reason) == (saved, "" if saved else "storage_failed")
        assert ending.why == ("" if saved else "snapshot_000002: it was not published")
        assert bytes_in(stage.root) == before
        left = {path.name for path in (tmp_path / "trainer").glob("*/snapshot_*")}
        assert left == ({"snapshot_000002"} if saved else set())
        await stage.saved(controller, FIRST, SECOND)
        assert controller.endings[-1] == SAVED
        assert controller.folder.store.numbers() == (3,)

    run(tmp_path, doing)


def test_a_damaged_one_is_not_restored(tmp_path: Path) -> None:
    """R-SNS-1: it is held to every check, as the others are."""

    async def doing(stage: Stage) -> None:
        controller = await at_work(stage)
        await save(stage, controller, trainer(tmp_path / "trainer"))
        controller.end()
        checkpoint = tmp_path / "trainer" / "step_0"
        config = checkpoint / "snapshot_000001" / "config.yaml"
        config.write_bytes(b"another")
        with pytest.raises(SnapshotRefused, match="R-SNP-16"):
            await stage.start(mode="trainer_checkpoint", checkpoint=checkpoint)
        assert stage.ground.agents[0].running == []

    run(tmp_path, doing)
