"""One line of the kill matrix: what became of a mutant."""

from enum import Enum

import attrs

ACTIONS_MAX = 10
ACTIONS_MAX_TWO_LIVES = 12
SECONDS_MAX = 5.0


class Status(Enum):
    """What became of a mutant."""

    KILLED = "killed"  # A rule of level must refuses it, within the bounds.
    EQUIVALENT = "equivalent"  # It did nothing otherwise in every place of its scopes.
    ARGUED = "argued"  # It differs, obeys every must, and it is said why that is right.
    SURVIVES = "survives"  # It differs, and nothing refuses it.
    UNNAMED = "unnamed"  # It is refused, by no rule or by one that decides nothing.
    TOO_LONG = "too long"  # It is refused, and the shortest way is longer than allowed.
    BROKEN = "broken"  # The search itself failed.


FAILURES = frozenset({Status.SURVIVES, Status.UNNAMED, Status.TOO_LONG, Status.BROKEN})


@attrs.frozen
class Row:
    """A mutant and what became of it; plain values, so that it travels between processes."""

    name: str
    says: str
    cites: tuple[str, ...]
    group: str
    status: Status
    seconds: float = 0.0
    rule: str | None = None
    rule_says: str = ""
    actions: int = 0
    scope: str = ""
    sequence: tuple[str, ...] = ()
    expected: str = ""
    came: str = ""
    # Whether the rule states what the mutant does wrong, and not only what follows from it.
    nearest: bool = False
    # The `always` that the mutant's own states break on the way.
    promises: tuple[str, ...] = ()
    scopes: tuple[str, ...] = ()
    places: int = 0
    noted: str | None = None
    why: str = ""

    @property
    def failed(self) -> bool:
        """Whether the matrix fails for it."""
        return self.status in FAILURES

    @property
    def pinned(self) -> dict[str, object]:
        """What the lock file holds of it."""
        if self.status is Status.KILLED:
            return {"rule": self.rule, "actions": self.actions}
        return {"status": self.status.value}
