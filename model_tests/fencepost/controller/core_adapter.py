"""The reference controller: its core, the calls that it makes, and a scheduler.

What the core may do by itself it does one step at a time, in an order drawn from a seed, so one
adapter shows many controllers that conform. A call that came to nothing is not made again before a
moment has passed. Given another specification it is a mutant.
"""

import asyncio
from collections.abc import Awaitable, Coroutine
from random import Random
from typing import Any

from fencepost.controller import asking
from fencepost.controller.participant import Answer as Heard
from fencepost.controller.participant import (
    Client,
    Controller,
    Deployment,
    Group,
    Lost,
    Row,
    StorageFailed,
)
from fencepost.controller.viewing import report_of
from fencepost.faults import HarnessFault
from fencepost.trace.lines import JsonObject
from fencepost_reference.model import NotEnabled, Own
from fencepost_reference.receipts.controller import actions as a
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
from fencepost_spec.receipts.controller.spec import CONTROLLER, ControllerSpec
from fencepost_spec.receipts.refusals import PREPARE_INCOMPLETE
from fencepost_spec.vocabulary import digest_of

AGAIN_SECONDS = 0.1
TURNS_MAX = 10_000
Asked = tuple[Place, str, a.Request]


class CoreController(Controller):
    """A controller made of the core alone."""

    name = "fencepost-controller-core"

    def __init__(self, spec: ControllerSpec = CONTROLLER, seed: int = 0) -> None:
        self.state: State = State()
        self._spec = spec
        self._seed = seed
        self._number = 0
        self._tasks: set[asyncio.Task[None]] = set()
        self._alive = False

    # A process.

    async def start(self, deployment: Deployment, snapshot: JsonObject | None) -> None:
        """Start a process, from a snapshot or from none."""
        self._deployment = deployment
        self.state = State()
        self._random = Random(self._seed)  # noqa: S311  # an order of steps, no secret
        clients: dict[Place, Client] = {}
        for client in deployment.clients:
            clients[Place(client.kind, client.instance)] = client
        self._clients = clients
        listed: Any = [Participant(place, one.mode) for place, one in clients.items()]  # type: ignore[arg-type]
        level: Any = deployment.target_level
        self.core = ControllerCore(self._spec, Fleet(tuple(listed), level))
        self._resting: set[Asked] = set()
        self._indexes: dict[str, JsonObject] = {}
        self._written: dict[Place, JsonObject] = {}
        self._rows: dict[Place, list[JsonObject]] = {}
        self._expected: dict[Place, str] = {}
        self._fault: BaseException | None = None
        self._pump: asyncio.Task[None] | None = None
        self._alive = True
        read = None if snapshot is None else await self._read(snapshot)
        self._apply(a.Start(read, self._number))

    async def _read(self, body: JsonObject) -> a.Snapshot:
        """A stored snapshot, with the indexes to which it refers."""
        documents: dict[Place, list[JsonObject]] = {}
        for place, written in asking.places_in(body):
            documents[place] = await self._documents(place, written)
        snapshot = asking.snapshot_of(body, documents)
        for place, wrote in snapshot.participants:
            if isinstance(wrote, Committed):
                self._expected[place] = wrote.digest
        return snapshot

    async def _documents(self, place: Place, body: Any) -> list[JsonObject]:
        index = asking.index_in(place, body)
        if index is None:
            return []
        self._indexes[digest_of(index)] = index
        return await self._clients[place].read(index)

    async def crash(self) -> None:
        """Every task ends where it stands."""
        self._alive = False
        self._number = max(self._number, self.state.number) + 1
        for task in list(self._tasks):
            task.cancel()

    # What it is told.

    async def submit(self, group: Group) -> None:
        """A prompt group."""
        self._apply(
            a.Submit(
                group.group_id,
                group.siblings,
                group.granularity,
                group.agent,
                group.target_step,
                group.admitted,
                group.prompt_id,
            )
        )

    async def admit(self, group_id: str, target_step: int | None) -> None:
        """A reserved group is admitted."""
        self._try(a.Admit(group_id, target_step))

    async def snapshot_due(self) -> None:
        """It is time for a snapshot."""
        self._try(a.SnapshotDue())

    async def trainer_stepped(self, train_step: int) -> None:
        """The trainer has made a step; the core counts them itself."""
        assert train_step > 0
        self._try(a.TrainerStepped())

    async def stale(self, group_id: str) -> None:
        """A group is given up."""
        self._try(a.GoneStale(group_id))

    async def deadline(self, checkpoint_id: str) -> None:
        """A prepare has waited long enough; another one than is open has not."""
        if self.state.round is not None and self.state.round.id == checkpoint_id:
            self._try(a.DeadlinePassed())

    async def settle(self) -> None:
        """Return when the core can do nothing by itself before time passes."""
        for _ in range(TURNS_MAX):
            if self._fault is not None:
                raise HarnessFault(f"the reference controller broke: {self._fault!r}")
            if self._pump is None:
                return
            await asyncio.sleep(0)

    async def report(self) -> JsonObject:
        """How it stands."""
        return report_of(self.state)

    # The core.

    def _try(self, action: Any) -> None:
        """Tell the core what it need not listen to now."""
        try:
            self._apply(action)
        except NotEnabled:
            return

    def _apply(self, action: Any) -> None:
        if self.state.halted:
            return  # Nothing that comes means anything to it any more.
        step = self.core.step(self.state, action)
        self.state = step.state
        for output in step.outputs:
            self._show(output)
        if self._alive and self._pump is None:
            self._pump = self._begin(self._run())

    async def _run(self) -> None:
        """Take the steps that the core may take by itself, one in a turn, until there is none."""
        await asyncio.sleep(0)
        while self._alive and (
            due := [own for own in self.core.own(self.state) if self._is_due(own)]
        ):
            self._apply(self._random.choice(due).action)
            await asyncio.sleep(0)
        self._pump = None

    def _is_due(self, own: Own) -> bool:
        action = own.action
        if isinstance(action, a.Call):
            return (action.place, action.op, action.request) not in self._resting
        return True

    def _begin(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: "asyncio.Task[None]") -> None:
        """Keep what has gone wrong in a task, which nobody awaits."""
        self._tasks.discard(task)
        if not task.cancelled():
            self._fault = self._fault or task.exception()

    def _show(self, output: Any) -> None:
        match output:
            case a.Sent(place=place, op=op, request=request):
                body = asking.body_of(place, op, request, self._indexes)
                # It leaves now; what comes of it is awaited in a task.
                self._begin(self._call(output, self._clients[place].call(op, body)))
            case a.Training(group_id=group_id, rows=rows):
                named = tuple(Row(key.rollout_id, key.attempt, digest) for key, digest in rows)
                self._begin(self._train(group_id, self._deployment.train(group_id, named)))
            case a.Storing(step=step, snapshot=snapshot):
                written = asking.snapshot_body(snapshot, self._written, self._rows)
                stored: Any = step
                self._begin(self._store(self._deployment.store(stored, written)))
            case a.SnapshotEnded(saved=saved, because=because):
                self._deployment.ended(saved, because)
            case _:
                raise TypeError(f"the core shows what nobody knows: {output!r}")

    # Calls.

    async def _call(self, sent: a.Sent, calling: Awaitable[Heard]) -> None:
        """One call and what the core reads in its answer."""
        place, op, request = sent.place, sent.op, sent.request
        client = self._clients[place]
        try:
            heard = await calling
        except Lost:
            self._rest((place, op, request))
            self._apply(a.Lost(sent.call))
            return
        documents: list[JsonObject] = []
        if op in ("commit", "restore") and heard.status == 200:
            documents = await self._documents(place, heard.body)
        answer = asking.answer_of(place, op, heard, documents)
        if op == "commit" and answer.ok:
            self._written[place], self._rows[place] = heard.body, documents
        if isinstance(answer.said, Restored) and not answer.said.digest:
            # A server that does not say what it has read is taken at its word.
            told = Restored(answer.said.source, self._expected.get(place, ""))
            answer = Answer(200, None, told)
        if place.kind == AGENT and answer.code == PREPARE_INCOMPLETE:
            answer = Answer(answer.status, answer.code, await self._blockers(client, request))
        waits = isinstance(answer.said, Readiness) and not answer.said.ready
        if waits or not answer.ok:
            self._rest((place, op, request))
        self._apply(a.Answered(sent.call, answer))

    async def _blockers(self, client: Client, request: a.Request) -> Readiness | None:
        """What holds up a prepare, as a status tells it; None when nobody says."""
        try:
            heard: Heard = await client.call("status", {"checkpoint_id": request.checkpoint_id})
        except Lost:
            return None
        return asking.readiness(heard.body) if heard.status == 200 else None

    def _rest(self, asked: Asked) -> None:
        """Do not ask the same again before a moment has passed."""
        self._resting.add(asked)
        self._begin(self._rested(asked))

    async def _rested(self, asked: Asked) -> None:
        await self._deployment.sleep(AGAIN_SECONDS)
        self._resting.discard(asked)
        if self._pump is None:
            self._pump = self._begin(self._run())

    # The finalizer and the disk.

    async def _train(self, group_id: str, training: Awaitable[str]) -> None:
        self._apply(a.Trained(group_id, await training))

    async def _store(self, storing: Awaitable[None]) -> None:
        try:
            await storing
        except StorageFailed:
            self._apply(a.Stored(ok=False))
        else:
            self._apply(a.Stored(ok=True))


def make() -> CoreController:
    """The reference controller, intact."""
    return CoreController()
