"""Stories of one agent at work: real tasks that park, go on, stop and finish, in virtual time."""

import asyncio
from typing import Any

import pytest

from fencepost.stage import Stage, code_of, record_of, states_of, virtual
from fencepost_reference.runtime import Execution, NotParked, Refused
from fencepost_spec.vocabulary import Key, digest_of

R1 = Key("r1", 0)
PARKED = "parked_with_boundary"


def test_work_parks_at_its_next_boundary_and_goes_on_at_resume() -> None:
    """A prepare waits for the next boundary, the work is held there, and resume lets it go."""

    async def story() -> None:
        stage = Stage()
        client, puppet = await stage.begun(R1)
        await puppet.boundary(0)
        prepare = stage.controller("prepare", "c1")
        await stage.settle()
        assert not prepare.done()
        assert states_of(stage.agent) == {"r1": "park_requested"}

        held = puppet.boundary(1)
        answer = await prepare
        assert answer.body["ready_to_commit"]
        assert answer.body["selected_boundaries"][0]["boundary_index"] == 1
        await stage.settle()
        assert not held.done()

        assert (await stage.call("resume", "c1")).body == {"state": "accepting", "released": 1}
        await held
        puppet.finish({"id": "x"})
        assert (await client).body == {"id": "x"}

    virtual(story())


@pytest.mark.parametrize("park_in_place", [False, True])
def test_a_wake_that_a_new_prepare_overtakes_moves_nothing_that_was_counted(
    park_in_place: bool,
) -> None:
    """Between a resume and the wake it causes, the next prepare counts no work that then moves."""

    async def story() -> None:
        stage = Stage(park_in_place=park_in_place)
        _, puppet, held = await stage.parked(R1, "c1")
        resume = stage.controller("resume", "c1")
        prepare = stage.controller("prepare", "c2")
        await stage.settle()
        assert resume.done()
        assert prepare.done() is park_in_place
        assert held.done() is not park_in_place
        if not park_in_place:
            held = puppet.boundary(1)
        assert (await prepare).status == 200
        await stage.settle()
        assert not held.done()
        await stage.call("resume", "c2")
        await held

    virtual(story())


def test_a_resume_ends_the_prepare_that_waits_and_nothing_of_it_is_left() -> None:
    """A prepare that is resumed while it waits ends as stale, and the work goes on unparked."""

    async def story() -> None:
        stage = Stage()
        _, puppet = await stage.begun(R1)
        prepare = stage.controller("prepare", "c1")
        await stage.settle()
        assert (await stage.call("resume", "c1")).status == 200
        assert code_of(await prepare) == "stale_checkpoint"
        await puppet.boundary(0)
        assert states_of(stage.agent) == {"r1": "running"}
        assert code_of(await stage.call("prepare", "c1")) == "stale_checkpoint"

    virtual(story())


def test_a_prepare_that_missed_its_deadline_succeeds_when_it_is_called_again() -> None:
    """At its deadline a prepare says what is in the way; the same id asks again and gets there."""

    async def story() -> None:
        stage = Stage()
        _, puppet = await stage.begun(R1)
        began = asyncio.get_running_loop().time()
        answer = await stage.call("prepare", "c1", deadline_in=2.5)
        assert asyncio.get_running_loop().time() == began + 2.5
        assert code_of(answer) == "agent_prepare_incomplete"
        assert "running=1, parked_without_boundary=0, completed_unacknowledged=0" in str(answer)
        assert states_of(stage.agent) == {"r1": "running"}
        assert code_of(await stage.client(Key("r2", 0))) == "agent_admission_closed"

        prepare = stage.controller("prepare", "c1")
        await stage.settle()
        puppet.boundary(0)
        assert (await prepare).status == 200

    virtual(story())


def test_a_park_that_comes_too_late_is_not_held() -> None:
    """With no prepare active a park is answered at once, and the refused call is issued again."""

    async def story() -> None:
        stage = Stage()
        _, puppet = await stage.begun(R1)
        with pytest.raises(NotParked):
            await puppet.park()

        calls: list[float] = []

        async def refused_three_times() -> str:
            calls.append(asyncio.get_running_loop().time())
            if len(calls) <= 3:
                raise Refused("checkpoint_parked")
            return "answer"

        assert await puppet.start(lambda run: run.reissue(refused_three_times)) == "answer"
        assert [round(at - calls[0], 3) for at in calls] == [0.0, 0.05, 0.15, 0.35]

    virtual(story())


def test_a_refused_call_parks_its_work_and_is_issued_again_after_resume() -> None:
    """A model call that is refused because of the checkpoint parks the work until resume."""

    async def story() -> None:
        stage = Stage()
        _, puppet = await stage.begun(R1)
        await puppet.boundary(0)
        calls = 0

        async def model() -> str:
            nonlocal calls
            calls += 1
            async with puppet.execution.model_wait():
                await asyncio.sleep(1)
                if calls == 1:
                    raise Refused("checkpoint_parked")
                return "reply"

        asked = puppet.start(lambda run: run.reissue(model))
        await stage.settle()
        answer = await stage.call("prepare", "c1", allow_model_wait_boundary=True)
        assert answer.body["parked_with_boundary"] == 1
        assert states_of(stage.agent) == {"r1": "model_wait_frozen"}
        await asyncio.sleep(2)
        assert states_of(stage.agent) == {"r1": PARKED}
        assert (calls, asked.done()) == (1, False)
        await stage.call("resume", "c1")
        assert await asked == "reply"

    virtual(story())


def test_a_reply_that_reaches_a_frozen_wait_is_held_until_resume() -> None:
    """Work that is written down in a wait does not go on with the reply before resume."""

    async def story() -> None:
        stage = Stage()
        _, puppet = await stage.begun(R1)
        await puppet.boundary(0)

        async def wait(run: Execution) -> str:
            async with run.external_wait():
                await asyncio.sleep(1)
            return "went on"

        waiting = puppet.start(wait)
        await stage.settle()
        assert (await stage.call("prepare", "c1")).status == 200
        await asyncio.sleep(3)
        assert not waiting.done()
        await stage.call("resume", "c1")
        assert await waiting == "went on"

    virtual(story())


def test_a_timeout_of_the_work_itself_does_not_move_what_is_counted() -> None:
    """A handler that gives up waiting for its own boundary is held there all the same."""

    async def story() -> None:
        stage = Stage()
        _, puppet = await stage.begun(R1)
        prepare = stage.controller("prepare", "c1")
        await stage.settle()

        async def impatient(run: Execution) -> str:
            try:
                async with asyncio.timeout(1):
                    await run.boundary(record_of(run, 0))
            except TimeoutError:
                return "timed out"
            return "in time"

        moved = puppet.start(impatient)
        assert (await prepare).status == 200
        await asyncio.sleep(10)
        assert not moved.done()
        await stage.call("resume", "c1")
        assert await moved == "timed out"

    virtual(story())


def test_work_that_returns_while_it_is_counted_completes_at_resume() -> None:
    """The result of a handler that ends in a frozen wait is kept back until resume."""

    async def story() -> None:
        stage = Stage()

        async def leaves_its_wait(run: Execution, _body: Any) -> str:
            await run.boundary(record_of(run, 0))
            await run.begin_external_wait()
            await asyncio.sleep(1)
            return "result"

        stage.works[R1] = leaves_its_wait
        client = stage.client(R1)
        await stage.settle()
        assert (await stage.call("prepare", "c1")).status == 200
        await asyncio.sleep(2)
        assert states_of(stage.agent) == {"r1": "external_wait_frozen"}
        assert not client.done()
        await stage.call("resume", "c1")
        assert (await client).body == "result"

    virtual(story())


def test_a_null_result_is_a_result() -> None:
    """A run that returns null is answered, replayed, and released by its receipt."""

    async def story() -> None:
        stage = Stage()
        client, puppet = await stage.begun(R1)
        puppet.finish(None)
        assert (await client).body is None
        assert (await stage.client(R1)).body is None
        (entry,) = stage.agent.status()["completed_unacknowledged_attempts"]
        receipt = entry["completion_receipt"]
        assert receipt["result_identity"] == receipt["result_digest"] == digest_of(None)
        assert (await stage.acknowledge(receipt)).body["acknowledged"]
        assert code_of(await stage.client(R1)) == "stale_attempt"

    virtual(story())


def test_a_run_without_identity_is_served_and_blocks_a_checkpoint() -> None:
    """It is counted while it runs, and refused while admission is closed."""

    async def story() -> None:
        stage = Stage()
        client, puppet = await stage.begun(None)
        assert stage.agent.status()["running"] == 1
        prepare = stage.controller("prepare", "c1", deadline_in=9.0)
        await asyncio.sleep(1)
        assert not prepare.done()
        await puppet.park()
        assert code_of(await stage.client(None)) == "agent_admission_closed"
        puppet.finish("x")
        assert (await client).body == "x"
        assert (await prepare).status == 200

    virtual(story())
