"""Worlds of a few places, written out by hand: what the explorer itself is tested on.

Each arrow is written down, so a reader sees at once what must be found. Not a participant: nobody
else uses them.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import attrs

from fencepost.exploring.renaming import renamed
from fencepost.exploring.small_world import (
    Deed,
    Eventually,
    Fair,
    Names,
    Parts,
    Sometimes,
    Taken,
)
from fencepost_spec.operation import Kind, Property
from fencepost_spec.rule import Rule, Source

_SOURCE = Source("toy", "a world written out by hand")


def toy_property(name: str, kind: Kind) -> Property:
    """A promise that is good for nothing but toys."""
    return Property(Rule("T-TOY-1", name, _SOURCE), kind, name)


@attrs.frozen
class Arrow:
    """What may be done somewhere; `to` is None where a bound cuts it off."""

    name: str
    to: str | None
    own: bool = False
    fair: str | None = None
    marks: tuple[str, ...] = ()
    breaks: Property | None = None


@attrs.frozen(eq=False)
class Toy:
    """A world whose states are words. `owing` maps a word to those to whom something is owed."""

    arrows: Mapping[str, tuple[Arrow, ...]]
    begin: str = "here"
    owing: Mapping[str, frozenset[str]] = attrs.Factory(dict[str, frozenset[str]])
    weak: frozenset[str] = frozenset()
    strong: frozenset[str] = frozenset()
    never: frozenset[str] = frozenset()
    permutations: tuple[Names, ...] = ({},)
    stories: tuple[tuple[str, ...], ...] = ()
    without: frozenset[str] = frozenset()
    name: str = "toy"
    says: str = "a world written out by hand"
    always: tuple[Property, ...] = ()
    rules: tuple[Rule, ...] = ()

    @property
    def eventually(self) -> tuple[Eventually, ...]:
        """One promise: what is owed is over in the end."""
        promise = toy_property("what is owed is over in the end", Kind.EVENTUALLY)
        return (Eventually(promise, self._pending, self._assumes),) if self.owing else ()

    @property
    def sometimes(self) -> tuple[Sometimes, ...]:
        """One promise: one of the stories can be told."""
        promise = toy_property("a story can be told", Kind.SOMETIMES)
        return (Sometimes(promise, self.stories, self.without),) if self.stories else ()

    def _pending(self, parts: Parts) -> frozenset[str]:
        return self.owing.get(parts[0], frozenset())

    def _assumes(self, fair: str) -> Fair:
        if fair in self.never:
            return Fair.NEVER
        if fair in self.strong:
            return Fair.STRONG
        return Fair.WEAK if fair in self.weak else Fair.NOT

    def start(self) -> Parts:
        """Where everything begins."""
        return (self.begin,)

    def after(self, parts: Parts) -> Iterator[Taken]:
        """The arrows that leave a place."""
        for arrow in self.arrows.get(parts[0], ()):
            deed = Deed(arrow.name, arrow.own, arrow.fair, arrow.marks)
            broken = () if arrow.breaks is None else (arrow.breaks,)
            yield Taken(deed, None if arrow.to is None else (arrow.to,), (), broken)

    def renamed(self, value: Any, names: Names) -> Any:
        """A part in which names are exchanged."""
        return renamed(value, names, {})

    def show(self, parts: Parts) -> str:
        """The place."""
        return str(parts[0])
