"""A mutant that is a specification with one thing deleted."""

from typing import Generic, TypeVar

import attrs

from fencepost_spec.rule import Rule

S = TypeVar("S")


@attrs.frozen(eq=False)
class Lacking(Generic[S]):
    """A specification that lacks one row, guard or check; `rule` is that of what is missing."""

    name: str
    says: str
    rule: Rule
    spec: S

    @property
    def cites(self) -> tuple[str, ...]:
        """The rule of what is missing, and the facts that it states."""
        return (self.rule.id, *self.rule.facts)
