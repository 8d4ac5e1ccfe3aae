"""What a participant does not name is never asked for, whatever else it names."""

import asyncio
from collections.abc import Awaitable
from pathlib import Path
from random import Random
from typing import TypeVar

import pytest

from fencepost.adapters.core import CoreAgent
from fencepost.adapters.runtime import RuntimeAgent
from fencepost.agent import reading
from fencepost.check_result import CheckResult, render_result, result_as_json
from fencepost.checking import check_agent
from fencepost.participant import (
    CAPABILITIES,
    Answer,
    Execution,
    Handler,
    NotSupported,
    Participant,
    Wait,
)
from fencepost.trace.lines import Call, Json, JsonObject

pytestmark = pytest.mark.slow

T = TypeVar("T")
FIRST = frozenset({"prepare", "status", "resume", "boundary", "time"})
SECOND = FIRST | {"commit", "restore", "replace"}


class StrictExecution(Execution):
    """An execution that raises where its agent has not named what is asked."""

    def __init__(self, own: Execution, agent: "Strict") -> None:
        self._own = own
        self._agent = agent

    @property
    def rollout_id(self) -> str | None:
        """The rollout, or None."""
        return self._own.rollout_id

    @property
    def attempt(self) -> int | None:
        """The attempt, or None."""
        return self._own.attempt

    @property
    def generation(self) -> int:
        """The generation."""
        return self._own.generation

    @property
    def continuation(self) -> JsonObject | None:
        """The restored record, or None."""
        return self._own.continuation

    async def boundary(self, record: JsonObject) -> None:
        """Record a boundary."""
        self._agent.asked("boundary")
        await self._own.boundary(record)

    async def park(self) -> None:
        """Park."""
        self._agent.asked("park")
        await self._own.park()

    async def refusal(self, code: str) -> None:
        """A refusal."""
        self._agent.asked("refusal")
        await self._own.refusal(code)

    async def begin_wait(self, wait: Wait) -> None:
        """Enter a wait."""
        self._agent.asked(f"{wait}_wait")
        await self._own.begin_wait(wait)

    async def end_wait(self, wait: Wait) -> None:
        """Leave a wait."""
        self._agent.asked(f"{wait}_wait")
        await self._own.end_wait(wait)


class Strict(Participant):
    """An agent that has no more than it names, and raises when it is asked for anything else."""

    def __init__(self, own: Participant, capabilities: frozenset[str]) -> None:
        self._own = own
        self._alive = False
        self._starts = 0
        self.name = own.name
        self.capabilities = capabilities

    def asked(self, need: str) -> None:
        """Something is asked for."""
        if need not in self.capabilities:
            raise NotSupported(need)

    async def start(self, root: Path, instance: str | None, handler: Handler) -> None:
        """Start a process; a second one comes with "replace" only."""
        if self._starts:
            self.asked("replace")
        self._starts += 1
        self._alive = True

        async def work(own: Execution, body: JsonObject) -> Json:
            return await handler(StrictExecution(own, self), body)

        await self._own.start(root, instance, work)

    async def crash(self) -> None:
        """End the process."""
        self._alive = False
        await self._own.crash()

    async def run(self, body: JsonObject) -> Answer:
        """A client's run."""
        action = reading.run_action(Call(0, "run", "q", body))
        if not action.well_formed:
            self.asked("malformed")
        elif action.key is None:
            self.asked("unidentified")
        return await self._heard(self._own.run(body))

    async def control(self, op: str, request: JsonObject, auth: str | None) -> Answer:
        """A control call."""
        self.asked(op)
        action = reading.call_action(Call(0, op, "q", request, auth))
        if not action.request.authorised:
            self.asked("auth")
        if not action.request.well_formed:
            self.asked("malformed")
        if action.request.allow_model_wait:
            self.asked("model_wait")
        if action.request.deadline is not None and action.request.deadline < 5_000_000:
            self.asked("time")
        return await self._heard(self._own.control(op, request, auth))

    async def _heard(self, call: Awaitable[T]) -> T:
        try:
            return await call
        except asyncio.CancelledError:
            if self._alive:
                self.asked("gone")
            raise

    async def report(self) -> JsonObject:
        """The body of a status."""
        return await self._own.report()

    async def settle(self) -> None:
        """Return when nothing can happen by itself."""
        await self._own.settle()

    async def advance(self, seconds: float) -> None:
        """Let time pass."""
        self.asked("time")
        await self._own.advance(seconds)

    async def hold(self, op: str) -> None:
        """Hold the storage of an operation."""
        self.asked("hold")
        await self._own.hold(op)

    async def release(self, op: str) -> None:
        """Let it go on."""
        self.asked("hold")
        await self._own.release(op)

    async def fail(self, step: str) -> None:
        """Let a step fail."""
        self.asked("fail_prepare" if step == "admission" else "fail")
        await self._own.fail(step)

    async def damage(self, directory: str, change: str) -> None:
        """Spoil a directory; who has "files" is never asked."""
        self.asked("damage")
        assert "files" not in self.capabilities
        await self._own.damage(directory, change)


def checked(capabilities: frozenset[str], budget: int, own: type[Participant]) -> CheckResult:
    """The check of an agent that has these capabilities and no others; it must conform."""
    result = check_agent(lambda: Strict(own(), capabilities), budget=budget, profile="long")
    assert result.verdict.kind in ("conforms", "inconclusive"), render_result(result)
    return result


def drawn(seed: int) -> frozenset[str]:
    """Some of the capabilities."""
    random = Random(seed)
    share = random.random()
    return frozenset(name for name in sorted(CAPABILITIES) if random.random() < share)


@pytest.mark.parametrize("missing", sorted(CAPABILITIES))
def test_one_capability_that_is_not_named_is_not_asked_for(missing: str) -> None:
    """With everything but one, that one is never needed: not for a case, nor at its end."""
    checked(CoreAgent.capabilities - {missing}, 400, CoreAgent)


NAMED = {
    "nothing": frozenset[str](),
    "prepare without resume": frozenset({"prepare", "boundary", "time"}),
    "resume without prepare": frozenset({"resume", "status", "boundary"}),
    "restore without retire": SECOND,
    "restore without resume": SECOND - {"resume"},
    "restore without commit": FIRST | {"restore", "replace"},
    "without boundaries": (SECOND | {"park", "retire", "unidentified"}) - {"boundary"},
    "waits alone": FIRST | {"model_wait", "external_wait"},
    "refusals without waits": FIRST | {"refusal"},
    "results that are released in batches": FIRST | {"acknowledge-completed"},
    "results that nobody can release": SECOND | {"retire", "completion-receipt"},
    "faults alone": frozenset({"gone", "replace", "hold", "fail", "fail_prepare", "damage"}),
    "calls of others": frozenset({"auth", "malformed", "unidentified"}),
    "no time": CoreAgent.capabilities - {"time", "boundary"},
}


@pytest.mark.parametrize("name", NAMED)
def test_what_is_not_named_is_not_asked_for(name: str) -> None:
    """Combinations that somebody who begins might name, and some that nobody would."""
    checked(NAMED[name], 500, CoreAgent)


@pytest.mark.parametrize("seed", range(16))
def test_what_some_agent_does_not_name_is_not_asked_for(seed: int) -> None:
    """Any combination at all."""
    checked(drawn(seed) - {"files"}, 400, CoreAgent)


@pytest.mark.parametrize(
    "capabilities",
    [
        SECOND | {"files"},
        RuntimeAgent.capabilities - {"resume"},
        RuntimeAgent.capabilities - {"retire", "damage"},
    ],
)
def test_an_agent_on_files_is_asked_for_no_more(capabilities: frozenset[str]) -> None:
    """The same of an agent with directories that the harness reads, copies and spoils."""
    checked(capabilities, 300, RuntimeAgent)


@pytest.mark.parametrize(
    ("capabilities", "wanting"),
    [
        (NAMED["prepare without resume"], "resume"),
        (SECOND, "acknowledge"),
        (FIRST - {"prepare"} | {"acknowledge"}, "prepare"),
    ],
)
def test_what_cannot_be_wound_down_is_said(capabilities: frozenset[str], wanting: str) -> None:
    """A case that nobody can bring to rest is counted, with the operation that it would take."""
    result = checked(capabilities, 500, CoreAgent)

    assert dict(result.unrested)[wanting] > 0
    assert f"for want of {wanting}" in render_result(result)
    assert result_as_json(result)["not_brought_to_rest"] == dict(result.unrested)


def test_records_that_nobody_can_retire_run_on() -> None:
    """Without retire the restored records run one after the other, and a last prepare succeeds."""
    capabilities = SECOND | {"acknowledge"}

    result = checked(capabilities, 1_500, CoreAgent)

    assert result.unrested == ()
    assert "R-LIV-5" not in {each.rule_id for each in result.not_exercised}
