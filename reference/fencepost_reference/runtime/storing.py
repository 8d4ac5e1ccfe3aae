"""The storage steps of a commit or restore, taken for real: files first, then the core's own step.

Before each step of the core a worker thread does to the files what the core is about to believe of
them; what it found, or how it failed, is told to the core first. So core and disk agree after every
step, wherever a step fails or the process dies. What a step would do is asked of the core itself.
"""

import asyncio
import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from fencepost_reference.receipts import actions as a
from fencepost_reference.receipts.state import Directory, Storing
from fencepost_reference.runtime.engine import Engine
from fencepost_reference.runtime.mortal import MortalDisk
from fencepost_reference.runtime.records import Records
from fencepost_reference.storage import (
    Checkpoint,
    CheckpointRefused,
    CommitPlan,
    CommitSummary,
    Disk,
    plan_commit,
    publish_manifest,
    read_checkpoint,
    write_records,
)
from fencepost_spec.receipts import storage_rules as rules

_LOG = logging.getLogger(__name__)
R = TypeVar("R")
_PARTIAL = Directory("partial")
_DAMAGED = Directory("damaged")


class Storage:
    """Takes the storage steps of one process."""

    def __init__(
        self,
        engine: Engine,
        records: Records,
        disk: Disk,
        root: str | Path | None,
        died: Callable[[], None],
    ) -> None:
        self._engine = engine
        self._records = records
        self._disk = MortalDisk(disk)
        self._root = None if root is None else Path(root)
        self._died = died
        self._task: asyncio.Task[None] | None = None
        self._plan: CommitPlan | None = None
        self.members: dict[str, Any] = {}
        """What only the files can tell of the operation that runs or ran last."""

    @property
    def busy(self) -> bool:
        """Whether steps are being taken."""
        return self._task is not None

    async def wait(self) -> None:
        """Return when no steps are being taken."""
        if self._task is not None:
            await asyncio.wait([self._task])

    def crash(self) -> None:
        """Take no further step. The one that a thread has begun is finished by that thread."""
        self._disk.die()
        if self._task is not None:
            self._task.cancel()

    def go_on(self) -> None:
        """Take the steps that are due, unless that is under way."""
        if self._task is None:
            self._task = asyncio.create_task(self._take_steps())
            self._task.add_done_callback(self._taken)

    def _taken(self, task: "asyncio.Task[None]") -> None:
        self._task = None
        error = None if task.cancelled() else task.exception()
        if isinstance(error, Exception):
            raise error
        if error is not None:
            self._died()
        elif self._engine.alive and self._due() is not None:
            self.go_on()  # Called for between the last step and now.

    async def _take_steps(self) -> None:
        """Take one step after the other until the operation ends, or is held."""
        engine = self._engine
        while (storing := self._due()) is not None:
            tell = await self._prepared(storing)
            if self._due() is None:
                return  # Held meanwhile: the step is prepared again when it goes on.
            for action in tell:
                engine.apply(action)
            engine.apply(a.Store())
            if engine.state.fence.storing is None:
                # It is looked at again before it is believed again.
                engine.apply(a.SetDirectory(storing.directory, None))

    def _due(self) -> Storing | None:
        """The operation whose next step may be taken now."""
        state = self._engine.state
        storing = state.fence.storing
        return None if storing is None or storing.op in state.holds else storing

    async def _prepared(self, storing: Storing) -> list[Any]:
        """Do to the files what the next step is about, and return what the core has to know."""
        match storing.op, storing.stage:
            case "commit", "started":
                return await self._write(storing)
            case "commit", "written":
                return await self._publish(storing)
            case "restore", "started":
                return [a.SetDirectory(storing.directory, await self._look(storing))]
            case _:
                return []

    async def _look(self, storing: Storing) -> Directory | None:
        """How a directory stands. Whatever keeps it from being read makes it damaged."""
        path, instance = self._path(storing), self._engine.state.instance
        try:
            found = await self._in_thread(read_checkpoint, path, instance, disk=self._disk)
            entries = self._records.recognised(found.records, storing.records)
            if storing.op == "restore":
                entries = tuple(
                    (record.key, self._records.keep(record)) for record in found.records
                )
        except CheckpointRefused as refused:
            _LOG.info("checkpoint directory %s: %s", storing.directory, refused)
            return _PARTIAL if refused.rule == rules.COMMITTED else _DAMAGED
        except Exception:  # noqa: BLE001 - whatever failed, the operation must end and be answered
            _LOG.exception("checkpoint directory %s cannot be read", storing.directory)
            return _DAMAGED
        self._remember(found)
        return Directory("committed", found.source_checkpoint_id, instance, entries)

    async def _write(self, storing: Storing) -> list[Any]:
        """Look at the directory, and write the records when the core would have them written."""
        look = a.SetDirectory(storing.directory, await self._look(storing))
        state = self._engine.core.step(self._engine.state, look).state
        after = self._engine.core.step(state, a.Store()).state.fence.storing
        if after is None:
            return [look]
        try:
            written = self._records.written(storing.records)
            self._plan = await self._in_thread(self._planned, storing, written)
            await self._in_thread(write_records, self._plan)
        except CheckpointRefused as refused:
            _LOG.warning("commit to %s: %s", storing.directory, refused)
            return [a.SetDirectory(storing.directory, _DAMAGED)]
        except Exception:  # noqa: BLE001 - whatever failed, the commit must end and be retried
            _LOG.exception("writing the records of %s failed", storing.directory)
            # What is there is not to be believed either, not even when it is what was wanted.
            return [a.SetDirectory(storing.directory, _PARTIAL), a.FailStorage("records")]
        return [look]

    async def _publish(self, storing: Storing) -> list[Any]:
        """Publish the manifest; when that fails, see whether it is visible all the same."""
        assert self._plan is not None  # The step before this one made it.
        try:
            self._remember(await self._in_thread(publish_manifest, self._plan))
        except Exception:  # noqa: BLE001 - whatever failed, the commit must end and be retried
            _LOG.exception("publishing the manifest of %s failed", storing.directory)
            here = await self._look(storing)
            visible = here is not None and here.records == storing.records
            ours = visible and here is not None and here.source == storing.source
            return [a.FailStorage("after_manifest" if ours else "manifest")]
        return []

    def _planned(self, storing: Storing, written: tuple[Any, ...]) -> CommitPlan:
        instance, source = self._engine.state.instance, storing.source or ""
        return plan_commit(self._path(storing), instance, source, written, disk=self._disk)

    def _remember(self, found: Checkpoint | CommitSummary) -> None:
        self.members = {
            "manifest_digest": found.manifest_digest,
            "continuation_index": found.continuation_index.model_dump(mode="json"),
        }

    def _path(self, storing: Storing) -> Path:
        directory = Path(storing.directory)
        return directory if self._root is None else self._root / directory

    async def _in_thread(self, function: Callable[..., R], *args: Any, **named: Any) -> R:
        return await asyncio.to_thread(function, *args, **named)
