"""What can be deleted from a specification, found in the value itself and not in a list of ours.

A mechanical mutant has another specification; what that lacks is what was deleted. So whether every
deletion is made can be asked without trusting those who make them. May import the specification.
"""

from collections.abc import Iterator, Mapping
from typing import Any, TypeGuard, cast

import attrs

from fencepost_spec.operation import Check
from fencepost_spec.rule import Rule
from fencepost_spec.table import Table

ROW, GUARD, RUNG = "row of a chart", "guard of a chart", "row of a ladder"
PHASE, ENTRY, EFFECT = "phase of an operation", "entry of a list", "effect of an operation"
RECEIPT, VALIDATION = "receipt-identity check", "restore validation"
KINDS = (RECEIPT, VALIDATION, GUARD, ROW, RUNG, ENTRY, PHASE, EFFECT)
"""The kinds of things that are deleted, in the order in which they are told."""

_SPECIAL: Mapping[str, str] = {
    "receipt_ladder": RECEIPT,
    "receipt_fields": RECEIPT,
    "results": RECEIPT,
    "checks": VALIDATION,
    "loading": VALIDATION,
    "source": VALIDATION,
}
"""Fields of a specification that hold checks of a kind of their own."""


@attrs.frozen
class Item:
    """One thing that can be deleted: its kind, and where it stands."""

    kind: str
    where: tuple[str, ...]

    def holds(self, other: "Item") -> bool:
        """Whether the other thing is a part of this one, and goes with it."""
        return other.where[: len(self.where)] == self.where


def items(spec: Any) -> tuple[Item, ...]:
    """Everything that can be deleted from a specification; nothing is named twice."""
    found = tuple(_items(spec, (), getattr(getattr(spec, "fence", None), "states", ())))
    if len(set(found)) < len(found):
        raise ValueError("two things of a specification have one name")
    return found


def deleted(intact: Any, spec: Any) -> Item | None:
    """The one thing that another specification lacks; None where it lacks nothing, or several."""
    has = set(items(spec))
    lacking = [item for item in items(intact) if item not in has]
    return next((one for one in lacking if all(map(one.holds, lacking))), None)


def _items(value: Any, path: tuple[str, ...], phases: tuple[str, ...]) -> Iterator[Item]:
    kind = _SPECIAL.get(path[0]) if path else None
    if isinstance(value, Table):
        yield from _of_table(value, path)
    elif isinstance(value, Mapping):
        operations = cast("Mapping[str, Any]", value)
        for name, operation in operations.items():
            yield from _of_operation(operation, (*path, name), phases)
    elif _is_tuple(value):
        yield from _of_tuple(value, path, kind)
    else:
        for name in _fields(value):
            yield from _items(getattr(value, name), (*path, name), phases)


def _fields(value: Any) -> tuple[str, ...]:
    """The fields of a value of ours; other values have none."""
    declared: Any = getattr(value, "__attrs_attrs__", ())
    return tuple(field.name for field in declared)


def _is_tuple(value: Any) -> TypeGuard[tuple[Any, ...]]:
    return isinstance(value, tuple)


def _of_table(table: Table, path: tuple[str, ...]) -> Iterator[Item]:
    for row in table.rows:
        where = (*path, row.rule.id, row.event, row.source, row.target)
        yield Item(ROW, where)
        for guard in row.guards:
            yield Item(GUARD, (*where, guard.__name__))


def _of_operation(operation: Any, path: tuple[str, ...], phases: tuple[str, ...]) -> Iterator[Item]:
    for name in _fields(operation):
        value: Any = getattr(operation, name)
        if name == "phases" and value is not None:
            for phase in phases:
                yield Item(PHASE, (*path, phase, "allowed" if phase in value else "refused"))
        elif _is_tuple(value):
            yield from _of_tuple(value, (*path, name), None)


def _of_tuple(entries: tuple[Any, ...], path: tuple[str, ...], kind: str | None) -> Iterator[Item]:
    for entry in entries:
        if isinstance(entry, Check):
            yield Item(kind or RUNG, (*path, entry.rule.id, entry.when.__name__))
        elif hasattr(entry, "asks"):
            yield Item(RUNG, (*path, entry.rule.id, entry.asks.name))
        elif hasattr(entry, "rule"):
            fields = ("name", "cause", "status", "stage")
            name = next(str(getattr(entry, one)) for one in fields if hasattr(entry, one))
            yield Item(kind or ENTRY, (*path, entry.rule.id, name))
        elif _is_tuple(entry) and isinstance(entry[-1], Rule):
            yield Item(ENTRY, (*path, entry[-1].id, str(entry[0])))
