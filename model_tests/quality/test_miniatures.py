"""Miniatures: agents with one thing wrong, each refused for the rule that it breaks.

They are wrong on purpose, small, and wrong in the adapter rather than in the specification: what an
author of a participant could get wrong without knowing it.
"""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from fencepost.adapters.core import CoreAgent
from fencepost.check_result import render_result
from fencepost.checking import check_agent
from fencepost.participant import Answer, Execution, Handler, Refused
from fencepost.trace.lines import Json, JsonObject
from fencepost_spec.vocabulary import identity_of_run


class OtherExecution:
    """An execution that passes everything on; a miniature changes one call."""

    def __init__(self, own: Execution) -> None:
        self.own = own

    def __getattr__(self, name: str) -> Any:
        return getattr(self.own, name)


class Miniature(CoreAgent):
    """An agent whose handlers are given another execution than the core's."""

    wraps: type[OtherExecution] = OtherExecution

    async def start(self, root: Path, instance: str | None, handler: Handler) -> None:
        """Start a process."""

        async def work(own: Execution, body: JsonObject) -> Json:
            other: Any = self.wraps(own)
            return await handler(other, body)

        await super().start(root, instance, work)


class NeverHolds(OtherExecution):
    """A boundary is recorded, and the work goes on whatever was asked of it."""

    async def boundary(self, record: JsonObject) -> None:
        """Record a boundary."""
        self.task = asyncio.ensure_future(self.own.boundary(record))
        await asyncio.sleep(0)
        if self.task.done():
            await self.task


class NeverParks(Miniature):
    """The work of this agent never parks."""

    wraps = NeverHolds


class NeverWakes(OtherExecution):
    """What was held once is never let go."""

    async def boundary(self, record: JsonObject) -> None:
        """Record a boundary."""
        task = asyncio.ensure_future(self.own.boundary(record))
        await asyncio.sleep(0)
        if not task.done():
            await asyncio.get_running_loop().create_future()
        await task


class LosesWakes(Miniature):
    """Parked work of this agent waits for ever."""

    wraps = NeverWakes


class RefusesParks(OtherExecution):
    """A park is a failure."""

    async def park(self) -> None:
        """Refuse."""
        raise Refused("agent_checkpoint_error")


class CannotPark(Miniature):
    """Work of this agent cannot wait for a refused call."""

    wraps = RefusesParks


class Answering(CoreAgent):
    """An agent that changes its answers to one operation."""

    op = ""

    async def control(self, op: str, request: JsonObject, auth: str | None) -> Answer:
        """Answer a call."""
        answer = await super().control(op, request, auth)
        return self.changed(answer) if op == self.op else answer

    def changed(self, answer: Answer) -> Answer:
        """The answer that is given instead."""
        return answer


class AcceptsAnyReceipt(Answering):
    """Every acknowledgement is accepted."""

    op = "acknowledge"

    def changed(self, answer: Answer) -> Answer:
        """Say that it was done."""
        if answer.status == 409:
            return Answer(200, {"acknowledged": True, "idempotent": False})
        return answer


class WritesNothing(Answering):
    """A commit writes no record."""

    op = "commit"

    def changed(self, answer: Answer) -> Answer:
        """Count no records."""
        if answer.status != 200:
            return answer
        index = answer.body["continuation_index"] | {"records": 0}
        return Answer(200, answer.body | {"records": 0, "continuation_index": index})


class OpenToEveryone(CoreAgent):
    """The token is not looked at."""

    async def control(self, op: str, request: JsonObject, auth: str | None) -> Answer:
        """Answer a call as if its token were right."""
        self.token = auth
        return await super().control(op, request, None)


class Unpunctual(CoreAgent):
    """Deadlines mean nothing."""

    async def advance(self, seconds: float) -> None:
        """Let time pass without a look at it."""


class ForgetsResults(CoreAgent):
    """A repeated run of a finished key is a duplicate."""

    async def run(self, body: JsonObject) -> Answer:
        """Answer a run."""
        try:
            key = identity_of_run(body)
        except ValueError:
            key = None
        known = key is not None and key in self.state.executions
        answer = await super().run(body)
        if known and answer.status == 200:
            return Answer(409, {"error": {"code": "duplicate_execution", "detail": ""}})
        return answer


class ForgetsItsDirectories(CoreAgent):
    """After a crash the disk is empty."""

    async def crash(self) -> None:
        """Forget everything."""
        await super().crash()
        self.state = self.core.initial()


REFUSED_FOR: dict[type[CoreAgent], set[str]] = {
    NeverParks: {"R-EXE-10", "R-EXE-11"},
    LosesWakes: {"R-LIV-4"},
    CannotPark: {"R-EXE-12", "R-EXE-13", "R-EXE-14"},
    AcceptsAnyReceipt: {"R-ACK-1", "R-ACK-2", "R-ACK-3"},
    WritesNothing: {"R-EXP-1", "R-OPS-22"},
    OpenToEveryone: {"R-OPS-1"},
    Unpunctual: {"R-LIV-2"},
    ForgetsResults: {"R-RUN-5"},
    ForgetsItsDirectories: {"R-OPS-23", "R-OPS-11", "R-RUN-21"},
}


@pytest.mark.parametrize("miniature", REFUSED_FOR, ids=lambda miniature: miniature.__name__)
def test_a_miniature_is_refused_for_the_rule_that_it_breaks(miniature: type[CoreAgent]) -> None:
    """The verdict names the right rule, and at most ten actions show it."""
    result = check_agent(miniature, budget=3_000)

    assert result.exit_code == 1, render_result(result)
    assert result.verdict.rule is not None
    assert result.verdict.rule.id in REFUSED_FOR[miniature], render_result(result)
    assert len(result.verdict.shortest) <= 10


def test_a_miniature_with_nothing_wrong_conforms() -> None:
    """Passing everything on changes nothing."""
    result = check_agent(Miniature, budget=1_000)

    assert result.exit_code == 0, render_result(result)
