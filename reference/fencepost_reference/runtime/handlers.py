"""The tasks of the work: one for each admitted run, started, cancelled and heard out.

How a handler ended is an event of the work like any other: the core says what becomes of it. Not
decided here: when a handler starts, whether it is cancelled, and what its client gets.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any

import attrs
from pydantic import BaseModel

from fencepost_reference.receipts import actions as a
from fencepost_reference.receipts.rendering import EXECUTION_FAILED, RUN_FAILED, Failure
from fencepost_reference.runtime.engine import Engine
from fencepost_reference.runtime.errors import Refused
from fencepost_spec.receipts import refusals as code
from fencepost_spec.vocabulary import Key, digest_of, result_identity

Name = Key | str
"""What a run is called here: its key, or its call when it has no identity."""


@attrs.define(eq=False)
class Running:
    """A handler that has started and has not been heard out. `why` lists its cancellations."""

    name: Name
    call: str | None
    task: "asyncio.Task[Any]"
    begun: bool = False
    why: set[str] = attrs.Factory(set[str])

    def cancel(self, why: str) -> None:
        """Cancel the handler, once for each reason: cleaning up is not interrupted."""
        if why not in self.why:
            self.why.add(why)
            self.task.cancel()


class Handlers:
    """The handlers that run, the results that are kept, and why runs failed."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._running: dict[Name, Running] = {}
        self._late: dict[Key, a.Work] = {}
        self._results: dict[Name, str] = {}
        # Runs that are over, whose results may be on their way to a client.
        self._leaving: set[Name] = set()
        self._failures: dict[str, Failure] = {}

    def start(
        self, name: Name, call: str | None, work: Callable[[a.Began], Awaitable[Any]]
    ) -> None:
        """Start the handler of a run as a task of its own, unless it has been started."""
        if name in self._running:
            return

        async def handler() -> Any:
            await asyncio.sleep(0)  # Never from within a step of the engine.
            began = self._engine.handler_begins(name)
            if began is None:
                return None
            running.begun = True
            return await work(began)

        running = Running(name, call, asyncio.create_task(handler()))
        self._running[name] = running
        running.task.add_done_callback(lambda _task: self._ended(running))

    def cancel(self, name: Name, why: str) -> None:
        """Cancel the handler of a run, if it has not been heard out."""
        running = self._running.get(name)
        if running is not None:
            running.cancel(why)

    def client_gone(self, name: Name, call: str) -> None:
        """Cancel the handler that this very call started."""
        running = self._running.get(name)
        if running is not None and running.call == call:
            running.cancel("gone")

    def is_cancelled(self, name: Name) -> bool:
        """Whether the participant has cancelled the handler of a run."""
        running = self._running.get(name)
        return running is not None and bool(running.why)

    def result(self, name: Name) -> Any:
        """The result of a run, read anew each time so that nobody can change it."""
        return json.loads(self._results[name])

    def forget(self, name: Name) -> None:
        """A key has ended: stop what is left of it, and free its result when it has been told."""
        self._leaving.add(name)
        self.cancel(name, "ended")

    def failure(self, call: str) -> Failure:
        """Why the run of a call has no result."""
        return self._failures.pop(call, RUN_FAILED)

    def tasks(self) -> list["asyncio.Task[Any]"]:
        """Every handler that has not been heard out."""
        return [running.task for running in self._running.values()]

    # How a handler ends.

    def _ended(self, running: Running) -> None:
        """Tell the core how a handler ended, now or when it takes it."""
        if not self._engine.alive:
            _hear_out(running.task)
            return
        if not running.begun and isinstance(running.name, Key):
            del self._running[running.name]
            self._engine.apply_if_enabled(a.NeverBegin(running.name))
            return
        finish = self._finish(running)
        if finish.key is not None and self._is_held_back(finish):
            self._late[finish.key] = finish
        else:
            self._tell(finish)

    def _tell(self, finish: a.Work) -> None:
        name = finish.call or "" if finish.key is None else finish.key
        self._running.pop(name, None)
        self._engine.apply(finish)
        if finish.key not in self._engine.state.executions:
            self._leaving.add(name)

    def _is_held_back(self, finish: a.Work) -> bool:
        """Whether the core refuses this end now: counted work does not complete before resume."""
        step = self._engine.core.step(self._engine.state, finish)
        return any(
            isinstance(output, a.Returned) and output.code is not None for output in step.outputs
        )

    def changed(self) -> None:
        """Tell the ends that were held back, as soon as the core takes them; free what was told."""
        calls = self._engine.state.calls
        for call in [call for call in self._failures if call not in calls]:
            del self._failures[call]
        if self._leaving:
            waiting: set[Name | None] = {*calls, *(each.key for each in calls.values())}
            for name in self._leaving - waiting:
                self._results.pop(name, None)
            self._leaving &= waiting
        for key, finish in list(self._late.items()):
            if not self._is_held_back(finish):
                del self._late[key]
                self._tell(finish)

    def _finish(self, running: Running) -> a.Work:
        """The end of a handler as an event, its result or its failure kept."""
        name, task = running.name, running.task
        key = None if isinstance(name, str) else name
        outcome, result, failure = "failed", None, None
        if task.cancelled():
            outcome, failure = "cancelled", Failure(500, code.CANCELLED, "the run was cancelled")
        elif (error := task.exception()) is not None:
            failure = _failure_of(error)
        else:
            try:
                result = self._keep(name, task.result())
                outcome = "completed"
            except (TypeError, ValueError, RecursionError) as reason:
                failure = Failure(500, EXECUTION_FAILED, f"no result: {reason}")
        if key is not None and self._engine.is_retiring(key):
            failure = Failure(409, code.STALE_ATTEMPT, "the run was retired")
        if failure is not None and running.call is not None:
            self._failures[running.call] = failure
        token = self._engine.new_token()
        return a.Work("finish", key, token, outcome=outcome, result=result, call=running.call)

    def _keep(self, name: Name, result: Any) -> tuple[str, str]:
        """Keep a result as text, and return its digest and identity."""
        value = result.model_dump(mode="json") if isinstance(result, BaseModel) else result
        text = json.dumps(value, allow_nan=False)
        # What travels is what the text says, so that is what the receipt is about.
        value = json.loads(text)
        digest, identity = digest_of(value), result_identity(value)
        self._results[name] = text
        return digest, identity


def _failure_of(error: BaseException) -> Failure:
    if isinstance(error, Refused):
        return Failure(409, error.code, "a refusal that the run did not handle")
    return Failure(500, EXECUTION_FAILED, f"the run raised {type(error).__name__}")


def _hear_out(task: "asyncio.Task[Any]") -> None:
    """Take the exception of a task that nobody asks any more."""
    if not task.cancelled():
        task.exception()
