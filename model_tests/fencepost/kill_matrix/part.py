"""What the kill matrix asks of one kind of participant. Data and functions, no decision."""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any, Protocol

import attrs

from fencepost.kill_matrix.row import Row
from fencepost_spec.rule import Rule

MECHANICAL = "mechanical"
"""The group of the mutants that follow from the specification: one thing of it deleted."""

TITLES: Mapping[str, str] = {
    "bugs": "Of the bug lists",
    "named": "Thought of",
    "builds": "Builds that must fail",
    "further": "Further faults, for promises that no numbered bug breaks",
    MECHANICAL: "Mechanical: one thing of the specification deleted",
}
"""The groups that a part may have, in the order in which they are told."""


class Named(Protocol):
    """A fault: its name, what it does wrong, and what it stands for."""

    @property
    def name(self) -> str:
        """The name by which it is found."""
        ...

    @property
    def says(self) -> str:
        """What it does wrong."""
        ...

    @property
    def cites(self) -> tuple[str, ...]:
        """The rules, facts and bugs that it stands for, the nearest first."""
        ...


Examine = Callable[[str, Any], Row]
"""What becomes of a mutant, by its group and itself."""


@attrs.frozen(eq=False, slots=False)
class Part:
    """One kind of participant, and how its mutants are examined.

    `examiner` makes what examines; it is asked once in each process, and may keep what it learns
    of the intact participant. `intact` is the specification, `spec_of` the one that a mechanical
    mutant has instead, and `arguments` say why a mutant that nothing refuses is right.
    """

    name: str
    title: str
    says: str
    page: str
    groups: Mapping[str, Sequence[Named]]
    examiner: Callable[[], Examine]
    rules: Callable[[], tuple[Rule, ...]]
    intact: Any
    spec_of: Callable[[Any], Any]
    arguments: Mapping[str, str]
    unbroken: Mapping[str, str]
    more: Callable[[], tuple[str, ...]] = tuple

    @cached_property
    def mutants(self) -> Mapping[str, tuple[str, Named]]:
        """Every mutant with its group, by its name; no name comes twice."""
        listed = [(group, one) for group, some in self.groups.items() for one in some]
        found = {one.name: (group, one) for group, one in listed}
        if len(found) < len(listed):
            raise ValueError(f"two mutants of the {self.name} have one name")
        return found

    @property
    def command(self) -> str:
        """The command that runs its matrix."""
        return f"fencepost mutants --part {self.name}"
