"""Drives a resources server with the actions of the world, and writes down all that happens.

An action is a line of a trace that the harness decides. The driver adds what the server shows, and
gives every line to the oracle as it is written. Not decided here: which action comes next.
"""

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import TypeVar

from fencepost.answers import report_of
from fencepost.driven import REST
from fencepost.faults import ParticipantFault, named
from fencepost.resources import participant as contract
from fencepost.resources.answering import breaking, reply_line
from fencepost.resources.oracle import Oracle, report_model
from fencepost.resources.recording import ResourcesRecording
from fencepost.resources.showing import handler_line
from fencepost.trace.lines import (
    Call,
    Disk,
    Fault,
    Header,
    JsonObject,
    Line,
    Lost,
    Report,
    Tick,
    Work,
)
from fencepost.watch import Call as Calling
from fencepost.watch import Watch, limited
from fencepost_reference.receipts.resources.state import State
from fencepost_spec.vocabulary import seconds_of

T = TypeVar("T")
MARK = "x-fencepost-call"
"""The header by which a handler finds the call that it serves."""

ROUNDS_MAX = 100


class BrokeOff(Exception):
    """A handler of the harness breaks off."""


class Driver:
    """One server, what it has done so far, and what can still be told to it.

    `script` are the actions that happened, with the points of rest between them.
    """

    def __init__(
        self,
        participant: contract.ResourcesParticipant,
        header: Header,
        root: Path,
        watch: Watch,
    ) -> None:
        self.participant = participant
        self.header = header
        self.record = ResourcesRecording(Oracle(header))
        self.script: list[Line] = []
        self.actions = 0
        self._root = root
        self._watch = watch
        self._open: dict[str, asyncio.Task[None]] = {}
        self._handlers: dict[str, asyncio.Future[contract.Answer]] = {}
        self._epoch = 0

    @property
    def state(self) -> State:
        """A state of the model that explains what has been seen."""
        return self.record.state

    # The life of a process.

    async def start(self) -> None:
        """Start the next process of the server."""
        known = self.state.settings
        settings = contract.Settings(
            known.name,
            known.mode,
            known.contract,
            known.restore_expected,
            known.capacity,
            tuple(sorted(known.reads)),
        )
        epoch = self._epoch

        def handler(
            request: JsonObject, rollout_id: str | None, attempt: int | None
        ) -> Awaitable[contract.Answer]:
            return self._handle(epoch, request, rollout_id, attempt)

        await self._limited("start", lambda: self.participant.start(self._root, settings, handler))
        self.record.check()

    async def close(self) -> None:
        """End the server; nothing is written down any more."""
        self.record.closed = True
        await self._limited("crash", lambda: self.participant.crash(True))
        self._leave()
        await asyncio.sleep(0)

    def _leave(self) -> None:
        """Nothing of the process that runs is waited for any more."""
        self._epoch += 1
        for task in self._open.values():
            task.cancel()
        for waiting in self._handlers.values():
            waiting.cancel()
        self._open.clear()
        self._handlers.clear()

    async def _limited(self, what: str, call: Calling[T], extra: float = 0.0) -> T:
        return await limited(self._watch, what, call, extra)

    # What is done to the server.

    async def perform(self, line: Line) -> None:
        """Let one action happen; one that makes no sense any more is passed over."""
        if self.record.over or not self._can(line):
            return
        self.actions += 1
        self.script.append(line)
        match line:
            case Call():
                self._open[line.id] = asyncio.create_task(self._call(line, self._epoch))
                await asyncio.sleep(0)
            case Work():
                self._handled(line)
            case Lost():
                self._open.pop(line.id).cancel()
                self.record.emit(line)
            case Tick(microseconds=passed):
                seconds = seconds_of(passed)
                await self._tell(
                    "advance", line, lambda: self.participant.advance(seconds), seconds
                )
            case Fault():
                await self._break(line)
            case _:
                raise TypeError(f"not an action: {line!r}")
        self.record.check()

    def _can(self, line: Line) -> bool:
        if isinstance(line, Call):
            return line.id not in self._open and line.id not in self.state.requests
        if isinstance(line, Work):
            return line.detail["request"] in self._handlers
        return not isinstance(line, Lost) or line.id in self._open

    async def _call(self, line: Call, epoch: int) -> None:
        """Ask, and write the answer down. The line stands where the request arrives."""
        self.record.emit(line)
        self._watch.doing(f"the call {line.op}")
        request = dict(line.request or {})
        try:
            if line.op == "request":
                request["headers"] = {**request.get("headers", {}), MARK: line.id}
                answer = await self.participant.request(request)
            else:
                answer = await self.participant.control(line.op, request, line.auth)
        except asyncio.CancelledError:
            return
        except Exception as error:  # noqa: BLE001 - an adapter may raise anything
            self.record.broken(f"{line.op} raised {named(error)}", error)
            return
        if epoch != self._epoch or self._open.pop(line.id, None) is None:
            return
        try:
            self.record.emit(reply_line(line, answer))
        except ParticipantFault as fault:
            self.record.broken("", fault)

    def _handled(self, line: Work) -> None:
        """The handler of a request ends."""
        name = line.detail["request"]
        waiting = self._handlers.pop(name)
        self.record.emit(line)
        if line.detail["outcome"] == "broke":
            waiting.set_exception(BrokeOff("the harness lets it break off"))
        else:
            waiting.set_result(contract.Answer(line.detail["status"], line.detail["body"]))

    def _handle(
        self, epoch: int, request: JsonObject, rollout_id: str | None, attempt: int | None
    ) -> Awaitable[contract.Answer]:
        """A handler: it starts here, and its answer comes when the harness lets it end."""
        waiting: asyncio.Future[contract.Answer] = asyncio.get_running_loop().create_future()
        name = {str(one).lower(): text for one, text in request["headers"].items()}.get(MARK)
        if epoch != self._epoch or not isinstance(name, str):
            if epoch == self._epoch:
                self.record.broken("a handler was given a request that nobody made", None)
            waiting.cancel()
            return waiting
        self.record.emit(handler_line(name, rollout_id, attempt))
        self._handlers[name] = waiting
        return waiting

    async def _break(self, line: Fault) -> None:
        """A fault: the process, what it stores, or what lies on disk."""
        server = self.participant
        if line.name == "replace":
            gone = sorted(self._open)
            self._leave()
            await self._tell("crash", line, lambda: server.crash(line.disk != "empty"))
            for call in gone:
                self.record.emit(Lost(0, call, "disconnected"))
            await self.start()
            return
        await self._tell(line.name, line, lambda: breaking(server, line))

    async def _tell(
        self, what: str, line: Line, call: Callable[[], Awaitable[None]], extra: float = 0.0
    ) -> None:
        """Do something to the server; the line stands where it reaches the server."""

        async def told() -> None:
            self.record.emit(line)
            await call()

        await self._limited(what, told, extra)

    # Rest.

    async def rest(self) -> None:
        """Let everything happen that can, and write the report and the directories down."""
        if self.record.over:
            return
        self.script.append(REST)
        await self._settle()
        body = await self._limited("report", self.participant.report)
        self.record.emit(Report(0, report_of(body, report_model(self.header.version))))
        if "look" in self.participant.capabilities:
            for place in sorted(self.state.disk):
                if self.record.over:
                    break
                look = await self._limited("look", partial(self.participant.look, place))
                self.record.emit(Disk(0, dict(look)))
        self.record.check()

    async def _settle(self) -> None:
        for _ in range(ROUNDS_MAX):
            before = self.record.activity
            await self._limited("settle", self.participant.settle)
            for _ in range(4):
                await asyncio.sleep(0)
            if before == self.record.activity:
                return
        raise ParticipantFault("it never comes to rest")
