"""Stories of how work ends at a runtime agent: retired, failed, or lost with its process."""

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest

from fencepost.stage import Failed, Stage, code_of, record_of, states_of, virtual
from fencepost_reference.runtime import Execution, Lost, Refused
from fencepost_spec.vocabulary import Key

R1 = Key("r1", 0)
GONE = {"retired": True, "tombstoned": True}


def test_retire_answers_when_a_handler_that_stops_slowly_has_stopped() -> None:
    """A retired handler may clean up; until it has, retire waits and the run blocks."""

    async def story() -> None:
        stage = Stage()

        async def slow(_run: Execution, _body: Mapping[str, Any]) -> None:
            try:
                await asyncio.sleep(1000)
            finally:
                await asyncio.sleep(2)

        stage.works[R1] = slow
        client = stage.client(R1)
        await stage.settle()
        retire = asyncio.create_task(stage.retire("c1", R1))
        await stage.settle()
        assert not retire.done()
        status = stage.agent.status()
        assert (status["running"], status["active"]) == (1, 0)
        assert [entry["state"] for entry in status["blocking_attempts"]] == ["retired"]
        prepare = stage.controller("prepare", "c1")
        await asyncio.sleep(1.9)
        again = asyncio.create_task(stage.retire("c1", R1))
        await asyncio.sleep(0.05)
        assert not retire.done()
        assert not prepare.done()
        assert (await retire).body == (await again).body == GONE
        assert code_of(await client) == "stale_attempt"
        assert (await prepare).status == 200

    virtual(story())


@pytest.mark.parametrize("deadline", [5.0, 1.0])
def test_the_late_result_of_a_retired_handler_never_reaches_its_client(deadline: float) -> None:
    """A handler that swallows its cancellation blocks, and what it returns is dropped."""

    async def story() -> None:
        stage = Stage()

        async def stubborn(run: Execution, _body: Mapping[str, Any]) -> str:
            try:
                await asyncio.sleep(1000)
            except asyncio.CancelledError:
                with pytest.raises(Refused, match="stale_attempt"):
                    await run.boundary(record_of(run, 0))
                await asyncio.sleep(3)
            return "ghost"

        stage.works[R1] = stubborn
        client = stage.client(R1)
        await stage.settle()
        answer = await stage.retire("c1", R1, deadline_in=deadline)
        if deadline < 3:
            assert code_of(answer) == "agent_checkpoint_error"
            assert states_of(stage.agent) == {"r1": "retired"}
            assert code_of(await stage.call("prepare", "c1", deadline_in=0.5)) == (
                "agent_prepare_incomplete"
            )
            answer = await stage.retire("c1", R1)
            await stage.call("resume", "c1")
        assert answer.body == GONE
        assert code_of(await client) == "stale_attempt"
        assert code_of(await stage.client(R1)) == "stale_attempt"
        assert stage.agent.status()["completed_unacknowledged"] == 0
        assert (await stage.begun(Key("r1", 1)))[1].execution.continuation is None

    virtual(story())


def test_a_failure_that_somebody_else_reports_ends_parked_work() -> None:
    """A prepared checkpoint loses the run, whose handler is stopped, and is written without it."""

    async def story() -> None:
        stage = Stage()
        client, puppet = await stage.begun(R1)
        prepare = stage.controller("prepare", "c1")
        await stage.settle()
        held = puppet.boundary(0)
        await prepare
        stage.agent.fail(R1)
        await stage.settle()
        assert held.cancelled()
        assert code_of(await client) == "execution_failed"
        assert (await stage.call("commit", "c1", checkpoint_dir="d1")).body["records"] == 0
        await stage.call("resume", "c1")
        assert code_of(await stage.client(R1)) == "stale_attempt"

    virtual(story())


def test_a_handler_that_raises_fails_its_run() -> None:
    """The client is told what kind of error, or which refusal, and the key is refused."""

    async def story() -> None:
        stage = Stage()

        async def raises(run: Execution, _body: Mapping[str, Any]) -> object:
            if run.attempt == 0:
                raise Failed
            if run.attempt == 1:
                await run.boundary(record_of(run, 1))
                await run.boundary(record_of(run, 0))
            return {1, 2}

        stage.works = {Key("r1", attempt): raises for attempt in range(3)}
        codes: list[str] = []
        for key in stage.works:
            codes.append(code_of(await stage.client(key)))
            assert code_of(await stage.client(key)) == "stale_attempt"
        assert codes == ["execution_failed", "agent_checkpoint_error", "execution_failed"]

    virtual(story())


def test_a_crash_answers_nobody() -> None:
    """Clients and controllers of a process that died are told that they get no answer."""

    async def story() -> None:
        stage = Stage()
        client, puppet = await stage.begun(R1)
        prepare = stage.controller("prepare", "c1")
        await stage.settle()
        agent = stage.agent
        await stage.replace()
        with pytest.raises(Lost):
            await client
        with pytest.raises(Lost):
            await prepare
        with pytest.raises(Lost):
            await agent.run({})
        with pytest.raises(asyncio.CancelledError):
            await puppet.execution.park()
        assert stage.agent.status()["executions"] == []

    virtual(story())
