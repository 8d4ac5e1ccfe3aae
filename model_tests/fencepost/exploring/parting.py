"""States of a world taken apart into the parts that a walk keeps, and put together again.

The core of a participant holds its side, a world what is around it, a watcher what promises are
asked with. Each is a value of a class without slots; its fields stand one after another.
"""

from itertools import chain, pairwise
from typing import Any

import attrs

from fencepost.exploring.small_world import Parts


class Parting:
    """The places of a state that consists of values of some classes, in that order."""

    def __init__(self, *kinds: type[Any]) -> None:
        self._kinds = kinds
        self._fields = [tuple(field.name for field in attrs.fields(kind)) for kind in kinds]
        ends = [sum(map(len, self._fields[:end])) for end in range(len(kinds) + 1)]
        self._places = [slice(begin, end) for begin, end in pairwise(ends)]

    def parts(self, *values: Any) -> Parts:
        """The fields of all, in the order in which the classes declare them."""
        return tuple(chain.from_iterable([value.__dict__.values() for value in values]))

    def whole(self, parts: Parts) -> tuple[Any, ...]:
        """The values that the parts were taken from."""
        return tuple([self.value(place, parts) for place in range(len(self._kinds))])

    def value(self, place: int, parts: Parts) -> Any:
        """One of the values alone."""
        made = object.__new__(self._kinds[place])
        fields = zip(self._fields[place], parts[self._places[place]], strict=True)
        made.__dict__.update(fields)
        return made
