"""Operations, checks, refusals, properties and faults: what a protocol says beside its charts.

Everything here is a frozen value, so that a variation of a specification is another value.
May import `rule` and attrs only.
"""

from collections.abc import Callable, Iterator
from enum import Enum
from typing import Any

import attrs

from fencepost_spec.rule import Rule

Condition = Callable[[Any], bool]
"""A plain function over one frozen facts object; its name and docstring say what it asks."""

REPLAY = "replay"
"""The answer of a check that gives the recorded answer again."""

SHARE = "share"
"""The answer of a check that joins the caller to the call that is under way."""


@attrs.frozen
class Check:
    """One rung of a ladder: when its condition holds, it answers and nothing below is asked.

    `answer` is a refusal code, `REPLAY` or `SHARE`. `free` marks a rung whose place the facts do
    not fix: a participant may let a later refusal that also applies speak first.
    """

    rule: Rule
    when: Condition
    answer: str
    free: bool = False


@attrs.frozen
class Operation:
    """One control operation: its route, who calls it, and the ordered checks that answer for it.

    `event` is the fence event that starts it, or None when it does not move the fence; then
    `phases` lists the phases in which it is allowed, and None means every phase.
    `fenced` is false for the operations that need no checkpoint id. `effect` is the rule for what
    happens when no check answers.
    """

    name: str
    method: str
    path: str
    effect: Rule
    ladder: tuple[Check, ...]
    event: str | None = None
    phases: tuple[str, ...] | None = None
    recorded: bool = False
    finishes: bool = False
    token: bool = True
    fenced: bool = True
    says: str = ""

    def without(self, check: Check) -> "Operation":
        """This operation with one rung taken out, or ValueError when the rung is not on it."""
        if check not in self.ladder:
            raise ValueError(f"{check.rule.id} is not a check of {self.name}")
        return attrs.evolve(self, ladder=tuple(c for c in self.ladder if c is not check))


@attrs.frozen
class Refusal:
    """A code that an answer may carry.

    `definite` says that the answer proves that the operation did not happen. `effects` lists what
    may last all the same.
    """

    code: str
    status: int
    definite: bool
    says: str
    effects: tuple[str, ...] = ()


class Kind(Enum):
    """What sort of promise a property makes."""

    ALWAYS = "always"
    EVENTUALLY = "eventually"
    SOMETIMES = "sometimes"


@attrs.frozen
class Property:
    """A promise about every run, named by a phrase that a person can say.

    An `eventually` names the fairness it assumes; a `sometimes` proves that the good thing can
    happen at all.
    """

    rule: Rule
    kind: Kind
    name: str
    fairness: str = ""

    @property
    def id(self) -> str:
        """The id of its rule."""
        return self.rule.id


@attrs.frozen
class Fault:
    """Something the world may do to a participant or to a message."""

    name: str
    says: str


def check_rules(operations: Iterator[Operation] | tuple[Operation, ...]) -> tuple[Rule, ...]:
    """The rules of all checks and effects, each once, in order."""
    seen: dict[str, Rule] = {}
    for operation in operations:
        for check in operation.ladder:
            seen.setdefault(check.rule.id, check.rule)
        seen.setdefault(operation.effect.id, operation.effect)
    return tuple(seen.values())
