"""One line of the kill matrix: what became of a mutant."""

from collections.abc import Mapping
from enum import Enum
from typing import Any

import attrs

from fencepost_spec.rule import Level, Rule

ACTIONS_MAX = 10
ACTIONS_MAX_TWO_LIVES = 12
SECONDS_MAX = 5.0


class Status(Enum):
    """What became of a mutant."""

    KILLED = "killed"  # A rule of level must refuses it, within the bounds.
    EQUIVALENT = "equivalent"  # It did nothing otherwise wherever it was walked.
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


def row_of(group: str, mutant: Any, status: Status = Status.SURVIVES, **more: Any) -> Row:
    """The row of a mutant before, or without, more than a status."""
    return Row(mutant.name, mutant.says, mutant.cites, group, status, **more)


def states(rule: Rule | None, cites: tuple[str, ...]) -> bool:
    """Whether a rule is, or states, something of what a mutant stands for."""
    return rule is not None and bool({rule.id, *rule.facts} & set(cites))


def refused(row: Row, rule: Rule | None, actions: int, most: int, **more: Any) -> Row:
    """The row of a mutant that the oracle refuses, after so many actions of so many allowed."""
    if rule is None or rule.level is not Level.MUST:
        status = Status.UNNAMED
    elif actions > most:
        status = Status.TOO_LONG
    else:
        status = Status.KILLED
    known = {} if rule is None else {"rule": rule.id, "rule_says": rule.says}
    told = {"nearest": states(rule, row.cites), **known, **more}
    return attrs.evolve(row, status=status, actions=actions, **told)


def unrefused(row: Row, differs: str | None, arguments: Mapping[str, str], **more: Any) -> Row:
    """The row of a mutant that nothing refuses: `differs` is where it does otherwise, if it does.

    An argument is given beside either; without one a mutant that differs survives.
    """
    why = arguments.get(row.name, "")
    if differs is None:
        return attrs.evolve(row, status=Status.EQUIVALENT, why=why, **more)
    if why:
        return attrs.evolve(row, status=Status.ARGUED, why=why, **more)
    return attrs.evolve(row, status=Status.SURVIVES, why=f"it differs in {differs}", **more)
