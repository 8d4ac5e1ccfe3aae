"""What an adapter returned, checked and copied: JSON and nothing else, in the form of a trace.

Not decided here: whether an answer is right. May import: the contract, faults, lines.
"""

import json
from math import isfinite
from typing import Any

from pydantic import BaseModel, ValidationError

from fencepost.faults import ParticipantFault
from fencepost.participant import Answer
from fencepost.trace.lines import Json, JsonObject, is_list, is_object

_DEPTH_MAX = 100
_NOT_SHOWN = "age_seconds"
_AGED = frozenset({"prepare", "status"})
_SHOWN_MAX = 60
_OF_THE_FORM = frozenset({"missing", "extra_forbidden", "literal_error", "too_long"})
"""With every error of a type, what says that a report is of another form. The rest is a value."""


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


def report_of(value: object, model: type[BaseModel] | None = None) -> JsonObject:
    """A report of an adapter, or a `ParticipantFault` when it is none.

    With a model, it has the form of that: a report is the adapter's own, and no answer to judge.
    """
    body = as_json(value, "report()")
    if not is_object(body):
        raise ParticipantFault(f"report() returned {_kind(value)}", "a status body is wanted")
    aged: JsonObject = without_ages(body)
    if model is not None:
        _require_form(aged, model)
    return aged


def _require_form(body: JsonObject, model: type[BaseModel]) -> None:
    try:
        json.dumps(body)
    except ValueError as error:
        raise ParticipantFault("report() holds what JSON cannot hold", str(error)) from None
    wrong = form_fault(body, model)
    if wrong is not None:
        raise ParticipantFault(f"report() returned {wrong[0]}", wrong[1])


def form_fault(body: JsonObject, model: type[BaseModel]) -> tuple[str, str] | None:
    """The first member of a report that is of another form, and what is wanted, or None."""
    try:
        model.model_validate(body)
    except ValidationError as error:
        for each in error.errors(include_url=False, include_context=False):
            if each["type"] not in _OF_THE_FORM and not each["type"].endswith("_type"):
                continue
            member = ".".join(str(part) for part in each["loc"])
            if each["type"] == "missing":
                return f"no {member}", "it is wanted"
            return f"{member}: {shown_short(each['input'])}", f"wanted: {each['msg']}"
    return None


def shown_short(value: Any) -> str:
    """A JSON value in one line that is not too long."""
    try:
        text = json.dumps(value, ensure_ascii=False)
    except ValueError:
        return "a number of too many digits"
    return text if len(text) <= _SHOWN_MAX else f"{text[: _SHOWN_MAX - 1]}…"


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
