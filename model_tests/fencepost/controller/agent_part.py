"""An agent of a deployment, with the work of its runs, which the harness plays."""

from collections.abc import Awaitable, Callable, Iterable

import attrs

from fencepost.adapters.core import CoreAgent
from fencepost.controller.parts import Part
from fencepost.controller.trees import agent_tree
from fencepost.faults import HarnessFault, named
from fencepost.handlers import CANCELLED, Pending, Worker
from fencepost.participant import Answer, Execution
from fencepost.trace.lines import Json, JsonObject, Work
from fencepost_reference.receipts.changes import change
from fencepost_reference.receipts.state import Boundary
from fencepost_spec.receipts.wire import REQUESTS
from fencepost_spec.vocabulary import Key

Indexed = Callable[[JsonObject, list[JsonObject]], Awaitable[None]]
Recorded = Callable[[str, str, Iterable[tuple[Key, Boundary]]], None]


@attrs.define(eq=False)
class AgentPart(Part):
    """An agent; `indexed` is told of every index that it writes, `recorded` of its records."""

    agent: CoreAgent = attrs.field(factory=CoreAgent)
    workers: list[Worker] = attrs.field(factory=list[Worker])
    indexed: Indexed | None = None
    recorded: Recorded | None = None
    moves: int = 0
    revisions: dict[Key, dict[str, int]] = attrs.field(factory=dict[Key, dict[str, int]])
    """At which revision the work of each key stands at the resources servers that it has used."""
    _boundaries: dict[Key, int] = attrs.field(factory=dict[Key, int])

    async def start(self) -> None:
        """Start a process."""
        await self.agent.start(self.root, self.standing.instance, self._handler)

    async def crash(self) -> None:
        """End the process, and all work in it."""
        workers, self.workers = self.workers, []
        for worker in workers:
            worker.dead = True
        await self.agent.crash()
        for worker in workers:
            worker.kill()
        self._boundaries.clear()
        self.revisions.clear()

    def knows(self, op: str) -> bool:
        """Whether there is such an operation."""
        return op == "run" or op in REQUESTS

    async def call(self, op: str, request: JsonObject) -> Answer:
        """Answer a run or a control call; what a commit wrote can be read by its reference."""
        if op == "run":
            return await self.agent.run(request)
        answer = await self.agent.control(op, request, None)
        if op not in ("commit", "restore") or answer.status != 200:
            return answer
        directory = str(request["checkpoint_dir"])
        content = self.agent.state.disk[directory]
        tree = agent_tree(self.standing.instance, str(content.source), content.records)
        index = self.lay(directory, tree)
        if self.recorded is not None:
            self.recorded(self.standing.instance, directory, content.records)
        if self.indexed is not None:
            await self.indexed(index, list(tree.documents))
        body = answer.body | {"continuation_index": index}
        if op == "commit":
            body["manifest_digest"] = tree.manifest_digest
        return Answer(200, body)

    async def report(self) -> JsonObject:
        """A status body."""
        return await self.agent.report()

    async def settle(self) -> None:
        """Return when nothing moves; handlers that were cancelled end, as they should."""
        for worker in self.workers:
            if worker.alive and worker.cancelled and not worker.busy:
                worker.tell(finish(_key(worker), CANCELLED))
        await self.agent.settle()
        self.workers = [one for one in self.workers if one.alive]

    @property
    def busy(self) -> bool:
        """Whether a handler has something to do at once."""
        return any(one.busy or (one.alive and one.cancelled) for one in self.workers)

    async def advance(self, seconds: float) -> None:
        """Let time pass."""
        await self.agent.advance(seconds)

    async def fail(self, step: str) -> None:
        """Let the next storage step of that kind fail."""
        await self.agent.fail(step)

    def calm(self) -> None:
        """No storage step fails from now on."""
        self.agent.state = change(self.agent.state, failing=())

    # The work.

    def worker(self, key: Key) -> Worker | None:
        """The handler of a key that could go on, or None."""
        for worker in reversed(self.workers):
            if worker.idle and _key(worker) == key:
                return worker
        return None

    @property
    def running(self) -> list[Key]:
        """The keys whose handlers could go on."""
        return sorted(_key(one) for one in self.workers if one.idle)

    def next_boundary(self, key: Key) -> int:
        """A boundary index that the key has not had."""
        return self._boundaries.get(key, 0) + 1

    def boundary(self, key: Key, call_id: str | None, revisions: JsonObject) -> bool:
        """The work of a key reaches a boundary; False when it cannot."""
        worker, index = self.worker(key), self.next_boundary(key)
        detail: JsonObject = {"boundary_index": index, "resource_state_revisions": revisions}
        if call_id is not None:
            detail["model_call_id"] = call_id
        line = Work(0, "boundary", key.rollout_id, key.attempt, detail, "ok")
        if worker is None or not worker.tell(line):
            return False
        self._boundaries[key] = index
        return True

    def park(self, key: Key) -> bool:
        """The work of a key was refused further down."""
        worker = self.worker(key)
        line = Work(0, "park", key.rollout_id, key.attempt, {}, "ok")
        return worker is not None and worker.tell(line)

    def finish(self, key: Key, outcome: str) -> bool:
        """The work of a key ends."""
        worker = self.worker(key)
        return worker is not None and worker.tell(finish(key, outcome))

    async def _handler(self, execution: Execution, _body: JsonObject) -> Json:
        worker = Worker(self, execution, execution.rollout_id, execution.attempt)
        record = execution.continuation
        if record is not None and worker.rollout_id is not None:
            self._boundaries[_key(worker)] = int(record["boundary_index"])
            self.revisions[_key(worker)] = dict(record["resource_state_revisions"])
        self.workers.append(worker)
        self.moves += 1
        return await worker.live()

    # What handlers tell; nobody writes it down.

    def reached(self, pending: Pending) -> None:
        """An event reaches the agent."""
        del pending
        self.moves += 1

    def answered(self, pending: Pending, outcome: str | JsonObject) -> None:
        """An event is answered."""
        del pending, outcome
        self.moves += 1

    def finished(self, worker: Worker, line: Work) -> None:
        """A handler ends."""
        del worker, line
        self.moves += 1

    def broken(self, what: str, error: BaseException) -> None:
        """Our own agent raised what it may not raise."""
        raise HarnessFault(f"{what} raised {named(error)}") from error

    def stirred(self) -> None:
        """Something moved."""
        self.moves += 1


def finish(key: Key, outcome: str) -> Work:
    """The end of the work of a key; its result depends on nothing but the key."""
    detail: JsonObject = {"outcome": outcome}
    if outcome == "completed":
        detail["result"] = {"id": f"result of {key.capture_key}", "reward": 1.0}
    return Work(0, "finish", key.rollout_id, key.attempt, detail, "ok")


def _key(worker: Worker) -> Key:
    return Key(worker.rollout_id or "", worker.attempt or 0)
