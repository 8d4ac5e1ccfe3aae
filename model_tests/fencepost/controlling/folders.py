"""A stage for a controller as a library: participants that write below the draft, and a folder.

Participants of ours lay their files where a call tells them to, as real ones do.
"""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from pathlib import Path
from typing import Any, cast

import attrs

from fencepost.controller.deployment import Ground, Process
from fencepost.controller.files_adapter import FINGERPRINT, topology_of
from fencepost.controller.participant import Client
from fencepost.controller.recording import Recording
from fencepost.controller.scene import Scene, Standing
from fencepost.judges import Judge, Refusal
from fencepost.participant import Answer
from fencepost.trace.lines import JsonObject, Line
from fencepost_reference.receipts.controller import actions as a
from fencepost_reference.receipts.controller.said import AGENT, MODEL
from fencepost_reference.receipts.snapshot.choosing import Mode
from fencepost_reference.runtime.controlling.folder import SnapshotFolder
from fencepost_reference.runtime.controlling.keeping import Ending, FolderController
from fencepost_reference.runtime.controlling.outside import Rows
from fencepost_reference.runtime.virtual_time import VirtualLoop
from fencepost_reference.storage.disk import RealDisk
from fencepost_reference.storage.trees import make_folder, put
from fencepost_spec.vocabulary import Key

SCENE = Scene((Standing(AGENT, "a"), Standing(MODEL, "policy")))
FIRST, SECOND = Key("g1_g0", 0), Key("g1_g1", 0)
SAVED, BUSY = Ending(True, ""), Ending(False, "busy")


class Unjudged:
    """Takes every line: the referee is asked elsewhere."""

    def feed(self, line: Line) -> Refusal | None:
        """Take a line."""
        del line
        return None


@attrs.frozen
class Laying:
    """A participant that writes where a commit tells it to, and is known there by the number."""

    client: Client

    @property
    def kind(self) -> str:
        """Its kind."""
        return self.client.kind

    @property
    def instance(self) -> str:
        """Its name."""
        return self.client.instance

    @property
    def mode(self) -> str:
        """Its checkpoint mode."""
        return self.client.mode

    def call(self, op: str, request: JsonObject) -> Coroutine[Any, Any, Answer]:
        """Call an operation; it leaves at once."""
        path = Path(request.get("checkpoint_dir", ""))
        name = path.name.removeprefix("tmp_")
        known = request | ({"checkpoint_dir": name} if name else {})
        return self._laid(op, path, name, self.client.call(op, known))

    async def _laid(
        self, op: str, path: Path, name: str, calling: Coroutine[Any, Any, Answer]
    ) -> Answer:
        answer = await calling
        if op == "commit" and answer.status == 200:
            make_folder(RealDisk(), path)
            for each, data in (await self.client.files(name)).items():
                put(RealDisk(), path, each, data)
        return answer

    async def read(self, reference: JsonObject) -> list[JsonObject]:
        """The lines of an index."""
        return await self.client.read(reference)


@attrs.define
class Stage:
    """Participants, a folder, and what the finalizer was given."""

    ground: Ground
    root: Path
    trained: list[tuple[str, Rows]] = attrs.field(factory=list[tuple[str, Rows]])
    keep: int = 1

    async def start(
        self,
        disk: Any = None,
        step: int = 0,
        mode: Mode = "latest",
        checkpoint: Path | None = None,
    ) -> FolderController:
        """Start all participants, and a new process of the controller."""
        for part in self.ground.parts:
            await part.crash()
            await part.start()
        clients = Process(self.ground).clients
        folder = SnapshotFolder(
            self.root,
            topology_of(clients),
            bootstrap_fingerprint=FINGERPRINT,
            keep_latest_k=self.keep,
            disk=disk or RealDisk(),
        )
        controller = FolderController(folder, map(Laying, clients), self._finalize)
        await controller.start(step, step, mode=mode, checkpoint=checkpoint)
        return controller

    async def _finalize(self, group_id: str, rows: Rows) -> str:
        self.trained.append((group_id, rows))
        return "committed"

    async def settle(self, controller: FolderController, seconds: float = 1.0) -> None:
        """Let time pass until nothing moves."""
        for _ in range(int(seconds * 20)):
            await asyncio.sleep(0.05)
            await controller.settle()
            for part in self.ground.parts:
                await part.settle()

    async def turns(self, *keys: Key) -> None:
        """Work reaches a boundary behind a model call, or parks where the model refuses it."""
        agent, model = self.ground.agents[0], self.ground.models[0]
        for key in keys:
            ticket = await model.admit(key)
            if ticket is None:
                agent.park(key)
                continue
            call_id = f"m-{key.capture_key}-{agent.next_boundary(key)}"
            await model.answer(ticket, call_id)
            agent.boundary(key, call_id, {})

    async def saved(self, controller: FolderController, *keys: Key) -> None:
        """A snapshot falls due, and the work parks for it."""
        controller.offer(a.SnapshotDue())
        await self.settle(controller)
        await self.turns(*keys)
        await self.settle(controller)


def run(tmp_path: Path, doing: Callable[[Stage], Awaitable[None]]) -> None:
    """Run a test in virtual time."""

    async def staged() -> None:
        parts = tmp_path / "parts"
        parts.mkdir()
        ground = Ground(SCENE, parts, Recording(cast("Judge", Unjudged())))
        try:
            await doing(Stage(ground, tmp_path / "snapshots"))
        finally:
            for part in ground.parts:
                await part.crash()

    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        runner.run(staged())


async def at_work(stage: Stage, disk: Any = None) -> FolderController:
    """A controller with two siblings, each behind its first turn."""
    controller = await stage.start(disk)
    controller.tell(a.Submit("g1", 2, "sibling", "a"))
    await stage.settle(controller)
    await stage.turns(FIRST, SECOND)
    await stage.settle(controller)
    return controller


def bytes_in(folder: Path) -> dict[str, bytes]:
    """Every file below a folder."""
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}
