"""Drives a participant with the actions of the world, and writes down all that happens, in order.

An action is a line of a trace that the harness decides: a call, a caller that goes away, an event
of the work, a fault, time. The driver adds what the participant shows, and gives every line to the
oracle as it is written. Not decided here: which action comes next (`generator`).
"""

import asyncio
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeVar

import attrs

from fencepost import files
from fencepost.agent.shapes import report_model
from fencepost.answers import answer_of, report_of
from fencepost.breaking import storage_fault
from fencepost.clock import Clock
from fencepost.driven import REST
from fencepost.faults import ParticipantFault
from fencepost.fitting import require_identity
from fencepost.handlers import EVENTS, Worker, WorkFailed, began_detail
from fencepost.held import held
from fencepost.oracle import Oracle
from fencepost.participant import Answer, Disconnected, Execution, Participant
from fencepost.recording import Recording
from fencepost.trace.lines import (
    Call,
    Disk,
    Fault,
    Header,
    Json,
    JsonObject,
    Line,
    Lost,
    Reply,
    Report,
    Tick,
    Work,
)
from fencepost.watch import Watch, limited
from fencepost_spec.vocabulary import seconds_of

T = TypeVar("T")

SPINS = 6
"""Turns of the event loop before the adapter is asked whether it is at rest."""

ROUNDS_MAX = 200
"""How often the adapter may say so and something still moves."""


@attrs.define(eq=False)
class OpenCall:
    """A call without an answer."""

    line: Call
    task: "asyncio.Task[None]"


class Driver:
    """One participant, what it has done so far (`record`), and what can still be told to it.

    `script` are the actions that happened, with the points of rest between them: played again on
    an equal participant, they lead to the same lines.
    """

    def __init__(
        self,
        participant: Participant,
        header: Header,
        root: Path,
        watch: Watch,
        oracle: Oracle | None = None,
    ) -> None:
        self.participant = held(participant)
        self.header = header
        self.root = root
        self.record = Recording(oracle or Oracle(header), watch.doing)
        self.script: list[Line] = []
        self.actions = 0
        self.actions_max = sys.maxsize
        self.workers: list[Worker] = []
        self.open: dict[str, OpenCall] = {}
        self._clock = Clock(virtual=self.participant.virtual)
        self._watch = watch
        self._instance: str | None = header.settings.get("instance_name")
        self._to_look: dict[str, None] = {}
        self._epoch = 0

    # The life of a process.

    async def start(self) -> None:
        """Start the next process of the participant."""
        starting = self.participant.start(self.root, self._instance, self._handler)
        await self._limited("start", starting)
        self.record.check()

    async def close(self) -> None:
        """End the participant; nothing is written down any more."""
        self.record.closed = True
        self._epoch += 1
        await self._end_process()

    async def _end_process(self) -> None:
        workers, self.workers = self.workers, []
        for worker in workers:
            worker.dead = True
        opened, self.open = self.open, {}
        await self._limited("crash", self.participant.crash())
        for call in opened.values():
            call.task.cancel()
        for worker in workers:
            worker.kill()
        await asyncio.sleep(0)

    # Actions.

    async def perform(self, action: Line) -> bool:
        """Let one action happen; False when it cannot happen now, and then nothing has.

        Calls and events of the work only start here: they happen when the event loop next turns,
        in the order in which this method was called.
        """
        self.script.append(action)  # Before it happens: it may be what goes wrong.
        done = self.actions < self.actions_max and await self._perform(action)
        self.script[-1:] = [action] if done else []
        self.actions += done
        self.record.check()
        return done

    async def _perform(self, action: Line) -> bool:
        match action:
            case Call():
                return self._call(action)
            case Lost():
                return self._gone(action.id)
            case Work():
                worker = self.worker(action.rollout_id, action.attempt)
                known = action.event == "finish" or action.event in EVENTS
                return worker is not None and known and worker.tell(action)
            case Fault(name="replace"):
                await self._turn()
                await self._replace(action)
                return True
            case Fault():
                await self._turn()
                return await self._break(action)
            case Tick():
                await self._turn()
                self._pass(action.microseconds)
                seconds = seconds_of(action.microseconds)
                await self._limited("advance", self.participant.advance(seconds), seconds)
                return True
            case _:
                return False

    def _pass(self, time_us: int) -> None:
        self._clock.passed(time_us)
        self.record.emit(Tick(0, time_us))

    def worker(self, rollout_id: str | None, attempt: int | None) -> Worker | None:
        """The handler of a key that has not ended; the latest, should there be several."""
        for worker in reversed(self.workers):
            if worker.alive and (worker.rollout_id, worker.attempt) == (rollout_id, attempt):
                return worker
        return None

    def _call(self, action: Call) -> bool:
        request, participant = action.request, self.participant
        if action.id in self.open or request is None:
            return False
        if action.op == "run":
            answering = self._answering(action, lambda: participant.run(request))
        else:
            answering = self._answering(
                action, lambda: participant.control(action.op, request, action.auth)
            )
        self.open[action.id] = OpenCall(action, asyncio.create_task(answering))
        return True

    async def _answering(self, line: Call, start: Callable[[], Awaitable[Answer]]) -> None:
        """One call, from the moment it reaches the participant to its answer."""
        epoch = self._epoch
        shown: Line | None = None
        if line.id not in self.open:
            return
        self.record.emit(line)
        self._clock.called(line)
        self._watch.doing(f"the call {line.op}")
        try:
            answer = answer_of(await start(), line.op)
            shown = Reply(0, line.id, answer.status, answer.body)
        except (Disconnected, asyncio.CancelledError):
            shown = Lost(0, line.id, "disconnected")
        except ParticipantFault as fault:
            self.record.fail(fault)
        except BaseException as error:  # noqa: BLE001 - whatever it raises, the adapter is to blame
            if epoch == self._epoch:
                self.record.broken(f"the call {line.op}", error)
        if shown is None or epoch != self._epoch or self.open.pop(line.id, None) is None:
            return
        untold = self._clock.untold(line)
        if untold:
            self._pass(untold)
        self.record.emit(shown)
        directory = (line.request or {}).get("checkpoint_dir")
        if line.op == "commit" and isinstance(directory, str):
            self._to_look[directory] = None

    def _gone(self, call: str) -> bool:
        opened = self.open.pop(call, None)
        if opened is None:
            return False
        self.record.emit(Lost(0, call, "cancelled"))
        opened.task.cancel()
        return True

    async def _replace(self, action: Fault) -> None:
        self.record.emit(action)
        self._epoch += 1
        opened = list(self.open)
        await self._end_process()
        self.record.forget()
        for call in opened:
            self.record.emit(Lost(0, call, "disconnected"))
        if action.disk == "empty":
            files.empty(self.root)
        await self.start()

    async def _break(self, action: Fault) -> bool:
        """Put a fault of the storage in."""
        doing = storage_fault(self.participant, self.root, self._instance, action)
        if doing is None:
            return False
        self.record.emit(action)
        await self._limited(action.name, doing)
        return True

    # Rest.

    async def rest(self) -> None:
        """Wait until nothing moves, and have the participant tell how it stands."""
        await self.settle()
        if self.record.over:
            return
        self.script.append(REST)
        body = await self._limited("report", self.participant.report())
        self.record.emit(Report(0, report_of(body, report_model(self.header.version))))
        looks, self._to_look = self._to_look, {}
        for directory in looks if "files" in self.participant.capabilities else ():
            known = self.record.state.disk.get(directory)
            if known is not None and known.kind in ("committed", "partial"):
                self.record.emit(Disk(0, files.look(self.root, directory, self._instance)))
        self.record.check()

    async def settle(self) -> None:
        """Wait until nothing moves: the adapter says so, and no line follows."""
        for _ in range(ROUNDS_MAX):
            before = self.record.activity
            await self._turn()
            await self._limited("settle", self.participant.settle())
            await asyncio.sleep(0)
            if self.record.over:
                return
            if self.record.activity == before and not any(w.busy for w in self.workers):
                self.record.flush()
                self.record.check()
                return
        raise ParticipantFault("it never comes to rest", "settle() returned, and things moved")

    @staticmethod
    async def _turn() -> None:
        """Let what was started before happen first."""
        for _ in range(SPINS):
            await asyncio.sleep(0)

    async def _limited(self, what: str, awaited: Awaitable[T], extra: float = 0.0) -> T:
        return await limited(self._watch, what, awaited, extra)

    # What starts handlers.

    async def _handler(self, execution: Execution, _body: JsonObject) -> Json:
        try:
            require_identity(execution)
            worker = Worker(self.record, execution, execution.rollout_id, execution.attempt)
            detail = began_detail(execution)
        except BaseException as error:
            self.record.broken("the execution given to a handler", error)
            raise WorkFailed("it is no execution") from error
        if self.record.closed:
            raise asyncio.CancelledError
        self.workers = [each for each in self.workers if each.alive]
        self.workers.append(worker)
        begun = Work(0, "begin", worker.rollout_id, worker.attempt, detail, "ok")
        self.record.emit(attrs.evolve(begun, anonymous=worker.rollout_id is None))
        return await worker.live()
