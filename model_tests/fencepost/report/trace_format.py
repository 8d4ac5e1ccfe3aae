"""The page of the trace format, rendered from its JSON Schema: each kind of line, each field."""

import json
from typing import Any

from fencepost.report.markdown import code, render_page, render_table
from fencepost.report.trace_examples import examples
from fencepost.trace import FORMAT_VERSION, json_schema

Schema = dict[str, Any]

_TYPES = {
    "integer": "whole number",
    "number": "number",
    "string": "string",
    "boolean": "true or false",
    "null": "null",
    "array": "list",
    "object": "object",
}
_PARTS = (
    "ParticipantModel",
    "PlaceModel",
    "SubjectModel",
    "CodeModel",
    "MethodErrorModel",
    "EndModel",
)


def render_trace_format() -> str:
    """The page of the format that traces are written in."""
    schema = json_schema()
    models: dict[str, Schema] = schema["$defs"]
    names = [_name_of(each) for each in schema["anyOf"]]
    names.sort(key=lambda name: (name != "HeaderModel", name == "FooterModel"))
    return render_page(
        "Trace format",
        f"Version {FORMAT_VERSION}: JSON lines in UTF-8. The first is the header, the last the "
        "footer; `seq` counts the others from 1.\n"
        "A file without its footer is incomplete. Unknown fields are refused.\n"
        "The examples come from one small trace of an agent that conforms; "
        "an agent has no ok reply and no error reply.\n"
        "The same as JSON Schema: [trace.schema.json](trace.schema.json). "
        "What the fields mean for an agent: [formats](../formats.md).",
        *(_section(name, models[name], "##") for name in names),
        "## Parts of lines",
        *(_section(name, models[name], "###") for name in _PARTS),
    )


def _name_of(reference: Schema) -> str:
    return str(reference["$ref"]).rpartition("/")[2]


def _title(name: str) -> str:
    """The name of a model in words.

    >>> _title("StatusReplyModel")
    'Status reply'
    """
    text = "".join(f" {char.lower()}" if char.isupper() else char for char in name)
    return text.removesuffix(" model").strip().capitalize()


def _section(name: str, model: Schema, level: str) -> str:
    required = set(model.get("required", ()))
    rows = [
        (
            code(field),
            _type(each) + ("" if field in required else ", may be absent"),
            each.get("description", ""),
        )
        for field, each in model["properties"].items()
    ]
    if model.get("additionalProperties") is True:
        rows.append(("…", "anything", "other fields may stand beside"))
    parts = [
        f"{level} {_title(name)}",
        model.get("description", ""),
        render_table(("field", "holds", "remark"), rows),
    ]
    example = _example(model)
    if level == "##" and example:
        parts.append(f"```json\n{example}\n```")
    return "\n\n".join(part for part in parts if part)


def _example(model: Schema) -> str:
    """The first example that has every required field of the model and no field it lacks."""
    required, known = set(model.get("required", ())), set(model["properties"])
    for example in examples():
        fits = required <= example.keys() and set(example) <= known
        if fits and all(_agrees(model["properties"][name], example[name]) for name in required):
            return json.dumps(example, ensure_ascii=False)
    return ""


def _agrees(schema: Schema, value: Any) -> bool:
    """Whether a value is one of those that a field is fixed to, where it is fixed."""
    if "const" in schema:
        return bool(value == schema["const"])
    if "$ref" in schema:
        return _name_of(schema) == "JsonValue" or isinstance(value, dict)
    return "enum" not in schema or value in schema["enum"]


def _type(schema: Schema) -> str:
    """What a field holds, in words."""
    if "$ref" in schema:
        name = _name_of(schema)
        return "any JSON value" if name == "JsonValue" else f"{_title(name).lower()}, see below"
    if "const" in schema:
        return code(json.dumps(schema["const"]))
    if "enum" in schema:
        return " or ".join(code(json.dumps(value)) for value in schema["enum"])
    if "anyOf" in schema:
        return " or ".join(dict.fromkeys(_type(each) for each in schema["anyOf"]))
    kind = _TYPES.get(schema.get("type", ""), "any JSON value")
    if kind == "list":
        return f"list of {_type(schema.get('items', {}))}s"
    least = schema.get("minimum")
    if least is not None:
        kind += f", at least {least}"
    return f"non-empty {kind}" if schema.get("minLength") else kind
