"""What a policy model is, as frozen values: fence, admission, calls, ledger, history and disk.

Rows of the ledger hold no tokens. Times are whole microseconds that are left. What steps change has
no slots, so that `change` can copy it quickly.
"""

from typing import Any

import attrs
from immutables import Map

from fencepost_reference.receipts.state import Reply
from fencepost_spec.rule import Rule
from fencepost_spec.vocabulary import Key

_EMPTY: Map[Any, Any] = Map()


@attrs.frozen
class Row:
    """One model call in a lineage."""

    call_id: str
    failure: str | None = None
    storage_key: str | None = None


Rows = tuple[Row, ...]


@attrs.frozen
class Lineage:
    """A lineage file of the live ledger; a damaged one holds a line that is no row."""

    rows: Rows = ()
    damaged: bool = False


@attrs.frozen(order=True)
class Root:
    """The committed call on which the work of one attempt rests, and the lineage that has it."""

    key: Key
    capture_key: str
    call_id: str


@attrs.frozen
class Index:
    """An index file of roots as it lies on disk; None for one that makes no sense."""

    roots: tuple[Root, ...] | None
    digest: str


@attrs.frozen
class Checkpoint:
    """A checkpoint directory: "partial", "committed", "newer", "garbled" or "unknown".

    `damaged` says that a lineage file is not what the manifest says. A "garbled" one has a
    manifest that makes no sense.
    """

    kind: str
    id: str | None = None
    server: str | None = None
    lineages: tuple[tuple[str, Rows], ...] = ()
    damaged: bool = False
    tombstones: tuple[Key, ...] = ()
    sources: tuple[Key, ...] = ()
    roots: tuple[Root, ...] = ()


@attrs.frozen(slots=False)
class Ticket:
    """One call that was let in. `told` says that its task has seen its cancellation."""

    key: Key | None
    status: str = "in_flight"
    told: bool = False


@attrs.frozen(slots=False)
class Outstanding:
    """A control call that has not been answered, or whose answer has not left.

    `waits` is true for a status that waits for paused, until `left` is used up.
    """

    op: str
    waits: bool = False
    left: int | None = None
    reply: Reply | None = None


@attrs.frozen(slots=False)
class Storing:
    """A commit or restore that runs: who waits for it, how far it is, what it writes or installs.

    `copied` names the lineages that a restore has added to the live ledger.
    """

    op: str
    directory: str
    callers: tuple[str, ...]
    indexes: tuple[tuple[str, str], ...] = ()
    stage: str = "started"
    content: Checkpoint | None = None
    copied: tuple[str, ...] = ()
    left_out: tuple[int, int] = (0, 0)


@attrs.frozen
class Recorded:
    """The answer of an operation of the active id, kept to be given again."""

    op: str
    directory: str | None
    reply: Reply


@attrs.frozen(slots=False)
class Fence:
    """The one checkpoint that may be open."""

    phase: str = "idle"
    active: str | None = None
    recorded: tuple[Recorded, ...] = ()
    storing: Storing | None = None


@attrs.frozen(slots=False)
class History:
    """What is remembered until the process ends.

    `refused` are aborted attempts and those that a checkpoint had refused, `sources` the attempts
    that were restored from, `mark` the highest source of each rollout.
    """

    refused: Map[Key, Rule] = _EMPTY
    sources: Map[Key, Rule] = _EMPTY
    mark: Map[str, int] = _EMPTY
    finished: Map[str, tuple[str, Reply]] = _EMPTY


@attrs.frozen(slots=False)
class State:
    """A policy model, its ledger, its disk, and the calls that wait for it."""

    server: str = "policy"
    role: str = "policy"
    has_ledger: bool = True
    fence: Fence = Fence()
    admission: str = "accepting"
    tickets: Map[str, Ticket] = _EMPTY
    lineages: Map[str, Lineage] = _EMPTY
    indexes: Map[str, Index] = _EMPTY
    calls: Map[str, Outstanding] = _EMPTY
    dead: frozenset[str] = frozenset()
    disk: Map[str, Checkpoint] = _EMPTY
    holds: frozenset[str] = frozenset()
    failing: tuple[str, ...] = ()
    history: History = History()


@attrs.frozen
class View:
    """What a status shows: admission, the calls in flight, every attempt that is refused."""

    admission: str
    tickets: tuple[tuple[str, Key | None], ...]
    refused: tuple[Key, ...]


def view_of(state: State) -> View:
    """What a status shows now."""
    history = state.history
    return View(
        state.admission,
        tuple(sorted((name, ticket.key) for name, ticket in state.tickets.items())),
        tuple(sorted({*history.refused, *history.sources})),
    )


def is_refused(state: State, key: Key) -> bool:
    """Whether the gate refuses an attempt: by itself, as a source, or below one."""
    history = state.history
    below = key.attempt < history.mark.get(key.rollout_id, -1)
    return key in history.refused or key in history.sources or below
