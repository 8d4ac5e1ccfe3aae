"""The work of one run as the harness plays it: it does what it is told, when it is told.

A handler waits for commands. Each event of the work runs in a task of its own, so that a handler
that is held can still fail; a handler that is cancelled stays until it is told how it ends, so that
how long that takes is a choice of the harness too.
"""

import asyncio
from collections import deque
from typing import Protocol

import attrs

from fencepost.answers import as_json
from fencepost.participant import Execution, Refused, Wait
from fencepost.trace.lines import Json, JsonObject, Work, copied

CANCELLED = "cancelled"
_WAITS: dict[str, tuple[bool, Wait]] = {
    "model_wait_begin": (True, "model"),
    "model_wait_end": (False, "model"),
    "external_wait_begin": (True, "external"),
    "external_wait_end": (False, "external"),
}
EVENTS = frozenset({"boundary", "park", "refusal", *_WAITS})


class WorkFailed(Exception):
    """The handler was told to fail."""


@attrs.define(eq=False)
class Pending:
    """An event that has reached the participant; `seq` is its line once it was written down."""

    line: Work
    worker: "Worker"
    seq: int | None = None


class Recorder(Protocol):
    """Who writes down what a handler does."""

    def reached(self, pending: Pending) -> None:
        """An event reaches the participant now."""
        ...

    def answered(self, pending: Pending, outcome: str | JsonObject) -> None:
        """The participant has answered an event."""
        ...

    def finished(self, worker: "Worker", line: Work) -> None:
        """A handler ends now."""
        ...

    def broken(self, what: str, error: BaseException) -> None:
        """A call of the participant raised what no participant may raise."""
        ...

    def stirred(self) -> None:
        """Something moved that no line shows."""
        ...


@attrs.define(eq=False)
class Worker:
    """One handler: what it stands for, what it waits for, and what it was told last."""

    recorder: Recorder
    execution: Execution
    rollout_id: str | None
    attempt: int | None
    alive: bool = True
    cancelled: bool = False
    dead: bool = False
    held: Pending | None = None
    _commands: deque[Work] = attrs.Factory(deque[Work])
    _bell: "asyncio.Future[None] | None" = None
    _event: "asyncio.Task[None] | None" = None

    @property
    def idle(self) -> bool:
        """Whether it can be told to do something else than to end."""
        return self.alive and not self.cancelled and self.held is None and not self._commands

    @property
    def busy(self) -> bool:
        """Whether a command waits to be taken."""
        return self.alive and bool(self._commands)

    def tell(self, line: Work) -> bool:
        """Give it a command; False when it cannot take that one now."""
        if not self.alive or self._commands or (line.event != "finish" and not self.idle):
            return False
        self._commands.append(line)
        self._ring()
        return True

    def kill(self) -> None:
        """End it without a word: its process is gone."""
        self.dead = True
        self.alive = False
        self._ring()
        if self._event is not None:
            self._event.cancel()

    def _ring(self) -> None:
        if self._bell is not None and not self._bell.done():
            self._bell.set_result(None)

    async def live(self) -> Json:
        """Take commands until one of them ends the work."""
        while True:
            try:
                line = await self._next()
            except asyncio.CancelledError:
                if self.dead:
                    raise
                self._cancelled()
                continue
            if line.event == "finish":
                return self._finish(line)
            self.held = pending = Pending(line, self)
            self._event = asyncio.create_task(self._do(pending))

    async def _next(self) -> Work:
        while not self._commands:
            if self.dead:
                raise asyncio.CancelledError
            self._bell = asyncio.get_running_loop().create_future()
            await self._bell
        return self._commands.popleft()

    def _cancelled(self) -> None:
        """The participant cancels the handler: what it waits for ends, the handler not yet."""
        self.cancelled = True
        self.recorder.stirred()
        task = asyncio.current_task()
        if task is not None:
            task.uncancel()
        if self._event is not None:
            self._event.cancel()

    def _finish(self, line: Work) -> Json:
        self.alive = False
        self.recorder.finished(self, line)
        if self._event is not None:
            self._event.cancel()
        outcome = line.detail.get("outcome", "completed")
        if outcome == "completed":
            return copied(line.detail.get("result"))
        if outcome == CANCELLED:
            raise asyncio.CancelledError
        raise WorkFailed("the harness told the work to fail")

    async def _do(self, pending: Pending) -> None:
        """One event, from the moment it reaches the participant to its answer."""
        if self.dead:
            return
        outcome: str | JsonObject = "ok"
        self.recorder.reached(pending)
        try:
            outcome = await self._outcome(pending.line)
        except BaseException as error:  # noqa: BLE001 - whatever it raises, the adapter is to blame
            self.recorder.broken(f"the event {pending.line.event}", error)
        if self.held is pending:
            self.held = None
            self._event = None
        if not self.dead:
            self.recorder.answered(pending, outcome)

    async def _outcome(self, line: Work) -> str | JsonObject:
        try:
            await self._call(line)
        except Refused as refused:
            return {"code": refused.code}
        except asyncio.CancelledError:
            return {"code": CANCELLED}
        return "ok"

    async def _call(self, line: Work) -> None:
        if line.event in _WAITS:
            begins, wait = _WAITS[line.event]
            await (self.execution.begin_wait if begins else self.execution.end_wait)(wait)
        elif line.event == "boundary":
            await self.execution.boundary(record_of(line))
        elif line.event == "refusal":
            await self.execution.refusal(str(line.detail.get("code", "checkpoint_parked")))
        else:
            await self.execution.park()


def record_of(line: Work) -> JsonObject:
    """The record of a boundary line, with the key that it names; a copy, for the participant."""
    named: JsonObject = line.detail.get("record") or {}
    attempt = named.get("attempt_index", named.get("attempt", line.attempt))
    identity = {"rollout_id": named.get("rollout_id", line.rollout_id), "attempt_index": attempt}
    others = {
        name: value for name, value in line.detail.items() if name not in ("record", "uncaught")
    }
    record: JsonObject = copied(identity | others)
    return record


def began_detail(execution: Execution) -> JsonObject:
    """What a begin line says of an execution."""
    if execution.rollout_id is None:
        return {"untracked": True}
    record = execution.continuation
    given = None
    if record is not None:
        names = ("attempt_index", "boundary_index")
        given = as_json({name: record[name] for name in names}, "the continuation of a handler")
    return {"generation": execution.generation, "continuation": given}
