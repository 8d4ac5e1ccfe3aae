"""Every document of a snapshot, to be read and damaged field by field."""

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import attrs

from fencepost.ledger import spoiling as fields
from fencepost.mismatch import is_object
from fencepost.snapshot.worlds import World
from fencepost.trace.lines import is_list
from fencepost_spec.receipts.snapshot import names

MAPS = frozenset({"files", "rollouts", "resource_state_revisions"})
"""Members whose keys are data and no fields."""

NULLABLE = frozenset(
    {
        "bootstrap_fingerprint",
        "gym_topology_fingerprint",
        "gym_checkpoint",
        "instance_role",
        "instance_name",
        "resource_state_revisions",
    }
)
"""Members that may be null; every other null is another type."""


@attrs.frozen
class Document:
    """How one document is taken out of a world and put back."""

    get: Callable[[World], Any]
    put: Callable[[World, Any], None]


def _listed(name: str) -> Document:
    def put(world: World, value: Any) -> None:
        world.files[name] = json.dumps(value).encode("ascii")
        world.list_again()

    return Document(lambda world: json.loads(world.files[name]), put)


def _manifest() -> Document:
    def put(world: World, value: Any) -> None:
        world.files[names.MANIFEST] = json.dumps(value).encode("ascii")

    return Document(lambda world: json.loads(world.files[names.MANIFEST]), put)


def _attribute(name: str) -> Document:
    return Document(
        lambda world: getattr(world, name), lambda world, value: setattr(world, name, value)
    )


def _custody(listed: str) -> Document:
    def get(world: World) -> Any:
        commit = json.loads(world.files[names.MANIFEST])["gym_checkpoint"]
        return json.loads(world.files[commit[listed][0]["manifest_path"]])

    def put(world: World, value: Any) -> None:
        commit = json.loads(world.files[names.MANIFEST])["gym_checkpoint"]
        world.files[commit[listed][0]["manifest_path"]] = json.dumps(value).encode("ascii")
        world.custody(listed, lambda _: None)

    return Document(get, put)


def _line(listed: str, suffix: str) -> Document:
    def get(world: World) -> Any:
        name = next(one for one in sorted(world.files) if one.endswith(suffix))
        return json.loads(world.files[name].splitlines()[0])

    def put(world: World, value: Any) -> None:
        def replace(lines: list[Any]) -> None:
            lines[0] = value

        world.index(listed, replace)

    return Document(get, put)


DOCUMENTS: Mapping[str, Document] = {
    "manifest": _manifest(),
    "metadata": _listed(names.METADATA),
    "rows": _listed(names.ROWS),
    "replay": _listed(names.REPLAY),
    "topology": _attribute("topology"),
    "restore": _attribute("restore"),
    "agent manifest": _custody("agents"),
    "model manifest": _custody("models"),
    "resources manifest": _custody("resources"),
    "root": _line("agents", "continuations.jsonl"),
    "reference": _line("models", "storage-references.jsonl"),
}
"""Every document but the ledger's, which has checks of its own."""

Spoiled = tuple[str, Any]


def missing(document: Any) -> Iterator[Spoiled]:
    """The document without each of its fields in turn."""
    for path in fields.places(document):
        inside = len(path) > 1 and path[-2] in MAPS
        if path and is_object(fields.held(document, path[:-1])) and not inside:
            copy = fields.changed(document, path, None)
            del fields.held(copy, path[:-1])[path[-1]]
            yield fields.named(path), copy


def extra(document: Any) -> Iterator[Spoiled]:
    """The document with a field too many in each object that has fields."""
    for path in fields.places(document):
        if is_object(fields.held(document, path)) and not (path and path[-1] in MAPS):
            yield fields.named(path), fields.changed(document, (*path, fields.EXTRA), 1)


def null(document: Any) -> Iterator[tuple[str, bool, Any]]:
    """The document with null at each place, and whether it may stand there."""
    for path in fields.places(document):
        if path and fields.held(document, path) is not None:
            yield fields.named(path), path[-1] in NULLABLE, fields.changed(document, path, None)


def mistyped(document: Any) -> Iterator[Spoiled]:
    """The document with a value of every other JSON type at each place."""
    for path in fields.places(document):
        value = fields.held(document, path)
        for other in _others(value) if path else ():
            yield f"{fields.named(path)} is {other!r}", fields.changed(document, path, other)


def _others(value: Any) -> tuple[Any, ...]:
    if value is None:
        return (True, 7, 1.5)
    if isinstance(value, bool):
        return (1, "true", [], {})
    if isinstance(value, int):
        return (True, float(value), str(value), -2, [], {})
    if isinstance(value, str):
        return (True, 7, "", [], {})
    return (True, 7, "x", {} if is_list(value) else [])
