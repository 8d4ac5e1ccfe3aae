"""The contract of a controller that is checked in process: one page.

Write an adapter: a subclass of `Controller` that starts your controller on a `Deployment` of our
participants. Name a function that makes a new one: `package.module:factory`. The harness plays the
sampler, the trainer, the work of the rollouts, the network, the disk and the clock; your controller
decides what to call. What `capabilities` does not name is never asked for.

Every method returns soon: what it begins goes on in tasks of yours. Bodies are JSON as a trace
shows it: deadlines are `deadline_in` seconds from now, `checkpoint_dir` is a name of your choice.
What you call leaves when it is called, not when it is awaited: `call`, `train` and `store`.
Wait by `Deployment.sleep` only, so that the harness knows whether you have come to rest.
"""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Coroutine
from typing import Any, Literal, Protocol

import attrs

from fencepost.participant import Answer, NotSupported
from fencepost.trace.lines import JsonObject

__all__ = [
    "CAPABILITIES",
    "Answer",
    "Client",
    "Controller",
    "Damage",
    "Deployment",
    "Found",
    "Group",
    "Lost",
    "NotSupported",
    "Row",
    "SnapshotRefused",
    "StorageFailed",
]

GRANULARITIES = ("sibling", "prompt_group")
GIVEN = ("admit", "snapshot_due", "trainer_stepped", "stale", "deadline")
PROCESSES = ("replace", "restore", "choose")
PARTICIPANTS = ("several_agents", "model", "resources")
CAPABILITIES = frozenset((*GRANULARITIES, *GIVEN, *PROCESSES, *PARTICIPANTS))
"""Every capability there is; a controller names those it has.

"replace" says that a new process may follow one that has crashed, "restore" that it may start from
a snapshot, "choose" that it looks for that one itself, among some that may be damaged. The
participants are those that may stand in a deployment beside the one agent.
"""

Outcome = Literal["committed", "dropped", "unknown"]
StoreStep = Literal["sidecars", "manifest", "rename"]


class Lost(Exception):
    """No answer came: the participant may have done what it was asked, or may never hear of it."""


class StorageFailed(Exception):
    """A step of writing a snapshot has failed, and nothing of it is visible."""


class SnapshotRefused(Exception):
    """No snapshot is left that could be gone on from; its text says why. Nothing has begun."""


@attrs.frozen
class Damage:
    """What has happened to a published snapshot.

    `part` is sidecars or manifest; it was cut, changed, or is missing.
    """

    part: str
    how: str


@attrs.frozen
class Found:
    """A published snapshot as it is read now; without a body no manifest of it can be read.

    `damage` is for a controller that keeps real files: it does the same to its own.
    """

    number: int
    body: JsonObject | None
    damage: Damage | None = None


@attrs.frozen
class Group:
    """A prompt group; sibling i is rollout `<group_id>_g<i>`, and `agent` runs all of them."""

    group_id: str
    prompt_id: str
    siblings: int
    granularity: str
    agent: str
    target_step: int | None
    admitted: bool


@attrs.frozen
class Row:
    """What one sibling contributes: the result of the attempt that made it, by its digest."""

    rollout_id: str
    attempt: int
    result_digest: str


class Client(Protocol):
    """One participant. `mode` is its checkpoint mode: export_restore, restart_only, stateless."""

    @property
    def kind(self) -> str:
        """Agent, model or resources."""
        ...

    @property
    def instance(self) -> str:
        """Its name among those of its kind."""
        ...

    @property
    def mode(self) -> str:
        """Its checkpoint mode."""
        ...

    def call(self, op: str, request: JsonObject) -> Coroutine[Any, Any, Answer]:
        """Call an operation, or `run` of an agent. Awaited, it raises `Lost` if no answer comes."""
        ...

    async def read(self, reference: JsonObject) -> list[JsonObject]:
        """The lines of an index that this participant committed, by the reference in its reply."""
        ...

    async def files(self, checkpoint_dir: str) -> dict[str, bytes]:
        """Every file that this participant has committed into a directory, by relative path."""
        ...


class Deployment(Protocol):
    """Everything outside a controller, for one process of it."""

    @property
    def clients(self) -> tuple[Client, ...]:
        """The participants, in a stable order."""
        ...

    @property
    def target_level(self) -> str:
        """What is wanted back after a restart: turn, sibling or prompt_group."""
        ...

    @property
    def keep_latest_k(self) -> int:
        """How many snapshots are kept."""
        ...

    def train(self, group_id: str, rows: tuple[Row, ...]) -> Coroutine[Any, Any, Outcome]:
        """Hand a group to the finalizer: committed, dropped, or unknown, and then nobody knows."""
        ...

    def store(self, step: StoreStep, snapshot: JsonObject) -> Coroutine[Any, Any, None]:
        """One step of writing a snapshot; the rename publishes it. May raise `StorageFailed`."""
        ...

    def ended(self, saved: bool, reason: str) -> None:
        """An attempt at a snapshot is over; without `saved`, why."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Wait until so much time has passed."""
        ...


class Controller(ABC):
    """A controller under test. One object may live through several processes, one after another."""

    name: str = "controller"
    version: str = "fencepost-1"
    capabilities: frozenset[str] = CAPABILITIES

    @abstractmethod
    async def start(self, deployment: Deployment, snapshot: JsonObject | None) -> None:
        """Start a process with empty memory, perhaps to go on from a published snapshot."""

    @abstractmethod
    async def crash(self) -> None:
        """End the process as a crash would: its tasks end where they stand."""

    @abstractmethod
    async def submit(self, group: Group) -> None:
        """A prompt group to be run; one that is not admitted yet waits for `admit`."""

    @abstractmethod
    async def report(self) -> JsonObject:
        """How it stands, as `docs/controllers.md` says. It moves nothing."""

    async def admit(self, group_id: str, target_step: int | None) -> None:
        """The sampler admits a reserved group, and all that were reserved with it."""
        raise NotSupported(f"admit {group_id} for {target_step}")

    async def snapshot_due(self) -> None:
        """It is time to attempt a snapshot."""
        raise NotSupported("snapshot_due")

    async def trainer_stepped(self, train_step: int) -> None:
        """The trainer has made a step, and is durable again."""
        raise NotSupported(f"trainer_stepped {train_step}")

    async def stale(self, group_id: str) -> None:
        """A group is too old to be trained on: give it up."""
        raise NotSupported(f"stale {group_id}")

    async def deadline(self, checkpoint_id: str) -> None:
        """What waits for that checkpoint to be prepared has waited long enough."""
        raise NotSupported(f"deadline {checkpoint_id}")

    async def choose(
        self, deployment: Deployment, found: tuple[Found, ...], train_step: int
    ) -> int | None:
        """The number of the snapshot to go on from, before `start`, or `SnapshotRefused`.

        `found` are those that are kept, the newest first; the trainer stands at `train_step`.
        """
        raise NotSupported(f"choose {len(found)} at {train_step} of {len(deployment.clients)}")

    async def settle(self) -> None:
        """Return when nothing more happens without an answer, or without time passing."""
        await asyncio.sleep(0)
