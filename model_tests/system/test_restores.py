"""A snapshot is restored by a running controller: every check first, and all of it or nothing.

Goal: whatever is wrong with a snapshot is refused by its rule before anything is changed. Method:
each damage of the library lies in a real folder before a controller, or is what a participant says.
"""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import attrs
import pytest

from fencepost.controlling.folders import bytes_in
from fencepost.snapshot import specimens as s
from fencepost.snapshot.damages import Damage
from fencepost.snapshot.restored_damages import CHECKS, ELSEWHERE, FOUND, IMPOSSIBLE, SAID, spoilt
from fencepost.snapshot.restoring import Restoring, finalize, restoring
from fencepost.snapshot.samples import lay_out
from fencepost.snapshot.worlds import World
from fencepost_reference.receipts.controller.actions import Submit
from fencepost_reference.receipts.controller.said import AGENT, MODEL, RESOURCES, Place
from fencepost_reference.runtime.controlling.keeping import FolderController
from fencepost_reference.runtime.virtual_time import VirtualLoop
from fencepost_reference.storage.snapshot_reading import SnapshotRefused
from fencepost_spec.receipts.snapshot import names
from fencepost_spec.receipts.snapshot.spec import SNAPSHOT


def run(doing: Callable[[], Awaitable[None]]) -> None:
    """Run a test in virtual time."""

    async def ran() -> None:
        await doing()

    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        runner.run(ran())


async def start(one: Restoring) -> None:
    """A process starts at the step of the specimen, and everything happens that may."""
    await one.controller.start(s.STEP, s.STEP)
    await one.settle()


def ops(one: Restoring) -> set[str]:
    """What participants were asked."""
    return {op for _, op in one.called}


def test_every_check_is_asked_of_a_restore() -> None:
    """Each check has a damage here, or cannot be met by a controller that runs."""
    damaged = {one.rule for one in (*FOUND, *SAID)}

    assert damaged | IMPOSSIBLE | ELSEWHERE == CHECKS.keys()
    assert not damaged & IMPOSSIBLE


def test_a_whole_snapshot_is_restored_and_work_goes_on(tmp_path: Path) -> None:
    """Participants restore in their order, are released, and unfinished siblings run."""

    async def doing() -> None:
        world = World.whole()
        lay_out(world.files, tmp_path / "snapshot_000003")
        one = restoring(tmp_path, world)
        await start(one)
        restored = [place for place, op in one.called if op == "restore"]
        assert restored[0] == Place(MODEL, s.POLICY)
        assert set(restored[1:3]) == {Place(AGENT, s.AGENT), Place(AGENT, s.CRITIC)}
        assert restored[3:] == [Place(RESOURCES, s.TOOLS)]
        assert one.controller.refused is None
        assert one.controller.state.gate
        assert {"restore", "resume", "run"} <= ops(one)

    run(doing)


@pytest.mark.parametrize("damage", FOUND, ids=lambda one: f"{one.rule} {one.says}")
def test_a_damaged_snapshot_is_refused_before_anybody_is_asked(
    damage: Damage, tmp_path: Path
) -> None:
    """B12, 4.1: the refusal names the rule, nobody is called, and no byte is another."""

    async def doing() -> None:
        world = spoilt(damage)
        lay_out(world.files, tmp_path / "snapshot_000003")
        before = bytes_in(tmp_path)
        one = restoring(tmp_path, world)
        state = one.controller.state
        with pytest.raises(SnapshotRefused) as caught:
            await start(one)
        said = str(caught.value)
        assert f"({damage.rule})" in said
        assert (CHECKS[damage.rule].when.__doc__ or "").strip().rstrip(".") in said
        assert one.called == []
        assert one.controller.state is state
        assert one.controller.folder.source is None
        assert bytes_in(tmp_path) == before

    run(doing)


OF_OTHERS = {"R-SNP-32", "R-SNP-35", "R-SNP-36", "R-SNP-63"}
"""What says that a snapshot is of other participants, which is no damage of it."""
DAMAGED = [one for one in FOUND if spoilt(one).is_of_this_run]


@pytest.mark.parametrize("damage", DAMAGED, ids=lambda one: f"{one.rule} {one.says}")
def test_a_damaged_snapshot_is_passed_over_for_an_older_one(damage: Damage, tmp_path: Path) -> None:
    """4.1: of damage the older one knows nothing; one of other participants is not passed over."""

    async def doing() -> None:
        lay_out(World.whole().files, tmp_path / "snapshot_000002")
        lay_out(spoilt(damage).files, tmp_path / "snapshot_000003")
        before = bytes_in(tmp_path)
        one = restoring(tmp_path, World.whole())
        if damage.rule in OF_OTHERS:
            with pytest.raises(SnapshotRefused, match=damage.rule):
                await start(one)
            assert one.called == []
        else:
            found = await one.controller.start(s.STEP, s.STEP)
            assert found.snapshot is not None
            assert found.snapshot.number == 2
            assert found.number == 4
            ((number, reason),) = found.passed_over
            assert number == 3
            assert f"({damage.rule})" in reason
            await one.settle()
            assert "run" in ops(one)
        assert bytes_in(tmp_path) == before

    run(doing)


@pytest.mark.parametrize("damage", SAID, ids=lambda one: f"{one.rule} {one.says}")
def test_what_was_not_committed_is_not_restored(damage: Damage, tmp_path: Path) -> None:
    """V22, V23: the process halts with the rule, and nobody is released or sent anything."""

    async def doing() -> None:
        world = spoilt(damage)
        lay_out(world.files, tmp_path / "snapshot_000003")
        before = bytes_in(tmp_path)
        one = restoring(tmp_path, world)
        await start(one)
        controller = one.controller
        assert controller.refused is not None
        assert controller.refused.rule.id == damage.rule
        assert controller.state.halted
        assert not controller.state.gate
        assert ops(one) == {"restore"}
        assert bytes_in(tmp_path) == before

    run(doing)


@pytest.mark.parametrize("damage", SAID, ids=lambda one: f"{one.rule} {one.says}")
def test_a_check_of_a_restore_that_is_left_out_is_missed(damage: Damage, tmp_path: Path) -> None:
    """The running controller asks these checks, and refuses by nothing else."""

    async def doing() -> None:
        world = spoilt(damage)
        lay_out(world.files, tmp_path / "snapshot_000003")
        fewer = SNAPSHOT.checks.without(CHECKS[damage.rule])
        one = restoring(tmp_path, world, attrs.evolve(SNAPSHOT, checks=fewer))
        await start(one)
        assert one.controller.refused is None

    run(doing)


@pytest.mark.parametrize("place", [MODEL, AGENT])
def test_who_has_restored_wrongly_is_the_last_who_is_asked(place: str, tmp_path: Path) -> None:
    """Each answer is held to the commit before the next kind of participant is asked."""

    async def doing() -> None:
        world = World.whole()
        listed = {MODEL: "models", AGENT: "agents"}[place]
        for one in world.restore[listed]:
            one["result"].update({MODEL: {"rows": 0}, AGENT: {"records": 0}}[place])
        lay_out(world.files, tmp_path / "snapshot_000003")
        it = restoring(tmp_path, world)
        await start(it)
        kinds = {asked.kind for asked, _ in it.called}
        assert kinds == {MODEL, place}
        assert it.controller.refused is not None

    run(doing)


@pytest.mark.parametrize(
    ("body", "rule"),
    [
        ([], "R-SNP-8"),
        ({}, "R-SNP-7"),
        ({"sessions": "1", "source_checkpoint_id": s.ID}, "R-SNP-8"),
        ({"sessions": -1, "source_checkpoint_id": s.ID}, "R-SNP-9"),
        ({"sessions": 1, "source_checkpoint_id": s.ID, "more": 1}, "R-SNP-6"),
    ],
    ids=["a list", "nothing", "a text", "less than none", "more"],
)
def test_an_answer_of_another_shape_is_no_restore(body: Any, rule: str, tmp_path: Path) -> None:
    """What a participant answers is held to its model before anything is read in it."""

    async def doing() -> None:
        world = World.whole()
        world.restore["resources"][0]["result"] = body
        lay_out(world.files, tmp_path / "snapshot_000003")
        one = restoring(tmp_path, world)
        await start(one)
        assert one.controller.refused is not None
        assert one.controller.refused.rule.id == rule
        assert one.controller.state.halted
        assert ops(one) == {"restore"}

    run(doing)


def test_a_link_is_refused_by_a_running_controller(tmp_path: Path) -> None:
    """R-SNP-1: a folder that lies elsewhere is no part of a snapshot."""

    async def doing() -> None:
        world = World.whole()
        directory = lay_out(world.files, tmp_path / "run" / "snapshot_000003")
        (directory / "data_plane").rename(tmp_path / "elsewhere")
        (directory / "data_plane").symlink_to(tmp_path / "elsewhere")
        one = restoring(tmp_path / "run", world)
        with pytest.raises(SnapshotRefused, match="R-SNP-1"):
            await start(one)
        assert one.called == []

    run(doing)


def test_a_restore_has_an_id_of_its_own(tmp_path: Path) -> None:
    """R-SNP-100, I20: before the first answer it is asked under which id participants restore."""

    async def doing() -> None:
        world = World.whole()
        lay_out(world.files, tmp_path / "snapshot_000003")
        one = restoring(tmp_path, world)
        await one.controller.start(s.STEP, s.STEP)
        folder = one.controller.folder
        assert folder.restored("r4", {}, last=False) is None
        refused = folder.restored(s.ID, {}, last=False)
        assert refused is not None
        assert refused.rule.id == "R-SNP-100"
        missing = folder.restored("r4", {}, last=True)
        assert missing is not None
        assert missing.rule.id == "R-SNP-103"
        strange = {Place(RESOURCES, "other"): world.restore["resources"][0]["result"]}
        stranger = folder.restored("r4", strange, last=False)
        assert stranger is not None
        assert stranger.rule.id == "R-SNP-104"

    run(doing)


def test_a_group_of_an_agent_that_is_not_here_is_refused(tmp_path: Path) -> None:
    """R-SNP-32: whoever ran a group has to be there, or nothing is restored."""

    async def doing() -> None:
        world = World.whole()
        world.sealed(names.RECOVERY, lambda saved: saved["groups"][2].update(task_source="other"))
        lay_out(world.files, tmp_path / "snapshot_000003")
        one = restoring(tmp_path, world)
        with pytest.raises(SnapshotRefused, match=r"which is of other \(R-SNP-32\)"):
            await start(one)
        assert one.called == []

    run(doing)


def test_a_group_is_only_taken_for_an_agent_that_is_here(tmp_path: Path) -> None:
    """A controller that cannot send a group out does not own it."""

    async def doing() -> None:
        one = restoring(tmp_path, World.whole())
        await one.controller.start()
        with pytest.raises(ValueError, match="agent other"):
            one.controller.tell(Submit("g", 1, "sibling", "other"))
        assert not one.controller.state.ledger.groups

    run(doing)


def test_clients_that_the_topology_does_not_know_are_refused(tmp_path: Path) -> None:
    """Whoever was found is reached, and whoever is reached was found."""
    world = World.whole()
    one = restoring(tmp_path, world)
    fewer = [each for each in one.clients if each.instance != s.TOOLS]
    with pytest.raises(ValueError, match="differ in resources tools"):
        FolderController(one.controller.folder, fewer, finalize)
    one.clients[-1].mode = "stateless"
    with pytest.raises(ValueError, match="differ in"):
        FolderController(one.controller.folder, one.clients, finalize)
