"""Numbers for values, the same for two only when nothing whatever tells them apart."""

from typing import Any

import attrs
from immutables import Map


def kind_of(value: object) -> type[Any]:
    """The class of a value."""
    return type(value)


class Exact:
    """A number for each value, the same for two only when no field of theirs differs.

    Fields that a comparison leaves out are told apart here: they may show in what is returned.
    """

    def __init__(self) -> None:
        # By identity, with the value itself, so that it stays what it is.
        self._known: dict[int, tuple[Any, Any]] = {}
        self._numbers: dict[Any, int] = {}

    def of(self, value: Any) -> Any:
        """The number of a value; one that is nothing but itself stands for itself."""
        kind = kind_of(value)
        if kind is str or kind is bool or value is None or kind is type:
            return value
        # True is equal to 1, so no number is as low as that.
        return self._numbers.setdefault(self._shape(value, kind), len(self._numbers) + 2)

    def _shape(self, value: Any, kind: Any) -> Any:
        if kind is int or kind is float or kind is bytes:
            return (kind, value)
        known = self._known.get(id(value))
        if known is None:
            known = self._known[id(value)] = (value, self._shape_of_many(value, kind))
        return known[1]

    def _shape_of_many(self, value: Any, kind: Any) -> Any:
        if kind is tuple:
            return tuple([self.of(one) for one in value])
        if kind is frozenset:
            return frozenset([self.of(one) for one in value])
        if kind is Map:
            pairs = frozenset([(self.of(key), self.of(one)) for key, one in value.items()])
            return (Map, pairs)
        if attrs.has(kind):
            return (kind, *[self.of(getattr(value, field.name)) for field in attrs.fields(kind)])
        return (kind, value)


def exactly(one: Any, other: Any) -> bool:
    """Whether nothing whatever tells two values apart, but that they may be two."""
    if one is other:
        return True
    if kind_of(one) is not kind_of(other) or one != other:
        return False
    exact = Exact()
    return bool(exact.of(one) == exact.of(other))
