"""What a watcher sees, beside what `actions` has already: one value for each kind of line.

Seen as they are: `Submit`, `Admit`, `SnapshotDue`, `DeadlinePassed`, `GoneStale`, `Sent`,
`Answered`, `Lost`, `Training`, `Trained`, `Storing`, `Stored`, `SnapshotEnded`, and `Start`.
"""

import attrs

from fencepost_reference.receipts.controller.said import Place
from fencepost_reference.receipts.state import Receipt
from fencepost_spec.vocabulary import Key


@attrs.frozen
class Replaced:
    """A process is gone and comes again; the controller's where `place` is None."""

    place: Place | None


@attrs.frozen
class Stepped:
    """The trainer has made a step: the anchor is this one now."""

    train_step: int


@attrs.frozen
class TimeOver:
    """The time of a checkpoint is over; of the open one where none is named."""

    checkpoint_id: str | None


@attrs.frozen
class Started:
    """A process of the controller starts, from the snapshot of that number or from none.

    `train_step` is where the trainer stands then, if that is told.
    """

    number: int | None
    train_step: int | None = None


@attrs.frozen
class StartRefused:
    """A process of the controller finds no snapshot that it could go on from, and does not run."""

    because: str


@attrs.frozen
class Damaged:
    """A published snapshot cannot be read as it was written any more."""

    number: int


@attrs.frozen
class Told:
    """An agent has shown a receipt elsewhere than in the answer to a fetch."""

    place: Place
    key: Key
    receipt: Receipt


@attrs.frozen
class Rested:
    """A report of the controller at rest. None is what it does not say.

    `groups` has the number of attempts of each sibling; `owed` the keys of the outbox.
    """

    gate_open: bool | None = None
    active: str | None = None
    tells_active: bool = False
    owed: frozenset[Key] | None = None
    running: frozenset[Key] | None = None
    groups: tuple[tuple[str, tuple[int, ...] | None], ...] | None = None
