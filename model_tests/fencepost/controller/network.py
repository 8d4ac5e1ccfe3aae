"""Calls between a controller and its participants, and what becomes of them on the way.

Faults are put in before a call, or while it is open: the next request, or the reply, is lost or
held. Everything is written down where the controller sees it. Not decided here: which faults.
"""

import asyncio
from collections.abc import Coroutine
from typing import Any

import attrs

from fencepost.answers import as_json
from fencepost.controller.leaving import Leaving
from fencepost.controller.participant import Answer, Lost
from fencepost.controller.parts import Part
from fencepost.controller.recording import Recording
from fencepost.faults import ParticipantFault
from fencepost.participant import Disconnected
from fencepost.trace import lines
from fencepost.trace.lines import At, JsonObject, is_object
from fencepost_spec.wording import kind_of

LOSE_REQUEST, LOSE_REPLY = "lose_request", "lose_reply"
HOLD_REQUEST, HOLD_REPLY = "hold_request", "hold_reply"
ON_THE_WAY = (LOSE_REQUEST, LOSE_REPLY, HOLD_REQUEST, HOLD_REPLY)
LET_GO = "let_go"
CANCELLED = "cancelled"


class Unanswered(Exception):
    """No answer will come, and how that is seen."""

    def __init__(self, how: str) -> None:
        super().__init__(how)
        self.how = how


@attrs.frozen
class Fate:
    """What is to become of the next call of an operation at a place."""

    name: str
    at: At
    op: str


@attrs.define(eq=False)
class Open:
    """A call without an answer, as the controller sees it."""

    id: str
    part: Part
    op: str
    fate: str | None
    answer: "asyncio.Future[Answer]"
    task: "asyncio.Task[None] | None" = None
    gate: "asyncio.Future[None] | None" = None
    arrived: bool = False
    replied: bool = False

    @property
    def held(self) -> bool:
        """Whether the network holds it."""
        return self.gate is not None and not self.gate.done()


class Network:
    """All calls of one deployment."""

    def __init__(self, record: Recording) -> None:
        self._record = record
        self._numbers = 0
        self.open: dict[str, Open] = {}
        self.fates: list[Fate] = []

    # Faults.

    def arm(self, fate: Fate) -> None:
        """Decide what becomes of an open call, or else of the next one."""
        late = fate.name in (LOSE_REPLY, HOLD_REPLY)
        for call in self.open.values():
            same = call.part.standing.at == fate.at and call.op == fate.op
            if late and same and call.fate is None:
                call.fate = fate.name
                return
        self.fates.append(fate)

    def let_go(self, at: At, op: str) -> bool:
        """Let the first held message of an operation go on; False when there is none."""
        for call in self.open.values():
            if call.held and call.part.standing.at == at and call.op == op:
                assert call.gate is not None
                call.gate.set_result(None)
                return True
        return False

    def is_held(self, at: At, op: str) -> bool:
        """Whether a message of an operation is held."""
        return any(call.held and call.op == op for call in self.openings(at))

    def calm(self) -> None:
        """No more faults from now on; what is held stays held."""
        self.fates.clear()
        for call in self.open.values():
            call.fate = None if call.fate in (LOSE_REPLY, HOLD_REPLY) else call.fate

    def _take(self, at: At, op: str) -> str | None:
        for fate in self.fates:
            if (fate.at, fate.op) == (at, op):
                self.fates.remove(fate)
                return fate.name
        return None

    # Calls.

    def call(self, part: Part, op: Any, request: Any) -> Coroutine[Any, Any, Answer]:
        """A call of the controller leaves now; its answer is to be awaited."""
        body = as_json(request, f"the request of {op}")
        if type(op) is not str or not op or not is_object(body):
            raise ParticipantFault(f"it called {op!r} with {kind_of(request)}")
        self._numbers += 1
        at, name = part.standing.at, f"q{self._numbers}"
        self._record.emit(lines.Call(0, op, name, body, at=at))
        fate = self._take(at, op)
        call = Open(name, part, op, fate, asyncio.get_running_loop().create_future())
        if not self._record.over:  # What follows is not judged any more.
            self.open[name] = call
            if fate == LOSE_REQUEST:
                self.end(call, "timeout")
            else:
                call.task = asyncio.create_task(self._exchange(call, body))
        return Leaving(lambda: self._awaited(call), lambda: self.end(call, CANCELLED))

    async def _awaited(self, call: Open) -> Answer:
        """The answer of a call. It is written down where the controller gets it."""
        try:
            answer = await call.answer
        except Unanswered as unanswered:
            self._record.emit(lines.Lost(0, call.id, unanswered.how))
            raise Lost from None
        except asyncio.CancelledError:
            self.end(call, CANCELLED)
            raise
        self._record.emit(lines.Reply(0, call.id, answer.status, answer.body))
        return answer

    async def _exchange(self, call: Open, body: JsonObject) -> None:
        """What happens to a call on its way there and back."""
        if call.fate == HOLD_REQUEST:
            await self._held(call)
            call.fate = None
        call.arrived = True
        answer: Answer | None = None
        try:
            answer = await self._answered(call, body)
        except Disconnected:
            call.fate = LOSE_REPLY
        except asyncio.CancelledError:
            if self.open.get(call.id) is not call:
                raise
            call.fate = LOSE_REPLY
        except Exception as error:  # noqa: BLE001 - our own participant broke: said where it is seen
            self._record.fail(error)
            return
        call.replied = answer is not None
        if call.fate == HOLD_REPLY:
            await self._held(call)
            call.fate = None
        if call.fate == LOSE_REPLY or answer is None:
            self.end(call, "disconnected")
        elif self.open.pop(call.id, None) is call and not call.answer.done():
            call.answer.set_result(answer)

    async def _answered(self, call: Open, body: JsonObject) -> Answer:
        if not call.part.knows(call.op):
            detail = f"no operation of a {call.part.standing.kind} is called {call.op}"
            return Answer(404, {"error": {"code": "unknown_operation", "detail": detail}})
        return await call.part.call(call.op, body)

    async def _held(self, call: Open) -> None:
        call.gate = asyncio.get_running_loop().create_future()
        await call.gate

    def end(self, call: Open, how: str) -> None:
        """A call gets no answer: its caller has gone, or its participant has."""
        if self.open.pop(call.id, None) is not call:
            return
        if call.task is not None and call.task is not asyncio.current_task():
            call.task.cancel()
        if how == CANCELLED:
            self._record.emit(lines.Lost(0, call.id, how))
            call.answer.cancel()
        elif not call.answer.done():
            call.answer.set_exception(Unanswered(how))

    def gone(self, part: Part | None, how: str, *, arrive: bool = False) -> None:
        """A participant has gone, or the controller with all its calls.

        With `arrive` a held reply outlives who sent it: it has left, and may still be let go.
        """
        for call in list(self.open.values()):
            if part is None or (call.part is part and not (arrive and call.replied and call.held)):
                self.end(call, how)

    def openings(self, at: At) -> list[Open]:
        """The open calls at a place."""
        return [call for call in self.open.values() if call.part.standing.at == at]
