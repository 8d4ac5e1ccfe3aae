"""What a resources server is, as frozen values: fence, sessions, requests, calls, history and disk.

Large JSON is held by digest. Times are whole microseconds that are left. What steps change has no
slots, so that `change` can copy it quickly.
"""

from typing import Any

import attrs
from immutables import Map

from fencepost_reference.receipts.state import Outstanding, Recorded, Reply
from fencepost_spec.rule import Rule
from fencepost_spec.vocabulary import Key

_EMPTY: Map[Any, Any] = Map()

GOING_ON = frozenset({"bound", "restored"})
HANDLING = frozenset({"running", "handled"})


@attrs.frozen
class Settings:
    """What a server was started with. `capacity` is how many receipts a session keeps."""

    name: str = "resources"
    # Invariant: a server without sessions, and no other, has the contract that holds nothing back.
    mode: str = "export_restore"
    contract: str = "serialized_per_session"
    restore_expected: bool = False
    capacity: int = 1024
    reads: frozenset[str] = frozenset()

    def __attrs_post_init__(self) -> None:
        """Refuse a mode and a contract that do not belong together."""
        if (self.mode == "stateless") != (self.contract == "stateless"):
            raise ValueError(f"a server in mode {self.mode} is not {self.contract}")


@attrs.frozen
class Receipt:
    """A request that was served: what it asked, and the answer, which is given again."""

    request_id: str
    expected: int | None
    input: str
    status: int
    body: str
    revision: int


@attrs.frozen
class Snapshot:
    """What is written of one session; the revision stands for the state of the environment."""

    revision: int
    receipts: tuple[Receipt, ...] = ()


Records = tuple[tuple[Key, Snapshot], ...]


@attrs.frozen(slots=False)
class Session:
    """One key that has a session, or had one that has not gone yet."""

    status: str
    revision: int = 0
    receipts: tuple[Receipt, ...] = ()
    why: Rule | None = attrs.field(default=None, eq=False, repr=False)


@attrs.frozen
class Outcome:
    """How a handler ended: it returned a whole answer, or it broke off (status 0)."""

    status: int
    body: str = ""


@attrs.frozen(slots=False)
class Request:
    """A request of a client that is being served, or waits for the lock of its session.

    `stage` is waiting, running or handled. It goes on when its client goes away.
    """

    kind: str
    key: Key | None
    request_id: str | None = None
    expected: int | None = None
    input: str = ""
    stage: str = "waiting"
    outcome: Outcome | None = None


@attrs.frozen(slots=False)
class Storing:
    """A commit or restore that runs: who waits for it, and how far it has come."""

    op: str
    directory: str
    callers: tuple[str, ...]
    stage: str = "started"
    records: Records = ()
    source: str | None = None
    refusal: Rule | None = None
    code: str | None = None


@attrs.frozen(slots=False)
class Fence:
    """The one checkpoint that may be open, with the snapshots that its prepare has taken."""

    phase: str = "idle"
    active: str | None = None
    waiting: bool = False
    callers: tuple[str, ...] = ()
    deadline: int | None = None
    recorded: tuple[Recorded, ...] = ()
    storing: Storing | None = None
    taken: Records = ()


@attrs.frozen
class Directory:
    """The part of a checkpoint directory that belongs to this server.

    `kind` is partial, committed, damaged or unknown. `agents` are the sessions that the agent
    records of the same checkpoint name, with their revisions; None when there are none to read.
    """

    kind: str
    source: str | None = None
    name: str | None = None
    records: Records = ()
    agents: tuple[tuple[Key, int], ...] | None = None


@attrs.frozen(slots=False)
class History:
    """What is remembered until the process ends."""

    refused: Map[Key, Rule] = _EMPTY
    ended: Map[Key, bool] = _EMPTY
    watermark: Map[str, int] = _EMPTY
    finished: Map[str, tuple[str, Reply]] = _EMPTY


@attrs.frozen(slots=False)
class State:
    """A resources server, its disk, and the calls that wait for it."""

    settings: Settings = Settings()
    fence: Fence = Fence()
    accepting: bool = True
    restore_awaited: bool = False
    served: bool = False
    untracked: bool = False
    sessions: Map[Key, Session] = _EMPTY
    requests: Map[str, Request] = _EMPTY
    calls: Map[str, Outstanding] = _EMPTY
    dead: frozenset[str] = frozenset()
    disk: Map[str, Directory] = _EMPTY
    holds: frozenset[str] = frozenset()
    failing: tuple[str, ...] = ()
    history: History = History()


@attrs.frozen
class SessionView:
    """One session as a status shows it."""

    key: Key
    revision: int
    locked: bool


@attrs.frozen
class View:
    """What a status shows. `doubtful` are retired keys that may or may not be listed any more."""

    phase: str
    accepting: bool
    sessions: tuple[SessionView, ...]
    locked: frozenset[Key]
    refused: int
    uncertain: int
    receipts: int
    saturated: bool
    doubtful: frozenset[Key] = frozenset()
