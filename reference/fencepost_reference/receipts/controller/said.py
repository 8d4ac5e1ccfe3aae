"""What participants say to a controller, cut down to what a controller acts on.

Each value stands for the body of one kind of answer. A world makes them from the answers of cores,
a harness from JSON. Times are not in them, because a controller decides nothing by them.
"""

import attrs

from fencepost_reference.receipts.state import Receipt
from fencepost_spec.vocabulary import Key

AGENT, MODEL, RESOURCES = "agent", "model", "resources"
KINDS = (AGENT, MODEL, RESOURCES)
"""The kinds of participant, as a trace names them."""


@attrs.frozen(order=True, cache_hash=True)
class Place:
    """One participant: its kind, and its name among those of its kind."""

    kind: str
    instance: str

    def __str__(self) -> str:
        return f"{self.kind} {self.instance}"


@attrs.frozen
class Finished:
    """A run ended well. The digest stands for its result."""

    digest: str


@attrs.frozen
class Receipted:
    """The receipt of a result that an agent keeps, and the execution that it names."""

    key: Key
    receipt: Receipt


@attrs.frozen
class Readiness:
    """How far a prepare is; for a policy model `ready` says that it is paused.

    `unacknowledged` are results that an agent keeps, which hold it up. `sessions` are those that a
    resources server will write, with their revisions; None where it does not say.
    """

    ready: bool
    unacknowledged: tuple[Key, ...] = ()
    sessions: tuple[tuple[Key, int], ...] | None = None


@attrs.frozen
class Continuation:
    """A boundary that an agent committed. It goes on under the next attempt of `key`.

    `capture_key` and `call_id` name the last committed model call, if there is one. `revisions` is
    None where nobody knows which resources the work has used.
    """

    key: Key
    capture_key: str
    call_id: str | None = None
    revisions: tuple[tuple[str, int], ...] | None = ()


@attrs.frozen
class StorageReference:
    """A row of token capture that a policy model committed, kept in the data plane under `key`."""

    capture_key: str
    call_id: str
    key: str
    kind: str = "token_capture_staging"


@attrs.frozen
class Committed:
    """What a participant wrote, and under which digest. Empty where it is of another kind."""

    digest: str
    continuations: tuple[Continuation, ...] = ()
    references: tuple[StorageReference, ...] = ()


@attrs.frozen
class Restored:
    """From which checkpoint a participant restored, and under which digest it was written."""

    source: str
    digest: str


@attrs.frozen
class Retired:
    """What an agent says of an attempt that is to end."""

    retired: bool
    tombstoned: bool
    unacknowledged: bool = False


@attrs.frozen
class Released:
    """The receipts whose results an agent has let go of, now or before."""

    receipts: tuple[tuple[Key, Receipt], ...]


Said = Finished | Receipted | Readiness | Committed | Restored | Retired | Released | None
"""The body of an answer; None where nothing in it matters."""


@attrs.frozen
class Answer:
    """A definite answer of a participant."""

    status: int
    code: str | None = None
    said: Said = None

    @property
    def ok(self) -> bool:
        """Whether what was asked was done."""
        return self.status == 200
