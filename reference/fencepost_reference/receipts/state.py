"""What an agent participant is, as frozen values: fence, executions, calls, history and disk.

Invariant: a live part that is small (fence, executions, calls, pending records) and a history in
persistent maps (refused and acknowledged keys, watermarks, finished ids) that states share.
Large JSON is held by digest. Times are whole microseconds that are left. What steps change has no
slots, so that `change` can copy it quickly.
"""

from typing import Any

import attrs
from immutables import Map

from fencepost_spec.rule import Rule
from fencepost_spec.vocabulary import Key

_EMPTY: Map[Any, Any] = Map()

MOVING = frozenset({"running", "park_requested"})
PARKED = frozenset({"parked_with_boundary", "parked_without_boundary"})
FROZEN = frozenset({"external_wait_frozen", "model_wait_frozen"})
COUNTED = PARKED | FROZEN
LIVE = MOVING | COUNTED | {"retiring"}


@attrs.frozen(slots=False)
class Boundary:
    """Where work can continue. `attempt` is the one that recorded it; the digest stands for it."""

    index: int
    digest: str
    attempt: int
    call_id: str | None = None
    capture_key: str | None = None
    kind: str = "turn_complete"
    turn_index: int = 0
    revisions: tuple[tuple[str, int], ...] = ()


@attrs.frozen
class Receipt:
    """The five values that an acknowledgement must repeat."""

    execution_generation: int
    result_identity: str
    result_digest: str
    manifest_capture_key: str | None = None
    terminal_model_call_id: str | None = None


@attrs.frozen(slots=False)
class Held:
    """An event of the work that has not been answered yet.

    `code` is the refusal it will get, if any. `free` lets it go although the work is counted.
    `entered` says that the wait it enters is open already.
    """

    event: str
    token: int
    code: str | None = None
    free: bool = False
    wait: str | None = None
    entered: bool = False


@attrs.frozen(slots=False)
class Execution:
    """One key that is live or retains its result."""

    status: str
    call: str | None
    generation: int = 1
    boundary: Boundary | None = None
    continuation: Boundary | None = None
    held: Held | None = None
    waits: tuple[str, ...] = ()
    handler: bool = True
    begun: bool = False
    refusal: bool = False
    receipt: Receipt | None = None
    # The row that brought it here. It explains; it is not part of the state.
    why: Rule | None = attrs.field(default=None, eq=False, repr=False)

    @property
    def wait(self) -> str | None:
        """The innermost marked wait that is open."""
        return self.waits[-1] if self.waits else None

    @property
    def record(self) -> Boundary | None:
        """What can be exported for the key: its boundary, else its continuation (R8)."""
        return self.boundary if self.boundary is not None else self.continuation


@attrs.frozen(slots=False)
class Reply:
    """An answer. `body` is a value of this module, a tuple of pairs, or None.

    `loose` is true when anything but a success will do: what a run answers that has failed.
    """

    status: int
    code: str | None = None
    body: Any = None
    loose: bool = False
    # Codes of later checks that also apply, where the facts do not fix the order.
    others: tuple[str, ...] = ()
    # Where the facts ask for a refusal with a code and fix no code.
    any_code: bool = False
    rule: Rule | None = attrs.field(default=None, eq=False, repr=False)


@attrs.frozen(slots=False)
class Outstanding:
    """A call that has not been answered, or whose answer has not left.

    `repeated` says of a retire that another had found the key live before it.
    """

    op: str
    key: Key | None = None
    deadline: int | None = None
    reply: Reply | None = None
    repeated: bool = False


@attrs.frozen(slots=False)
class Storing:
    """A commit or restore that runs: who waits for it, and how far it has come."""

    op: str
    directory: str
    callers: tuple[str, ...]
    stage: str = "started"
    records: tuple[tuple[Key, Boundary], ...] = ()
    source: str | None = None
    refusal: Rule | None = None


@attrs.frozen
class Recorded:
    """The answer of an operation of the active id, kept to be given again."""

    op: str
    directory: str | None
    reply: Reply


@attrs.frozen(slots=False)
class Fence:
    """The one checkpoint that may be open.

    `waiting` is true while a prepare waits; its callers may all have gone away (R11).
    """

    phase: str = "idle"
    active: str | None = None
    waiting: bool = False
    callers: tuple[str, ...] = ()
    deadline: int | None = None
    allow_model_wait: bool = False
    recorded: tuple[Recorded, ...] = ()
    storing: Storing | None = None


@attrs.frozen
class Directory:
    """A checkpoint directory of this instance: partial, committed, damaged, or unknown.

    A recording may leave open whether a commit that a crash cut off was published; its directory
    is then "uncertain", with what the commit would have written.
    """

    kind: str
    source: str | None = None
    instance: str | None = None
    records: tuple[tuple[Key, Boundary], ...] = ()


@attrs.frozen(slots=False)
class History:
    """What is remembered until the process ends."""

    refused: Map[Key, Rule] = _EMPTY
    acknowledged: Map[Key, Receipt] = _EMPTY
    watermark: Map[str, int] = _EMPTY
    finished: Map[str, tuple[str, Reply]] = _EMPTY


@attrs.frozen(slots=False)
class State:
    """An agent participant, its disk, and the calls that wait for it.

    `orphans` are events that will be answered whatever happens: with their code, or "" for ok.
    """

    instance: str | None = None
    fence: Fence = Fence()
    accepting: bool = True
    executions: Map[Key, Execution] = _EMPTY
    pending: Map[Key, Boundary] = _EMPTY
    untracked: Map[str, bool] = _EMPTY
    calls: Map[str, Outstanding] = _EMPTY
    orphans: Map[int, str] = _EMPTY
    dead: frozenset[str] = frozenset()
    disk: Map[str, Directory] = _EMPTY
    holds: frozenset[str] = frozenset()
    failing: tuple[str, ...] = ()
    history: History = History()


@attrs.frozen
class View:
    """What a status shows: the executions as they were at one moment."""

    executions: Map[Key, Execution]
    accepting: bool
    acknowledged: int
    untracked: int
    ready: bool
