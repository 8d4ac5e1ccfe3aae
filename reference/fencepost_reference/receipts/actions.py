"""Everything that can happen to an agent participant, and everything that becomes visible.

The first group is chosen by the world: calls, events of the work, faults, time. The second group
is taken by the participant itself, when it likes. The last group is what an action shows.
"""

import attrs

from fencepost_reference.receipts.state import Boundary, Directory, Receipt, Reply
from fencepost_spec.vocabulary import Key

# The world.


@attrs.frozen
class Request:
    """A control request, read. Times are microseconds that are left."""

    checkpoint_id: str | None = None
    deadline: int | None = None
    directory: str | None = None
    key: Key | None = None
    allow_model_wait: bool = False
    receipts: tuple[tuple[Key, Receipt], ...] = ()
    authorised: bool = True
    well_formed: bool = True


@attrs.frozen
class Call:
    """A control request reaches the participant."""

    id: str
    op: str
    request: Request


@attrs.frozen
class Run:
    """A client's `/run` reaches the participant; without a key it has no identity."""

    id: str
    key: Key | None
    well_formed: bool = True


@attrs.frozen
class Gone:
    """The caller goes away and will not see an answer."""

    id: str


@attrs.frozen
class Work:
    """An event of the work. `token` names it, so that its return can be told from others."""

    event: str
    key: Key | None
    token: int
    boundary: Boundary | None = None
    identity_matches: bool = True
    wait: str | None = None
    outcome: str | None = None
    result: tuple[str, str] | None = None
    call: str | None = None


@attrs.frozen
class Replace:
    """The process is replaced by a new one; all memory is lost."""

    disk_kept: bool = True


@attrs.frozen
class Tick:
    """Time passes."""

    microseconds: int


@attrs.frozen
class Hold:
    """A storage step of an operation is held."""

    op: str


@attrs.frozen
class Release:
    """A held storage step goes on."""

    op: str


@attrs.frozen
class FailStorage:
    """The next storage step of that kind fails: records, manifest, after_manifest or read."""

    step: str


@attrs.frozen
class SetDirectory:
    """A directory is copied, damaged, or removed by somebody else (None)."""

    directory: str
    content: Directory | None


# The participant.


@attrs.frozen
class Begin:
    """The handler of an admitted run starts."""

    key: Key


@attrs.frozen
class NeverBegin:
    """The handler of an admitted run is cancelled before it starts."""

    key: Key


@attrs.frozen
class BeginUntracked:
    """The handler of a run without identity starts."""

    call: str


@attrs.frozen
class NeverBeginUntracked:
    """The handler of a run without identity is cancelled before it starts."""

    call: str


@attrs.frozen
class LetGo:
    """A held event of the work is answered; `cancelled` delivers a cancellation instead."""

    key: Key
    cancelled: bool = False


@attrs.frozen
class ReturnOrphan:
    """A held event of work that has ended is answered."""

    token: int


@attrs.frozen
class ParkInPlace:
    """Work that is held and asked to park is parked where it stands."""

    key: Key


@attrs.frozen
class Conclude:
    """The waiting prepare ends."""


@attrs.frozen
class Store:
    """The running commit or restore takes its next step.

    `spared` takes it without reading the files: a failure of reading that waits goes on waiting.
    """

    spared: bool = False


@attrs.frozen
class AnswerRetire:
    """A retire answers before its handler has stopped: at its deadline, or too early."""

    call: str
    early: bool


@attrs.frozen
class Leave:
    """An answer that is decided leaves. `dropped` closes the connection of a run instead."""

    call: str
    dropped: bool = False


# What is seen.


@attrs.frozen
class Answered:
    """The answer of a call."""

    call: str
    reply: Reply


@attrs.frozen
class Dropped:
    """A run ended without an answer."""

    call: str


@attrs.frozen
class Began:
    """A handler has started."""

    key: Key | None
    generation: int
    continuation: Boundary | None
    call: str | None


@attrs.frozen
class Returned:
    """An event of the work is answered: ok, or a refusal code."""

    token: int
    code: str | None


@attrs.frozen
class CancelHandler:
    """The participant cancels the handler of a key."""

    key: Key
