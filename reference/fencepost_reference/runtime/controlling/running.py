"""A controller that runs: its core, the calls that it makes, and a scheduler.

What the core may do by itself it does one step at a time, in an order drawn from a seed. A call
that came to nothing is not made again before a moment has passed.
"""

import asyncio
from collections.abc import Coroutine, Iterable
from random import Random
from typing import Any

from fencepost_reference.model import NotEnabled, Own
from fencepost_reference.receipts.controller import actions as a
from fencepost_reference.receipts.controller import wire
from fencepost_reference.receipts.controller.core import ControllerCore
from fencepost_reference.receipts.controller.said import (
    AGENT,
    Answer,
    Committed,
    Place,
    Readiness,
    Restored,
)
from fencepost_reference.receipts.controller.state import Fleet, Participant, State
from fencepost_reference.receipts.controller.wire import JsonObject
from fencepost_reference.runtime.controlling.asked import NotStarted, check_action
from fencepost_reference.runtime.controlling.outside import (
    Client,
    NoAnswer,
    NotStored,
    Outside,
    Written,
)
from fencepost_spec.receipts.controller.spec import CONTROLLER, ControllerSpec
from fencepost_spec.receipts.refusals import PREPARE_INCOMPLETE
from fencepost_spec.receipts.snapshot.refusals import RESTORE
from fencepost_spec.vocabulary import digest_of

AGAIN_SECONDS = 0.1
TURNS_MAX = 2_000
Asked = tuple[Place, str, a.Request]


class Broken(RuntimeError):
    """The controller itself went wrong, not what is around it."""


class Restless(Broken):
    """The controller goes on and on, and never waits for anybody."""


class Running:
    """The processes of one controller, one after another."""

    def __init__(self, spec: ControllerSpec = CONTROLLER, seed: int = 0) -> None:
        self.state: State = State()
        self._spec = spec
        self._seed = seed
        self._number = 0
        self._tasks: set[asyncio.Task[None]] = set()
        self._alive = self._prepared = False
        self.trouble = ""
        """What first went wrong with the snapshot that is open, in words; empty where nothing has.

        Also why the answer to a restore has halted the process.
        """

    # A process.

    def prepare(self, outside: Outside, clients: Iterable[Client], target_level: str) -> None:
        """Begin a process with empty memory; nothing happens before `begin`."""
        self._outside = outside
        self._prepared = True
        self.trouble = ""
        self.state = State()
        self._random = Random(self._seed)  # noqa: S311  # an order of steps, no secret
        self._clients = {Place(one.kind, one.instance): one for one in clients}
        modes: list[tuple[Place, Any]] = [(place, one.mode) for place, one in self._clients.items()]
        listed = [Participant(place, mode) for place, mode in modes]
        level: Any = target_level
        self.core = ControllerCore(self._spec, Fleet(tuple(listed), level))
        self._resting: set[Asked] = set()
        self._indexes: dict[str, JsonObject] = {}
        self._written: dict[Place, Written] = {}
        self._expected: dict[Place, str] = {}
        self._restored: dict[Place, JsonObject] = {}
        self._fault: BaseException | None = None
        self._pump: asyncio.Task[None] | None = None

    def begin(self, snapshot: a.Snapshot | None = None, number: int = 0) -> None:
        """Start, from a snapshot or from none; `number` is the first that may be used."""
        self._require_prepared("begin")
        for place, wrote in () if snapshot is None else snapshot.participants:
            if isinstance(wrote, Committed):
                self._expected[place] = wrote.digest
        self._alive = True
        self.tell(a.Start(snapshot, max(number, self._number)))

    def end(self) -> None:
        """Every task ends where it stands, as in a crash."""
        self._alive = False
        self._number = max(self._number, self.state.number) + 1
        for task in list(self._tasks):
            task.cancel()

    async def settle(self) -> None:
        """Return when the core can do nothing by itself before time passes, or an answer comes.

        One that broke is `Broken`, and one that never comes to rest `Restless`.
        """
        self._require_prepared("settle")
        for _ in range(TURNS_MAX):
            if self._fault is not None:
                raise Broken(f"the controller broke: {self._fault!r}") from self._fault
            if self._pump is None or self._pump.done():
                return
            await asyncio.sleep(0)
        raise Restless(f"the controller has not come to rest after {TURNS_MAX} turns")

    # The core.

    def offer(self, action: Any) -> None:
        """Tell the core what it need not listen to now; what makes no sense is refused as ever."""
        try:
            self.tell(action)
        except NotEnabled:
            return

    def tell(self, action: Any) -> None:
        """Tell the core what has happened.

        ValueError when it makes no sense, or is of an agent that is not there; `NotStarted` before
        there is a process.
        """
        self._require_prepared(type(action).__name__)
        check_action(action, self._clients, self.core.kinds)
        if self.state.halted:
            return  # Nothing that comes means anything to it any more.
        step = self.core.step(self.state, action)
        self.state = step.state
        for output in step.outputs:
            self._show(output)
        if self._alive and self._pump is None:
            self._pump = self._begin(self._run())

    def _require_prepared(self, what: str) -> None:
        if not self._prepared:
            raise NotStarted(what)

    async def _run(self) -> None:
        """Take the steps that the core may take by itself, one in a turn, until there is none."""
        await asyncio.sleep(0)
        while self._alive and (
            due := [own for own in self.core.own(self.state) if self._is_due(own)]
        ):
            self.tell(self._random.choice(due).action)
            await asyncio.sleep(0)
        self._pump = None

    def _is_due(self, own: Own) -> bool:
        action = own.action
        if isinstance(action, a.Call):
            return (action.place, action.op, action.request) not in self._resting
        return True

    def _begin(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(self._watched(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        # A task that is cancelled before its first step never awaits its work.
        task.add_done_callback(lambda _: work.close())
        return task

    async def _watched(self, work: Coroutine[Any, Any, None]) -> None:
        """Keep what goes wrong in a task, which nobody awaits."""
        try:
            await work
        except asyncio.CancelledError:
            raise
        except Exception as error:  # noqa: BLE001 - told at the next point of rest
            self._fault = self._fault or error

    def _show(self, output: Any) -> None:
        match output:
            case a.Sent(place=place, op=op, request=request):
                body = wire.body_of(place, op, request, self._indexes)
                if request.directory is not None:
                    body["checkpoint_dir"] = self._outside.directory(request.directory, op)
                # It leaves now; what comes of it is awaited in a task.
                self._begin(self._call(output, self._clients[place].call(op, body)))
            case a.Training(group_id=group_id, rows=rows):
                self._begin(self._train(group_id, self._outside.train(group_id, rows)))
            case a.Storing(step=step, snapshot=snapshot):
                self._begin(self._store(self._outside.store(step, snapshot, self._written)))
            case a.SnapshotEnded(saved=saved, because=because):
                if self.state.round is None:
                    self._outside.drop()
                self._outside.ended(saved, because)
                if self.state.round is None:
                    self.trouble = ""
            case _:
                raise TypeError(f"the core shows what nobody knows: {output!r}")

    # Calls.

    async def documents(self, place: Place, body: Any) -> list[JsonObject]:
        """The lines of the index that the answer to a commit refers to."""
        self._require_prepared("documents")
        index = wire.index_in(place, body)
        if index is None:
            return []
        self._indexes[digest_of(index)] = index
        return await self._clients[place].read(index)

    async def _call(self, sent: a.Sent, calling: Coroutine[Any, Any, wire.Heard]) -> None:
        """One call and what the core reads in its answer."""
        place, op, request = sent.place, sent.op, sent.request
        try:
            heard = await calling
        except NoAnswer:
            self._rest((place, op, request))
            self._note(place, request, f"{op} had no answer")
            self.tell(a.Lost(sent.call))
            return
        if op == "restore" and heard.status == 200:
            answer = self._restore_answered(place, request, heard)
        else:
            answer = await self._answer_to(place, op, heard)
        if place.kind == AGENT and answer.code == PREPARE_INCOMPLETE:
            answer = Answer(answer.status, answer.code, await self._blockers(place, request))
        waits = isinstance(answer.said, Readiness) and not answer.said.ready
        if waits or not answer.ok:
            self._rest((place, op, request))
        if not answer.ok and heard.status != 200 and answer.code != PREPARE_INCOMPLETE:
            self._note(place, request, f"{op} was answered with {wire.refusal_in(heard)}")
        self.tell(a.Answered(sent.call, answer))

    async def _answer_to(self, place: Place, op: str, heard: wire.Heard) -> Answer:
        """What the core reads in an answer; what was committed is kept for the snapshot."""
        if op != "commit" or heard.status != 200:
            return wire.answer_of(place, op, heard, [])
        documents = await self.documents(place, heard.body)
        self._written[place] = Written(heard.body, tuple(documents))
        return wire.answer_of(place, op, heard, documents)

    def _restore_answered(self, place: Place, request: a.Request, heard: wire.Heard) -> Answer:
        """An answer to a restore, which counts only if all answers so far are believed."""
        self._restored[place] = heard.body
        last = self._restored.keys() >= self._expected.keys()
        if not self._outside.believes(request.checkpoint_id or "", self._restored, last=last):
            return Answer(200, RESTORE)
        answer = wire.answer_of(place, "restore", heard, [])
        if isinstance(answer.said, Restored) and not answer.said.digest:
            # A server that names no index is known by what it committed.
            return Answer(200, None, Restored(answer.said.source, self._expected.get(place, "")))
        return answer

    async def _blockers(self, place: Place, request: a.Request) -> Readiness | None:
        """What holds up a prepare, as a status tells it; None when nobody says."""
        asked = {"checkpoint_id": request.checkpoint_id}
        try:
            heard = await self._clients[place].call("status", asked)
        except NoAnswer:
            return None
        return wire.readiness(heard.body) if heard.status == 200 else None

    def _note(self, place: Place, request: a.Request, what: str) -> None:
        """Keep what goes wrong with the open checkpoint first: the rest follows from it."""
        current = self.state.round
        if current is not None and current.id == request.checkpoint_id and not current.because:
            self.trouble = self.trouble or f"{place}: {what}"

    def _rest(self, asked: Asked) -> None:
        """Do not ask the same again before a moment has passed."""
        self._resting.add(asked)
        self._begin(self._rested(asked))

    async def _rested(self, asked: Asked) -> None:
        await self._outside.sleep(AGAIN_SECONDS)
        self._resting.discard(asked)
        if self._pump is None:
            self._pump = self._begin(self._run())

    # The finalizer and the disk.

    async def _train(self, group_id: str, training: Coroutine[Any, Any, str]) -> None:
        self.tell(a.Trained(group_id, await training))

    async def _store(self, storing: Coroutine[Any, Any, None]) -> None:
        try:
            await storing
        except NotStored as why:
            self.trouble = self.trouble or str(why)
            self.tell(a.Stored(ok=False))
        else:
            self.tell(a.Stored(ok=True))
