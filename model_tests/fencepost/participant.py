"""The contract of an agent participant that is checked in process: one page.

Write an adapter: a subclass of `Participant` that starts your agent, passes calls on to it, and
lets the harness play the work. Name a function that makes a new one: `package.module:factory`.
The harness calls everything on one event loop, each call under a time limit, and never twice at
once on a process that has not started. What `capabilities` does not name is never asked for.

Bodies are JSON as a trace shows it (`docs/reference/trace-format.md`): deadlines are `deadline_in`
seconds from now, `checkpoint_dir` is a name below `root`, and entries have no `age_seconds`.
What an adapter is given is a copy, and its own to change.
"""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Literal, Protocol

import attrs

from fencepost.trace.lines import Json, JsonObject

Wait = Literal["model", "external"]

OPERATIONS = (
    "prepare",
    "status",
    "commit",
    "restore",
    "resume",
    "retire",
    "acknowledge",
    "acknowledge-completed",
    "completion-receipt",
    "discard-restored-continuation",
    "capabilities",
)
EVENTS = ("boundary", "park", "refusal", "model_wait", "external_wait")
FAULTS = ("gone", "replace", "hold", "fail", "fail_prepare", "damage", "files")
OTHERS = ("auth", "malformed", "unidentified", "time")
"""Also: calls without the right token, malformed bodies, runs without identity, deadlines.

"files" says that directories of the #3349 layout lie below `root`: the harness looks at them,
copies them and spoils them itself, in every way it knows. "damage" alone asks the adapter to.
"""

CAPABILITIES = frozenset(OPERATIONS + EVENTS + FAULTS + OTHERS)
"""Every capability there is; a participant names those it has."""


class Refused(Exception):
    """An event of the work was refused; the handler goes on and decides what to do."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class Disconnected(Exception):
    """The connection of a call was closed without an answer."""


class NotSupported(Exception):
    """The adapter was asked for something that it does not do."""


@attrs.frozen
class Answer:
    """The answer of a call: an HTTP status and a JSON body."""

    status: int
    body: Json


class Execution(Protocol):
    """What a handler gets of its participant. Each call may wait, and may raise `Refused`."""

    @property
    def rollout_id(self) -> str | None:
        """The rollout, or None for a run without identity."""
        ...

    @property
    def attempt(self) -> int | None:
        """The attempt, or None for a run without identity."""
        ...

    @property
    def generation(self) -> int:
        """The generation of the execution, counted from 1."""
        ...

    @property
    def continuation(self) -> JsonObject | None:
        """The restored record that the run continues, or None; its key and index are read."""
        ...

    async def boundary(self, record: JsonObject) -> None:
        """The work can continue from here. The record names its key and its `boundary_index`."""
        ...

    async def park(self) -> None:
        """A call further down was refused; wait until it can be issued again."""
        ...

    async def refusal(self, code: str) -> None:
        """The call that a wait stands for was refused further down with this code."""
        ...

    async def begin_wait(self, wait: Wait) -> None:
        """The work enters a marked wait."""
        ...

    async def end_wait(self, wait: Wait) -> None:
        """The reply that the work waited for is there."""
        ...


Handler = Callable[[Execution, JsonObject], Awaitable[Json]]
"""The work of one run, played by the harness: it gets the run's body and returns its result.

It raises to fail. A cancelled handler may take its time, and may even return a result.
"""


class Participant(ABC):
    """An agent under test. One object may live through several processes, one after the other.

    `virtual` says that its time is the event loop's and moves in `advance` only: nothing falls due
    before. `version` is the dialect it speaks (`docs/reference/dialects.md`).
    """

    name: str = "agent"
    version: str = "fencepost-1"
    capabilities: frozenset[str] = CAPABILITIES
    virtual: bool = True

    @abstractmethod
    async def start(self, root: Path, instance: str | None, handler: Handler) -> None:
        """Start a process that keeps its checkpoint directories below `root`, which exists."""

    @abstractmethod
    async def crash(self) -> None:
        """End the process as a crash would: memory is lost, nobody is answered, files stay."""

    @abstractmethod
    async def run(self, body: JsonObject) -> Answer:
        """A client's `/run`. Cancelling the call is the client going away."""

    @abstractmethod
    async def control(self, op: str, request: JsonObject, auth: str | None) -> Answer:
        """A control call; `auth` is None for the right token, else "none" or "wrong"."""

    @abstractmethod
    async def report(self) -> JsonObject:
        """The body of a status, whatever checkpoint is open. It moves nothing."""

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

    async def release(self, op: str) -> None:
        """Let the held storage go on."""
        raise NotSupported(f"release {op}")

    async def fail(self, step: str) -> None:
        """Let the next "records", "manifest", "after_manifest" or "read" step of storage fail.

        Told twice, the next two fail. Whoever reads first meets a failure of "read": a restore, or
        a commit that looks at what it finds in its directory.

        With "fail_prepare" also "admission": the next prepare raises before it has closed it.
        """
        raise NotSupported(f"fail {step}")

    async def damage(self, directory: str, change: str) -> None:
        """Spoil a committed directory; only asked of a participant without "files"."""
        raise NotSupported(f"damage {directory}: {change}")
