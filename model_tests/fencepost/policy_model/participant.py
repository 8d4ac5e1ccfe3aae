"""The contract of a policy model that is checked in process: one page.

Write an adapter: a subclass of `ModelParticipant` that starts your model server and passes on what
the harness does. Name a function that makes a new one: `package.module:factory`. The harness plays
the callers, the generations that fill the ledger, the controller, the agents' index files, the
clock and the disk's bad luck. Calls take effect in the order in which they are made. What
`capabilities` does not name is never asked for, and its methods need no body.

Bodies are JSON as a trace shows it: deadlines are `deadline_in` seconds from now, `checkpoint_dir`
is a name below `root`, and calls in a status have no `age_seconds`. Time moves in `advance` only.
"""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable
from pathlib import Path
from typing import Literal

import attrs

from fencepost.participant import Answer, NotSupported
from fencepost.trace.lines import JsonObject

__all__ = ["Answer", "DataCall", "GateAnswer", "ModelParticipant", "NotSupported", "Settings"]

OPERATIONS = ("pause", "status", "resume", "abort_inflight", "commit", "restore", "capabilities")
FAULTS = ("gone", "replace", "fresh_ledger", "hold", "fail", "damage", "copy")
OTHERS = ("auth", "malformed", "time", "look", "ungated")
CAPABILITIES = frozenset(OPERATIONS + FAULTS + OTHERS)
"""Every capability there is; a participant names those it has."""

Change = Literal["lineage", "manifest", "version"]


@attrs.frozen
class Settings:
    """Which model is started: `ledger` is "none" for a server that keeps none."""

    server_name: str = "policy"
    role: Literal["policy", "auxiliary"] = "policy"
    ledger: Literal["file", "none"] = "file"


@attrs.frozen
class DataCall:
    """A call of the data plane: `ticket` is the harness's name for it.

    `path` may have a query, after a question mark, which does not decide whether it is gated. The
    names of `headers` may be written in any case.
    """

    ticket: str
    path: str
    headers: tuple[tuple[str, str], ...]


@attrs.frozen
class GateAnswer:
    """What a call got at the gate: None and it goes on, or a refusal code."""

    code: str | None = None
    retry_after: int | None = None


class ModelParticipant(ABC):
    """A policy model under test. One object may live through several processes."""

    name: str = "model"
    version: str = "fencepost-1"
    capabilities: frozenset[str] = CAPABILITIES

    @abstractmethod
    async def start(
        self, root: Path, settings: Settings, cancelled: Callable[[str], None], *, fresh: bool
    ) -> None:
        """Start a process that keeps checkpoint directories and its live ledger below `root`.

        `cancelled` is called with the ticket of a call whose task sees its cancellation. `fresh`
        asks for a ledger namespace that holds nothing.
        """

    @abstractmethod
    async def crash(self) -> None:
        """End the process as a crash would: memory is lost, nobody is answered, files stay."""

    @abstractmethod
    async def admit(self, call: DataCall) -> GateAnswer:
        """A call reaches the gate. It returns at once; a call that goes on ends in `release`."""

    @abstractmethod
    async def record(self, ticket: str, row: JsonObject) -> None:
        """A call in flight writes a row: `model_call_id`, `failure_reason`, `storage_key`."""

    @abstractmethod
    async def release(self, ticket: str) -> None:
        """The task of a call has ended: its answer was sent whole, or its cancellation is done."""

    @abstractmethod
    async def control(self, op: str, request: JsonObject, auth: str | None) -> Answer:
        """A control call; `auth` is None for the right token, else "none" or "wrong"."""

    @abstractmethod
    async def report(self) -> JsonObject:
        """The body of a status without its id, whatever checkpoint is open. It moves nothing."""

    @abstractmethod
    async def index(self, path: str, documents: list[JsonObject] | None) -> None:
        """An agent writes an index of roots, one document a line; None: the file goes away."""

    async def settle(self) -> None:
        """Return when everything that can happen by itself has happened."""
        for _ in range(20):
            await asyncio.sleep(0)

    async def advance(self, seconds: float) -> None:
        """Let time pass."""
        await asyncio.sleep(seconds)

    async def hold(self, op: str) -> None:
        """Hold the storage of "commit" or "restore" from its next step on."""
        raise NotSupported(f"hold {op}")

    async def free(self, op: str) -> None:
        """Let held storage go on."""
        raise NotSupported(f"free {op}")

    async def fail(self, step: str) -> None:
        """The next step fails: "records", "manifest", "after_manifest", "read" or "copy"."""
        raise NotSupported(f"fail {step}")

    async def damage(self, path: str, change: Change) -> None:
        """Damage a committed directory: a lineage file, the manifest, or its schema version."""
        raise NotSupported(f"damage {path}: {change}")

    async def damage_lineage(self, capture_key: str) -> None:
        """Put a line that is no row into a lineage file of the live ledger."""
        raise NotSupported(f"damage {capture_key}")

    async def copy(self, source: str, target: str, server: str | None) -> None:
        """Copy a directory; with `server`, as another server would have committed it."""
        raise NotSupported(f"copy {source} to {target} of {server}")

    async def remove(self, path: str) -> None:
        """Take a directory away."""
        raise NotSupported(f"remove {path}")

    async def look(self, path: str) -> JsonObject:
        """What lies in a directory, as `docs/formats.md` says."""
        raise NotSupported(f"look {path}")
