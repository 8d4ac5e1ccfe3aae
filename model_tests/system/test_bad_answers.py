"""An adapter that gives what no trace can hold could not be run, and is told what it gave."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fencepost.adapters.core import CoreAgent
from fencepost.check_result import render_result
from fencepost.checking import check_agent
from fencepost.participant import Answer, Execution, Handler, Refused

pytestmark = pytest.mark.slow


class BadNumber(CoreAgent):
    """Answers with a number that JSON does not have."""

    async def control(self, op: str, request: dict[str, Any], auth: str | None) -> Answer:
        """Answer a call."""
        await super().control(op, request, auth)
        return Answer(200, {"records": float("nan")})


class GiantNumber(CoreAgent):
    """Answers with a number of more digits than Python writes."""

    async def control(self, op: str, request: dict[str, Any], auth: str | None) -> Answer:
        """Answer a call."""
        await super().control(op, request, auth)
        return Answer(200, {"records": 10**5000})


class GiantReport(CoreAgent):
    """Reports a number of more digits than Python writes."""

    async def report(self) -> dict[str, Any]:
        """Answer a report."""
        return await super().report() | {"records": -(10**5000)}


class Half:
    """An execution that has lost one part of its identity."""

    def __init__(self, execution: Execution, **changed: Any) -> None:
        self._execution = execution
        self.__dict__.update(changed)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._execution, name)


class NoRollout(CoreAgent):
    """Gives a handler an attempt without a rollout."""

    def changed(self) -> dict[str, Any]:
        """What of an execution is another."""
        return {"rollout_id": None, "attempt": 1}

    async def start(self, root: Path, instance: str | None, handler: Handler) -> None:
        """Start with a handler that gets less than it should."""

        async def halved(execution: Execution, body: dict[str, Any]) -> Any:
            changed: Any = Half(execution, **self.changed())
            return await handler(changed, body)

        await super().start(root, instance, halved)


class NoAttempt(NoRollout):
    """Gives a handler a rollout without an attempt."""

    def changed(self) -> dict[str, Any]:
        """What of an execution is another."""
        return {"rollout_id": "r1", "attempt": None}


class RefusesInNumbers(NoRollout):
    """Refuses each boundary with a code that is no name."""

    def changed(self) -> dict[str, Any]:
        """What of an execution is another."""

        async def refuse(_record: dict[str, Any]) -> None:
            raise Refused(409)  # type: ignore[arg-type]  # it is wrong on purpose

        return {"boundary": refuse}


class BadBytes(CoreAgent):
    """Answers with bytes."""

    async def run(self, body: dict[str, Any]) -> Answer:
        """Answer a run."""
        await super().run(body)
        return Answer(200, {"data": b"bytes"})


class BadLoop(CoreAgent):
    """Answers with a body that holds itself."""

    async def report(self) -> dict[str, Any]:
        """Answer a report."""
        body = await super().report()
        body["me"] = body
        return body


class BadKey(CoreAgent):
    """Answers with a key that is no string."""

    async def report(self) -> dict[str, Any]:
        """Answer a report."""
        return {1: "one"}  # type: ignore[dict-item]  # it is wrong on purpose


class BadList(CoreAgent):
    """Reports a list."""

    async def report(self) -> Any:
        """Answer a report."""
        return []


class BadStatus(CoreAgent):
    """Answers with a status that is no number."""

    async def run(self, body: dict[str, Any]) -> Answer:
        """Answer a run."""
        answer = await super().run(body)
        return Answer("fine", answer.body)  # type: ignore[arg-type]  # it is wrong on purpose


class BareBody(CoreAgent):
    """Answers with the body alone."""

    async def run(self, body: dict[str, Any]) -> Any:
        """Answer a run."""
        return (await super().run(body)).body


BAD: dict[Callable[[], object], str] = {
    BadNumber: "what JSON cannot hold: nan",
    GiantNumber: "what JSON cannot hold (a whole number of too many digits)",
    GiantReport: "report() holds what JSON cannot hold",
    NoRollout: "has attempt 1 and no rollout_id",
    NoAttempt: "has attempt None",
    RefusesInNumbers: "what the event boundary came to cannot be in a trace",
    BadBytes: "what JSON cannot hold: a bytes",
    BadLoop: "nested deeper than",
    BadKey: "a key that is no string",
    BadList: "report() returned a list",
    BadStatus: "status 'fine'",
    BareBody: "run returned a dict",
}


@pytest.mark.parametrize("factory", BAD, ids=lambda factory: factory.__name__)
def test_what_no_trace_can_hold_is_the_fault_of_the_adapter(
    factory: Callable[[], object],
) -> None:
    """The result names what was given, and its exit code is 4."""
    result = check_agent(factory, budget=3_000)

    assert result.exit_code == 4, render_result(result)
    assert result.verdict.kind == "harness"
    assert BAD[factory] in result.verdict.reason
