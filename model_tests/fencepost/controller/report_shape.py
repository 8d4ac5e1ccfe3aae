"""What a controller's report may hold. A member that nobody could read is told, never passed over.

Not decided here: whether what a report says is so.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

import attrs

from fencepost.answers import report_of, shown_short
from fencepost.controller.reading import receipts_in
from fencepost.faults import ParticipantFault
from fencepost.trace.lines import JsonObject, is_list, is_object
from fencepost_spec.receipts.ledger.saved import SavedGroup

GATES: Final = ("open", "closed")
ATTEMPT: Final = ("attempt_index", "attempt")
"""The names under which the number of an attempt may stand."""

_OF_A_GROUP: Final = frozenset({*SavedGroup.model_fields, "attempts"})


@attrs.frozen
class Misfit:
    """A member of a report that says nothing, the value it has, and what would be allowed."""

    member: str
    value: str
    allowed: str

    @property
    def shown(self) -> str:
        """The member with its value."""
        return f"{self.member}: {self.value}"

    @property
    def hint(self) -> str:
        """What would be right."""
        return f"wanted: {self.allowed}"


def misfit(body: JsonObject) -> Misfit | None:
    """The first member of a report that cannot be read, or None."""
    return next(_misfits(body), None)


def told_by(value: object) -> JsonObject:
    """A report of an adapter, or a `ParticipantFault` where nobody could read it."""
    body = report_of(value)
    wrong = misfit(body)
    if wrong is not None:
        raise ParticipantFault(f"report() returned {wrong.shown}", wrong.hint)
    return body


def _misfits(body: JsonObject) -> Iterator[Misfit]:
    for name, value in body.items():
        if name not in MEMBERS:
            yield _misfit(name, value, f"one of {', '.join(MEMBERS)}")
        else:
            yield from MEMBERS[name](name, value)


def _misfit(member: str, value: Any, allowed: str) -> Misfit:
    return Misfit(member, shown_short(value), allowed)


def _gate(member: str, value: Any) -> Iterator[Misfit]:
    if value not in GATES:
        yield _misfit(member, value, '"open" or "closed"')


def _active(member: str, value: Any) -> Iterator[Misfit]:
    if value is not None and not isinstance(value, str):
        yield _misfit(member, value, "the id of a checkpoint, or null")


def _outbox(member: str, value: Any) -> Iterator[Misfit]:
    for place, each in _each(member, value):
        if place is None:
            yield _misfit(member, value, "a list of receipts")
        elif next(receipts_in(each), None) is None:
            yield _misfit(place, each, "a receipt, as its agent told it")


def _running(member: str, value: Any) -> Iterator[Misfit]:
    allowed = 'attempts, each {"rollout_id": TEXT, "attempt_index": NUMBER}'
    for place, each in _each(member, value):
        if place is None:
            yield _misfit(member, value, f"a list of {allowed}")
        elif not _is_named(each):
            yield _misfit(place, each, allowed)


def _groups(member: str, value: Any) -> Iterator[Misfit]:
    for place, each in _each(member, value):
        if place is None or not is_object(each):
            yield _misfit(place or member, each, 'a list of groups, each {"group_id", "attempts"}')
            continue
        if type(each.get("group_id")) is not str:
            yield _misfit(f"{place}.group_id", each.get("group_id"), "a text")
        for name in each:
            if name not in _OF_A_GROUP:
                yield _misfit(f"{place}.{name}", each[name], "group_id, attempts, or siblings")
        if each.get("attempts") is not None and not _are_attempts(each["attempts"]):
            allowed = "an attempt for each sibling, or a list of all for each"
            yield _misfit(f"{place}.attempts", each["attempts"], allowed)
        if "siblings" in each and not _are_siblings(each["siblings"]):
            allowed = 'a list of siblings, each {"attempts": [...]}'
            yield _misfit(f"{place}.siblings", each["siblings"], allowed)


def _each(member: str, value: Any) -> Iterator[tuple[str | None, Any]]:
    """The elements of a list with their places; one without a place where it is no list."""
    if not is_list(value):
        yield None, value
        return
    for number, each in enumerate(value):
        yield f"{member}[{number}]", each


def _is_named(value: Any) -> bool:
    """Whether it names an attempt."""
    return is_object(value) and type(value.get("rollout_id")) is str and _has_number(value)


def _has_number(value: Any) -> bool:
    return is_object(value) and any(_is_count(value.get(name)) for name in ATTEMPT)


def _is_count(value: Any) -> bool:
    return type(value) is int and value >= 0


def _are_attempts(value: Any) -> bool:
    """The current attempts, or how many there are of each sibling, or for each a list of them."""
    if not is_list(value):
        return False
    alike = (_is_count, _is_named, _is_history)
    return any(all(map(kind, value)) for kind in alike)


def _is_history(value: Any) -> bool:
    return is_list(value) and all(_is_count(each) or _has_number(each) for each in value)


def _are_siblings(value: Any) -> bool:
    return is_list(value) and all(
        is_object(each) and is_list(each.get("attempts")) and _is_history(each["attempts"])
        for each in value
    )


MEMBERS: Final[Mapping[str, Callable[[str, Any], Iterator[Misfit]]]] = {
    "gate": _gate,
    "active_checkpoint_id": _active,
    "outbox": _outbox,
    "groups": _groups,
    "running": _running,
}
"""What may stand in a report, and what is wrong with a value of it."""
