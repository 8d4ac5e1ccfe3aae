"""What is wrong with a line, in words, said by the models that define the format.

Slow on purpose: it runs once, on the line that ends the reading.
"""

import json
from typing import Any

from pydantic import BaseModel, TypeAdapter, ValidationError

from fencepost.trace import models
from fencepost.trace.lines import FORMAT_VERSION, Json, JsonObject, is_object

_MODELS: dict[str, tuple[type[BaseModel], ...]] = {
    "fencepost": (models.HeaderModel,),
    "call": (models.CallModel,),
    "reply": (
        models.StatusReplyModel,
        models.OkReplyModel,
        models.ErrorReplyModel,
        models.LostReplyModel,
    ),
    "work": (models.WorkModel,),
    "returned": (models.ReturnedModel,),
    "report": (models.ReportModel,),
    "fault": (models.ReplaceModel, models.FaultModel),
    "disk": (models.DiskModel,),
    "tick": (models.TickModel,),
    "note": (models.NoteModel,),
    "end": (models.FooterModel,),
}
"""The models of each kind of line, under the field that names the kind."""

SCHEMA_FILE = "trace.schema.json"

_KINDS_OF_LINE = ", ".join(name for name in _MODELS if name not in {"fencepost", "end"})

_EXPECTED = {
    "string_type": "is a string",
    "string_too_short": "is not empty",
    "int_type": "is a whole number",
    "float_type": "is a number",
    "bool_type": "is true or false",
    "dict_type": "is an object",
    "model_type": "is an object",
    "list_type": "is a list",
}


def definition() -> TypeAdapter[Any]:
    """Every line that the format allows, as one type: header, footer and all between."""
    union: Any = None
    for several in _MODELS.values():
        for model in several:
            union = model if union is None else union | model
    return TypeAdapter(union)


def json_schema() -> JsonObject:
    """The JSON Schema of one line of a trace."""
    schema = definition().json_schema()
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    schema["title"] = f"One line of a fencepost trace, format version {FORMAT_VERSION}"
    return schema


def schema_text() -> str:
    """The text of the published schema file."""
    return json.dumps(json_schema(), indent=2, ensure_ascii=False) + "\n"


def explain(value: Json) -> tuple[str, str] | None:
    """The reason why this is no line of the format, and a hint; None when the models accept it."""
    if not is_object(value):
        return f"a line is a JSON object, not {_name_of(value)}", ""
    model = _choose_model(value)
    if model is None:
        named = ", ".join(sorted(value)) or "nothing"
        return f"a line of no known kind; it names {named}", f"known kinds: {_KINDS_OF_LINE}"
    version = value.get("fencepost", FORMAT_VERSION)
    if type(version) is not int or version != FORMAT_VERSION:
        return f"format version {version!r} is not known", f"known: {FORMAT_VERSION}"
    try:
        model.model_validate(value)
    except ValidationError as error:
        return _say(error, model)
    return None


def _choose_model(value: JsonObject) -> type[BaseModel] | None:
    """The model that the line means, by the fields that it has."""
    kind = next((name for name in _MODELS if name in value), None)
    if kind == "reply":
        if "lost" in value:
            return models.LostReplyModel
        if "outcome" not in value:
            return models.StatusReplyModel
        said_ok = isinstance(value["outcome"], str)
        return models.OkReplyModel if said_ok else models.ErrorReplyModel
    if kind == "fault":
        return models.ReplaceModel if value["fault"] == "replace" else models.FaultModel
    return None if kind is None else _MODELS[kind][0]


def _say(error: ValidationError, model: type[BaseModel]) -> tuple[str, str]:
    """One sentence about the first field that is wrong, and the fields that the line may have."""
    problems = error.errors()
    field = problems[0]["loc"][:1]
    about = [problem for problem in problems if problem["loc"][:1] == field]
    sentences: list[str] = []
    for problem in about:
        path = ".".join(str(part) for part in problem["loc"] if _is_field(part)) or "the line"
        sentences.append(_sentence(problem["type"], path, problem["msg"]))
    hint = f"its fields: {', '.join(model.model_fields)}"
    return ", or ".join(dict.fromkeys(sentences)), hint


def _is_field(part: int | str) -> bool:
    """Whether a part of an error's place is a field, and no label of a union's member."""
    return isinstance(part, int) or not ("[" in part or part.endswith("Model"))


def _sentence(kind: str, path: str, message: str) -> str:
    """What one wrong field should have been."""
    if kind == "extra_forbidden":
        return f"unknown field {path!r}"
    if kind == "missing":
        return f"field {path!r} is missing"
    if kind in _EXPECTED:
        return f"{path} {_EXPECTED[kind]}"
    if kind == "value_error":
        return message.removeprefix("Value error, ")
    if message.startswith("Input should be "):
        return message.replace("Input should be", f"{path} is", 1)
    return f"{path}: {message[:1].lower()}{message[1:]}"


def _name_of(value: Json) -> str:
    """What JSON calls a value."""
    if value is None:
        return "null"
    names = {list: "a list", str: "a string", bool: "true or false"}
    return next((name for kind, name in names.items() if isinstance(value, kind)), "a number")
