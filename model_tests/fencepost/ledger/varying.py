"""Values that differ from a right one in a single field, taken from the fields of its model.

What a model refuses is left out: a value has to be right in itself, and another all the same.
"""

from collections.abc import Iterator
from math import inf, nextafter
from typing import Any, get_args

from pydantic import BaseModel, ValidationError

from fencepost.ledger.samples import Plain
from fencepost_spec.receipts.ledger.values import CompletedExecution, Result
from fencepost_spec.receipts.requests import Receipt

OTHER = "another"


def nullable(model: type[BaseModel]) -> tuple[str, ...]:
    """The fields of a model that may be null.

    >>> nullable(Receipt)
    ('manifest_capture_key', 'terminal_model_call_id')
    """
    fields = model.model_fields.items()
    return tuple(name for name, field in fields if type(None) in get_args(field.annotation))


def varied(model: type[BaseModel], value: Plain) -> Iterator[Plain]:
    """The value with one field another, and with all that may be null together null, or there."""
    changes: list[Plain] = []
    for name in model.model_fields:
        changes += [{name: other} for other in _others(value[name])]
    empties = nullable(model)
    changes += [dict.fromkeys(empties), dict.fromkeys(empties, OTHER)]
    seen = [value]
    for change in changes:
        other = value | change
        if other not in seen and _is_right(model, other):
            seen.append(other)
            yield other


def varied_rows(row: Plain) -> Iterator[Plain]:
    """An obligation with one thing another, in its receipt too."""
    yield from varied(CompletedExecution, row)
    for receipt in varied(Receipt, row["receipt"]):
        yield row | {"receipt": receipt}


def varied_results(result: Plain) -> Iterator[Plain]:
    """A result with one thing another, in its receipts too."""
    for name in Result.model_fields:
        yield from (result | {name: other} for other in _others(result[name]))
    gate, completion = result["receipt"], result["completion_receipt"]
    if gate is not None:
        yield result | {"receipt": None}
        yield from (result | {"receipt": other} for other in _other_gates(gate))
    if completion is not None:
        yield result | {"completion_receipt": None}
        yield from (result | {"completion_receipt": one} for one in varied(Receipt, completion))


def _other_gates(gate: Plain) -> Iterator[Plain]:
    entries: list[Plain] = gate["manifest"]
    yield gate | {"zz_more": None}
    yield gate | {"manifest": []}
    yield gate | {"manifest": [*entries, {"staging_key": OTHER}]}
    yield gate | {"manifest": [entry | {"zz_more": 0} for entry in entries]}
    yield gate | {"manifest": [entry | {"staging_key": OTHER} for entry in entries]}


def _others(value: Any) -> tuple[Any, ...]:
    match value:
        case bool():
            return (not value,)
        case int():
            return (value + 1,)
        case float():
            return (nextafter(value, inf), -value)
        case str():
            last = "b" if value[-1:] != "b" else "c"
            return (value[:-1] + last, value.swapcase(), f"{value}-")
        case _:
            return ()


def _is_right(model: type[BaseModel], value: Plain) -> bool:
    try:
        model.model_validate(value)
    except ValidationError:
        return False
    return True
