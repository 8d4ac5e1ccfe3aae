"""A damaged snapshot before a controller that runs: a folder, and participants that say one thing.

Participants answer a restore as a world has it, a release with yes, and a run never.
"""

import asyncio
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

import attrs

from fencepost.participant import Answer
from fencepost.snapshot.samples import FINGERPRINT
from fencepost.snapshot.worlds import World
from fencepost.trace.lines import JsonObject
from fencepost_reference.receipts.controller.said import Place
from fencepost_reference.runtime.controlling.folder import SnapshotFolder
from fencepost_reference.runtime.controlling.keeping import FolderController
from fencepost_reference.runtime.controlling.outside import Rows
from fencepost_reference.runtime.controlling.results import LISTS, place_of
from fencepost_spec.receipts.snapshot.results import CheckpointTopology, ParticipantIdentity
from fencepost_spec.receipts.snapshot.spec import SNAPSHOT, SnapshotSpec

Called = tuple[Place, str]


@attrs.define
class Scripted:
    """A participant that answers as it was told to, and writes down what it was called."""

    kind: str
    instance: str
    mode: str
    restored: JsonObject | None
    called: list[Called]

    def call(self, op: str, request: JsonObject) -> Coroutine[Any, Any, Answer]:
        """Call an operation; it leaves at once."""
        del request
        self.called.append((Place(self.kind, self.instance), op))
        return self._answer(op)

    async def _answer(self, op: str) -> Answer:
        if op == "run" or (op == "restore" and self.restored is None):
            await asyncio.Event().wait()
        return Answer(200, self.restored if op == "restore" else {})

    async def read(self, reference: JsonObject) -> list[JsonObject]:
        """Nobody reads an index at a restore."""
        raise AssertionError(reference)


@attrs.define
class Restoring:
    """A controller over a root in which snapshots lie, and what its participants were called."""

    controller: FolderController
    clients: list[Scripted]
    called: list[Called]

    async def settle(self) -> None:
        """Let everything happen that happens by itself."""
        for _ in range(20):
            await asyncio.sleep(0.1)
            await self.controller.settle()


def restoring(root: Path, world: World, spec: SnapshotSpec = SNAPSHOT) -> Restoring:
    """A controller before the snapshots below a root, with the participants of a world."""
    topology = CheckpointTopology.model_validate(world.topology)
    called: list[Called] = []
    clients: list[Scripted] = []
    for contract in topology.contracts:
        place = place_of(contract.participant)
        mode = contract.capabilities.checkpoint_mode if contract.exports else "restart_only"
        body = _restored(world, contract.participant)
        clients.append(Scripted(place.kind, place.instance, mode, body, called))
    folder = SnapshotFolder(
        root,
        topology,
        bootstrap_fingerprint=FINGERPRINT,
        generations=world.generations,
        keep_latest_k=2,
        spec=spec,
    )
    return Restoring(FolderController(folder, clients, finalize), clients, called)


def _restored(world: World, who: ParticipantIdentity) -> JsonObject | None:
    for listed in LISTS.values():
        for one in world.restore[listed]:
            if ParticipantIdentity.model_validate(one["participant"]).key == who.key:
                body: JsonObject = one["result"]
                return body
    return None


async def finalize(group_id: str, rows: Rows) -> str:
    """Nothing is finished here."""
    raise AssertionError((group_id, rows))
