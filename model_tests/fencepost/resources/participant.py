"""The contract of a resources server that is checked in process: one page.

Write an adapter: a subclass of `ResourcesParticipant` that starts your server, passes requests and
control calls on to it, and lets the harness play its handlers. Name a function that makes a new
one: `package.module:factory`. The harness calls everything on one event loop, each call under a
time limit. What `capabilities` does not name is never asked for.

Bodies are JSON as a trace shows it: deadlines are `deadline_in` seconds from now, `checkpoint_dir`
is a name below `root`. A request is `method`, `path` (without the prefix), `rollout` (the capture
key of the prefix, or null), `headers` (names in lower case) and `body`.

An adapter that sends requests over HTTP sends `content-type` and `cookie` as `headers` has them,
and what its client adds where there is none is the same each time: by both a repeated request is
told from another one. Other headers that a client adds say nothing.
"""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from pathlib import Path

import attrs

from fencepost.participant import NotSupported
from fencepost.trace.lines import Json, JsonObject

OPERATIONS = ("prepare", "status", "commit", "restore", "resume", "retire", "capabilities")
FAULTS = ("gone", "replace", "hold", "fail", "evict", "damage")
OTHERS = ("auth", "malformed", "time", "look")
CAPABILITIES = frozenset(OPERATIONS + FAULTS + OTHERS)
"""Every capability there is; a participant names those it has."""


@attrs.frozen
class Settings:
    """How a server is started: its name, what it keeps, how requests meet, how much it keeps."""

    server_name: str = "resources"
    mode: str = "export_restore"
    contract: str = "serialized_per_session"
    restore_expected: bool = False
    receipt_capacity: int = 1024
    reads: tuple[str, ...] = ()


@attrs.frozen
class Answer:
    """An answer: an HTTP status, a JSON body, and the headers that begin with x-nemo-gym-.

    Their names may be written in any case.
    """

    status: int
    body: Json
    headers: dict[str, str] = attrs.Factory(dict[str, str])


Handler = Callable[[JsonObject, str | None, int | None], Awaitable[Answer]]
"""The handler of every route, played by the harness.

It gets the request as it came, with all its headers, and the attempt it belongs to (None and None
without identity). It has started when it is called; awaiting it raises when it breaks off.
"""


class ResourcesParticipant(ABC):
    """A server under test. One object may live through several processes, one after the other.

    `modes` are the pairs of mode and contract in which it can be started. `virtual` says that time
    is the event loop's and moves in `advance` only.
    """

    name: str = "resources"
    version: str = "fencepost-1"
    capabilities: frozenset[str] = CAPABILITIES
    modes: tuple[tuple[str, str], ...] = (("export_restore", "serialized_per_session"),)
    virtual: bool = True

    @abstractmethod
    async def start(self, root: Path, settings: Settings, handler: Handler) -> None:
        """Start a process that keeps its checkpoint directories below `root`, which exists."""

    @abstractmethod
    async def crash(self, disk_kept: bool) -> None:
        """End the process as a crash would; without `disk_kept` the directories go as well."""

    @abstractmethod
    async def request(self, request: JsonObject) -> Answer:
        """A request of a client. Cancelling the call is the client going away."""

    @abstractmethod
    async def control(self, op: str, request: JsonObject, auth: str | None) -> Answer:
        """A control call; `auth` is None for the right token, else "none" or "wrong"."""

    @abstractmethod
    async def report(self) -> JsonObject:
        """The body of a status without its checkpoint id, in every phase. It moves nothing."""

    async def settle(self) -> None:
        """Return when everything that can happen by itself has happened."""
        for _ in range(20):
            await asyncio.sleep(0)

    async def advance(self, seconds: float) -> None:
        """Let time pass."""
        await asyncio.sleep(seconds)

    async def hold(self, op: str) -> None:
        """Hold the exports of "prepare", or the storage of "commit" or "restore"."""
        raise NotSupported(f"hold {op}")

    async def release(self, op: str) -> None:
        """Let what was held go on."""
        raise NotSupported(f"release {op}")

    async def fail(self, step: str) -> None:
        """Let the next step fail: records, manifest, after_manifest, read, export, install,
        retire_hook. Told twice, the next two fail."""
        raise NotSupported(f"fail {step}")

    async def evict(self, rollout_id: str, attempt: int) -> None:
        """Take the receipts of a session away, as a server does that is short of memory."""
        raise NotSupported(f"evict the receipts of {rollout_id}, attempt {attempt}")

    async def damage(self, directory: str, change: str, records: list[JsonObject]) -> None:
        """Spoil a directory: "damage" a file, "remove" it, or "agents": write agent records there.

        `records` are the sessions, with their revisions, that those agent records name.
        """
        raise NotSupported(f"{change} {directory} {records}")

    async def look(self, directory: str) -> JsonObject:
        """What lies in a directory: path, manifest, checkpoint_id, server_name, sessions."""
        raise NotSupported(f"look at {directory}")
