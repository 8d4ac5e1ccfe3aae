"""Drives a participant with the actions of the world, and writes down all that happens, in order.

An action is a line of a trace that the harness decides: a call, a caller that goes away, an event
of the work, a fault, time. The driver adds what the participant shows, and gives every line to the
oracle as it is written. Not decided here: which action comes next (`generator`).
"""

import asyncio
import shutil
from collections.abc import Awaitable, Callable, Iterable
from pathlib import Path
from typing import TypeVar

import attrs

from fencepost.answers import answer_of, report_of
from fencepost.faults import FencepostFault, HarnessFault, ParticipantFault
from fencepost.handlers import EVENTS, Pending, Worker
from fencepost.oracle import Inconclusive, Oracle, Refusal
from fencepost.participant import Answer, Disconnected, Execution, Participant
from fencepost.trace.lines import (
    Call,
    Fault,
    Header,
    Json,
    JsonObject,
    Line,
    Lost,
    Reply,
    Report,
    Returned,
    Tick,
    Work,
)
from fencepost.watch import Watch
from fencepost_spec.vocabulary import seconds_of

T = TypeVar("T")

SPINS = 6
"""Turns of the event loop after the adapter says that it is at rest."""

ROUNDS_MAX = 200
"""How often the adapter may say so and something still moves."""


@attrs.define(eq=False)
class OpenCall:
    """A call that has not been answered."""

    line: Call
    task: "asyncio.Task[None]"


class Driver:
    """One participant, its lines so far, and the oracle that reads them."""

    def __init__(
        self,
        participant: Participant,
        header: Header,
        root: Path,
        watch: Watch,
        oracle: Oracle | None = None,
    ) -> None:
        self.participant = participant
        self.header = header
        self.root = root
        self.oracle = oracle or Oracle(header)
        self.lines: list[Line] = []
        self.actions = 0
        self.refusal: Refusal | None = None
        self.workers: list[Worker] = []
        self.open: dict[str, OpenCall] = {}
        self.on_line: Callable[[Line], None] = lambda _line: None
        self._watch = watch
        self._fault: FencepostFault | Inconclusive | None = None
        self._pending: list[Pending] = []
        self._epoch = 0
        self._activity = 0
        self._closed = False

    # The life of a process.

    async def start(self) -> None:
        """Start the participant's first process."""
        await self._start()
        self.check()

    async def _start(self) -> None:
        instance = self.header.settings.get("instance_name")
        await self._limited("start", self.participant.start(self.root, instance, self._handler))

    async def close(self) -> None:
        """End the participant; nothing is written down any more."""
        self._closed = True
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

    @property
    def over(self) -> bool:
        """Whether a line was refused, so that nothing more can be learned."""
        return self.refusal is not None

    def check(self) -> None:
        """Raise what went wrong outside the sight of the caller."""
        if self._fault is not None and not self.over:
            raise self._fault

    # Actions.

    async def perform(self, action: Line) -> bool:
        """Let one action happen; False when it cannot happen now, and then nothing has.

        Calls and events of the work only start here: they happen when the event loop next turns,
        in the order of the calls of this method.
        """
        done = await self._perform(action)
        self.actions += done
        self.check()
        return done

    async def _perform(self, action: Line) -> bool:
        match action:
            case Call():
                return self._call(action)
            case Lost():
                return self._gone(action.id)
            case Work():
                worker = self.worker(action.rollout_id, action.attempt)
                return worker is not None and self._known(action) and worker.tell(action)
            case Fault(name="replace"):
                await self._replace(action)
                return True
            case Fault():
                return await self._break(action)
            case Tick():
                self._emit(action)
                seconds = seconds_of(action.microseconds)
                advancing = self.participant.advance(seconds)
                await self._limited("advance", advancing, seconds)
                return True
            case _:
                return False

    def worker(self, rollout_id: str | None, attempt: int | None) -> Worker | None:
        """The handler of a key that has not ended; the latest, should there be several."""
        for worker in reversed(self.workers):
            if worker.alive and (worker.rollout_id, worker.attempt) == (rollout_id, attempt):
                return worker
        return None

    @staticmethod
    def _known(action: Work) -> bool:
        return action.event == "finish" or action.event in EVENTS

    def _call(self, action: Call) -> bool:
        request = action.request
        if action.id in self.open or request is None:
            return False
        if action.op == "run":
            answering = self._answering(action, lambda: self.participant.run(request))
        else:
            answering = self._answering(
                action, lambda: self.participant.control(action.op, request, action.auth)
            )
        self.open[action.id] = OpenCall(action, asyncio.create_task(answering))
        return True

    async def _answering(self, line: Call, start: Callable[[], Awaitable[Answer]]) -> None:
        """One call, from the moment it reaches the participant to its answer."""
        epoch = self._epoch
        if self._closed or line.id not in self.open:
            return
        self._emit(line)
        shown: Line
        try:
            answer = answer_of(await start(), line.op)
            shown = Reply(0, line.id, answer.status, answer.body)
        except (Disconnected, asyncio.CancelledError):
            shown = Lost(0, line.id, "disconnected")
        except ParticipantFault as fault:
            self._fail(fault)
            return
        except Exception as error:  # noqa: BLE001 - whatever it raises, the adapter is to blame
            if epoch == self._epoch:
                self.broken(f"the call {line.op}", error)
            return
        if epoch == self._epoch and self.open.pop(line.id, None) is not None:
            self._emit(shown)

    def _gone(self, call: str) -> bool:
        opened = self.open.pop(call, None)
        if opened is None:
            return False
        self._emit(Lost(0, call, "cancelled"))
        opened.task.cancel()
        return True

    async def _replace(self, action: Fault) -> None:
        self._emit(action)
        self._epoch += 1
        opened = list(self.open)
        await self._end_process()
        self._pending.clear()
        for call in opened:
            self._emit(Lost(0, call, "disconnected"))
        if action.disk == "empty":
            empty(self.root)
        await self._start()

    async def _break(self, action: Fault) -> bool:
        """Put a fault of the storage in."""
        detail, participant = action.detail, self.participant
        doing: Awaitable[None]
        match action.name:
            case "hold":
                doing = participant.hold(str(detail.get("of", "commit")))
            case "release":
                doing = participant.release(str(detail.get("of", "commit")))
            case "fail":
                doing = participant.fail(str(detail.get("step", "records")))
            case "damage":
                directory = str(detail.get("path", "")).split("/")[0]
                doing = participant.damage(directory, str(detail.get("change", "flip")))
            case _:
                return False
        self._emit(action)
        await self._limited(action.name, doing)
        return True

    async def play(self, script: Iterable[Line]) -> None:
        """Perform actions one after the other; a report among them stands for a point of rest."""
        for action in script:
            if self.over:
                return
            if isinstance(action, Report):
                await self.rest()
            else:
                await self.perform(action)

    # Rest.

    async def rest(self) -> None:
        """Wait until nothing moves, and have the participant tell how it stands."""
        await self.settle()
        if self.over:
            return
        body = await self._limited("report", self.participant.report())
        self._emit(Report(0, report_of(body)))
        self.check()

    async def settle(self) -> None:
        """Wait until nothing moves: the adapter says so, and no line follows."""
        for _ in range(ROUNDS_MAX):
            before = self._activity
            for _ in range(SPINS):
                await asyncio.sleep(0)
            await self._limited("settle", self.participant.settle())
            await asyncio.sleep(0)
            if self._activity == before and not any(w.busy for w in self.workers):
                self._flush()
                self.check()
                return
            if self.over:
                return
        raise ParticipantFault("it never comes to rest", "settle() returned, and things moved")

    async def _limited(self, what: str, awaited: Awaitable[T], extra: float = 0.0) -> T:
        """Await a call of the adapter, within the time limit."""
        self._watch.doing(what)
        limit = self._watch.seconds + extra
        try:
            return await asyncio.wait_for(awaited, limit)
        except TimeoutError:
            raise ParticipantFault(f"{what}() did not return within {limit:g} s") from None
        except FencepostFault:
            raise
        except asyncio.CancelledError:
            raise ParticipantFault(f"{what}() was cancelled from inside") from None
        except Exception as error:
            raise ParticipantFault(f"{what}() raised {named(error)}") from error
        finally:
            self._watch.doing("the event loop")

    # What handlers tell.

    async def _handler(self, execution: Execution, _body: JsonObject) -> Json:
        try:
            worker = Worker(self, execution, execution.rollout_id, execution.attempt)
            detail = began_detail(execution)
        except Exception as error:
            self.broken("the execution given to a handler", error)
            raise
        if self._closed:
            raise asyncio.CancelledError
        self.workers = [each for each in self.workers if each.alive]
        self.workers.append(worker)
        unnamed = worker.rollout_id is None
        self._emit(
            Work(0, "begin", worker.rollout_id, worker.attempt, detail, "ok", anonymous=unnamed)
        )
        return await worker.live()

    def reached(self, pending: Pending) -> None:
        """An event reaches the participant; its line waits for its outcome, or the next line."""
        self._activity += 1
        self._pending.append(pending)

    def answered(self, pending: Pending, outcome: str | JsonObject) -> None:
        """An event is answered: at once, or after its line was written."""
        if pending in self._pending:
            self._pending.remove(pending)
            self._emit(attrs.evolve(pending.line, outcome=outcome))
        elif pending.seq is not None:
            self._emit(Returned(0, pending.seq, outcome))

    def finished(self, worker: Worker, line: Work) -> None:
        """A handler ends."""
        if not worker.dead:
            self._emit(attrs.evolve(line, outcome="ok"))

    def broken(self, what: str, error: BaseException) -> None:
        """A call of the adapter raised what it may not raise."""
        self._fail(ParticipantFault(f"{what} raised {named(error)}"))

    def stirred(self) -> None:
        """Something moved that no line shows."""
        self._activity += 1

    # Lines.

    def _flush(self) -> None:
        """Write down the events that have not been answered: they wait."""
        while self._pending:
            pending = self._pending.pop(0)
            pending.seq = self._write(attrs.evolve(pending.line, outcome="waits"))

    def _emit(self, line: Line) -> None:
        self._flush()
        self._write(line)

    def _write(self, line: Line) -> int:
        """Give a line its number and show it to the oracle; after a refusal nothing is written."""
        seq = len(self.lines) + 1
        if self._closed or self.over or self._fault is not None:
            return seq
        self._activity += 1
        numbered = attrs.evolve(line, seq=seq)
        self.lines.append(numbered)
        try:
            self.refusal = self.oracle.feed(numbered)
        except (Inconclusive, FencepostFault) as fault:
            self._fail(fault)
        except (KeyError, TypeError, AttributeError, ValueError) as error:
            self._fail(_unreadable(numbered, error))
        if self._fault is None:
            self.on_line(numbered)
        return seq

    def _fail(self, fault: FencepostFault | Inconclusive) -> None:
        if self._fault is None and not self._closed:
            self._fault = fault
        self._activity += 1


def _unreadable(line: Line, error: Exception) -> FencepostFault:
    """Whose fault it is that a line cannot be judged: a body's author, else ours."""
    if isinstance(line, Reply | Report):
        return ParticipantFault(f"line {line.seq}: no sense in the body: {named(error)}")
    return HarnessFault(f"line {line.seq} cannot be judged: {named(error)}")


def began_detail(execution: Execution) -> JsonObject:
    """What a begin line says of an execution."""
    if execution.rollout_id is None:
        return {"untracked": True}
    record = execution.continuation
    given = None
    if record is not None:
        given = {name: record[name] for name in ("attempt_index", "boundary_index")}
    return {"generation": execution.generation, "continuation": given}


def named(error: BaseException) -> str:
    """An exception in one line."""
    text = str(error).strip().splitlines()
    return f"{type(error).__name__}: {text[0]}" if text else type(error).__name__


def empty(directory: Path) -> None:
    """Take everything out of a directory."""
    for child in directory.iterdir():
        if child.is_dir() and not child.is_symlink():
            shutil.rmtree(child)
        else:
            child.unlink()
