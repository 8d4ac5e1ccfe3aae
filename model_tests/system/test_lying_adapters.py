"""An adapter that can be run and answers wrongly is judged like any other participant."""

import asyncio
from collections.abc import Callable

import pytest

from fencepost.adapters.core import CoreAgent
from fencepost.check_result import render_result
from fencepost.checking import check_agent
from fencepost.participant import Answer, Disconnected
from fencepost.trace.lines import JsonObject

pytestmark = pytest.mark.slow


class Silent(CoreAgent):
    """Never answers a status."""

    async def control(self, op: str, request: JsonObject, auth: str | None) -> Answer:
        """Answer a call, unless it asks for the status."""
        if op == "status":
            await asyncio.get_running_loop().create_future()
        return await super().control(op, request, auth)


class Nonsense(CoreAgent):
    """Answers a status with JSON that means nothing."""

    async def control(self, op: str, request: JsonObject, auth: str | None) -> Answer:
        """Answer a call."""
        answer = await super().control(op, request, auth)
        return Answer(200, {"executions": "none"}) if op == "status" else answer


class HangsUp(CoreAgent):
    """Closes the connection of each commit."""

    async def control(self, op: str, request: JsonObject, auth: str | None) -> Answer:
        """Answer a call, unless it is a commit."""
        answer = await super().control(op, request, auth)
        if op == "commit":
            raise Disconnected
        return answer


class LacksAnOperation(CoreAgent):
    """Claims that results can be acknowledged, and knows no such route."""

    async def control(self, op: str, request: JsonObject, auth: str | None) -> Answer:
        """Answer a call."""
        if op == "acknowledge":
            return Answer(404, {"detail": "Not Found"})
        return await super().control(op, request, auth)


@pytest.mark.parametrize("factory", [Silent, Nonsense, HangsUp, LacksAnOperation])
def test_an_adapter_that_answers_wrongly_is_refused(factory: Callable[[], object]) -> None:
    """What a trace can show is judged: a lie, a silence or nonsense does not conform."""
    result = check_agent(factory, budget=3_000)

    assert result.exit_code == 1, render_result(result)
    assert result.verdict.rule is not None
