"""The work of one run as the harness plays it: it does what it is told, when it is told.

A handler waits for commands, and awaits each event of the work itself, as a real one does: whoever
cancels its task, or looks at its context, meets the event that it is in. One that is held and told
to end leaves that event to a task of its own, as one that awaits several things at once does. A
handler that is cancelled stays until it is told how it ends, so that how long that takes is a
choice of the harness too.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable
from typing import Any, Protocol

import attrs

from fencepost.answers import as_json
from fencepost.interrupting import Leavable, Left
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
    dead: bool = False
    held: Pending | None = None
    _commands: deque[Work] = attrs.Factory(deque[Work])
    _bell: "asyncio.Future[None] | None" = None
    _task: "asyncio.Task[Any] | None" = None
    _event: Leavable | None = None
    _rest: "asyncio.Task[None] | None" = None
    _was_cancelled: bool = False

    @property
    def cancelled(self) -> bool:
        """Whether the participant has cancelled it: it was told so, or its event keeps that."""
        kept = self.held is not None and self._task is not None and self._task.cancelling() > 0
        return self._was_cancelled or kept

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
        if self._event is not None:
            self._event.leave()
        return True

    def kill(self) -> None:
        """End it without a word: its process is gone."""
        self.dead = True
        self.alive = False
        self._ring()
        held = self._task if self._event is not None else self._rest
        if held is not None:
            held.cancel()

    def _ring(self) -> None:
        if self._bell is not None and not self._bell.done():
            self._bell.set_result(None)

    async def live(self) -> Json:
        """Take commands until one of them ends the work."""
        self._task = asyncio.current_task()
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
            await self._do(Pending(line, self))

    async def _next(self) -> Work:
        while not self._commands:
            if self.dead:
                raise asyncio.CancelledError
            self._bell = asyncio.get_running_loop().create_future()
            await self._bell
        return self._commands.popleft()

    def _cancelled(self) -> None:
        """The participant cancels the handler: what it waits for ends, the handler not yet.

        Its task stays marked as cancelled, as that of a handler does which tidies up.
        """
        self._was_cancelled = True
        self.recorder.stirred()

    def _finish(self, line: Work) -> Json:
        self.alive = False
        self.recorder.finished(self, line)
        outcome = line.detail.get("outcome", "completed")
        if outcome == "completed":
            return copied(line.detail.get("result"))
        if outcome == CANCELLED:
            raise asyncio.CancelledError
        raise WorkFailed("the harness told the work to fail")

    async def _do(self, pending: Pending) -> None:
        """One event, from the moment it reaches the participant to its answer, or to its end."""
        self.held = pending
        self._event = event = Leavable(self._call(pending.line))
        self.recorder.reached(pending)
        try:
            outcome = await self._outcome(event, pending)
        except Left:
            self._rest = asyncio.create_task(self._left(event, pending))
            # Not before it has begun, or the event would not hear of it.
            asyncio.get_running_loop().call_soon(self._rest.cancel)
        else:
            self._answer(pending, outcome)
            if outcome == {"code": CANCELLED} and not self.dead:
                self._cancelled()
        finally:
            self._event = None

    async def _left(self, event: Leavable, pending: Pending) -> None:
        """What becomes of an event whose handler has ended; it has a task that is not its own."""
        self._answer(pending, await self._outcome(event.rest(), pending))

    async def _outcome(self, event: Awaitable[None], pending: Pending) -> str | JsonObject:
        try:
            return await _answered(event)
        except Left:
            raise
        except BaseException as error:  # noqa: BLE001 - whatever it raises, the adapter is to blame
            if self._rest is not None:
                return {"code": CANCELLED}  # What an event raises in a foreign task is our doing.
            if not self.dead:
                self.recorder.broken(f"the event {pending.line.event}", error)
        return "ok"

    def _answer(self, pending: Pending, outcome: str | JsonObject) -> None:
        self.held = None
        if not self.dead:
            self.recorder.answered(pending, outcome)

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


async def _answered(event: Awaitable[None]) -> str | JsonObject:
    """What an event is answered, as a trace has it."""
    try:
        await event
    except Refused as refused:
        return {"code": refused.code}
    except asyncio.CancelledError:
        return {"code": CANCELLED}
    return "ok"


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
