"""The harness's handler awaits its events as a real one does: in its own task, and no later."""

import asyncio
from contextvars import ContextVar
from pathlib import Path
from typing import Any

import attrs
import pytest

from fencepost.adapters.core import CoreAgent
from fencepost.check_result import render_result
from fencepost.checking import check_agent
from fencepost.driven import REST
from fencepost.generating.stories import script_of
from fencepost.judging import refused
from fencepost.making import Factory
from fencepost.participant import Execution, Handler, Wait
from fencepost.playing import header_of, play_script
from fencepost.trace.lines import Call, Json, JsonObject, Line, Returned, Work
from fencepost.verdict_text import render_text
from fencepost.watch import Watch
from fencepost_reference.receipts import actions as a


def lines_of(script: list[Line], factory: Factory) -> tuple[Line, ...]:
    """Play a script on a participant, which must conform."""
    header = header_of(factory(), "handlers", "how handlers await")
    result = play_script(factory, header, script, Watch())
    if result.refusal is not None:
        verdict = refused(result.header, result.lines, result.refusal, result.oracle, "handlers")
        pytest.fail(render_text(verdict))
    return result.lines


def named(line: Line, call_id: str) -> Line:
    """The call under another id."""
    assert isinstance(line, Call)
    return attrs.evolve(line, id=call_id)


class WakesAtOnce(CoreAgent):
    """Lets held work go in its resume: a retire after it cancels a task that has been woken."""

    def _apply(self, action: Any) -> None:
        super()._apply(action)
        if isinstance(action, a.Call) and action.op == "resume":
            for key in list(self.state.executions):
                self._try(a.LetGo(key))


def test_a_task_that_is_cancelled_after_it_was_woken_hears_of_it_in_its_event() -> None:
    """Resume wakes a boundary and retire cancels its task, in one turn: it does not return."""
    parked = script_of("run r1; prepare c1; boundary r1 0")
    resume, retire = (line for line in script_of("resume c1; retire c2 r1") if line is not REST)
    script = [*parked, named(resume, "a"), named(retire, "b"), REST, *script_of("cancelled r1")]

    lines = lines_of(script, WakesAtOnce)

    assert [line.outcome for line in lines if isinstance(line, Returned)] == [{"code": "cancelled"}]


def test_an_agent_that_cancels_woken_tasks_conforms() -> None:
    """No random world blames it for what a handler of its own would not have done."""
    result = check_agent(WakesAtOnce, budget=1_200, profile="long")

    assert result.exit_code == 0, render_result(result)


OWNER: ContextVar[str] = ContextVar("OWNER", default="nobody")


class Seen(Execution):
    """The execution of another, which notes in whose task and context its boundaries happen."""

    def __init__(self, own: Execution, seen: list[object]) -> None:
        self._own = own
        self._seen = seen

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
        """Note who asks, and leave a mark in the context."""
        self._seen += [asyncio.current_task(), OWNER.get()]
        OWNER.set(f"after boundary {record['boundary_index']}")
        await self._own.boundary(record)

    async def park(self) -> None:
        """Park."""
        await self._own.park()

    async def refusal(self, code: str) -> None:
        """A refusal."""
        await self._own.refusal(code)

    async def begin_wait(self, wait: Wait) -> None:
        """Enter a wait."""
        await self._own.begin_wait(wait)

    async def end_wait(self, wait: Wait) -> None:
        """Leave a wait."""
        await self._own.end_wait(wait)


class Watched(CoreAgent):
    """An agent that keeps something in the context of its handlers."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[object] = []

    async def start(self, root: Path, instance: str | None, handler: Handler) -> None:
        """Start a process whose handlers have a mark in their context."""

        async def work(own: Execution, body: JsonObject) -> Json:
            self.seen.append(asyncio.current_task())
            OWNER.set("the handler")
            return await handler(Seen(own, self.seen), body)

        await super().start(root, instance, work)


def test_events_happen_in_the_task_and_the_context_of_their_handler() -> None:
    """Who asks for the current task, or keeps something in a context variable, gets its own."""
    agent = Watched()

    lines_of(script_of("run r1; boundary r1 0; boundary r1 1; completed r1"), lambda: agent)

    task = agent.seen[0]
    assert task is not None
    assert agent.seen == [task, task, "the handler", task, "after boundary 0"]


class Counts(CoreAgent):
    """An agent that looks how often the task of its handler was cancelled when it has ended."""

    def __init__(self) -> None:
        super().__init__()
        self.counted: list[int] = []

    async def start(self, root: Path, instance: str | None, handler: Handler) -> None:
        """Start a process that looks at its tasks."""

        async def work(own: Execution, body: JsonObject) -> Json:
            try:
                return await handler(own, body)
            finally:
                task = asyncio.current_task()
                assert task is not None
                self.counted.append(task.cancelling())

        await super().start(root, instance, work)


@pytest.mark.parametrize(
    ("story", "count"),
    [
        ("run r1; retire c1 r1; cancelled r1", 1),
        ("run r1; prepare c1; boundary r1 0; retire c1 r1; cancelled r1", 1),
        ("run r1; cancelled r1", 0),
        ("run r1; prepare c1; boundary r1 0; failed r1", 0),
    ],
)
def test_an_agent_can_tell_its_own_cancellation(story: str, count: int) -> None:
    """The task of a handler is marked as cancelled when the agent did it, and only then."""
    agent = Counts()

    lines_of(script_of(story), lambda: agent)

    assert agent.counted == [count]


class Clumsy(CoreAgent):
    """An agent whose boundary may only end in the task in which it began."""

    async def start(self, root: Path, instance: str | None, handler: Handler) -> None:
        """Start a process whose executions are bound to their tasks."""

        async def work(own: Execution, body: JsonObject) -> Json:
            return await handler(_Bound(own, []), body)

        await super().start(root, instance, work)


class _Bound(Seen):
    async def boundary(self, record: JsonObject) -> None:
        began = asyncio.current_task()
        try:
            await self._own.boundary(record)
        finally:
            if asyncio.current_task() is not began:
                raise RuntimeError("left in another task than it was entered in")


def test_what_an_event_raises_in_a_foreign_task_is_not_blamed() -> None:
    """A handler that ends in the midst of an event leaves it to a task of the harness."""
    lines = lines_of(script_of("run r1; prepare c1; boundary r1 0; failed r1"), Clumsy)

    finish = next(line.seq for line in lines if isinstance(line, Work) and line.event == "finish")
    returned = [line for line in lines if isinstance(line, Returned)]
    assert [line.outcome for line in returned] == [{"code": "cancelled"}]
    assert returned[0].seq > finish
