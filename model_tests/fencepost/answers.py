"""What an adapter returned, checked and copied: JSON and nothing else, in the form of a trace.

Not decided here: whether an answer is right. May import: the contract, faults, lines.
"""

from math import isfinite
from typing import Any

from fencepost.faults import ParticipantFault
from fencepost.participant import Answer
from fencepost.trace.lines import Json, JsonObject, is_list, is_object

_DEPTH_MAX = 100
_NOT_SHOWN = "age_seconds"
_AGED = frozenset({"prepare", "status"})


def answer_of(value: object, op: str) -> Answer:
    """An answer of an adapter, or a `ParticipantFault` when it is none."""
    if not isinstance(value, Answer):
        raise ParticipantFault(f"{op} returned {_kind(value)}", "an Answer is wanted")
    status = value.status
    if type(status) is not int or not 100 <= status <= 599:
        text = f"{op} answered with status {_shown(status)}"
        raise ParticipantFault(text, "an HTTP status is wanted")
    body = as_json(value.body, f"the answer of {op}")
    return Answer(status, without_ages(body) if op in _AGED else body)


def report_of(value: object) -> JsonObject:
    """A report of an adapter, or a `ParticipantFault` when it is none."""
    body = as_json(value, "report()")
    if not is_object(body):
        raise ParticipantFault(f"report() returned {_kind(value)}", "a status body is wanted")
    aged: JsonObject = without_ages(body)
    return aged


def without_ages(value: Json) -> Json:
    """A status body as a trace shows it."""
    if is_list(value):
        return [without_ages(each) for each in value]
    if is_object(value):
        return {name: without_ages(each) for name, each in value.items() if name != _NOT_SHOWN}
    return value


def as_json(value: Any, what: str) -> Json:
    """A copy of a JSON value, or a `ParticipantFault` for what JSON cannot hold."""
    return _copied(value, what, 0)


def _copied(value: Any, what: str, depth: int) -> Json:
    if value is None or type(value) in (str, int, bool):
        return value
    if depth > _DEPTH_MAX:
        raise ParticipantFault(f"{what} is nested deeper than {_DEPTH_MAX} levels")
    if is_list(value):
        return [_copied(each, what, depth + 1) for each in value]
    if is_object(value):
        names: list[Any] = list(value)
        if not all(type(name) is str for name in names):
            raise ParticipantFault(f"{what} has a key that is no string")
        return {name: _copied(each, what, depth + 1) for name, each in value.items()}
    if type(value) is float and isfinite(value):
        return value
    shown = repr(value) if type(value) is float else _kind(value)
    raise ParticipantFault(f"{what} holds what JSON cannot hold: {shown}")


def _shown(value: object) -> str:
    try:
        return repr(value)
    except Exception:  # noqa: BLE001 - code of an adapter, or a number of too many digits
        return _kind(value)


def _kind(value: object) -> str:
    name = type(value).__name__
    return f"{'an' if name[:1] in 'aeiouAEIOU' else 'a'} {name}"
