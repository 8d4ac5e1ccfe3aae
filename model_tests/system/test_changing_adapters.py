"""An adapter may change whatever it is given: what was recorded, and what is judged, stays."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from fencepost.adapters.core import CoreAgent
from fencepost.adapters.runtime import RuntimeAgent
from fencepost.check_result import render_result
from fencepost.checking import check_agent
from fencepost.making import Factory
from fencepost.participant import Answer, Execution, Handler
from fencepost.trace.lines import Call, JsonObject, Work, copied
from fencepost.trace.text import DEPTH_MAX

pytestmark = pytest.mark.slow


def spoil(given: Any) -> None:
    """Pop half of what an object holds and write over the rest, at every depth."""
    for number, name in enumerate(list(given)):
        if isinstance(given[name], dict):
            spoil(given[name])
        if isinstance(given[name], list):
            given[name].append("mine")
        if number % 2:
            given[name] = {"over": {1, 2}}
        else:
            given.pop(name)


class Spoiling:
    """An execution that spoils the records that it is given, and its continuation once read."""

    def __init__(self, execution: Execution) -> None:
        self._execution = execution
        self.given: JsonObject | None = copied(execution.continuation)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._execution, name)

    @property
    def continuation(self) -> JsonObject | None:
        """The continuation, of which nothing is left soon after it was read."""
        if self.given is not None:
            asyncio.get_running_loop().call_soon(spoil, self.given)
        return self.given

    async def boundary(self, record: JsonObject) -> None:
        """Pass a record on, and spoil it before and after."""
        kept = copied(record)
        spoil(record)
        await self._execution.boundary(kept)
        record.clear()


class Spoils(RuntimeAgent):
    """Does what the bundled agent does, and changes whatever it is given."""

    async def start(self, root: Path, instance: str | None, handler: Handler) -> None:
        """Start with a handler whose result is spoilt after it was passed on."""

        async def spoiling(execution: Execution, body: JsonObject) -> Any:
            shown: Any = Spoiling(execution)
            result = await handler(shown, body)
            kept = copied(result)
            if isinstance(result, dict):
                spoil(result)
            return kept

        await super().start(root, instance, spoiling)

    async def control(self, op: str, request: JsonObject, auth: str | None) -> Answer:
        """Answer a call by a copy of what was asked."""
        kept = copied(request)
        spoil(request)
        answer = await super().control(op, kept, auth)
        request.clear()
        return answer

    async def run(self, body: JsonObject) -> Answer:
        """Answer a run by a copy of its body."""
        kept = copied(body)
        body.clear()
        return await super().run(kept)


class LosesManifests(RuntimeAgent):
    """Says that it has committed, and takes the manifest away."""

    capabilities = RuntimeAgent.capabilities - {
        "restore",
        "damage",
        "discard-restored-continuation",
    }
    pops = False

    async def start(self, root: Path, instance: str | None, handler: Handler) -> None:
        """Start, and remember where the directories lie."""
        self.below = root
        await super().start(root, instance, handler)

    async def control(self, op: str, request: JsonObject, auth: str | None) -> Answer:
        """Answer a call."""
        kept = copied(request)
        if self.pops:
            request.pop("checkpoint_dir", None)
        answer = await super().control(op, kept, auth)
        if op == "commit" and answer.status == 200:
            for manifest in (self.below / kept["checkpoint_dir"]).rglob("manifest.json"):
                manifest.unlink()
        return answer


class LosesThemAndPops(LosesManifests):
    """Lies about its commits, and pops the directory where one would look for them."""

    pops = True


class ReleasesNothing(Spoils):
    """Says that it accepts runs again without a word of what it has let go."""

    async def control(self, op: str, request: JsonObject, auth: str | None) -> Answer:
        """Answer a call."""
        answer = await super().control(op, request, auth)
        if op == "resume" and answer.status == 200:
            return Answer(200, {"state": "closed", "released": 0})
        return answer


def test_an_adapter_that_changes_what_it_is_given_is_judged_as_if_it_did_not() -> None:
    """The same is tried, the same rules are used, and the verdict is the same."""
    right, spoilt = (check_agent(factory, budget=600) for factory in (RuntimeAgent, Spoils))

    assert spoilt.exit_code == right.exit_code == 0, render_result(spoilt)
    assert (spoilt.cases, spoilt.actions) == (right.cases, right.actions)
    assert spoilt.not_exercised == right.not_exercised


@pytest.mark.parametrize("factory", [LosesManifests, LosesThemAndPops])
def test_a_lie_does_not_become_silence(factory: Factory) -> None:
    """The harness looks into the directory that it named, whatever became of the request."""
    result = check_agent(factory, budget=600)

    assert result.exit_code == 1, render_result(result)
    assert result.verdict.rule is not None
    assert result.verdict.rule.id == "R-INV-18"


def test_what_is_saved_is_what_was_asked() -> None:
    """The counterexample has each request as it was sent, and each event as it was told."""
    result = check_agent(ReleasesNothing, budget=600)

    assert result.exit_code == 1, render_result(result)
    assert result.counterexample is not None
    _, lines = result.counterexample
    calls = [line for line in lines if isinstance(line, Call) and line.op == "resume"]
    assert calls
    assert all(call.request and set(call.request) >= {"checkpoint_id"} for call in calls)
    assert "over" not in repr(lines)


def test_a_record_that_was_handed_over_is_not_the_recorded_one() -> None:
    """What a boundary line says stays what it was, however deep the participant changes it."""
    handed: list[JsonObject] = []

    class Keeps(CoreAgent):
        async def start(self, root: Path, instance: str | None, handler: Handler) -> None:
            async def keeping(execution: Execution, body: JsonObject) -> Any:
                shown: Any = Spoiling(execution)
                result = await handler(shown, body)
                handed.append(result)
                return result

            await super().start(root, instance, keeping)

    result = check_agent(Keeps, budget=600)

    assert handed
    assert result.exit_code == 0, render_result(result)


def test_a_copy_shares_nothing() -> None:
    """A copy equals what it is a copy of, and no object of it is the same one, at any depth."""
    deep: Any = 0
    for _ in range(DEPTH_MAX // 2):
        deep = {"in": [deep]}
    value = {"a": [1, {"b": [2.5, None, True]}], "deep": deep}
    again = copied(value)

    assert again == value
    spoil(again["a"][1])
    assert value["a"] == [1, {"b": [2.5, None, True]}]
    assert copied("text") == "text"


def test_an_event_keeps_its_detail() -> None:
    """The record made of a line is no part of the line."""
    from fencepost.handlers import record_of

    line = Work(0, "boundary", "r1", 0, {"boundary_index": 1, "revisions": {"db": 3}}, "ok")
    spoil(record_of(line))

    assert line.detail == {"boundary_index": 1, "revisions": {"db": 3}}
