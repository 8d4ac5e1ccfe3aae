"""Control calls of a runtime agent as they travel: tokens, shapes, deadlines, several callers."""

import asyncio
from typing import Any

import pytest

from fencepost.stage import Stage, checked, code_of, virtual
from fencepost_spec.vocabulary import Key

R1 = Key("r1", 0)


@pytest.mark.parametrize(
    ("change", "loc", "kind"),
    [
        ({"extra": 1}, ["body", "extra"], "extra_forbidden"),
        ({"checkpoint_id": ""}, ["body", "checkpoint_id"], "string_too_short"),
        ({"checkpoint_dir": "../out"}, ["body", "checkpoint_dir"], "value_error"),
        ({"deadline_ts": True}, ["body", "deadline_ts"], "float_type"),
    ],
)
def test_a_malformed_call_is_refused_after_its_token_and_changes_nothing(
    change: dict[str, Any], loc: list[str], kind: str
) -> None:
    """A wrong token comes first; then the body is told where it is not what it must be."""

    async def story() -> None:
        agent = Stage(token="secret", clock=lambda: 1000.0).agent
        body = {"checkpoint_id": "c1", "checkpoint_dir": "d1", "deadline_ts": 1005.0} | change
        before = agent.state
        for token in (None, "guess"):
            answer = await agent.control("restore", body, token=token)
            assert (answer.status, code_of(checked("restore", answer))) == (401, "unauthorized")
        answer = await agent.control("restore", body, token="secret")
        assert answer.status == 422
        fault = {"loc": loc, "type": kind}
        assert fault in checked("restore", answer).body["validation"]
        assert agent.state == before
        assert checked("capabilities", await agent.control("capabilities", {})).status == 200

    virtual(story())


def test_an_absolute_deadline_is_about_the_clock_of_the_agent() -> None:
    """A deadline on the wire is Unix seconds; what is left of it passes in the loop's time."""

    async def story() -> None:
        stage = Stage(clock=lambda: 1000.0)
        await stage.begun(R1)
        request = {"checkpoint_id": "c1", "deadline_ts": 1001.5}
        prepare = asyncio.create_task(stage.agent.control("prepare", request))
        await stage.settle()
        told = await stage.agent.control("capabilities", {})
        assert checked("capabilities", told).body["deadline_ts"] == 1001.5
        assert code_of(await prepare) == "agent_prepare_incomplete"
        assert asyncio.get_running_loop().time() == 1.5

    virtual(story())


def test_a_prepare_belongs_to_all_its_callers() -> None:
    """One of two callers leaves; the other gets the answer, and a later repeat gets the same."""

    async def story() -> None:
        stage = Stage()
        _, puppet = await stage.begun(R1)
        first, second = (stage.controller("prepare", "c1") for _ in range(2))
        await stage.settle()
        first.cancel()
        await asyncio.sleep(2)
        puppet.boundary(0)
        answer = await second
        assert answer.status == 200
        await asyncio.sleep(2)
        assert await stage.call("prepare", "c1") == answer

    virtual(story())
