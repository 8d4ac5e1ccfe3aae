"""What a function leaves otherwise of a state that records: changes that any like state can take.

A change says nothing of what the function has not asked. An entry of a map that it set is set in
any map; the others stay what they are.
"""

from collections.abc import Callable
from typing import Any

import attrs
from immutables import Map

from fencepost.exploring.asking import ABSENT, WHOLE, Asking, Record
from fencepost.exploring.exact import kind_of
from fencepost.exploring.likeness import recorded_kind
from fencepost.exploring.recording import Recorded, Unread, edited, plain


@attrs.frozen(eq=False)
class Passed:
    """A part of a recorded state as it becomes by a function of it alone."""

    part: Any
    function: Callable[[Any], Any]


def holds(value: Any, question: Callable[[Any], bool]) -> bool:
    """Whether a question is true of anything in a value; of one that records, just that is asked.

    Two questions that are equal are the same.
    """
    kind: Any = kind_of(value)
    if kind is Unread:
        return bool(_asks(value.record, value.asking, value.value, question))
    if kind is Passed:
        after = After(value.function, question)
        one = kind_of(value.part)
        if one is Unread or one is Passed or (one is Recorded and not value.part.edits):
            return holds(value.part, after)
        return after(plain(value.part))
    if kind is Recorded:
        asking, base = value.asking, value.base
        if value.edits:
            gone = tuple(value.edits)
            asking, base = (*asking, ("without", gone)), edited(base, dict.fromkeys(gone, ABSENT))
        fresh = [(k, plain(one)) for k, one in value.edits.items() if one is not ABSENT]
        return _asks(value.record, asking, base, question) or any(map(question, fresh))
    if recorded_kind(kind) is not None:
        return any(holds(one, question) for one in value.__dict__.values())
    return question(value)


@attrs.frozen
class After:
    """A question about what a function makes of a value, as a question of the value."""

    function: Callable[[Any], Any]
    question: Callable[[Any], bool]

    def __call__(self, value: Any) -> bool:
        """What is answered."""
        return self.question(self.function(value))


def those(table: Any, question: Callable[[Any], bool]) -> frozenset[Any]:
    """The keys of the entries of a map of which a question is true.

    Of one that records, just that is asked: not which keys there are. Two questions that are equal
    are the same.
    """
    of = Those(question)
    if kind_of(table) is not Recorded:
        return of(table)
    asking, base = table.asking, table.base
    if table.edits:
        gone = tuple(table.edits)
        asking, base = (*asking, ("without", gone)), edited(base, dict.fromkeys(gone, ABSENT))
    fresh = [key for key, one in table.edits.items() if one is not ABSENT and question(one)]
    kept: frozenset[Any] = _asks(table.record, asking, base, of)
    return kept.union(fresh)


@attrs.frozen
class Those:
    """The keys of the entries of a map of which a question is true, as a question of the map."""

    question: Callable[[Any], bool]

    def __call__(self, table: "Map[Any, Any]") -> frozenset[Any]:
        """The keys."""
        return frozenset([key for key, one in table.items() if self.question(one)])


def _asks(record: Record, asking: Asking, value: Any, question: Callable[[Any], Any]) -> Any:
    said = question(value)
    record.note((*asking, ("asks", question)), said)
    return said


def passed(part: Any, function: Callable[[Any], Any]) -> Any:
    """What a part becomes by a function; of one that records, nothing is asked for that.

    Two functions that are equal are the same.
    """
    kind: Any = kind_of(part)
    records = kind in (Unread, Recorded, Passed) or recorded_kind(kind) is not None
    return Passed(part, function) if records else function(part)


@attrs.frozen
class Put:
    """A part becomes this, whatever it was."""

    value: Any


@attrs.frozen
class Edits:
    """What becomes of some entries of a map; None loses one."""

    edits: "tuple[tuple[Any, Change | None], ...]"


@attrs.frozen
class Fields:
    """Some fields of a value change."""

    changes: "tuple[tuple[str, Change], ...]"


@attrs.frozen
class Through:
    """A part changes, and becomes what a function makes of it."""

    change: "Change | None"
    function: Callable[[Any], Any]


Change = Put | Edits | Fields | Through


def change_of(record: Record, asking: Asking, was: Any, now: Any) -> Change | None:
    """What has become of a part of a recorded state; None when nothing has."""
    if now is was and (*asking, WHOLE) in record.answers:
        return None
    if kind_of(now) is Unread and now.asking == asking:
        return None
    if kind_of(now) is Recorded and now.asking == asking:
        edits = [(key, _change_of_entry(now, key, value)) for key, value in now.edits.items()]
        return Edits(tuple(edits)) if edits else None
    kind: Any = kind_of(now)
    if kind is Passed:
        return Through(change_of(record, asking, was, now.part), now.function)
    if recorded_kind(kind) is kind_of(was):
        found: list[tuple[str, Change]] = []
        for name, value in now.__dict__.items():
            one = change_of(record, (*asking, ("field", name)), getattr(was, name), value)
            if one is not None:
                found.append((name, one))
        return Fields(tuple(found)) if found else None
    return Put(plain(now))


def _change_of_entry(now: Recorded, key: Any, value: Any) -> Change | None:
    """What has become of one entry of a map."""
    if value is ABSENT:
        return None
    was = now.base.get(key, ABSENT)
    asking = (*now.asking, ("get", key))
    return change_of(now.record, asking, was, value) or Put(plain(value))


def changed(part: Any, change: Change) -> Any:
    """A part after a change."""
    if isinstance(change, Put):
        return change.value
    if isinstance(change, Edits):
        for key, one in change.edits:
            if one is not None:
                part = part.set(key, changed(part.get(key), one))
            elif key in part:
                part = part.delete(key)
        return part
    if isinstance(change, Through):
        before = part if change.change is None else changed(part, change.change)
        return change.function(before)
    made: Any = object.__new__(kind_of(part))
    made.__dict__.update(part.__dict__)
    made.__dict__.update({name: changed(getattr(part, name), one) for name, one in change.changes})
    return made
