"""Plain values into typed requests and documents, and how a document differs from its model."""

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Annotated, Any, cast, get_args

from pydantic import BaseModel, TypeAdapter, ValidationError

from fencepost_spec.receipts.ledger.load_facts import ShapeFacts
from fencepost_spec.strict import VERSION_FIELD
from fencepost_spec.wording import kind_of

_OBJECT = TypeAdapter(dict[str, Any])
_TYPE_FAULTS = ("_type", "is_instance_of")
_FAULTS_TOLD = 3


def from_json(value: Any) -> Any:
    """A saved ledger that was read as JSON, as it was before it was written as JSON.

    JSON has no keys that are numbers: those of the shortfall are read back from their text.

    >>> from_json({"batch_shortfall": {"5": 1}})
    {'batch_shortfall': {5: 1}}
    """
    try:
        outer = _OBJECT.validate_python(value)
        inner = _OBJECT.validate_python(outer.get("batch_shortfall"))
    except ValidationError:
        return value
    return {**outer, "batch_shortfall": {_number(name): inner[name] for name in inner}}


def _number(name: str) -> int | str:
    plain = name.isascii() and name.isdecimal() and len(name) < 19
    return int(name) if plain and str(int(name)) == name else name


def read(model: type[BaseModel], value: Any) -> BaseModel | None:
    """The value as the model has it, or None when it is another."""
    try:
        return model.model_validate(value)
    except (ValidationError, RecursionError):
        return None


def why_not(model: type[BaseModel], value: Any) -> str:
    """What is wrong with a value that the model does not read: the first faults, with their places.

    >>> from fencepost_spec.receipts.ledger.requests import OfGroup
    >>> why_not(OfGroup, {"group_id": 5}), why_not(OfGroup, {"group": "g"})
    ('group_id is an int', 'group is unknown; group_id is missing')
    """
    try:
        model.model_validate(value)
    except RecursionError:
        return "it is nested too deeply"
    except ValidationError as error:
        faults = error.errors(include_url=False, include_context=False)
        faults.sort(key=lambda fault: fault["type"] != "extra_forbidden")
        told = dict.fromkeys(map(_told, faults))
        return "; ".join(list(told)[:_FAULTS_TOLD])
    return ""


def _told(fault: Any) -> str:
    """One fault in words."""
    where = ".".join(map(str, fault["loc"])) or "the request"
    if fault["type"] == "missing":
        return f"{where} is missing"
    if fault["type"] == "extra_forbidden":
        return f"{where} is unknown"
    if fault["type"].endswith(_TYPE_FAULTS):
        return f"{where} is {kind_of(fault['input'])}"
    return f"{where}: {fault['msg'].removeprefix('Value error, ')}"


def lenient(model: type[BaseModel], value: Any) -> Any:
    """What a careless reader makes of a value: what fits is read, what does not stays as it is.

    Unknown members are ignored and missing ones are null. Only variations of the specification
    that leave a check out come here.
    """
    if not isinstance(value, Mapping):
        return value
    members: dict[str, Any] = {}
    for name, field in model.model_fields.items():
        if name in value:
            members[name] = _careless(_adapter(model, name), field.annotation, value[name])
        else:
            default = None if field.is_required() else field.get_default(call_default_factory=True)
            members[name] = default
    return model.model_construct(None, **members)


@cache
def _adapter(model: type[BaseModel], name: str) -> TypeAdapter[Any]:
    field = model.model_fields[name]
    kind: Any = field.annotation
    for mark in field.metadata:
        kind = Annotated[kind, mark]
    return TypeAdapter(kind)


def _careless(adapter: TypeAdapter[Any], kind: Any, value: Any) -> Any:
    try:
        return adapter.validate_python(value, strict=True)
    except ValidationError:
        nested = _model_in(kind)
        if nested is None:
            return value
        if isinstance(value, list):
            # The list was not checked, so its items may be anything.
            items = cast("Iterable[object]", value)
            return [lenient(nested, one) for one in items]
        return lenient(nested, value)


def _model_in(kind: Any) -> type[BaseModel] | None:
    """The model that a field holds, alone, optional or in a list."""
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        return kind
    inner = (_model_in(one) for one in get_args(kind))
    return next((one for one in inner if one is not None), None)


def shape_of(model: type[BaseModel], value: Any) -> ShapeFacts:
    """How a document differs from its model."""
    try:
        model.model_validate(value)
    except RecursionError:
        return ShapeFacts(out_of_domain=True)
    except ValidationError as error:
        found = {_kind_of(fault["type"], fault["loc"]) for fault in error.errors()}
        return ShapeFacts(**dict.fromkeys(found, True))
    return ShapeFacts()


def _kind_of(kind: str, where: tuple[int | str, ...]) -> str:
    if where == (VERSION_FIELD,):
        return "missing_key" if kind == "missing" else "other_version"
    if kind == "extra_forbidden":
        return "unknown_key"
    if kind == "missing":
        return "missing_key"
    # A number that is none is told by our own reader of rewards, which pydantic calls a value.
    wrong = kind.endswith(_TYPE_FAULTS) or (kind == "value_error" and where[-1] == "reward")
    return "wrong_type" if wrong else "out_of_domain"
