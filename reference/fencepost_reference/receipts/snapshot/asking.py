"""How checks are asked, and how bytes become documents."""

from collections.abc import Sequence
from typing import Any, TypeVar, cast

from pydantic import BaseModel

from fencepost_reference.receipts.ledger.reading import lenient, read, shape_of
from fencepost_reference.receipts.snapshot.values import Refused
from fencepost_spec.operation import Check
from fencepost_spec.receipts.snapshot.checks import SnapshotChecks
from fencepost_spec.receipts.snapshot.facts import TextFacts
from fencepost_spec.strict_json import parse_json, parse_lines

_Model = TypeVar("_Model", bound=BaseModel)


def first(ladder: Sequence[Check], facts: object, where: str) -> Refused | None:
    """The refusal of the first check that holds, or None."""
    for check in ladder:
        if check.when(facts):
            return Refused.by(check, where)
    return None


def document(
    checks: SnapshotChecks, where: str, model: type[_Model], data: bytes
) -> _Model | Refused:
    """The document that the bytes hold, or why they hold none."""
    value, fault = _value(data)
    refused = first(checks.text, TextFacts(is_no_json=fault is not None), where)
    return refused or modelled(checks, where, model, value)


def lines(
    checks: SnapshotChecks, where: str, model: type[_Model], data: bytes
) -> tuple[_Model, ...] | Refused:
    """The documents that the lines of the bytes hold, or why they hold none."""
    try:
        values: list[Any] = parse_lines(data)
    except ValueError:
        refused = first(checks.text, TextFacts(is_no_json=True), where)
        if refused is not None:
            return refused
        values = []
    found: list[_Model] = []
    for number, value in enumerate(values, start=1):
        one = modelled(checks, f"{where}, line {number}", model, value)
        if isinstance(one, Refused):
            return one
        found.append(one)
    return tuple(found)


def modelled(
    checks: SnapshotChecks, where: str, model: type[_Model], value: Any
) -> _Model | Refused:
    """A value as its model, or why it is none."""
    refused = first(checks.shape, shape_of(model, value), where)
    if refused is not None:
        return refused
    # Only a variation that leaves a check out goes on with what is no document of the model.
    found: Any = read(model, value) or lenient(model, value)
    return cast("_Model", found)


def _value(data: bytes) -> tuple[Any, str | None]:
    try:
        return parse_json(data), None
    except ValueError as error:
        return None, str(error)
