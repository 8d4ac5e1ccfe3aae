"""Everything that can happen to a controller, and everything that becomes visible.

The world chooses the first group: work that arrives, answers, steps of the trainer, crashes. The
controller takes the second by itself, in any order that its own rules allow. The last is seen.
"""

import attrs

from fencepost_reference.receipts.controller.said import Answer, Place
from fencepost_reference.receipts.state import Receipt
from fencepost_spec.vocabulary import Key

# The world.


@attrs.frozen
class Submit:
    """A prompt group is handed over. `agent` runs all its siblings."""

    group_id: str
    siblings: int
    granularity: str
    agent: str
    target_step: int | None = None
    admitted: bool = True
    prompt_id: str = "0"


@attrs.frozen
class Admit:
    """The sampler admits a reserved group."""

    group_id: str
    target_step: int | None = None


@attrs.frozen
class SnapshotDue:
    """It is time to attempt a snapshot."""


@attrs.frozen
class DeadlinePassed:
    """What waits for participants to be prepared has waited long enough."""


@attrs.frozen
class TrainerStepped:
    """The trainer has made a step and is durable again: the anchor has moved."""


@attrs.frozen
class GoneStale:
    """A group is too old to be trained on."""

    group_id: str


@attrs.frozen
class Answered:
    """A participant's definite answer arrives."""

    call: str
    answer: Answer


@attrs.frozen
class Lost:
    """No answer will come: nobody learns from it whether the operation happened."""

    call: str


@attrs.frozen
class Trained:
    """The finalizer answers: "committed", "dropped", or "unknown" when nobody knows."""

    group_id: str
    outcome: str


@attrs.frozen
class Stored:
    """A step of writing a snapshot is done, or has failed."""

    ok: bool


@attrs.frozen
class Start:
    """A new deployment starts, from a snapshot or from none; all memory of the last one is lost.

    Participants start with their controller. `number` is the first that no directory has: what an
    earlier process began and did not publish has used numbers, too.
    """

    snapshot: "Snapshot | None" = None
    number: int = 0


# The controller.


@attrs.frozen
class Call:
    """A participant is called. `call` is a name that no other open call has."""

    call: str
    place: Place
    op: str
    request: "Request"


@attrs.frozen
class Register:
    """Attempts are minted where needed, registered with the fence, and about to be sent."""

    keys: tuple[Key, ...]


@attrs.frozen
class Finalize:
    """The finalizer is handed a group whose siblings are all sealed."""

    group_id: str


@attrs.frozen
class Record:
    """The acknowledgement of a sealed sibling is recorded, later than its seal."""

    key: Key


@attrs.frozen
class Capture:
    """The barrier is taken, and what a snapshot holds is fixed."""


@attrs.frozen
class StoreStep:
    """The next step of writing a snapshot is begun: sidecars, manifest, rename."""

    step: str


@attrs.frozen
class Conclude:
    """An attempt at a snapshot, or a restore, ends; the gate opens again where it may."""


# What is seen.


@attrs.frozen
class Request:
    """What a call carries; what an operation has no use for is empty.

    `agents` are the digests of the agents' indexes that scope a policy model's commit, and
    `deadline_in` are seconds from now, where they are seen.
    """

    checkpoint_id: str | None = None
    directory: str | None = None
    key: Key | None = None
    receipts: tuple[tuple[Key, Receipt], ...] = ()
    agents: tuple[str, ...] = ()
    deadline_in: float | None = None


@attrs.frozen
class Sent:
    """A call leaves the controller."""

    call: str
    place: Place
    op: str
    request: Request


@attrs.frozen
class Training:
    """Rows reach the finalizer: one result for each sibling, by the attempt that made it."""

    group_id: str
    rows: tuple[tuple[Key, str], ...]


@attrs.frozen
class Storing:
    """A step of writing a snapshot begins; the rename publishes it."""

    step: str
    snapshot: "Snapshot"


@attrs.frozen
class SnapshotEnded:
    """An attempt at a snapshot is over: saved, or not, and why."""

    saved: bool
    because: str = ""


@attrs.frozen
class Snapshot:
    """What lies in a snapshot directory, as values.

    `ledger` is the saved ledger as canonical JSON; `participants` is what each of them committed.
    """

    number: int
    checkpoint_id: str
    train_step: int
    trainer_version: int
    ledger: str
    participants: tuple[tuple[Place, "object"], ...] = ()
    trained: tuple[str, ...] = ()
