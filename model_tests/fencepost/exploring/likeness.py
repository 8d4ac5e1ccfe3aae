"""Classes whose values stand for those of another class, and show their fields when asked."""

from collections.abc import Callable
from functools import cache
from typing import Any

import attrs

from fencepost.exploring.exact import kind_of


@cache
def is_of_fields(kind: Any) -> bool:
    """Whether values of a class have fields that can be looked at one by one."""
    return attrs.has(kind) and "__dict__" in dir(kind)


def recorded_kind(kind: Any) -> Any:
    """The class whose values a recording one stands for; None when it is none."""
    return getattr(kind, "__recorded__", None)


@cache
def recording_kind(kind: Any, unread: Any) -> Any:
    """A class whose values are used like those of another; a field may be `unread`.

    A core may put a plain value where one that records stood. The two are equal when their fields
    are; the classes, which a comparison of attrs asks for, are no answer of the state.
    """
    shown = {field.name: _shown(field.name, unread) for field in attrs.fields(kind)}
    alike = {} if kind.__eq__ is object.__eq__ else {"__eq__": _alike(kind)}
    same = {**shown, **alike, "__hash__": kind.__hash__, "__recorded__": kind}
    return type(kind.__name__, (kind,), same)


def _shown(name: str, unread: Any) -> property:
    def look(self: Any) -> Any:
        found = self.__dict__[name]
        return found.look() if type(found) is unread else found

    return property(look)


def _alike(kind: Any) -> Callable[[Any, Any], Any]:
    """Whether the fields of a value that records are those of another, recording or not."""
    compared = [field for field in attrs.fields(kind) if field.eq]

    def is_equal(one: Any, other: Any) -> Any:
        if kind_of(other) is not kind and recorded_kind(kind_of(other)) is not kind:
            return NotImplemented
        for field in compared:
            key = field.eq_key
            was, now = getattr(one, field.name), getattr(other, field.name)
            if was is not now and (key(was) != key(now) if key else was != now):
                return False
        return True

    return is_equal
