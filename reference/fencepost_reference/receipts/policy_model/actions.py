"""Everything that can happen to a policy model, and everything that becomes visible.

The world chooses the first group; the participant takes the second by itself; the last is seen.
"""

import attrs

from fencepost_reference.receipts.policy_model.state import Checkpoint, Index, Row
from fencepost_reference.receipts.state import Reply
from fencepost_spec.vocabulary import Key

# The world.


@attrs.frozen
class Request:
    """A control request, read. Times are microseconds that are left.

    `indexes` are the paths and digests of a commit's references; `timeout` bounds a status that
    `waits`.
    """

    checkpoint_id: str | None = None
    deadline: int | None = None
    directory: str | None = None
    indexes: tuple[tuple[str, str], ...] = ()
    key: Key | None = None
    waits: bool = False
    timeout: int | None = None
    authorised: bool = True
    well_formed: bool = True


@attrs.frozen
class Call:
    """A control request reaches the participant."""

    id: str
    op: str
    request: Request


@attrs.frozen
class Admit:
    """A call of the data plane reaches the gate. `agrees`: headers and path name one attempt."""

    ticket: str
    key: Key | None
    path: str = "/v1/responses"
    agrees: bool = True


@attrs.frozen
class Record:
    """A call in flight writes a row into the ledger."""

    ticket: str
    row: Row


@attrs.frozen
class Release:
    """The task of a call has ended: its answer was sent whole, or it was cancelled."""

    ticket: str


@attrs.frozen
class Gone:
    """The caller of a control call goes away and will not see an answer."""

    id: str


@attrs.frozen
class Replace:
    """The process is replaced; memory is lost. The live ledger may be fresh even on a kept disk."""

    disk_kept: bool = True
    ledger_kept: bool = True


@attrs.frozen
class Tick:
    """Time passes."""

    microseconds: int


@attrs.frozen
class HoldStorage:
    """The storage of a commit or restore is held."""

    op: str


@attrs.frozen
class FreeStorage:
    """Held storage goes on."""

    op: str


@attrs.frozen
class FailStorage:
    """The next storage step of that kind fails: records, manifest, after_manifest, read or copy."""

    step: str


@attrs.frozen
class SetDirectory:
    """A checkpoint directory is copied, damaged, or removed by somebody else (None)."""

    directory: str
    content: Checkpoint | None


@attrs.frozen
class SetIndex:
    """An index of roots is put on disk by an agent, or goes away (None)."""

    path: str
    index: Index | None


@attrs.frozen
class DamageLineage:
    """A lineage file of the live ledger gets a line that is no row."""

    capture_key: str


# The participant.


@attrs.frozen
class EndDrain:
    """The drain is over: the model is paused."""


@attrs.frozen
class Read:
    """A status reads what it will tell."""

    call: str


@attrs.frozen
class CancelTask:
    """The task of an aborted call sees its cancellation."""

    ticket: str


@attrs.frozen
class Store:
    """The running commit or restore takes its next step."""


@attrs.frozen
class Leave:
    """An answer that is decided leaves."""

    call: str


# What is seen.


@attrs.frozen
class Answered:
    """The answer of a control call."""

    call: str
    reply: Reply


@attrs.frozen
class Passed:
    """What a call got at the gate: a refusal code, or None when it goes on."""

    ticket: str
    code: str | None


@attrs.frozen
class Cancelled:
    """The task of a call saw its cancellation."""

    ticket: str
