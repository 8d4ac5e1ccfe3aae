"""Stories of a runtime agent and its checkpoint directories: written, lost, read, continued."""

import asyncio
import threading
from pathlib import Path

import pytest

from fencepost.stage import ROOT, Stage, code_of, record_of, states_of, virtual
from fencepost_reference.runtime import Lost
from fencepost_reference.storage import CheckpointRefused, RealDisk, read_checkpoint
from fencepost_reference.storage.faulty import Fault, FaultyDisk, Moment
from fencepost_reference.storage.layout import place_of
from fencepost_reference.storage.memory import MemoryDisk
from fencepost_spec.vocabulary import Key

R1, R2 = Key("r1", 0), Key("r2", 0)


def steps_of_a_commit() -> int:
    """How many steps on the disk a commit of one record takes."""

    async def story() -> int:
        disk = FaultyDisk(MemoryDisk())
        stage = Stage(disk)
        await stage.parked(R1, "c1")
        assert (await stage.call("commit", "c1", checkpoint_dir="d1")).status == 200
        return len(disk.moments)

    return virtual(story())


STEPS = range(steps_of_a_commit())


def test_a_rollout_goes_on_as_its_next_attempt_after_a_crash(tmp_path: Path) -> None:
    """What was committed on a real disk is restored, and handed to the run of the next attempt."""

    async def story() -> None:
        stage = Stage(RealDisk(), checkpoint_root=tmp_path)
        _, puppet = await stage.begun(R1)
        prepare = stage.controller("prepare", "c1")
        await stage.settle()
        record = record_of(puppet.execution, 3, model_call_id="m3", agent_state={"said": ["a"]})
        puppet.start(lambda run: run.boundary(record))
        await prepare
        commit = await stage.call("commit", "c1", checkpoint_dir="steps/one")
        assert commit.body["records"] == commit.body["continuation_index"]["records"] == 1

        await stage.replace()
        restore = await stage.restored("steps/one", "again")
        assert restore.body["source_checkpoint_id"] == "c1"
        assert restore.body["continuation_index"] == commit.body["continuation_index"]
        assert code_of(await stage.client(R1)) == "stale_attempt"
        client, puppet = await stage.begun(R1.next())
        assert puppet.execution.continuation == record.model_dump(mode="json")
        puppet.finish("done")
        assert (await client).status == 200
        receipt = stage.agent.status()["executions"][0]["completion_receipt"]
        assert receipt["manifest_capture_key"] == "r1"
        assert receipt["terminal_model_call_id"] == "m3"

    virtual(story())


def test_what_was_restored_is_written_again_under_its_next_attempt() -> None:
    """A record nobody claimed, and one whose run has no boundary yet, survive a second crash."""

    async def story() -> None:
        stage = Stage()
        for key, index in ((R1, 1), (R2, 2)):
            _, puppet = await stage.begun(key)
            await puppet.boundary(index)
        prepare = stage.controller("prepare", "c1")
        await stage.settle()
        for key, index in ((R1, 11), (R2, 12)):
            stage.puppets[key].boundary(index)
        assert (await prepare).status == 200
        await stage.call("commit", "c1", checkpoint_dir="d1")

        await stage.replace()
        await stage.restored("d1")
        _, puppet = await stage.begun(R1.next())
        prepare = stage.controller("prepare", "c2")
        await stage.settle()
        puppet.park()
        answer = await prepare
        assert answer.body["selected_boundaries"][0]["boundary_index"] == 11
        commit = await stage.call("commit", "c2", checkpoint_dir="d2")
        assert commit.body["records"] == 2
        repeat = await stage.call("commit", "c2", checkpoint_dir="d2")
        assert repeat == commit

        await stage.replace()
        await stage.restored("d2")
        for key, index in ((R1, 11), (R2, 12)):
            _, puppet = await stage.begun(key.next().next())
            continuation = puppet.execution.continuation or {}
            assert (continuation["attempt_index"], continuation["boundary_index"]) == (1, index)

    virtual(story())


@pytest.mark.parametrize("fault", [Fault.FAIL, Fault.FAIL_AFTER, Fault.TEAR])
@pytest.mark.parametrize("step", STEPS)
def test_a_commit_whose_storage_fails_anywhere_can_be_tried_again(step: int, fault: Fault) -> None:
    """The answer is a server error, nothing moves meanwhile, and the retry commits the record."""

    async def story() -> None:
        disk = FaultyDisk(MemoryDisk(), {step: fault})
        stage = Stage(disk)
        _, _, held = await stage.parked(R1, "c1", index=4)
        answer = await stage.call("commit", "c1", checkpoint_dir="d1")
        assert (answer.status, code_of(answer)) == (500, "storage_failed")
        await stage.settle()
        assert not held.done()
        answer = await stage.call("commit", "c1", checkpoint_dir="d1")
        assert answer.status == 200
        assert answer.body["records"] == 1
        stored = read_checkpoint(ROOT / "d1", "agent-a", disk=disk)
        assert stored.manifest_digest == answer.body["manifest_digest"]
        assert [(record.key, record.boundary_index) for record in stored.records] == [(R1, 4)]
        await stage.call("resume", "c1")
        await held

    virtual(story())


@pytest.mark.parametrize("step", STEPS)
def test_a_process_that_dies_anywhere_in_a_commit_leaves_all_or_nothing(step: int) -> None:
    """The next process either restores the whole checkpoint or is told that there is none."""

    async def story() -> None:
        disk = FaultyDisk(MemoryDisk(), {step: Fault.STOP})
        stage = Stage(disk)
        await stage.parked(R1, "c1")
        with pytest.raises(Lost):
            await stage.call("commit", "c1", checkpoint_dir="d1")
        taken = len(disk.moments)
        await stage.replace()
        assert len(disk.moments) == taken
        answer = await stage.call("restore", "again", checkpoint_dir="d1")
        if answer.status == 200:
            assert answer.body["records"] == 1
            return
        # What the last process left behind does not keep the next one from committing there.
        assert (answer.status, code_of(answer)) == (409, "agent_checkpoint_error")
        await stage.parked(R1, "c1")
        assert (await stage.call("commit", "c1", checkpoint_dir="d1")).status == 200

    virtual(story())


def test_a_crash_while_a_thread_writes_lets_it_finish_its_step_and_no_other() -> None:
    """The thread of a dead process takes no further step, however long it lives."""
    at_rename, go_on = threading.Event(), threading.Event()

    def before(moment: Moment) -> None:
        if moment.step == "rename" and not at_rename.is_set():
            at_rename.set()
            go_on.wait(10)

    async def story() -> None:
        disk = FaultyDisk(MemoryDisk(), before=before)
        stage = Stage(disk)
        await stage.parked(R1, "c1")
        commit = stage.controller("commit", "c1", checkpoint_dir="d1")
        await asyncio.to_thread(at_rename.wait, 10)
        await stage.replace()
        taken = len(disk.moments)
        go_on.set()
        with pytest.raises(Lost):
            await commit
        await asyncio.get_running_loop().shutdown_default_executor()
        assert len(disk.moments) == taken
        with pytest.raises(CheckpointRefused):
            read_checkpoint(ROOT / "d1", "agent-a", disk=disk)

    virtual(story())


@pytest.mark.parametrize("directory", ["absent", "partial", "damaged"])
def test_a_directory_that_is_no_checkpoint_is_refused_and_changes_nothing(directory: str) -> None:
    """Restore says no with a code, and the agent goes on as before."""

    async def story() -> None:
        stage = Stage()
        if directory != "absent":
            await stage.parked(R1, "c1")
            assert (await stage.call("commit", "c1", checkpoint_dir=directory)).status == 200
            place = ROOT / directory / place_of("agent-a")
            name = "manifest.json" if directory == "partial" else "agent-part-000000.tar"
            stage.disk.remove(place / name)
        await stage.replace()
        answer = await stage.call("restore", "again", checkpoint_dir=directory)
        assert (answer.status, code_of(answer)) == (409, "agent_checkpoint_error")
        assert states_of(stage.agent) == {}
        assert stage.agent.state.fence.phase == "idle"
        await stage.begun(R1)

    virtual(story())


ODD = [ValueError, OverflowError, MemoryError, RuntimeError, RecursionError]


def failing(step: str, error: type[Exception], armed: list[bool]) -> FaultyDisk:
    """A disk whose steps of one kind raise what no disk should, once it is armed."""

    def before(moment: Moment) -> None:
        if armed and moment.step == step:
            raise error("no disk raises this")

    return FaultyDisk(MemoryDisk(), before=before, count_reads=True)


@pytest.mark.parametrize("error", ODD)
@pytest.mark.parametrize("step", ["look", "read"])
def test_a_restore_is_answered_whatever_reading_raises(step: str, error: type[Exception]) -> None:
    """No error of a reader leaves the agent restoring: it is told no, and may be restored again."""

    async def story() -> None:
        armed: list[bool] = []
        stage = Stage(failing(step, error, armed))
        await stage.parked(R1, "c1")
        assert (await stage.call("commit", "c1", checkpoint_dir="d1")).status == 200
        await stage.replace()
        armed.append(True)
        answer = await stage.call("restore", "again", checkpoint_dir="d1")
        assert (answer.status, code_of(answer)) == (409, "agent_checkpoint_error")
        assert stage.agent.state.fence.phase == "idle"
        armed.clear()
        assert (await stage.call("restore", "more", checkpoint_dir="d1")).status == 200

    virtual(story())


@pytest.mark.parametrize("error", ODD)
@pytest.mark.parametrize("step", ["look", "read", "write", "sync_file", "rename", "publish"])
def test_a_commit_is_answered_whatever_storage_raises(step: str, error: type[Exception]) -> None:
    """No error of a writer leaves the agent committing: it answers, and the retry commits."""

    async def story() -> None:
        armed = [True]
        stage = Stage(failing(step, error, armed))
        await stage.parked(R1, "c1")
        answer = await stage.call("commit", "c1", checkpoint_dir="d1")
        # Nothing is read where nothing was committed.
        assert answer.status in ({200} if step == "read" else {409, 500})
        armed.clear()
        assert (await stage.call("commit", "c1", checkpoint_dir="d1")).status == 200

    virtual(story())


def test_a_directory_of_another_commit_is_never_rewritten() -> None:
    """Another id, or other records, are refused; the same process may repeat its own."""

    async def story() -> None:
        stage = Stage()
        _, puppet, _ = await stage.parked(R1, "c1")
        first = await stage.call("commit", "c1", checkpoint_dir="d1")
        other = await stage.call("commit", "c1", checkpoint_dir="d2")
        assert code_of(other) == "checkpoint_conflict"
        await stage.call("resume", "c1")
        prepare = stage.controller("prepare", "c2")
        await stage.settle()
        puppet.boundary(1)
        await prepare
        assert code_of(await stage.call("commit", "c2", checkpoint_dir="d1")) == (
            "agent_checkpoint_error"
        )
        assert stage.agent.state.fence.phase == "prepared"
        stored = read_checkpoint(ROOT / "d1", "agent-a", disk=stage.disk)
        assert stored.manifest_digest == first.body["manifest_digest"]
        assert (await stage.call("commit", "c2", checkpoint_dir="d2")).status == 200

    virtual(story())


def test_held_storage_keeps_a_commit_and_its_caller_waiting() -> None:
    """While storage is held the agent is at rest; when it goes on the commit is answered."""

    async def story() -> None:
        stage = Stage()
        await stage.parked(R1, "c1")
        stage.agent.hold("commit")
        commits = [stage.controller("commit", "c1", checkpoint_dir="d1") for _ in range(2)]
        await stage.settle()
        assert not any(commit.done() for commit in commits)
        assert code_of(await stage.call("resume", "c1")) == "invalid_phase"
        commits[0].cancel()
        stage.agent.release("commit")
        assert (await commits[1]).status == 200

    virtual(story())
