"""What a controller is given: clients of our participants, a trainer, a disk, and time.

One `Ground` lives through a whole case; each process of the controller gets a `Process` of its own,
which does nothing any more once that process has ended.
"""

import asyncio
from collections.abc import Coroutine, Iterable
from pathlib import Path
from typing import Any

import attrs

from fencepost.answers import as_json
from fencepost.controller.agent_part import AgentPart
from fencepost.controller.damage import found
from fencepost.controller.leaving import Leaving
from fencepost.controller.network import Network
from fencepost.controller.participant import (
    Answer,
    Client,
    Damage,
    Deployment,
    Found,
    Outcome,
    Row,
    StorageFailed,
    StoreStep,
)
from fencepost.controller.parts import ModelPart, Part, ResourcesPart, Shared
from fencepost.controller.recording import Recording
from fencepost.controller.scene import CONTROLLER, Scene, Standing
from fencepost.faults import ParticipantFault
from fencepost.trace.lines import At, JsonObject, Work, copied, is_object
from fencepost_reference.receipts.controller.said import AGENT, MODEL
from fencepost_reference.receipts.state import Boundary
from fencepost_spec.vocabulary import Key

CLOCK_STEP = 1e-6
"""Seconds by which the clock may be wrong."""

FAILED = {"code": "storage_failed"}
STORE_STEPS = ("sidecars", "manifest", "rename")


class Ground:
    """The participants, the network, the finalizer and the snapshots of one case."""

    def __init__(self, scene: Scene, root: Path, record: Recording) -> None:
        self.scene = scene
        self.record = record
        self.network = Network(record)
        self.shared = Shared()
        self.parts = [self._made(one, root) for one in scene.participants]
        self.snapshots: dict[int, JsonObject] = {}
        self.damaged: dict[int, Damage] = {}
        self.failing: list[str] = []
        self.finalizer: list[Outcome] = []
        self._sleepers: list[tuple[float, asyncio.Future[None]]] = []
        self.trained: set[str] = set()
        self.saving = False

    def _made(self, standing: Standing, folder: Path) -> Part:
        root = folder / f"{standing.kind}-{standing.instance}"
        root.mkdir()
        if standing.kind == AGENT:
            return AgentPart(
                standing, root, self.shared, indexed=self._indexed, recorded=self._recorded
            )
        if standing.kind == MODEL:
            return ModelPart(standing, root, self.shared)
        return ResourcesPart(standing, root, self.shared)

    async def _indexed(self, reference: JsonObject, documents: list[JsonObject]) -> None:
        for model in self.models:
            await model.index(reference, documents)

    def _recorded(
        self, agent: str, directory: str, records: Iterable[tuple[Key, Boundary]]
    ) -> None:
        """The records of an agent lie beside the sessions of the same checkpoint."""
        kept = tuple(records)
        for part in self.parts:
            if isinstance(part, ResourcesPart):
                part.beside(agent, directory, kept)

    @property
    def agents(self) -> list[AgentPart]:
        """The agents."""
        return [part for part in self.parts if isinstance(part, AgentPart)]

    @property
    def models(self) -> list[ModelPart]:
        """The policy models."""
        return [part for part in self.parts if isinstance(part, ModelPart)]

    def part(self, at: At | None) -> Part | None:
        """The participant at a place."""
        return next((part for part in self.parts if part.standing.at == at), None)

    def activity(self) -> int:
        """Moves with whatever moves."""
        return self.record.activity + sum(agent.moves for agent in self.agents)

    @property
    def busy(self) -> bool:
        """Whether some work has something to do at once."""
        return any(agent.busy for agent in self.agents)

    # Time, which moves only when the harness says so.

    async def sleep(self, seconds: float) -> None:
        """Wait until so much time has passed."""
        loop = asyncio.get_running_loop()
        sleeper = (loop.time() + max(seconds, 0.0), loop.create_future())
        self._sleepers.append(sleeper)
        try:
            await sleeper[1]
        finally:
            self._sleepers.remove(sleeper)

    def wake(self) -> None:
        """Let those go on whose time has come."""
        now = asyncio.get_running_loop().time()
        for due, bell in self._sleepers:
            if due <= now + CLOCK_STEP and not bell.done():
                bell.set_result(None)

    @property
    def sleepers(self) -> int:
        """How many wait for time to pass."""
        return len(self._sleepers)

    @property
    def next_due(self) -> float | None:
        """When the first of those that wait for time goes on."""
        return min((due for due, _ in self._sleepers), default=None)

    def calm(self) -> None:
        """No more faults."""
        self.network.calm()
        for part in self.parts:
            part.calm()
        self.failing.clear()
        self.finalizer.clear()

    @property
    def latest(self) -> JsonObject | None:
        """The newest published snapshot."""
        return self.snapshots[max(self.snapshots)] if self.snapshots else None

    def found(self) -> tuple[Found, ...]:
        """The snapshots that are kept, as they can be read now, the newest first."""
        kept = sorted(self.snapshots, reverse=True)[: self.scene.keep_latest_k]
        return tuple(found(one, self.snapshots[one], self.damaged.get(one)) for one in kept)

    def told(self, event: str, detail: JsonObject, outcome: Any = "ok") -> None:
        """Write down what a controller does, or is told."""
        self.record.emit(Work(0, event, None, None, detail, outcome, CONTROLLER))


@attrs.frozen
class _Client(Client):
    """A participant as one process of the controller reaches it."""

    process: "Process"
    part: Part

    @property
    def kind(self) -> str:
        """Its kind."""
        return self.part.standing.kind

    @property
    def instance(self) -> str:
        """Its name."""
        return self.part.standing.instance

    @property
    def mode(self) -> str:
        """Its checkpoint mode."""
        return self.part.standing.mode

    def call(self, op: str, request: JsonObject) -> Coroutine[Any, Any, Answer]:
        """Call an operation: it leaves at once, and not when it is awaited."""
        self.process.require_alive()
        calling = self.process.ground.network.call(self.part, op, request)
        return Leaving(lambda: self._copied(calling), calling.close)

    async def _copied(self, calling: Coroutine[Any, Any, Answer]) -> Answer:
        answer = await calling
        return Answer(answer.status, copied(answer.body))

    async def read(self, reference: JsonObject) -> list[JsonObject]:
        """The lines of an index."""
        self.process.require_alive()
        documents = self.process.ground.shared.read(reference)
        if documents is None:
            raise ParticipantFault(f"it reads an index that nobody wrote: {reference!r}")
        lines: list[JsonObject] = copied(documents)
        return lines

    async def files(self, checkpoint_dir: str) -> dict[str, bytes]:
        """What the participant has left in a directory."""
        self.process.require_alive()
        return self.process.ground.shared.files(self.part.standing.at, checkpoint_dir)


class Process(Deployment):
    """What one process of the controller is given."""

    def __init__(self, ground: Ground) -> None:
        self.ground = ground
        self.alive = True

    def require_alive(self) -> None:
        """Stop whoever goes on after the process has ended, or after a line was refused."""
        record = self.ground.record
        if not self.alive or record.closed or record.over:
            raise asyncio.CancelledError

    @property
    def clients(self) -> tuple[Client, ...]:
        """The participants."""
        return tuple(_Client(self, part) for part in self.ground.parts)

    @property
    def target_level(self) -> str:
        """What is wanted back after a restart."""
        return self.ground.scene.target_level

    @property
    def keep_latest_k(self) -> int:
        """How many snapshots are kept."""
        return self.ground.scene.keep_latest_k

    def train(self, group_id: str, rows: tuple[Row, ...]) -> Coroutine[Any, Any, Outcome]:
        """Hand a group to the finalizer."""
        self.require_alive()
        ground = self.ground
        outcome: Outcome = ground.finalizer.pop(0) if ground.finalizer else "committed"
        detail = {"group_id": as_json(group_id, "a group id"), "rows": _rows(rows)}
        ground.told("train", detail, "ok" if outcome == "committed" else {"code": outcome})
        ground.trained.add(group_id)
        return Leaving(lambda: _soon(outcome))

    def store(self, step: StoreStep, snapshot: JsonObject) -> Coroutine[Any, Any, None]:
        """One step of writing a snapshot."""
        self.require_alive()
        ground, body = self.ground, as_json(snapshot, "a snapshot")
        if step not in STORE_STEPS or not is_object(body) or type(body.get("number")) is not int:
            raise ParticipantFault(f"it stores {step!r}", "a step, and a snapshot with a number")
        failed = step in ground.failing
        ground.told("store", {"step": step, "snapshot": body}, FAILED if failed else "ok")
        if failed:
            ground.failing.remove(step)
        elif step == "rename":
            ground.snapshots[body["number"]] = body
        return Leaving(lambda: _stored(step, failed=failed))

    def ended(self, saved: bool, reason: str) -> None:
        """An attempt at a snapshot is over."""
        self.require_alive()
        detail = {"saved": as_json(saved, "saved"), "reason": as_json(reason, "a reason")}
        self.ground.saving = False
        self.ground.told("snapshot_ended", detail)

    async def sleep(self, seconds: float) -> None:
        """Wait until so much time has passed."""
        self.require_alive()
        await self.ground.sleep(seconds)


async def _soon(outcome: Outcome) -> Outcome:
    return outcome


async def _stored(step: str, *, failed: bool) -> None:
    if failed:
        raise StorageFailed(step)


def _rows(rows: Any) -> list[JsonObject]:
    given: Any = rows
    if not isinstance(rows, tuple | list) or not all(isinstance(row, Row) for row in given):
        raise ParticipantFault("the rows of a group are no rows", "each is a Row")
    return [as_json(attrs.asdict(row), "a row") for row in given]
