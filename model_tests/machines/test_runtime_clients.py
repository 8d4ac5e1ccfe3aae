"""Stories of clients that go away, and of the results and boundaries that they leave behind."""

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest

from fencepost.stage import Stage, checked, code_of, record_of, states_of, virtual
from fencepost_reference.runtime import Answer, Execution
from fencepost_spec.vocabulary import Key

R1 = Key("r1", 0)


async def leave(client: "asyncio.Task[Answer]") -> None:
    """The client of a run goes away."""
    client.cancel()
    await asyncio.gather(client, return_exceptions=True)


def test_a_lost_reply_is_adopted_by_a_repeated_run() -> None:
    """The result of a run whose client left blocks until a repeat takes it and it is released."""

    async def story() -> None:
        stage = Stage()
        runs = 0

        async def finishes_all_the_same(_run: Execution, _body: Mapping[str, Any]) -> Any:
            nonlocal runs
            runs += 1
            try:
                await asyncio.sleep(1000)
            except asyncio.CancelledError:
                return {"id": "kept", "tokens": [1, 2]}

        stage.works[R1] = finishes_all_the_same
        client = stage.client(R1)
        await stage.settle()
        await leave(client)
        await stage.settle()
        assert code_of(await stage.call("prepare", "c1")) == "agent_prepare_incomplete"
        kept = {"retired": False, "tombstoned": False, "completed_unacknowledged": True}
        assert (await stage.retire("c1", R1)).body == kept
        adopted = await stage.client(R1)
        assert (adopted.body, runs) == ({"id": "kept", "tokens": [1, 2]}, 1)
        adopted.body["tokens"].append(3)
        assert (await stage.client(R1)).body == {"id": "kept", "tokens": [1, 2]}

        query = {"rollout_id": "r1", "attempt_index": 0}
        told = await stage.agent.control("completion-receipt", query)
        receipt = checked("completion-receipt", told).body
        assert code_of(await stage.acknowledge(receipt | {"result_digest": "0" * 64})) == (
            "completed_execution_acknowledgement_error"
        )
        batch = await stage.agent.control("acknowledge-completed", {"executions": [receipt]})
        assert checked("acknowledge-completed", batch).body == {"acknowledged": [receipt]}
        assert (await stage.acknowledge(receipt)).body["idempotent"]
        assert (await stage.call("prepare", "c1")).body["acknowledged_completed"] == 1

    virtual(story())


@pytest.mark.parametrize("prepared", [False, True])
def test_a_client_that_leaves_running_work_ends_its_key(prepared: bool) -> None:
    """Running or asked to park, the work is cancelled and its key refused."""

    async def story() -> None:
        stage = Stage()
        client, puppet = await stage.begun(R1)
        await puppet.boundary(0)
        prepare = stage.controller("prepare", "c1") if prepared else None
        await stage.settle()
        await leave(client)
        await stage.settle()
        assert states_of(stage.agent) == {}
        if prepare is not None:
            assert (await prepare).body["selected_boundaries"] == []
            await stage.call("resume", "c1")
        assert code_of(await stage.client(R1)) == "stale_attempt"

    virtual(story())


@pytest.mark.parametrize("frozen", [False, True])
def test_a_client_that_leaves_parked_work_leaves_it_to_be_written_down(frozen: bool) -> None:
    """At its boundary the work stays committable; at resume it is retired and its key refused."""

    async def story() -> None:
        stage = Stage()
        client, puppet = await stage.begun(R1)
        await puppet.boundary(0)
        if frozen:
            await puppet.start(lambda run: run.begin_external_wait())
            puppet.start(lambda _run: asyncio.sleep(1000))
        prepare = stage.controller("prepare", "c1")
        await stage.settle()
        if not frozen:
            puppet.boundary(1)
        assert (await prepare).status == 200
        await leave(client)
        await stage.settle()
        state = "external_wait_frozen" if frozen else "parked_with_boundary"
        assert states_of(stage.agent) == {"r1": state}
        assert (await stage.call("commit", "c1", checkpoint_dir="d1")).body["records"] == 1
        assert (await stage.call("resume", "c1")).body["released"] == 0
        assert states_of(stage.agent) == {}
        assert code_of(await stage.client(R1)) == "stale_attempt"

    virtual(story())


def test_a_client_that_leaves_work_parked_without_a_boundary_ends_its_key() -> None:
    """Where nothing can be written down there is nothing to keep."""

    async def story() -> None:
        stage = Stage()
        client, puppet = await stage.begun(R1)
        prepare = stage.controller("prepare", "c1")
        await stage.settle()
        puppet.park()
        answer = await prepare
        assert "running=0, parked_without_boundary=1" in answer.body["error"]["detail"]
        (stuck,) = stage.agent.status()["blocking_attempts"]
        assert stuck["parked_boundary_state"] == "parked_without_boundary"
        await leave(client)
        await stage.settle()
        assert states_of(stage.agent) == {}
        assert (await stage.call("prepare", "c1")).status == 200

    virtual(story())


def test_work_that_outlives_its_client_in_a_wait_is_let_go_at_resume_and_cancelled() -> None:
    """A shielded wait goes on; its work is written down, and ends as cancelled after resume."""

    async def story() -> None:
        stage = Stage()
        woken: list[float] = []

        async def shielded(run: Execution, _body: Mapping[str, Any]) -> str:
            await run.boundary(record_of(run, 0))
            await run.begin_external_wait()
            verdict = asyncio.ensure_future(asyncio.sleep(1, "verdict"))
            try:
                await asyncio.shield(verdict)
            except asyncio.CancelledError:
                await verdict
                await run.end_external_wait()
                woken.append(asyncio.get_running_loop().time())
                raise
            return await verdict

        stage.works[R1] = shielded
        client = stage.client(R1)
        await stage.settle()
        await stage.call("prepare", "c1")
        await leave(client)
        await asyncio.sleep(5)
        assert woken == []
        assert (await stage.call("commit", "c1", checkpoint_dir="d1")).body["records"] == 1
        await stage.call("resume", "c1")
        await stage.settle()
        assert woken == [5.0]
        assert code_of(await stage.client(R1)) == "stale_attempt"

    virtual(story())


def test_a_repeated_run_that_its_client_leaves_does_not_touch_the_first() -> None:
    """A second call of a live key is refused, and its client cannot cancel the work of another."""

    async def story() -> None:
        stage = Stage()
        client, puppet = await stage.begun(R1)
        second = stage.client(R1)
        await asyncio.sleep(0)
        await leave(second)
        third = await stage.client(R1)
        assert code_of(third) == "duplicate_execution"
        puppet.finish("x")
        assert (await client).body == "x"

    virtual(story())
