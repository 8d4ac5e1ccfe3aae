"""What the operations of a ledger are asked: each parameter, its kind, its default, its meaning."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from fencepost.report.markdown import code, render_table
from fencepost_spec.receipts.ledger.meanings import NULLS, PARAMETERS
from fencepost_spec.receipts.ledger.requests import REQUESTS

Schema = Mapping[str, Any]


def render_parameters(operation: str) -> str:
    """The parameters of an operation, beside its cut."""
    schema = REQUESTS[operation].model_json_schema()
    if not schema.get("properties"):
        return "No parameters."
    head = ("parameter", "kind", "default", "what it is", "null means")
    return render_table(
        head, ((*row, PARAMETERS[name], _null(name, row[1])) for name, row in _members(schema))
    )


def render_values() -> Iterator[str]:
    """The values that parameters hold, by name."""
    found: dict[str, Schema] = {}
    for model in REQUESTS.values():
        found |= model.model_json_schema().get("$defs", {})
    for name in sorted(found):
        schema = found[name]
        if "properties" in schema:
            more = " Other members are kept." if schema.get("additionalProperties") else ""
            rows = [row for _, row in _members(schema)]
            table = render_table(("member", "kind", "default"), rows)
            yield f"#### {name}\n\n{schema['description']}{more}\n\n{table}"


def _members(schema: Schema) -> Iterator[tuple[str, tuple[str, str, str]]]:
    """Each member: its name, then its name as code, its kind and its default."""
    needed = schema.get("required", ())
    for name, member in schema["properties"].items():
        # What is made anew each time is an empty list.
        default = "" if name in needed else code(json.dumps(member.get("default", [])))
        yield name, (code(name), _kind(member), default)


def _null(name: str, kind: str) -> str:
    return NULLS[name] if kind.endswith(_OR_NULL) else ""


_OR_NULL = ", or null"
_PLAIN = {"string": "text", "integer": "whole number", "number": "number", "boolean": "truth value"}


def _kind(member: Schema) -> str:
    """The kind of a value in words."""
    if "anyOf" in member:
        (one,) = (each for each in member["anyOf"] if each.get("type") != "null")
        return f"{_kind(one)}{_OR_NULL}"
    if "$ref" in member:
        return code(member["$ref"].rsplit("/", 1)[-1])
    if "enum" in member:
        return " or ".join(map(code, member["enum"]))
    match member.get("type"):
        case "array":
            filled = ", not empty," if member.get("minItems") else ""
            entry = _kind(member["items"])
            return f"list{filled} of {f'({entry})' if ', ' in entry else entry}"
        case "object":
            return f"mapping of texts to ({_kind(member['additionalProperties'])})"
        case None:
            return "anything"
        case kind:
            return ", ".join((_PLAIN[kind], *_bounds(member)))


def _bounds(member: Schema) -> Iterator[str]:
    """What a value has to be like beside its kind."""
    if member.get("minLength"):
        yield "not empty"
    if "maxLength" in member:
        yield f"{member['maxLength']:,} characters at most"
    if "minimum" in member:
        yield f"{member['minimum']} at least"
    if "le" in member:
        yield f"{member['le']:,} at most"
    if "pattern" in member:
        yield code(member["pattern"])
