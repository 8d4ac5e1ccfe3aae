"""Drives a policy model with the actions of the world, and writes down all that happens, in order.

An action is a line of a trace that the harness decides. The driver adds what the participant shows,
and gives every line to the oracle as it is written.
"""

import asyncio
import sys
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import attrs

from fencepost import files
from fencepost.answers import answer_of, report_of
from fencepost.driven import REST
from fencepost.faults import HarnessFault, ParticipantFault, named
from fencepost.policy_model.oracle import ModelOracle
from fencepost.policy_model.participant import DataCall, GateAnswer, ModelParticipant, Settings
from fencepost.policy_model.recording import ModelRecording
from fencepost.trace.lines import (
    Call,
    Disk,
    Fault,
    Header,
    JsonObject,
    Line,
    Lost,
    Reply,
    Report,
    Tick,
    Work,
)
from fencepost.watch import Call as Calling
from fencepost.watch import Watch, limited
from fencepost_reference.receipts.policy_model.gate import is_gated
from fencepost_spec.receipts.policy_model.dialects import model_dialect_of
from fencepost_spec.receipts.policy_model.spec import MODEL
from fencepost_spec.receipts.policy_model.wire import TracedModelStatus
from fencepost_spec.vocabulary import seconds_of

T = TypeVar("T")
SPINS = 4
ROUNDS_MAX = 200


class ModelDriver:
    """One participant, the lines so far, and what can still be told to it."""

    def __init__(
        self, participant: ModelParticipant, header: Header, root: Path, watch: Watch
    ) -> None:
        self.participant = participant
        self.header = header
        self.root = root
        self.record = ModelRecording(ModelOracle(header))
        self.script: list[Line] = []
        self.actions = 0
        self.actions_max = sys.maxsize
        self._open: dict[str, asyncio.Task[None]] = {}
        self._tickets: dict[str, Work] = {}
        self._watch = watch
        self._settings = settings_of(header)
        self._looks: dict[str, None] = {}

    # The life of a process.

    async def start(self, *, fresh: bool = False) -> None:
        """Start the next process of the participant."""
        settings = self._settings
        await self._limited(
            "start",
            lambda: self.participant.start(self.root, settings, self._cancelled, fresh=fresh),
        )

    async def close(self) -> None:
        """End the participant; nothing is written down any more."""
        self.record.closed = True
        await self._end_process()

    async def _end_process(self) -> list[str]:
        opened, self._open = self._open, {}
        self._tickets.clear()
        await self._limited("crash", self.participant.crash)
        for task in opened.values():
            task.cancel()
        await asyncio.sleep(0)
        return sorted(opened)

    # Actions.

    async def perform(self, action: Line) -> bool:
        """Let one action happen; False when it cannot happen now, and then nothing has."""
        done = self.actions < self.actions_max and await self._perform(action)
        if done:
            self.actions += 1
            self.script.append(action)
        self.record.check()
        return done

    async def _perform(self, action: Line) -> bool:
        if isinstance(action, Call):
            return self._call(action)
        await self._turn()
        match action:
            case Lost():
                return self._gone(action)
            case Work():
                return await self._work(action)
            case Fault(name="replace"):
                await self._replace(action)
                return True
            case Fault():
                self.record.emit(action)
                await self._limited(action.name, self._break(action))
                return True
            case Tick():
                self.record.emit(action)
                seconds = seconds_of(action.microseconds)
                await self._limited("advance", lambda: self.participant.advance(seconds), seconds)
                return True
            case _:
                return False

    def _call(self, action: Call) -> bool:
        """A control call starts: it happens when the event loop next turns."""
        request = action.request
        if action.id in self._open or request is None:
            return False
        self._open[action.id] = asyncio.create_task(self._answering(action, request))
        return True

    async def _answering(self, line: Call, request: JsonObject) -> None:
        if line.id not in self._open:
            return
        self.record.emit(line)
        self._watch.doing(f"the call {line.op}")
        shown: Line | None = None
        try:
            answering = self.participant.control(line.op, request, line.auth)
            answer = answer_of(await answering, line.op)
            shown = Reply(0, line.id, answer.status, answer.body)
        except asyncio.CancelledError:
            shown = Lost(0, line.id, "disconnected")
        except ParticipantFault as fault:
            self.record.fail(fault)
        except Exception as error:  # noqa: BLE001 - whatever it raises, the adapter is to blame
            raised = ParticipantFault(f"the call {line.op} raised {named(error)}")
            raised.__cause__ = error
            self.record.fail(raised)
        if shown is not None and self._open.pop(line.id, None) is not None:
            self.record.emit(shown)
            directory = request.get("checkpoint_dir")
            if isinstance(directory, str):
                self._looks[directory] = None

    def _gone(self, action: Lost) -> bool:
        task = self._open.pop(action.id, None)
        if task is None:
            return False
        self.record.emit(action)
        task.cancel()
        return True

    async def _work(self, action: Work) -> bool:
        ticket = str(action.detail.get("ticket"))
        if action.event == "admit":
            return ticket not in self._tickets and await self._admit(action, ticket)
        known = self._tickets.get(ticket)
        if known is None or action.event not in ("record", "release"):
            return False
        if action.event == "record" and known.rollout_id is None:
            return False
        # What follows from it may be seen before the adapter returns.
        self.record.emit(action)
        if action.event == "record":
            row = {name: value for name, value in action.detail.items() if name != "ticket"}
            await self._limited("record", lambda: self.participant.record(ticket, row))
        else:
            del self._tickets[ticket]
            await self._limited("release", lambda: self.participant.release(ticket))
        return True

    async def _admit(self, action: Work, ticket: str) -> bool:
        path = str(action.detail["path"])
        headers = tuple((name, value) for name, value in action.detail.get("headers", ()))
        called = DataCall(ticket, path, headers)
        answer: Any = await self._limited("admit", lambda: self.participant.admit(called))
        if not isinstance(answer, GateAnswer):
            raise ParticipantFault(f"admit() returned {answer!r}", "it returns a GateAnswer")
        if answer.code is None and is_gated(MODEL, path):
            self._tickets[ticket] = action
        self.record.emit(attrs.evolve(action, outcome=_outcome(answer)))
        return True

    def _cancelled(self, ticket: str) -> None:
        """The participant tells that a task saw its cancellation."""
        known = self._tickets.get(ticket)
        if known is None:
            if not self.record.closed:
                self.record.fail(
                    ParticipantFault(f"no call {ticket!r} is in flight to be cancelled")
                )
            return
        cancel = attrs.evolve(known, event="cancel", detail={"ticket": ticket}, outcome="ok")
        self.record.emit(cancel)

    async def _replace(self, action: Fault) -> None:
        self.record.emit(action)
        for call in await self._end_process():
            self.record.emit(Lost(0, call, "disconnected"))
        if action.disk == "empty":
            files.empty(self.root)
        fresh = action.disk == "empty" or action.detail.get("ledger") == "fresh"
        await self.start(fresh=fresh)

    async def _break(self, action: Fault) -> None:
        detail, participant = action.detail, self.participant
        match action.name:
            case "hold":
                await participant.hold(detail["of"])
            case "release":
                await participant.free(detail["of"])
            case "fail":
                await participant.fail(detail["step"])
            case "index":
                await participant.index(detail["path"], detail["roots"])
            case "remove" if "index" in detail:
                await participant.index(detail["index"], None)
            case "remove":
                await participant.remove(detail["to"])
            case "damage" if "lineage" in detail:
                await participant.damage_lineage(detail["lineage"])
            case "damage":
                await participant.damage(detail["path"], detail["change"])
            case "copy":
                await participant.copy(detail["from"], detail["to"], detail.get("server"))
            case _:
                raise HarnessFault(f"the harness cannot do the fault {action.name!r}")

    # Rest.

    async def rest(self) -> None:
        """Wait until nothing moves, and have the participant tell how it stands."""
        await self.settle()
        if self.record.over:
            return
        self.script.append(REST)
        body = await self._limited("report", self.participant.report)
        model = TracedModelStatus if model_dialect_of(self.header.version).shape else None
        self.record.emit(Report(0, report_of(body, model)))
        looks, self._looks = self._looks, {}
        for directory in looks if "look" in self.participant.capabilities else ():
            looking = partial(self.participant.look, directory)
            self.record.emit(Disk(0, await self._limited("look", looking)))
        self.record.check()

    async def settle(self) -> None:
        """Wait until nothing moves: the adapter says so, and no line follows."""
        for _ in range(ROUNDS_MAX):
            before = self.record.activity
            await self._turn()
            await self._limited("settle", self.participant.settle)
            await asyncio.sleep(0)
            self.record.check()
            if self.record.over or self.record.activity == before:
                return
        raise ParticipantFault("it never comes to rest", "settle() returned, and things moved")

    @staticmethod
    async def _turn() -> None:
        for _ in range(SPINS):
            await asyncio.sleep(0)

    async def _limited(self, what: str, call: Calling[T], extra: float = 0.0) -> T:
        return await limited(self._watch, what, call, extra)


def _outcome(answer: GateAnswer) -> Any:
    if answer.code is None:
        return "ok"
    told = {} if answer.retry_after is None else {"retry_after": answer.retry_after}
    return {"code": answer.code, **told}


def settings_of(header: Header) -> Settings:
    """How a process is started for a trace."""
    given: dict[str, Any] = {
        name: header.settings[name]
        for name in ("server_name", "role", "ledger")
        if name in header.settings
    }
    return Settings(**given)
