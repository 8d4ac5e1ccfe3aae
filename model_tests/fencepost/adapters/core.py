"""A participant that is nothing but the core and a scheduler: no files, no threads, no clock.

What the core may do by itself it does one step at a time, in an order drawn from a seed, so one
adapter shows many participants that conform. Given another specification it is a mutant.
"""

import asyncio
import itertools
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import attrs

from fencepost.adapters.core_answers import answer_of
from fencepost.adapters.core_execution import CoreExecution
from fencepost.agent import reading
from fencepost.participant import (
    CAPABILITIES,
    Answer,
    Disconnected,
    Handler,
    Participant,
    Refused,
)
from fencepost.trace.lines import Call, Json, JsonObject
from fencepost_reference.model import NotEnabled, Own
from fencepost_reference.receipts import actions as a
from fencepost_reference.receipts import rendering
from fencepost_reference.receipts.agent import AgentCore
from fencepost_reference.receipts.counting import counts_of, view_of
from fencepost_reference.receipts.state import COUNTED, Directory, Reply, State
from fencepost_spec.receipts.refusals import CANCELLED
from fencepost_spec.vocabulary import Key, microseconds

TURNS_MAX = 100_000


class CoreAgent(Participant):
    """An agent made of the core alone. `spare` leaves steps out that a participant may take."""

    name = "fencepost-core"
    capabilities = CAPABILITIES - {"files"}

    def __init__(
        self, core: AgentCore | None = None, seed: int = 0, *, spare: bool = False
    ) -> None:
        self.core = core or AgentCore()
        self.state: State = self.core.initial()
        self._random = Random(seed)  # noqa: S311  # an order of steps, no secret
        self._spare = spare
        self._numbers = itertools.count(1)
        self._alive = False
        self._pumping = False
        self._root: Path | None = None
        self._callers: dict[str, asyncio.Future[Answer]] = {}
        self._requests: dict[str, a.Call | a.Run] = {}
        self._events: dict[int, asyncio.Future[str | None]] = {}
        self._bodies: dict[str, JsonObject] = {}
        self._running: dict[Key | str, CoreExecution] = {}
        self._results: dict[str, Json] = {}

    # A process.

    async def start(self, root: Path, instance: str | None, handler: Handler) -> None:
        """Start a process; an emptied folder has lost its checkpoints."""
        fresh = self._root is None or not (root / ".kept").exists()
        (root / ".kept").touch()
        state = self.core.initial(instance)
        self.state = state if fresh else attrs.evolve(state, disk=self.state.disk)
        self._root, self._handler, self._alive = root, handler, True
        for kept in (self._callers, self._requests, self._events, self._bodies, self._running):
            kept.clear()

    async def crash(self) -> None:
        """Forget everything but the directories."""
        self._alive = False
        for execution in self._running.values():
            if execution.task is not None:
                execution.task.cancel()

    async def settle(self) -> None:
        """Return when the core can do nothing by itself."""
        for _ in range(TURNS_MAX):
            if not self._pumping:
                return
            await asyncio.sleep(0)

    async def advance(self, seconds: float) -> None:
        """Tell the core that time has passed."""
        self._apply(a.Tick(microseconds(seconds)))

    async def report(self) -> JsonObject:
        """The body of a status."""
        return rendering.status_body(view_of(self.core.spec, self.state))

    # Calls.

    async def run(self, body: JsonObject) -> Answer:
        """A client's run."""
        name = f"q{next(self._numbers)}"
        self._bodies[name] = body
        return await self._called(name, reading.run_action(Call(0, "run", name, body)))

    async def control(self, op: str, request: JsonObject, auth: str | None) -> Answer:
        """A control call."""
        name = f"q{next(self._numbers)}"
        return await self._called(name, reading.call_action(Call(0, op, name, request, auth)))

    async def _called(self, name: str, action: a.Call | a.Run) -> Answer:
        caller: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._callers[name] = caller
        self._requests[name] = action
        self._apply(action)
        try:
            return await caller
        except asyncio.CancelledError:
            self._callers.pop(name, None)
            if self._alive and name in self.state.calls:
                self._apply(a.Gone(name))
            raise

    # Work.

    async def event(self, key: Key, action: a.Work) -> None:
        """An event of the work of a key; returns when it is let go, or raises `Refused`."""
        token = next(self._numbers)
        outcome: asyncio.Future[str | None] = asyncio.get_running_loop().create_future()
        self._events[token] = outcome
        self._apply(attrs.evolve(action, token=token))
        self._answer_at_once(key, token)
        try:
            code = await outcome
        except asyncio.CancelledError:
            self._let_go_cancelled(key, token)
            raise
        if code == CANCELLED:
            raise asyncio.CancelledError
        if code is not None:
            raise Refused(code)

    def _answer_at_once(self, key: Key, token: int) -> None:
        execution = self.state.executions.get(key)
        if execution is not None and execution.held is not None and execution.held.token == token:
            self._try(a.LetGo(key))

    def _let_go_cancelled(self, key: Key, token: int) -> None:
        self._events.pop(token, None)
        if not self._alive:
            return
        execution = self.state.executions.get(key)
        if token in self.state.orphans:
            self._apply(a.ReturnOrphan(token))
        elif execution is not None and execution.held is not None:
            self._try(a.LetGo(key, cancelled=True))

    async def _work(self, execution: CoreExecution, body: JsonObject) -> Json:
        outcome, result, value = "failed", None, None
        try:
            value = await self._handler(execution, body)
            outcome, result = "completed", reading.result_of(value)
            self._results[result[0]] = value
        except asyncio.CancelledError:
            outcome = "cancelled"
        except Exception:  # noqa: BLE001 - whatever the work raises, it has failed
            outcome = "failed"
        if self._alive and self._running.get(execution.name) is execution:
            del self._running[execution.name]
            finish = a.Work("finish", execution.key, next(self._numbers), outcome=outcome)
            self._apply(attrs.evolve(finish, result=result, call=execution.call))
        return value

    # The core.

    def _apply(self, action: Any) -> None:
        if not self._alive:
            raise Disconnected
        step = self.core.step(self.state, action)
        self.state = step.state
        for output in step.outputs:
            self._show(output)
        for key, execution in list(self._running.items()):
            if isinstance(key, Key) and key not in self.state.executions:
                self._stop(execution)
        if not self._pumping:
            self._pumping = True
            asyncio.get_running_loop().call_soon(self._pump)

    def _try(self, action: Any) -> None:
        with suppress(NotEnabled):
            self._apply(action)

    def _pump(self) -> None:
        """Take one of the steps that the core may take by itself, and come back."""
        self._pumping = False
        if not self._alive:
            return
        self._stop_abandoned()
        due = [own for own in self.core.own(self.state) if self._is_due(own)]
        if due:
            self._apply(self._random.choice(due).action)

    def _is_due(self, own: Own) -> bool:
        match own.action:
            case a.AnswerRetire(early=early):
                return not early
            case a.Conclude():
                counts = counts_of(self.state)
                moving = counts.running + counts.retiring + counts.untracked
                return own.must or (moving == 0 and not self._spare)
            case a.ParkInPlace():
                return not self._spare and self._random.random() < 0.3
            case a.LetGo(cancelled=True):
                return False
            case _:
                return True

    def _stop_abandoned(self) -> None:
        """Cancel the handlers whose client has gone; counted ones only after resume (R13)."""
        for key in sorted(self.state.executions):
            execution = self.state.executions[key]
            gone = execution.call is None or execution.call not in self.state.calls
            running = self._running.get(key)
            if running is not None and gone and execution.status not in COUNTED:
                self._stop(running)
        for call in sorted(self.state.untracked):
            running = self._running.get(call)
            if running is not None and call not in self.state.calls:
                self._stop(running)

    def _stop(self, execution: CoreExecution) -> None:
        if execution.task is not None and not execution.told_to_stop:
            execution.told_to_stop = True
            execution.task.cancel()

    # What the core shows.

    def _show(self, output: Any) -> None:
        match output:
            case a.Answered(call, reply):
                self._answer(call, reply)
            case a.Dropped(call):
                self._answer(call, None)
            case a.Returned(token, code):
                event = self._events.pop(token, None)
                if event is not None and not event.done():
                    event.set_result(code)
            case a.CancelHandler(key):
                running = self._running.get(key)
                if running is not None:
                    self._stop(running)
            case a.Began():
                self._began(output)
            case _:
                raise TypeError(f"the core shows what nobody knows: {output!r}")

    def _began(self, began: a.Began) -> None:
        execution = CoreExecution(self, began)
        self._running[execution.name] = execution
        body = self._bodies.get(began.call or "", {})
        execution.task = asyncio.create_task(self._work(execution, body))

    def _answer(self, call: str, reply: Reply | None) -> None:
        caller, action = self._callers.pop(call, None), self._requests.pop(call)
        if caller is None or caller.done():
            return
        if reply is None:
            caller.set_exception(Disconnected())
        else:
            caller.set_result(answer_of(action, reply, self._results))

    # Faults.

    async def hold(self, op: str) -> None:
        """Hold the storage of an operation."""
        self._apply(a.Hold(op))

    async def release(self, op: str) -> None:
        """Let it go on."""
        self._apply(a.Release(op))

    async def fail(self, step: str) -> None:
        """Let the next step of that kind fail."""
        self._apply(a.FailStorage("prepare" if step == "admission" else step))

    async def damage(self, directory: str, change: str) -> None:
        """Spoil a directory; every kind of damage is the same here."""
        assert change  # Which kind it is makes no difference to the core.
        self._apply(a.SetDirectory(directory, Directory("damaged")))


def make() -> Participant:
    """A core adapter as the harness would load it."""
    return CoreAgent()
