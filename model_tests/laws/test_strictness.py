"""Every body and every document is exactly what its model says, whichever model it is.

Goal: no model of any part reads a missing key as null, an unknown one as nothing, or a value as one
of another type. Method: all models that there are are found, and every field of each is spoilt.
"""

import importlib
import json
import math
import pkgutil
from collections.abc import Iterator
from typing import Any, Literal, TypeGuard, get_args

import pytest
from pydantic import BaseModel, RootModel, ValidationError, create_model

import fencepost_spec
from fencepost_spec.receipts.snapshot import results
from fencepost_spec.schemas import SAVED, models
from fencepost_spec.strict import No, Strict, Yes, Zero

for _found in pkgutil.walk_packages(fencepost_spec.__path__, "fencepost_spec."):
    importlib.import_module(_found.name)


def _below(kind: type[BaseModel]) -> Iterator[type[BaseModel]]:
    for one in kind.__subclasses__():
        yield one
        yield from _below(one)


MODELS = {f"{one.__module__}.{one.__qualname__}": one for one in _below(Strict)}
VALUES: tuple[tuple[str, Any], ...] = (
    ("null", None),
    ("boolean", True),
    ("boolean", False),
    ("integer", 1),
    ("float", 1.0),
    ("float", 1.5),
    ("string", "1"),
    ("string", "true"),
    ("array", []),
    ("object", {}),
)
"""A value of each kind of JSON, chosen to be taken for another by a reader that is not strict."""


def _named(schema: dict[str, Any], found: dict[str, Any]) -> dict[str, Any]:
    while "$ref" in schema:
        schema = found[schema["$ref"].removeprefix("#/$defs/")]
    return schema


def kinds(schema: dict[str, Any], found: dict[str, Any]) -> set[str]:
    """The kinds of value that a schema lets stand."""
    schema = _named(schema, found)
    for choice in ("anyOf", "oneOf", "allOf"):
        if choice in schema:
            return {kind for one in schema[choice] for kind in kinds(one, found)}
    values = schema.get("enum", [schema["const"]] if "const" in schema else [])
    if values:
        return {"null" if one is None else _kind(one) for one in values}
    if "type" not in schema:
        return {kind for kind, _ in VALUES}
    given = schema["type"]
    listed = {given} if isinstance(given, str) else set(given)
    return listed | ({"integer", "float"} if "number" in listed else set())


def _kind(value: Any) -> str:
    names = {bool: "boolean", int: "integer", float: "float", str: "string"}
    return names[type(value)]


def places(model: type[BaseModel], body: Any, *, as_json: bool = False) -> dict[str, set[str]]:
    """The fields that are refused, each with the kinds of fault."""
    try:
        if as_json:
            model.model_validate_json(json.dumps(body))
        else:
            model.model_validate(body)
    except ValidationError as error:
        faults: dict[str, set[str]] = {}
        for fault in error.errors():
            place = str(fault["loc"][0]) if fault["loc"] else ""
            faults.setdefault(place, set()).add(fault["type"])
        return faults
    return {}


def test_all_models_are_found() -> None:
    """Whatever is published is among them, and what it is made of."""
    published: set[type[BaseModel]] = set()
    for model in models().values():
        _parts(model, published)
    strangers = published - set(MODELS.values())
    assert {one.__mro__[1].__mro__[1] for one in strangers} <= {RootModel}
    assert results.RestoredAgent in MODELS.values()


@pytest.mark.parametrize(
    "kind", [Literal[0], Literal[True], Literal["a", 1], Literal[0] | None, list[Literal[False]]]
)
def test_a_model_that_takes_what_equals_a_literal_cannot_be_made(kind: Any) -> None:
    """In Python True, 1 and 1.0 are equal, and a literal alone takes each for the others."""
    with pytest.raises(TypeError, match="value takes what equals its literal"):
        create_model("Loose", __base__=Strict, value=(kind, ...))


@pytest.mark.parametrize("kind", [Zero, Yes | None, list[No], Literal["a", "b"], Literal[None]])
def test_a_model_of_exact_values_can_be_made(kind: Any) -> None:
    """Marked values, texts and null are what they say."""
    assert create_model("Exact", __base__=Strict, value=(kind, ...))


@pytest.mark.parametrize("name", MODELS)
def test_a_missing_key_is_refused(name: str) -> None:
    """V2, G10: without any of its keys, every key that has to be there is missed."""
    model = MODELS[name]
    needed = {field for field, known in model.model_fields.items() if known.is_required()}
    for as_json in (False, True):
        faults = places(model, {}, as_json=as_json)
        assert {field for field, types in faults.items() if "missing" in types} == needed


FREE = {"ManifestEntry", "GateReceipt", "PromptPayload"}
"""G1: beyond its named keys a gate receipt is free, and so is what a prompt consists of."""


@pytest.mark.parametrize("name", [one for one in MODELS if MODELS[one].__name__ not in FREE])
def test_an_unknown_key_is_refused(name: str) -> None:
    """V1: also beside whatever else is wrong."""
    for as_json in (False, True):
        assert "extra_forbidden" in places(MODELS[name], {"no key": 1}, as_json=as_json)["no key"]


@pytest.mark.parametrize("name", [one for one in MODELS if MODELS[one].model_fields])
def test_a_value_of_another_kind_is_refused(name: str) -> None:
    """V3: a text is no number, a truth value is none, a float is no whole number, null is null."""
    model = MODELS[name]
    schema = model.model_json_schema()
    found = schema.get("$defs", {})
    schema = _named(schema, found)
    tried = 0
    for field, known in schema["properties"].items():
        allowed = kinds(known, found)
        for kind, value in VALUES:
            if kind in allowed:
                continue
            tried += 1
            for as_json in (False, True):
                faults = places(model, {field: value}, as_json=as_json)
                assert faults.get(field, set()) - {"missing"}, (field, value, faults)
    assert tried or name.endswith(".Load")  # A ledger is loaded from anything, or refuses it.
    if any("float" in kinds(known, found) for known in schema["properties"].values()):
        for field, known in schema["properties"].items():
            if "float" in kinds(known, found):
                assert field in places(model, {field: math.nan}) or "string" in kinds(known, found)


def _parts(model: type[BaseModel], seen: set[type[BaseModel]]) -> set[type[BaseModel]]:
    """A model with every model in it."""
    if model not in seen:
        seen.add(model)
        for field in model.model_fields.values():
            for one in _models_in(field.annotation):
                _parts(one, seen)
    return seen


def _is_model(kind: Any) -> TypeGuard[type[BaseModel]]:
    return isinstance(kind, type) and issubclass(kind, BaseModel)


def _models_in(kind: Any) -> Iterator[type[BaseModel]]:
    if _is_model(kind):
        yield kind
    for one in get_args(kind):
        yield from _models_in(one)


# What a participant may leave out of an answer is so in its wire model, and a commit result and a
# restore result hold such answers as they were given.
AS_ANSWERED = {"snapshot-commit-result", "snapshot-restore-result", "snapshot-manifest"}


@pytest.mark.parametrize("name", [one for one in SAVED if one not in AS_ANSWERED])
def test_a_saved_document_has_no_defaults_at_any_depth(name: str) -> None:
    """G10, B5: nullable is not optional, in the document itself and in everything inside it."""
    optional = {
        f"{one.__name__}.{field}"
        for one in _parts(SAVED[name][0], set())
        for field, known in one.model_fields.items()
        if not known.is_required()
    }

    assert optional == set()
