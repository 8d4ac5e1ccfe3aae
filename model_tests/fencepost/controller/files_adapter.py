"""The reference controller with its snapshots in a real folder, as a controller under test.

Each step that the harness lets be taken is taken on the disk, and each that it lets fail fails
there. A process that follows a crash starts from the folder and from nothing else.
"""

import shutil
import tempfile
import weakref
from collections.abc import Coroutine, Iterable, Mapping
from pathlib import Path
from typing import Any

import attrs

from fencepost.controller.core_adapter import CoreController, Given
from fencepost.controller.participant import Client, Deployment
from fencepost.controller.scene import STATELESS
from fencepost.faults import HarnessFault
from fencepost.trace.lines import JsonObject
from fencepost_reference.receipts.controller.actions import Snapshot
from fencepost_reference.receipts.controller.asking import directory_of
from fencepost_reference.receipts.controller.said import AGENT, MODEL, Place
from fencepost_reference.runtime.controlling.folder import SnapshotFolder
from fencepost_reference.runtime.controlling.keeping import store_in
from fencepost_reference.runtime.controlling.outside import NotStored, Rows, Written
from fencepost_reference.runtime.controlling.results import COMPONENTS
from fencepost_reference.storage.disk import RealDisk
from fencepost_reference.storage.faulty import Fault, FaultyTreeDisk
from fencepost_reference.storage.trees import make_folder, put
from fencepost_spec.receipts.policy_model.wire import STORAGE_REFERENCES
from fencepost_spec.receipts.snapshot import participant_facts as facts
from fencepost_spec.receipts.snapshot.results import CheckpointTopology
from fencepost_spec.receipts.snapshot.spec import SNAPSHOT, SnapshotSpec
from fencepost_spec.receipts.versions import SNAPSHOT_SCHEMA
from fencepost_spec.vocabulary import digest_of

__all__ = ["FilesController", "make"]

FINGERPRINT = digest_of({"run": "of the harness"})
_FEATURES = {
    AGENT: [*facts.AGENT_FEATURES, *facts.RESTART_FEATURES],
    MODEL: [STORAGE_REFERENCES],
}


def topology_of(clients: Iterable[Client]) -> CheckpointTopology:
    """The participants of a deployment, as a controller finds them."""
    contracts = [_contract(one) for one in clients]
    contracts.sort(key=lambda one: tuple(one["participant"][name] for name in _SORTED))
    return CheckpointTopology.model_validate(
        {"schema_version": SNAPSHOT_SCHEMA, "contracts": contracts}
    )


_SORTED = ("component", "participant_name", "server_name")


def _contract(client: Client) -> JsonObject:
    held = STATELESS if client.mode == STATELESS else "serialized_per_session"
    return {
        "participant": {
            "server_name": f"{client.kind}-{client.instance}",
            "component": COMPONENTS[client.kind],
            "participant_name": client.instance,
        },
        "capabilities": {
            "checkpoint_mode": client.mode,
            "concurrency_contract": held,
            "multi_process": {"mode": "single_worker", "num_workers": 1},
            "instance_role": "policy" if client.kind == MODEL else None,
            "admission_states": ["accepting", "draining", "paused"],
            "features": _FEATURES.get(client.kind, []),
        },
    }


def spec_for(topology: CheckpointTopology) -> SnapshotSpec:
    """How snapshots are checked; where no model stands, none is asked for."""
    models = [one for one in topology.contracts if one.participant.component == COMPONENTS[MODEL]]
    if models:
        return SNAPSHOT
    (gone,) = (
        one for one in SNAPSHOT.checks.topology if one.when is facts.there_is_no_policy_model
    )
    return attrs.evolve(SNAPSHOT, checks=SNAPSHOT.checks.without(gone))


@attrs.frozen
class Kept(Given):
    """A deployment of the harness beside a folder: what is told to one is done to the other."""

    folder: SnapshotFolder
    disk: FaultyTreeDisk

    def train(self, group_id: str, rows: Rows) -> Coroutine[Any, Any, str]:
        """Hand a group to the finalizer."""
        self.folder.trained(group_id, rows)
        return super().train(group_id, rows)

    def believes(
        self, operation_id: str, restored: Mapping[Place, JsonObject], *, last: bool
    ) -> bool:
        """Whether participants have restored what lies in the folder."""
        return self.folder.restored(operation_id, restored, last=last) is None

    def store(
        self, step: str, snapshot: Snapshot, written: Mapping[Place, Written]
    ) -> Coroutine[Any, Any, None]:
        """One step of writing a snapshot."""
        return self._taken(super().store(step, snapshot, written), step, snapshot, written)

    async def _taken(
        self,
        telling: Coroutine[Any, Any, None],
        step: str,
        snapshot: Snapshot,
        written: Mapping[Place, Written],
    ) -> None:
        """What the harness lets fail fails on the disk, and nothing else may."""
        if step == "sidecars":
            await self.lay(snapshot)
        refused = False
        try:
            await telling
        except NotStored:
            refused = True
            self.disk.faults = {len(self.disk.moments): Fault.FAIL}
        try:
            await store_in(self.folder, step, snapshot, written, self.sleep)
        except NotStored as failed:
            if not refused:
                raise HarnessFault(f"a snapshot was not stored: {failed}") from failed
            raise
        if refused:
            raise HarnessFault(f"{step} was to fail on the disk")

    async def lay(self, snapshot: Snapshot) -> None:
        """Participants in memory leave their files where real ones would have written them."""
        directory, disk = self.folder.begin(snapshot.number), RealDisk()
        make_folder(disk, directory)
        for client in self.deployment.clients:
            files = await client.files(directory_of(snapshot.checkpoint_id))
            for name, data in files.items():
                put(disk, directory, name, data)

    def ended(self, saved: bool, reason: str, *, over: bool) -> None:
        """An attempt at a snapshot is over."""
        if over:
            self.folder.drop()
        super().ended(saved, reason, over=over)


class FilesController(CoreController):
    """The reference controller over a folder of its own."""

    name = "fencepost-controller-files"

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        self.root = Path(tempfile.mkdtemp(prefix="fencepost-snapshots-"))
        weakref.finalize(self, shutil.rmtree, self.root, ignore_errors=True)

    async def start(self, deployment: Deployment, snapshot: JsonObject | None) -> None:
        """Start a process from the folder; of what is handed over only the trainer's step counts.

        That is where the trainer stands: the harness restores it to the snapshot.
        """
        topology = topology_of(deployment.clients)
        disk = self.disk()
        folder = SnapshotFolder(
            self.root,
            topology,
            bootstrap_fingerprint=FINGERPRINT,
            keep_latest_k=deployment.keep_latest_k,
            spec=spec_for(topology),
            disk=disk,
        )
        at = (0, 0) if snapshot is None else (snapshot["train_step"], snapshot["trainer_version"])
        found = folder.open(*at)
        mine = None if found.snapshot is None else found.snapshot.number
        theirs = None if snapshot is None else snapshot["number"]
        if mine != theirs:
            raise HarnessFault(f"snapshot {mine} was found in the folder, and not {theirs}")
        outside = self.kept(deployment, folder, disk)
        self.prepare(outside, self.reached(deployment), deployment.target_level)
        self.begin(found.snapshot, found.number)

    def disk(self) -> FaultyTreeDisk:
        """The disk of the next process."""
        return FaultyTreeDisk(RealDisk())

    def kept(self, deployment: Deployment, folder: SnapshotFolder, disk: FaultyTreeDisk) -> Kept:
        """What is around the next process."""
        return Kept(deployment, folder, disk)


def make() -> FilesController:
    """The reference controller over a new folder."""
    return FilesController()
