"""A state that writes down what is asked of it, and what a function of it leaves otherwise.

A function that is given such a state answers as if it were given the plain one. Afterwards it is
known which questions it has asked: whether a map has a key, what stands under one, what a field
is. For every state that answers these questions in the same way the function does the same; and
what it returns is known as changes of the state that it was given, not as another whole state.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import attrs
from immutables import Map

from fencepost.exploring.asking import (
    ABSENT,
    ANY,
    DEEP,
    KEYS,
    KIND,
    LENGTH,
    WHOLE,
    Asking,
    Record,
)
from fencepost.exploring.exact import exactly, kind_of
from fencepost.exploring.likeness import is_of_fields, recorded_kind, recording_kind
from fencepost.exploring.small_world import Parts


class Unread:
    """A value that nobody has looked at. Who looks gets the value, or one that records in turn."""

    __slots__ = ("asking", "record", "seen", "value")

    def __init__(self, record: Record, asking: Asking, value: Any) -> None:
        self.record, self.asking, self.value = record, asking, value
        self.seen: Any = ABSENT

    def look(self) -> Any:
        """What is shown of it: a map or a value of fields is not read yet, all else is."""
        if self.seen is ABSENT:
            value: Any = self.value
            kind: Any = kind_of(value)
            deep = len(self.asking)
            # Whoever looks sees of what class it is. A place of a state holds only one.
            if 1 < deep <= DEEP:
                self.record.note((*self.asking, KIND), kind)
            if deep <= DEEP and kind is Map:
                self.seen = Recorded(self.record, self.asking, value, {}, value, {})
            elif deep <= DEEP and is_of_fields(kind):
                self.seen = _of_fields(self.record, self.asking, value)
            else:
                self.record.note((*self.asking, WHOLE), value)
                self.seen = value
        return self.seen


# Stands among the entries that were shown once it was asked which keys there are.
_EVERY: Any = object()


class Recorded:
    """A map that records. `edits` is what was changed since, `now` the map as it stands."""

    __slots__ = ("asking", "base", "edits", "now", "record", "shown")

    def __init__(
        self,
        record: Record,
        asking: Asking,
        base: "Map[Any, Any]",
        edits: dict[Any, Any],
        now: Any,
        shown: dict[Any, Any],
    ) -> None:
        self.record, self.asking, self.base = record, asking, base
        self.edits, self.now, self.shown = edits, now, shown

    def get(self, key: Any, default: Any = None) -> Any:
        """What stands under a key."""
        found = self.edits.get(key, self)
        if found is self:
            found = self.shown.get(key, self)
            if found is self:
                value = self.base.get(key, ABSENT)
                if value is ABSENT and self.keys_known:
                    return default
                found = Unread(self.record, (*self.asking, ("get", key)), value).look()
                self.shown[key] = found
        return default if found is ABSENT else found

    def __getitem__(self, key: Any) -> Any:
        found = self.get(key, ABSENT)
        if found is ABSENT:
            raise KeyError(key)
        return found

    def __contains__(self, key: object) -> bool:
        found = self.edits.get(key, self)
        if found is not self:
            return found is not ABSENT
        has = key in self.base
        if not self.keys_known and key not in self.shown:
            self.record.note((*self.asking, ("has", key)), has)
        return has

    @property
    def keys_known(self) -> bool:
        """Whether it was asked which keys there are."""
        return _EVERY in self.shown

    def __iter__(self) -> Iterator[Any]:
        if _EVERY not in self.shown:
            self.shown[_EVERY] = True
            self.record.note((*self.asking, KEYS), frozenset(self.base))
        return iter(self.now)

    def items(self) -> Iterator[tuple[Any, Any]]:
        """The entries, each looked at when it is come to."""
        return ((key, self[key]) for key in self)

    def keys(self) -> Iterator[Any]:
        """The keys."""
        return iter(self)

    def values(self) -> Iterator[Any]:
        """What stands under the keys, each looked at when it is come to."""
        return (self[key] for key in self)

    def __len__(self) -> int:
        if self.edits:
            return sum(1 for _ in self)
        if not self.keys_known:
            self.record.note((*self.asking, LENGTH), len(self.base))
        return len(self.base)

    def __bool__(self) -> bool:
        if self.edits:
            return any(True for _ in self)
        if not self.keys_known:
            self.record.note((*self.asking, ANY), bool(self.base))
        return bool(self.base)

    def __eq__(self, other: object) -> bool:
        return self is other or bool(plain(self) == plain(other))

    def __hash__(self) -> int:
        return hash(plain(self))

    def set(self, key: Any, value: Any) -> "Recorded":
        """The map with a key that stands otherwise; this one when nothing tells the two apart."""
        if self._has_the_very(key, value):
            return self
        return self._edited(key, value, self.now.set(key, value))

    def _has_the_very(self, key: Any, value: Any) -> bool:
        known = self.edits.get(key, self)
        if known is self:
            known = self.shown.get(key, self)
        # Which of the values that nothing tells apart is kept hangs on the history of a walk.
        if recorded_kind(kind_of(value)) is not None or recorded_kind(kind_of(known)) is not None:
            return known is value
        if known is not self:
            return exactly(known, value)
        same = exactly(self.base.get(key, ABSENT), value)
        if key in self.base or not self.keys_known:
            self.record.note((*self.asking, ("is", (key, value))), same)
        return same

    def update(self, others: Any) -> "Recorded":
        """The map with the entries of another."""
        made = self
        for key, value in others.items():
            made = made.set(key, value)
        return made

    def delete(self, key: Any) -> "Recorded":
        """The map without a key that it has."""
        if key not in self:
            raise KeyError(key)
        return self._edited(key, ABSENT, self.now.delete(key))

    def touched(self, before: Any) -> list[Any]:
        """The keys under which it may hold another value than one that it, or both, came from."""
        if kind_of(before) is not Recorded or before.base is not self.base:
            every = [*self, *(key for key in before if key not in self)]
            return [key for key in every if before.get(key) is not self.get(key)]
        was, now = before.edits, self.edits
        return [key for key in (was | now) if was.get(key, _EVERY) is not now.get(key, _EVERY)]

    def _edited(self, key: Any, value: Any, now: Any) -> "Recorded":
        edits = self.edits | {key: value}
        return Recorded(self.record, self.asking, self.base, edits, now, self.shown)


_MAKE = object.__new__


def _of_fields(record: Record, asking: Asking, value: Any) -> Any:
    kind: Any = kind_of(value)
    made = _MAKE(recording_kind(kind, Unread))
    made.__dict__.update(
        {
            name: Unread(record, (*asking, ("field", name)), one)
            for name, one in value.__dict__.items()
        }
    )
    return made


def recorded(record: Record, parts: Parts) -> tuple[Unread, ...]:
    """The parts of a state, none of which was looked at."""
    return tuple([Unread(record, (place,), part) for place, part in enumerate(parts)])


def assembled(kind: Any, names: Iterable[str], parts: Parts) -> Any:
    """A value made of parts, whether they record or not; no validator or converter runs."""
    recording = bool(parts) and any(type(part) is Unread for part in parts)
    made = _MAKE(recording_kind(kind, Unread) if recording else kind)
    made.__dict__.update(zip(names, parts, strict=True))
    return made


def plain(value: Any) -> Any:
    """A value in which nothing records; whatever it holds of the state is asked for."""
    kind: Any = kind_of(value)
    if kind is Unread:
        return plain(value.look())
    if kind is Recorded:
        value.record.note((*value.asking, WHOLE), value.base)
        return edited(value.base, value.edits)
    if kind is tuple:
        made = tuple([plain(one) for one in value])
        return value if all(new is old for new, old in zip(made, value, strict=True)) else made
    if kind is Map:
        held = {key: plain(one) for key, one in value.items()}
        return value if all(held[key] is value[key] for key in held) else Map(held)
    if attrs.has(kind):
        return _plain_fields(value, kind)
    return value


def edited(base: "Map[Any, Any]", edits: Mapping[Any, Any]) -> "Map[Any, Any]":
    """A map with other values under some keys; under ABSENT ones it has none."""
    for key, value in edits.items():
        if value is not ABSENT:
            base = base.set(key, plain(value))
        elif key in base:
            base = base.delete(key)
    return base


def _plain_fields(value: Any, kind: Any) -> Any:
    known = recorded_kind(kind)
    if known is not None:
        made = _MAKE(known)
        made.__dict__.update({name: plain(one) for name, one in value.__dict__.items()})
        return made
    if hasattr(value, "__dict__"):
        changes = {name: plain(one) for name, one in value.__dict__.items()}
        if all(changes[name] is one for name, one in value.__dict__.items()):
            return value
        made = _MAKE(kind)
        made.__dict__.update(changes)
        return made
    fields = [field.name for field in attrs.fields(kind) if field.init]
    changes = {name: plain(getattr(value, name)) for name in fields}
    same = all(changes[name] is getattr(value, name) for name in fields)
    return value if same else attrs.evolve(value, **changes)
