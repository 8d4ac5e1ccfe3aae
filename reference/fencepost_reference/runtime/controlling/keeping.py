"""A controller that keeps its snapshots in a folder.

    controller = FolderController(folder, clients, finalizer)
    await controller.start(train_step, trainer_version)
    controller.tell(actions.Submit("g1", siblings=4, granularity="sibling", agent="a"))
    controller.offer(actions.SnapshotDue())

Participants start with it. Steps of the disk block the loop.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import attrs

from fencepost_reference.receipts.controller.actions import (
    GoneStale,
    Snapshot,
    SnapshotDue,
    Submit,
)
from fencepost_reference.receipts.controller.said import Place
from fencepost_reference.receipts.snapshot.choosing import Mode
from fencepost_reference.runtime.controlling.asked import (
    CALLERS,
    AlreadyEnded,
    AlreadyStarted,
    Halted,
    check_level,
    check_new,
)
from fencepost_reference.runtime.controlling.folder import SnapshotFolder
from fencepost_reference.runtime.controlling.found import Found
from fencepost_reference.runtime.controlling.outside import Client, NotStored, Rows, Written
from fencepost_reference.runtime.controlling.results import places_of
from fencepost_reference.runtime.controlling.running import AGAIN_SECONDS, Running
from fencepost_reference.storage.boundary import Boundary
from fencepost_reference.storage.snapshot_reading import SnapshotRefused
from fencepost_reference.storage.snapshots import SnapshotFailed
from fencepost_spec.receipts.controller.spec import CONTROLLER, ControllerSpec
from fencepost_spec.receipts.snapshot.results import CheckpointTopology

_LOG = logging.getLogger(__name__)
TURNED_DOWN = ("busy", "frozen")
"""Why an attempt at a snapshot ends that was never begun."""

Finalizer = Callable[[str, Rows], Awaitable[str]]
Sleep = Callable[[float], Awaitable[None]]


class Ending(NamedTuple):
    """How an attempt at a snapshot has ended: whether it was saved, and a word for why not.

    `why` says what happened: what the disk said, what was refused, what a participant answered.
    """

    saved: bool
    reason: str
    why: str = ""


async def store_in(
    folder: SnapshotFolder,
    step: str,
    snapshot: Snapshot,
    written: Mapping[Place, Written],
    sleep: Sleep = asyncio.sleep,
) -> None:
    """Take one step on the disk; `NotStored` when nothing of it is visible, and never will be.

    A rename that may have happened is asked about until the disk tells.
    """
    try:
        folder.write(step, snapshot, written)
    except SnapshotRefused as refused:
        folder.drop()
        raise NotStored(str(refused)) from refused
    except SnapshotFailed as failed:
        if failed.visible is False:
            folder.drop()
            raise NotStored(str(failed)) from failed
        _LOG.info("snapshot %d is in doubt: %s", snapshot.number, failed)
        await _settle(folder, sleep)


async def _settle(folder: SnapshotFolder, sleep: Sleep) -> None:
    while True:
        try:
            folder.confirm()
        except SnapshotFailed as failed:
            if failed.visible is False:
                folder.drop()
                raise NotStored(str(failed)) from failed
            await sleep(AGAIN_SECONDS)
        else:
            return


def _check_fleet(clients: Iterable[Client], topology: CheckpointTopology) -> None:
    """Clients and topology tell of the same participants, or ValueError."""
    reached = {Place(one.kind, one.instance): one.mode == "export_restore" for one in clients}
    found = places_of(topology)
    if reached != found:
        named = {str(place) for place, _ in reached.items() ^ found.items()}
        raise ValueError(f"clients and topology differ in {', '.join(sorted(named))}")


class FolderController(Running):
    """The processes of one controller whose snapshots lie in a folder."""

    def __init__(
        self,
        folder: SnapshotFolder,
        clients: Iterable[Client],
        finalizer: Finalizer,
        *,
        target_level: str = "turn",
        spec: ControllerSpec = CONTROLLER,
        seed: int = 0,
    ) -> None:
        super().__init__(spec, seed)
        self.folder = folder
        self.endings: list[Ending] = []
        """How each attempt at a snapshot has ended."""
        self.refused: SnapshotRefused | None = None
        """Why participants have not restored what they committed; then the process has halted."""
        check_level(target_level)
        self._given = tuple(clients)
        _check_fleet(self._given, folder.topology)
        self._finalizer = finalizer
        self._level = target_level
        self._ended = False

    async def start(
        self,
        train_step: int = 0,
        trainer_version: int = 0,
        *,
        mode: Mode = "latest",
        checkpoint: str | Path | None = None,
    ) -> Found:
        """Start a process from what is in the folder, or refuse with SnapshotRefused.

        In mode `trainer_checkpoint` from what is in `checkpoint`, where the trainer's own lies.
        `AlreadyStarted` while a process runs; after `end` a new one may be started.

        Participants restore after that. When one has restored something else, the process halts:
        `state.halted` says so and `refused` why, nothing was dispatched and nobody is released.
        """
        if self._alive:
            raise AlreadyStarted
        self.refused = None
        found = self.folder.open(train_step, trainer_version, mode=mode, checkpoint=checkpoint)
        for number, reason in found.passed_over:
            _LOG.warning("snapshot %d is passed over: %s", number, reason)
        if mode == "trainer_checkpoint" and found.snapshot is None:
            _LOG.warning("there is no snapshot in %s: nothing is restored", checkpoint)
        self.prepare(self, self._given, self._level)
        self._ended = False
        self.begin(found.snapshot, found.number)
        return found

    def end(self) -> None:
        """Every task ends where it stands, as in a crash; nothing may be told any more."""
        super().end()
        self._ended = self._prepared

    def tell(self, action: Any) -> None:
        """Tell the controller what has happened, or refuse it and change nothing.

        ValueError when it makes no sense, is of an agent that is not there, or is a group that was
        submitted before. `NotStarted`, `AlreadyEnded`, `Halted` when no process could take it.
        """
        if isinstance(action, CALLERS):
            self._require_life(type(action).__name__)
        if isinstance(action, Submit):
            check_new(action.group_id, self.state)
        super().tell(action)

    def _require_life(self, what: str) -> None:
        """There is a process that takes what a caller says."""
        self._require_prepared(what)
        if self._ended:
            raise AlreadyEnded(what)
        if self.state.halted:
            raise Halted(what, self.state.halted)

    def give_up(self, group_id: str) -> bool:
        """Let a group go whose retries are used up; False when it is none, or is finalized now.

        What is left of its attempts is retired or acknowledged, and the training step that it was
        for counts as one group short, also for later processes.
        """
        group = self.state.ledger.groups.get(group_id)
        self.offer(GoneStale(group_id))
        if group is None or group_id in self.state.ledger.groups:
            return False
        if group.target_step is not None:
            short = dict(self.folder.beside.batch_shortfall)
            short[group.target_step] = short.get(group.target_step, 0) + 1
            self.folder.beside = attrs.evolve(self.folder.beside, batch_shortfall=short)
        return True

    def save_in(self, boundary: Boundary) -> bool:
        """Take a snapshot into a checkpoint that the trainer writes; False while one is open.

        When it is whole the trainer's `publish` is called. It is not when the snapshot is given
        up, which the last of `endings` says; then the checkpoint is the trainer's alone.
        """
        self._require_life("save_in")
        if self.state.round is not None:
            return False
        self.folder.boundary = boundary
        self.offer(SnapshotDue())
        return True

    # What the core asks of what is around it.

    def train(self, group_id: str, rows: Rows) -> Coroutine[Any, Any, str]:
        """Hand a group to the finalizer."""
        self.folder.trained(group_id, rows)
        finalizing = self._finalizer(group_id, rows)

        async def finalized() -> str:
            return await finalizing

        return finalized()

    def directory(self, name: str, op: str) -> str:
        """Participants commit below the draft, and restore from the snapshot that was found."""
        current = self.state.round
        if op == "restore" and self.folder.source is not None:
            return str(self.folder.source)
        if current is None:
            raise RuntimeError(f"no checkpoint is open to {op} {name}")
        return str(self.folder.begin(current.number))

    def believes(self, operation_id: str, restored: Mapping[Place, Any], *, last: bool) -> bool:
        """Whether participants have restored what they committed."""
        refused = self.folder.restored(operation_id, restored, last=last)
        if refused is not None:
            self.refused = SnapshotRefused.by(refused)
            _LOG.error("the restore is refused: %s", self.refused)
        return refused is None

    def store(
        self, step: str, snapshot: Snapshot, written: Mapping[Place, Written]
    ) -> Coroutine[Any, Any, None]:
        """One step of writing a snapshot."""
        return store_in(self.folder, step, snapshot, written, self.sleep)

    def drop(self) -> None:
        """What was begun for a snapshot goes."""
        self.folder.drop()

    def ended(self, saved: bool, reason: str) -> None:
        """Keep how an attempt at a snapshot has ended, and say why where it was not saved."""
        why = "" if saved or reason in TURNED_DOWN else self.trouble
        self.endings.append(Ending(saved, reason, why))
        if why:
            _LOG.warning("a snapshot was not saved, %s: %s", reason, why)

    async def sleep(self, seconds: float) -> None:
        """Wait until so much time has passed."""
        await asyncio.sleep(seconds)
