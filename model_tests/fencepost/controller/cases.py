"""What a case is: a shortest trace that one rule refuses, and a legal neighbour of it."""

from collections.abc import Callable
from typing import Any

import attrs

from fencepost.controller.tales import Tale

Tell = Callable[[Tale], Any]


@attrs.frozen
class Case:
    """After `before` the last line of `wrong` is refused by a rule, and all of `right` is legal."""

    rule: str
    deed: str
    says: str
    before: Tell
    wrong: Tell
    right: Tell
    places: tuple[Any, ...] = ()
    tools: str = "export_restore"
    level: str = "turn"

    def told(self, ending: Tell) -> Tale:
        """The trace with one of the endings."""
        tale = Tale(*self.places, tools=self.tools, level=self.level)
        self.before(tale)
        ending(tale)
        return tale


def nothing(_tale: Tale) -> None:
    """Nothing happens before."""


def steps(*each: Tell) -> Tell:
    """Several things, one after another."""

    def tell(tale: Tale) -> None:
        for one in each:
            one(tale)

    return tell


def do(name: str, *values: Any, **named: Any) -> Tell:
    """A method of a tale, to be called later."""

    def tell(tale: Tale) -> None:
        getattr(tale, name)(*values, **named)

    return tell
