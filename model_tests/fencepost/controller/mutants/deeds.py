"""Controllers whose core is right, and which do something else than it says.

Each class is one fault of what stands around a core: how calls are put, rows, reports, snapshots.
"""

from collections.abc import Coroutine
from typing import Any

from fencepost.controller.core_adapter import Asked, CoreController
from fencepost.controller.participant import Answer as Heard
from fencepost.controller.participant import Client, Deployment, Group, Outcome, Row
from fencepost.trace.lines import JsonObject, copied


class Around(Deployment):
    """A deployment as a faulty controller uses it; passes everything on."""

    def __init__(self, real: Deployment) -> None:
        self.real = real

    @property
    def clients(self) -> tuple[Client, ...]:
        """The participants, reached in the faulty way."""
        return tuple(Reached(one, self) for one in self.real.clients)

    @property
    def target_level(self) -> str:
        """What is wanted back."""
        return self.real.target_level

    @property
    def keep_latest_k(self) -> int:
        """How many snapshots are kept."""
        return self.real.keep_latest_k

    def body(self, client: Client, op: str, request: JsonObject) -> JsonObject:
        """The body that is sent; the right one here."""
        del client, op
        return request

    def train(self, group_id: str, rows: tuple[Row, ...]) -> Coroutine[Any, Any, Outcome]:
        """Hand a group to the finalizer."""
        return self.real.train(group_id, rows)

    def store(self, step: Any, snapshot: JsonObject) -> Coroutine[Any, Any, None]:
        """One step of writing a snapshot."""
        return self.real.store(step, snapshot)

    def ended(self, saved: bool, reason: str) -> None:
        """An attempt at a snapshot is over."""
        self.real.ended(saved, reason)

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        await self.real.sleep(seconds)


class Reached(Client):
    """A participant that is reached through a faulty deployment."""

    def __init__(self, real: Client, around: Around) -> None:
        self.real, self.around = real, around

    @property
    def kind(self) -> str:
        """Its kind."""
        return self.real.kind

    @property
    def instance(self) -> str:
        """Its name."""
        return self.real.instance

    @property
    def mode(self) -> str:
        """Its mode."""
        return self.real.mode

    def call(self, op: str, request: JsonObject) -> Coroutine[Any, Any, Heard]:
        """Call, with whatever body the fault makes of it."""
        return self.real.call(op, self.around.body(self.real, op, copied(request)))

    async def read(self, reference: JsonObject) -> list[JsonObject]:
        """Read an index."""
        return await self.real.read(reference)

    async def files(self, checkpoint_dir: str) -> dict[str, bytes]:
        """Read what was committed."""
        return await self.real.files(checkpoint_dir)


class Misusing(CoreController):
    """A controller that uses its deployment in a faulty way."""

    around: type[Around] = Around

    async def start(self, deployment: Deployment, snapshot: JsonObject | None) -> None:
        """Start on the deployment, used in the faulty way."""
        await super().start(self.around(deployment), snapshot)


# Calls.


class OtherRetireId(Around):
    """It retires under an id of its own while a checkpoint is open."""

    def body(self, client: Client, op: str, request: JsonObject) -> JsonObject:
        """Another id."""
        assert client.kind
        return request | {"checkpoint_id": "own"} if op == "retire" else request


class TwoDirectories(Around):
    """It has each participant write one checkpoint into a directory of its own."""

    def body(self, client: Client, op: str, request: JsonObject) -> JsonObject:
        """Another directory."""
        if op != "commit":
            return request
        return request | {"checkpoint_dir": f"{request['checkpoint_dir']}-{client.instance}"}


class NoDeadline(Around):
    """It prepares without saying until when."""

    def body(self, client: Client, op: str, request: JsonObject) -> JsonObject:
        """No deadline."""
        assert client.kind
        return {k: v for k, v in request.items() if op != "prepare" or k != "deadline_in"}


class UnscopedModel(Around):
    """It has the model write without naming what the agents refer to."""

    def body(self, client: Client, op: str, request: JsonObject) -> JsonObject:
        """No indexes."""
        scoped = op == "commit" and client.kind == "model"
        return request | {"continuation_indexes": []} if scoped else request


class SameIdAgain(Around):
    """It prepares every checkpoint under one id."""

    def body(self, client: Client, op: str, request: JsonObject) -> JsonObject:
        """Always the same id."""
        del client, op
        return request | {"checkpoint_id": "c"} if "checkpoint_id" in request else request


# Training.


class ReversedRows(Around):
    """It hands the rows of a group over in the wrong order."""

    def train(self, group_id: str, rows: tuple[Row, ...]) -> Coroutine[Any, Any, Outcome]:
        """The last row first."""
        return self.real.train(group_id, rows[::-1])


class FirstRowTwice(Around):
    """It hands the first row of a group over for every sibling."""

    def train(self, group_id: str, rows: tuple[Row, ...]) -> Coroutine[Any, Any, Outcome]:
        """The first row again and again."""
        return self.real.train(group_id, rows[:1] * len(rows))


class OtherDigest(Around):
    """It trains on another result than its attempt has given."""

    def train(self, group_id: str, rows: tuple[Row, ...]) -> Coroutine[Any, Any, Outcome]:
        """Another digest."""
        others = tuple(Row(one.rollout_id, one.attempt, "0" * 64) for one in rows)
        return self.real.train(group_id, others)


# Snapshots.


class ManifestLate(Around):
    """It renames a snapshot before its manifest is written."""

    def store(self, step: Any, snapshot: JsonObject) -> Coroutine[Any, Any, None]:
        """The steps in another order."""
        swapped: dict[Any, Any] = {"manifest": "rename", "rename": "manifest"}
        return self.real.store(swapped.get(step, step), snapshot)


class MissingKey(Around):
    """It leaves a key out of the ledger that it saves."""

    def store(self, step: Any, snapshot: JsonObject) -> Coroutine[Any, Any, None]:
        """A ledger that lacks a key."""
        ledger = {k: v for k, v in snapshot["ledger"].items() if k != "batch_shortfall"}
        return self.real.store(step, snapshot | {"ledger": ledger})


class OtherSchema(Around):
    """It saves a ledger under another schema number than it has."""

    def store(self, step: Any, snapshot: JsonObject) -> Coroutine[Any, Any, None]:
        """The next schema number."""
        ledger = snapshot["ledger"] | {"schema_version": 4}
        return self.real.store(step, snapshot | {"ledger": ledger})


class GroupLost(Around):
    """It saves a ledger without the first of its groups."""

    def store(self, step: Any, snapshot: JsonObject) -> Coroutine[Any, Any, None]:
        """A group less."""
        ledger = snapshot["ledger"] | {"groups": snapshot["ledger"]["groups"][1:]}
        return self.real.store(step, snapshot | {"ledger": ledger})


class ChangedAfterCapture(Around):
    """It publishes another snapshot than it has captured."""

    def store(self, step: Any, snapshot: JsonObject) -> Coroutine[Any, Any, None]:
        """A list of trained groups that grows between two steps."""
        more = ["g9"] if step == "rename" else []
        return self.real.store(step, snapshot | {"trained": snapshot["trained"] + more})


class UntoldSuccess(Around):
    """It says that a published snapshot was not saved, as after a failed release."""

    def ended(self, saved: bool, reason: str) -> None:
        """Never saved."""
        self.real.ended(False, reason or str(saved))


# What it is told, and reports.


class EarlyLaunch(CoreController):
    """It runs a reserved group before the sampler has admitted it."""

    async def submit(self, group: Group) -> None:
        """As if every group were admitted."""
        named = (group.group_id, group.prompt_id, group.siblings, group.granularity, group.agent)
        await super().submit(Group(*named, group.target_step, admitted=True))


class KeepsStale(CoreController):
    """It goes on with a group that is too old to be trained on."""

    async def stale(self, group_id: str) -> None:
        """Nothing."""
        assert group_id


class IgnoresSnapshots(CoreController):
    """It does not attempt the snapshots that fall due."""

    async def snapshot_due(self) -> None:
        """Nothing."""


class AcknowledgesOnce(CoreController):
    """It does not send an acknowledgement again that came to nothing."""

    def _rest(self, asked: Asked) -> None:
        """Rest for ever, where it is an acknowledgement."""
        if asked[1] == "acknowledge-completed":
            self._resting.add(asked)
        else:
            super()._rest(asked)


class KeepsTrained(CoreController):
    """It never lets go of a group that was reserved."""

    async def report(self) -> JsonObject:
        """The report, with every group there ever was."""
        body = await super().report()
        held = {one["group_id"] for one in body["groups"]}
        trained = [one for one in self.state.trained if one not in held]
        left = [{"group_id": one, "status": "generating", "attempts": None} for one in trained]
        return body | {"groups": body["groups"] + left}


class RerunsSealed(CoreController):
    """It runs siblings again that were sealed when it was restarted."""

    async def start(self, deployment: Deployment, snapshot: JsonObject | None) -> None:
        """Forget all results of a snapshot."""
        body = None if snapshot is None else copied(snapshot)
        for group in () if body is None else body["ledger"]["groups"]:
            group.update(resolved_agent_name=None, status="generating")
            for sibling in group["siblings"]:
                for attempt in sibling["attempts"]:
                    if attempt["status"] == "sealed":
                        attempt.update(dict.fromkeys(_RESULT), staging_keys=[], status="failed")
        await super().start(deployment, body)


_RESULT = ("receipt", "completion_receipt", "reward", "mask_sample")
