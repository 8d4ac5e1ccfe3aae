"""What a controller is, as frozen values: its ledger, its attempts, its calls, its checkpoint.

Small and canonical: ids are made of numbers, calls are named after what they are about, and nothing
is remembered of what is over.
"""

import attrs
from immutables import Map

from fencepost_reference.receipts.controller.actions import Request, Snapshot
from fencepost_reference.receipts.controller.said import Committed, Place
from fencepost_reference.receipts.ledger.state import State as Ledger
from fencepost_reference.receipts.state import Receipt
from fencepost_spec.receipts.controller.target_level import Level, Mode
from fencepost_spec.vocabulary import Key


@attrs.frozen
class Participant:
    """Somebody whom the controller calls, and what can be written down of them.

    The work of an environment may be scored by whole groups only.
    """

    place: Place
    mode: Mode = "export_restore"
    group_scored: bool = False


@attrs.frozen
class Fleet:
    """Who is there, and at which level work is to be recovered."""

    participants: tuple[Participant, ...] = (Participant(Place("agent", "a1")),)
    target_level: Level = "turn"

    def places(self, *, saved: bool) -> tuple[Place, ...]:
        """Everybody, or only those who can be saved."""
        return tuple(
            one.place for one in self.participants if not saved or one.mode == "export_restore"
        )

    def modes(self) -> tuple[tuple[str, Mode], ...]:
        """What each environment can do, by its name."""
        return tuple(
            (one.place.instance, one.mode)
            for one in self.participants
            if one.place.kind == "resources"
        )

    def scored(self) -> frozenset[str]:
        """The environments whose work is scored as a group."""
        return frozenset(one.place.instance for one in self.participants if one.group_scored)


@attrs.frozen(slots=False)
class Work:
    """An attempt that some participant may still know of. The result stays until it is sealed."""

    status: str
    agent: str
    digest: str | None = None
    receipt: Receipt | None = None


@attrs.frozen(slots=False)
class Open:
    """A call that waits for its answer."""

    op: str
    place: Place
    request: Request


@attrs.frozen(slots=False)
class Round:
    """A checkpoint or a restore. `op` names what every participant is to have done.

    `touched` are those who were attempted and have not confirmed their release, `done` those who
    have answered in this phase, `pending` those who said "not yet". `storing` is the step that the
    disk was asked for. `because` says why a snapshot was given up. `sessions` are those that
    resources servers have said they will write, with their revisions.
    """

    number: int
    saves: bool
    transaction: str
    publication: str
    step: int
    touched: frozenset[Place] = frozenset()
    done: frozenset[Place] = frozenset()
    pending: frozenset[Place] = frozenset()
    results: tuple[tuple[Place, Committed], ...] = ()
    discards: tuple[tuple[Place, Key], ...] = ()
    sessions: Map[Place, frozenset[tuple[Key, int]]] = Map()  # noqa: RUF009 - it never changes
    snapshot: Snapshot | None = None
    storing: str = ""
    because: str = ""

    @property
    def id(self) -> str:
        """The id under which participants know it."""
        return f"{'c' if self.saves else 'r'}{self.number}"


@attrs.frozen(slots=False)
class State:
    """A controller. `number` is that of the next checkpoint, `step` that of the trainer.

    `late` are the groups that were restored reserved and were not launched yet.
    """

    ledger: Ledger = Ledger()  # noqa: RUF009 - an empty ledger never changes
    works: Map[Key, Work] = Map()  # noqa: RUF009 - an empty map never changes
    calls: Map[str, Open] = Map()  # noqa: RUF009 - an empty map never changes
    fence: str = "unfrozen"
    round: Round | None = None
    number: int = 1
    step: int = 0
    trained: tuple[str, ...] = ()
    late: frozenset[str] = frozenset()
    halted: str = ""

    @property
    def gate(self) -> bool:
        """Whether attempts may be dispatched."""
        return self.fence == "unfrozen"
