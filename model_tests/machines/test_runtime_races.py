"""Stories of two things that reach a runtime agent in one turn of its event loop."""

import asyncio
import gc
import tracemalloc
from collections.abc import Mapping
from typing import Any

import pytest

from fencepost.stage import Stage, code_of, record_of, states_of, virtual
from fencepost_reference.runtime import Execution, Refused
from fencepost_reference.runtime.records import SPARE_MAX
from fencepost_spec.receipts.saved import AgentBoundaryRecord, boundary_record
from fencepost_spec.vocabulary import Key

R1 = Key("r1", 0)


def test_a_retire_that_overtakes_a_wake_wins() -> None:
    """Work that was let go but has not moved yet when it is retired does not move."""

    async def story() -> None:
        stage = Stage()
        client, _, held = await stage.parked(R1, "c1")
        resume = stage.controller("resume", "c1")
        retire = asyncio.create_task(stage.retire("c2", R1))
        await asyncio.gather(resume, retire)
        assert held.cancelled()
        assert retire.result().body["retired"]
        assert code_of(await client) == "stale_attempt"

    virtual(story())


def test_a_wait_that_a_prepare_overtakes_begins_after_it_and_is_not_frozen() -> None:
    """A wait whose entry was parked is not open before its handler has moved on into it."""

    async def story() -> None:
        stage = Stage()
        _, puppet = await stage.begun(R1)
        await puppet.boundary(0)
        prepare = stage.controller("prepare", "c1")
        await stage.settle()
        entered = puppet.start(lambda run: run.begin_external_wait())
        assert (await prepare).status == 200
        resume = stage.controller("resume", "c1")
        prepare = stage.controller("prepare", "c2")
        await entered
        assert resume.done()
        assert states_of(stage.agent) == {"r1": "park_requested"}
        await puppet.start(lambda run: run.end_external_wait())
        puppet.boundary(1)
        assert (await prepare).status == 200

    virtual(story())


def test_a_handler_that_gives_up_in_the_turn_of_its_wake_is_not_lost() -> None:
    """A timeout of the work that meets a resume ends the wait, and the handler goes on."""

    async def story() -> None:
        stage = Stage()
        _, puppet = await stage.begun(R1)
        prepare = stage.controller("prepare", "c1")
        await stage.settle()
        inner: list[asyncio.Task[None]] = []

        async def gives_up(run: Execution) -> str:
            inner.append(asyncio.create_task(run.boundary(record_of(run, 0))))
            await asyncio.gather(*inner, return_exceptions=True)
            return "went on"

        moved = puppet.start(gives_up)
        assert (await prepare).status == 200
        resume = stage.controller("resume", "c1")
        await asyncio.sleep(0)
        inner[0].cancel()
        assert await moved == "went on"
        assert inner[0].cancelled()
        assert (await resume).body["released"] == 1
        await puppet.boundary(1)

    virtual(story())


def test_a_client_that_leaves_before_its_handler_starts_leaves_nothing_running() -> None:
    """The handler never starts, and the key is refused."""

    async def story() -> None:
        stage = Stage()
        for key in (R1, None):
            client = stage.client(key)
            await asyncio.sleep(0)
            client.cancel()
            await stage.settle()
        assert stage.puppets == {}
        assert stage.agent.status()["running"] == 0
        assert code_of(await stage.client(R1)) == "stale_attempt"

    virtual(story())


def test_two_tasks_of_one_handler_take_turns() -> None:
    """While one is held another is refused; once it is let go the other gets through."""

    async def story() -> None:
        stage = Stage()
        _, puppet, held = await stage.parked(R1, "c1")
        run = puppet.execution
        with pytest.raises(Refused, match="agent_checkpoint_error"):
            await run.boundary(record_of(run, 1))
        resume = stage.controller("resume", "c1")
        await asyncio.sleep(0)
        # Resumed in this turn, so the first has not moved yet.
        await run.boundary(record_of(run, 2))
        assert held.done()
        assert resume.done()
        assert stage.agent.status()["executions"][0]["boundary_index"] == 2

    virtual(story())


def test_a_result_that_is_acknowledged_at_once_still_reaches_its_client() -> None:
    """The receipt may come back in the very turn in which the result is about to leave."""

    async def story() -> None:
        stage = Stage()
        client, puppet = await stage.begun(R1)
        puppet.finish({"id": "x"})
        for _ in range(20):
            if states_of(stage.agent) != {"r1": "completed"}:
                await asyncio.sleep(0)
        assert not client.done()
        receipt = stage.agent.status()["executions"][0]["completion_receipt"]
        acknowledge = asyncio.create_task(stage.acknowledge(receipt))
        assert (await client).body == {"id": "x"}
        assert (await acknowledge).body["acknowledged"]

    virtual(story())


def records_alive() -> int:
    """How many records there are in this process."""
    gc.collect()
    return sum(type(one) is AgentBoundaryRecord for one in gc.get_objects())


def test_memory_follows_the_work_that_lives() -> None:
    """Results are freed with their receipts, and records with their runs, but for a few."""
    size, runs = 100_000, 100

    async def story() -> None:
        stage = Stage()
        before = records_alive()

        async def quick(run: Execution, _body: Mapping[str, Any]) -> str:
            assert run.key is not None
            for index in range(3):
                await run.boundary(boundary_record(run.key, index, created_at=0.0))
            return (run.rollout_id or "") * (size // 4)

        keys = [Key(f"r{number}", 0) for number in range(100, 100 + runs)]
        stage.works = dict.fromkeys(keys, quick)
        for key in keys:
            assert (await stage.client(key)).body == key.rollout_id * (size // 4)
        assert tracemalloc.get_traced_memory()[0] > size * runs
        for entry in stage.agent.status()["executions"]:
            assert (await stage.acknowledge(entry["completion_receipt"])).status == 200
        await stage.settle()
        assert tracemalloc.get_traced_memory()[0] < size * runs / 4
        assert records_alive() <= before + SPARE_MAX

    tracemalloc.start()
    try:
        virtual(story())
    finally:
        tracemalloc.stop()
