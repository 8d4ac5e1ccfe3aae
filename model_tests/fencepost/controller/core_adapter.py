"""The reference controller as a controller under test; its snapshots are stored by the harness.

One adapter shows many controllers that conform, by the seed of its scheduler. Given another
specification it is a mutant.
"""

from collections.abc import Coroutine, Mapping
from typing import Any

import attrs

from fencepost.controller.leaving import Leaving
from fencepost.controller.participant import (
    Client,
    Controller,
    Deployment,
    Found,
    Group,
    Lost,
    Row,
    SnapshotRefused,
    StorageFailed,
)
from fencepost.controller.viewing import report_of
from fencepost.faults import HarnessFault
from fencepost.participant import Answer as Heard
from fencepost.trace.lines import JsonObject
from fencepost_reference.receipts.controller import actions as a
from fencepost_reference.receipts.controller import wire
from fencepost_reference.receipts.controller.said import Place
from fencepost_reference.receipts.snapshot.believing import read_ledger
from fencepost_reference.receipts.snapshot.values import Refused
from fencepost_reference.runtime.controlling.outside import Client as ReferenceClient
from fencepost_reference.runtime.controlling.outside import (
    NoAnswer,
    NotStored,
    Outside,
    Rows,
    Written,
)
from fencepost_reference.runtime.controlling.running import Asked, Broken, Restless, Running
from fencepost_spec.receipts.controller.spec import CONTROLLER, ControllerSpec
from fencepost_spec.vocabulary import canonical_json

__all__ = ["Asked", "CoreController", "Given", "make"]


@attrs.frozen
class _Reached:
    """A participant, as the reference reaches it."""

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

    def call(self, op: str, request: JsonObject) -> Coroutine[Any, Any, Heard]:
        """Call an operation: it leaves at once."""
        calling = self.client.call(op, request)
        return Leaving(lambda: self._answered(calling), calling.close)

    async def _answered(self, calling: Coroutine[Any, Any, Heard]) -> Heard:
        try:
            return await calling
        except Lost as lost:
            raise NoAnswer from lost

    async def read(self, reference: JsonObject) -> list[JsonObject]:
        """The lines of an index."""
        return await self.client.read(reference)


@attrs.frozen
class Given(Outside):
    """A deployment of the harness, as the reference sees what is around it."""

    deployment: Deployment

    def train(self, group_id: str, rows: Rows) -> Coroutine[Any, Any, str]:
        """Hand a group to the finalizer."""
        named = tuple(Row(key.rollout_id, key.attempt, digest) for key, digest in rows)
        return self.deployment.train(group_id, named)

    def directory(self, name: str, op: str) -> str:
        """Directories are called as the core calls them."""
        del op
        return name

    def believes(
        self, operation_id: str, restored: Mapping[Place, JsonObject], *, last: bool
    ) -> bool:
        """What the core itself compares is all that this controller asks."""
        del operation_id, restored, last
        return True

    def store(
        self, step: str, snapshot: a.Snapshot, written: Mapping[Place, Written]
    ) -> Coroutine[Any, Any, None]:
        """One step of writing a snapshot."""
        bodies = {place: one.body for place, one in written.items()}
        documents = {place: list(one.documents) for place, one in written.items()}
        named: Any = step
        body = wire.snapshot_body(snapshot, bodies, documents)
        return self._stored(self.deployment.store(named, body))

    async def _stored(self, storing: Coroutine[Any, Any, None]) -> None:
        try:
            await storing
        except StorageFailed as failed:
            raise NotStored from failed

    def drop(self) -> None:
        """The harness keeps nothing of what was begun."""

    def ended(self, saved: bool, reason: str) -> None:
        """An attempt at a snapshot is over."""
        self.deployment.ended(saved, reason)

    async def sleep(self, seconds: float) -> None:
        """Wait until so much time has passed."""
        await self.deployment.sleep(seconds)


class CoreController(Running, Controller):
    """A controller made of the core alone."""

    name = "fencepost-controller-core"

    def __init__(self, spec: ControllerSpec = CONTROLLER, seed: int = 0) -> None:
        super().__init__(spec, seed)

    # A process.

    async def start(self, deployment: Deployment, snapshot: JsonObject | None) -> None:
        """Start a process, from a snapshot or from none."""
        self._deployment = deployment
        self.prepare(Given(deployment), self.reached(deployment), deployment.target_level)
        self.begin(None if snapshot is None else await self._read(snapshot))

    def reached(self, deployment: Deployment) -> list[ReferenceClient]:
        """The participants of a deployment, as the reference reaches them."""
        return [_Reached(one) for one in deployment.clients]

    async def _read(self, body: JsonObject) -> a.Snapshot:
        """A stored snapshot, with the indexes to which it refers."""
        documents: dict[Place, list[JsonObject]] = {}
        for place, written in wire.places_in(body):
            documents[place] = await self.documents(place, written)
        return wire.snapshot_of(body, documents)

    async def crash(self) -> None:
        """Every task ends where it stands."""
        self.end()

    async def choose(
        self, deployment: Deployment, found: tuple[Found, ...], train_step: int
    ) -> int | None:
        """The newest snapshot of the trainer's step that can be read."""
        del deployment
        for one in found:
            if one.body is not None and _is_whole(one.body, train_step):
                return one.number
        raise SnapshotRefused(f"none of {len(found)} snapshots is whole and of step {train_step}")

    # What it is told.

    async def submit(self, group: Group) -> None:
        """A prompt group."""
        self.tell(
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
        self.offer(a.Admit(group_id, target_step))

    async def snapshot_due(self) -> None:
        """It is time for a snapshot."""
        self.offer(a.SnapshotDue())

    async def trainer_stepped(self, train_step: int) -> None:
        """The trainer has made a step; the core counts them itself."""
        assert train_step > 0
        self.offer(a.TrainerStepped())

    async def stale(self, group_id: str) -> None:
        """A group is given up."""
        self.offer(a.GoneStale(group_id))

    async def deadline(self, checkpoint_id: str) -> None:
        """A prepare has waited long enough; another one than is open has not."""
        if self.state.round is not None and self.state.round.id == checkpoint_id:
            self.offer(a.DeadlinePassed())

    async def settle(self) -> None:
        """Return when the core can do nothing by itself before time passes.

        One that goes on and on, and calls nobody, is judged where it stands.
        """
        try:
            await super().settle()
        except Restless:
            return
        except Broken as broken:
            raise HarnessFault(str(broken)) from broken

    async def report(self) -> JsonObject:
        """How it stands."""
        return report_of(self.state)


def _is_whole(body: JsonObject, train_step: int) -> bool:
    """Whether a snapshot is of that step, and its ledger can be read back."""
    ledger = read_ledger(canonical_json(body.get("ledger")).encode("ascii"))
    return body["train_step"] == train_step and not isinstance(ledger, Refused)


def make() -> CoreController:
    """The reference controller, intact."""
    return CoreController()
