"""What a watcher knows of a controller: everything here was visible.

Everything is frozen and can be hashed. A reply that was lost leaves both possible, and is kept as
what it is: nobody knows.
"""

import attrs
from immutables import Map

from fencepost_reference.receipts.controller.actions import Sent, Snapshot
from fencepost_reference.receipts.controller.said import Committed, Continuation, Place
from fencepost_reference.receipts.controller.watch.sessions import Sessions
from fencepost_reference.receipts.state import Receipt
from fencepost_spec.vocabulary import Key

EXPORTS, RESTARTS = "export_restore", "restart_only"


@attrs.frozen
class Settings:
    """Which participants there are, each with its checkpoint mode."""

    participants: tuple[tuple[Place, str], ...]
    target_level: str = "turn"

    @property
    def places(self) -> tuple[Place, ...]:
        """Every participant."""
        return tuple(place for place, _ in self.participants)

    @property
    def exporting(self) -> tuple[Place, ...]:
        """The participants that can be restored."""
        return tuple(place for place, mode in self.participants if mode == EXPORTS)

    @property
    def restarting(self) -> frozenset[str]:
        """The names of the resources whose state is lost with their process."""
        return frozenset(
            place.instance
            for place, mode in self.participants
            if place.kind == "resources" and mode == RESTARTS
        )


@attrs.frozen
class Attempt:
    """One attempt of a sibling that was sent, as far as it was seen.

    `kept` says that its agent was seen to keep its result; `released`, that the agent neither runs
    nor keeps it any more; `failed`, that it ended without a result; `declined`, that it was refused
    before it began; `gone`, that its agent's process went while it ran or was kept, which no
    controller is told. `shown` is a receipt that a status named; `offered` says that a retire was
    answered with the result, which may be asked for again. `open` counts runs without an answer.
    """

    agent: Place
    open: int = 0
    lost: bool = False
    digest: str | None = None
    receipt: Receipt | None = None
    shown: Receipt | None = None
    kept: bool = False
    offered: bool = False
    released: bool = False
    failed: bool = False
    declined: bool = False
    gone: bool = False

    @property
    def held(self) -> bool:
        """Whether its result and its receipt are here."""
        return self.digest is not None and self.receipt is not None

    @property
    def told(self) -> Receipt | None:
        """The receipt, wherever it was told."""
        return self.receipt or self.shown

    @property
    def usable(self) -> bool:
        """Whether its result is here, and its receipt was told anywhere."""
        return self.digest is not None and self.told is not None

    @property
    def owed(self) -> bool:
        """Whether its acknowledgement is owed."""
        return self.held and not self.released


@attrs.frozen
class Group:
    """One prompt group. `status` is live, trained, dropped, stale, unknown or given_up.

    `current` numbers the attempt of each sibling that counts; `again` are the siblings of a cohort
    that was given up whose next attempts were not sent yet. `early` says that it was restored
    admitted, `late` that it was restored reserved.
    """

    group_id: str
    siblings: int
    granularity: str
    agent: str
    target_step: int | None
    admitted: bool
    status: str = "live"
    current: tuple[int, ...] = ()
    again: frozenset[int] = frozenset()
    early: bool = False
    late: bool = False

    @property
    def live(self) -> bool:
        """Whether it is still worked on."""
        return self.status == "live"

    @property
    def whole(self) -> bool:
        """Whether it recovers as a whole."""
        return self.granularity == "prompt_group"

    def rollout_id(self, index: int) -> str:
        """The logical id of a sibling."""
        return f"{self.group_id}_g{index}"

    def key(self, index: int) -> Key:
        """The current attempt of a sibling."""
        return Key(self.rollout_id(index), self.current[index])

    def executions(self) -> tuple[Key, ...]:
        """The current attempts."""
        return tuple(self.key(index) for index in range(self.siblings))


@attrs.frozen
class Transaction:
    """A checkpoint, or a restore, from its first call to its last release.

    `anchor` is the step of the trainer that was durable when it began; `pending` are the agents
    that were not ready when something was seen to keep them busy; `told` says that its end
    as a saved snapshot was told.
    """

    checkpoint_id: str
    restores: bool = False
    anchor: int = 0
    attempted: frozenset[Place] = frozenset()
    answered: frozenset[Place] = frozenset()
    vacated: frozenset[Place] = frozenset()
    held: frozenset[Place] = frozenset()
    troubled: frozenset[Place] = frozenset()
    committing: frozenset[Place] = frozenset()
    committed: Map[Place, Committed] = Map()  # noqa: RUF009 - an empty map never changes
    restored: frozenset[Place] = frozenset()
    mismatched: bool = False
    directory: str | None = None
    pending: frozenset[Place] = frozenset()
    late: bool = False
    releasing: bool = False
    released: frozenset[Place] = frozenset()
    steps: tuple[str, ...] = ()
    storing: str | None = None
    store_failed: bool = False
    captured: Snapshot | None = None
    published: bool = False
    told: bool = False
    discarded: frozenset[Key] = frozenset()
    sessions: Map[Place, Sessions] = Map()  # noqa: RUF009 - an empty map never changes

    @property
    def open_at(self) -> frozenset[Place]:
        """The participants that have not confirmed their release."""
        return self.attempted - self.released


@attrs.frozen
class Watch:
    """Everything that a watcher knows. `fallen` is how many snapshots fell due and did not end."""

    settings: Settings
    calls: Map[str, Sent] = Map()  # noqa: RUF009 - an empty map never changes
    groups: Map[str, Group] = Map()  # noqa: RUF009 - an empty map never changes
    attempts: Map[Key, Attempt] = Map()  # noqa: RUF009 - an empty map never changes
    transaction: Transaction | None = None
    used: Map[Place, frozenset[str]] = Map()  # noqa: RUF009 - an empty map never changes
    due: bool = False
    fallen: int = 0
    due_rows: frozenset[Key] = frozenset()
    anchors: tuple[int, ...] = (0,)
    touched: Map[str, tuple[Group | None, ...]] = Map()  # noqa: RUF009 - an empty map never changes
    trained: frozenset[str] = frozenset()
    consumed: frozenset[str] = frozenset()
    published: tuple[Snapshot, ...] = ()
    newest_in: str | None = None
    damaged: frozenset[int] = frozenset()
    agents: Map[str, str] = Map()  # noqa: RUF009 - an empty map never changes
    started: Snapshot | None = None
    to_restore: frozenset[Place] = frozenset()
    continuations: tuple[tuple[Place, Continuation], ...] = ()
    lived: bool = False
    lost_end: bool = False
    training: tuple[str, ...] = ()

    def group_of(self, key: Key) -> tuple[Group, int] | None:
        """The group and the place of the sibling that a rollout id names, or None."""
        group_id, mark, number = key.rollout_id.rpartition("_g")
        group = self.groups.get(group_id)
        if group is None or not mark or not number.isdecimal() or str(int(number)) != number:
            return None
        return group, int(number)

    def is_kept_busy(self, place: Place) -> bool:
        """Whether an agent may run or keep something that was sent to it, and so not be ready."""
        return any(one.agent == place and not one.released for one in self.attempts.values())

    def ordered(self) -> tuple[Group, ...]:
        """The groups by their ids."""
        return tuple(group for _, group in sorted(self.groups.items()))

    @property
    def gate_closed(self) -> bool:
        """Whether a participant has not confirmed its release, or was not restored."""
        return bool(self.to_restore) or (
            self.transaction is not None and bool(self.transaction.open_at)
        )

    @property
    def ids_to_tell(self) -> frozenset[str | None]:
        """The id that is open; without one none, or that of a call whose answer is awaited."""
        if self.transaction is not None and self.transaction.open_at:
            return frozenset({self.transaction.checkpoint_id})
        asked = (call.request.checkpoint_id for call in self.calls.values() if call.op != "retire")
        return frozenset({None, *asked})

    @property
    def retires_later(self) -> bool:
        """Whether nothing can be retired before the last checkpoint is over and has answered."""
        one = self.transaction
        if one is None or not any(self.ids_to_tell):
            return False
        return one.restores or one.releasing or bool(one.committing)

    @property
    def gate_may_wait(self) -> bool:
        """Whether the gate may be closed: a snapshot is due, or an answer about one is."""
        asked = any(
            call.request.checkpoint_id is not None and call.op != "retire"
            for call in self.calls.values()
        )
        return self.gate_closed or self.due or asked

    def owed(self, place: Place | None = None) -> frozenset[Key]:
        """What is received and not confirmed, at one agent or at all."""
        return frozenset(
            key
            for key, one in self.attempts.items()
            if one.owed and (place is None or one.agent == place)
        )

    def orphans(self) -> tuple[tuple[Place, Key], ...]:
        """The replacements of restored continuations that nobody wants, and where they wait."""
        found: list[tuple[Place, Key]] = []
        for place, one in self.continuations:
            owner = self.group_of(one.key)
            replacement = one.key.next()
            wanted = (
                owner is not None
                and owner[0].live
                and owner[1] < owner[0].siblings
                and owner[0].key(owner[1]) == replacement
            )
            if not wanted:
                found.append((place, replacement))
        return tuple(found)

    def doomed(self) -> tuple[tuple[Place, Key], ...]:
        """The replacements that cannot go on: what they depend on is lost, unknown, or may be.

        Below the level of turns none goes on: a sibling is reused whole, or starts over.
        """
        lost = self.settings.restarting
        over = self.settings.target_level != "turn"
        safe = {place.instance for place, _ in self.settings.participants} - lost

        def is_lost(used: tuple[tuple[str, int], ...] | None) -> bool:
            return bool(lost) if used is None else any(name not in safe for name, _ in used)

        return tuple(
            (place, one.key.next())
            for place, one in self.continuations
            if over or is_lost(one.revisions)
        )
