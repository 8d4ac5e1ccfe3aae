"""What a reader has seen of a directory so far, taken in loosely.

A stage takes in what it can make sense of and refuses only what leaves nothing to go on with; what
is merely wrong is for the checks to find. So each check can be left out, and shows what it was for.
"""

import json
from collections.abc import Callable, Mapping
from enum import IntEnum
from pathlib import Path
from typing import Any, Final, TypeVar, cast, get_args

import attrs
from pydantic import BaseModel, TypeAdapter, ValidationError

from fencepost_reference.storage.disk import Disk, Kind, Look
from fencepost_reference.storage.errors import CheckpointRefused
from fencepost_reference.storage.layout import (
    CONTINUATIONS_NAME,
    FILE_BYTES_MAX,
    INDEX_NAME,
    MANIFEST_BYTES_MAX,
    MANIFEST_NAME,
    folders_of,
)
from fencepost_reference.storage.parts import Members, decode_part
from fencepost_spec.receipts import saved
from fencepost_spec.receipts import storage_rules as rules
from fencepost_spec.receipts.saved import (
    AgentBoundaryRecord,
    Archive,
    ContinuationRoot,
    IndexLine,
    Manifest,
)
from fencepost_spec.rule import Rule
from fencepost_spec.strict_json import parse_json, parse_lines

_OBJECT: Final = TypeAdapter(dict[str, Any])
_Model = TypeVar("_Model", bound=BaseModel)
_T = TypeVar("_T")


class Stage(IntEnum):
    """How far a reader has come. The checks of a stage see what it and those before took in."""

    PLACE = 0  # Where the directory lies.
    MANIFEST = 1  # The manifest.
    INDEX = 2  # The two index files.
    PARTS = 3  # The parts and their members.
    RECORDS = 4  # The records.


@attrs.define
class Evidence:
    """Everything that was read, and what it seems to mean."""

    disk: Disk
    directory: Path
    instance_name: str | None
    place: str
    # The file that was read last, for a disk that fails.
    reading: str = ""
    folders: dict[str, Look] = attrs.Factory(dict[str, Look])
    manifest_data: bytes = b""
    manifest: Manifest = attrs.field(factory=Manifest.model_construct)
    index_data: bytes = b""
    index: tuple[IndexLine, ...] = ()
    continuations_data: bytes = b""
    roots: tuple[ContinuationRoot, ...] = ()
    # One entry for each archive of the manifest, in its order.
    part_data: tuple[bytes, ...] = ()
    parts: tuple[Members, ...] = ()
    # One entry for each line of the index, in its order.
    record_data: tuple[bytes, ...] = ()
    records: tuple[AgentBoundaryRecord, ...] = ()

    # What was wrong with something that could be taken in all the same, by the rule it broke.
    notes: dict[Rule, list[tuple[str, str]]] = attrs.Factory(dict[Rule, list[tuple[str, str]]])

    def note(self, rule: Rule, file: str, reason: str) -> None:
        """Keep what is wrong with a file for the check of that rule."""
        self.notes.setdefault(rule, []).append((file, reason))

    def document(self, rule: Rule, file: str, data: bytes) -> dict[str, Any]:
        """The JSON object that the bytes hold, loosely where strictly there is none."""
        try:
            return _object(plainly(data, parse_json(data)))
        except ValueError as error:
            self.note(rule, file, reason_of(error))
            return loose_json(file, data)

    def modelled(
        self,
        rule: Rule,
        file: str,
        model: type[_Model],
        document: dict[str, Any],
        read: Callable[[dict[str, Any]], _Model] | None = None,
    ) -> _Model:
        """The document as a model, loosely where strictly it is none."""
        try:
            return (read or model.model_validate)(document)
        except (ValueError, RecursionError) as error:
            self.note(rule, file, reason_of(error))
            return loosely(model, document, file)

    def file(self, name: str) -> str:
        """The path of a file of the directory, relative to the checkpoint directory."""
        return f"{self.place}/{name}"

    def take_in(self, stage: Stage) -> None:
        """Take in a stage, or refuse when there is nothing to go on with."""
        _TAKE_IN[stage](self)

    def read(self, name: str, most: int, declared: int | None = None) -> bytes:
        """The bytes of a file of the directory; may raise OSError.

        Refused when there is none, or when it has more bytes than it may or the manifest says.
        """
        file = self.file(name)
        look = self.disk.look(self.directory / file)
        # Looked at before it is opened: a pipe would never answer, and a large file never end.
        if look.kind is not Kind.FILE:
            reason = "it is missing" if look.kind is Kind.ABSENT else "it is no regular file"
            raise CheckpointRefused(rules.READABLE, file, reason)
        # Fewer bytes than declared are for the checks to find.
        allowed = most if not isinstance(declared, int) else min(most, declared)
        if look.size > allowed:
            reason = f"it has {look.size} bytes, more than {allowed}, and is not read"
            raise CheckpointRefused(rules.READABLE, file, reason)
        self.reading = file
        return self.disk.read(self.directory / file)


def _place(evidence: Evidence) -> None:
    manifest = evidence.file(MANIFEST_NAME)
    if evidence.disk.look(evidence.directory / manifest).kind is Kind.ABSENT:
        raise CheckpointRefused(rules.COMMITTED, manifest, "there is no committed manifest")
    for folder in folders_of(evidence.place):
        evidence.folders[folder] = evidence.disk.look(evidence.directory / folder)


def _manifest(evidence: Evidence) -> None:
    evidence.manifest_data = evidence.read(MANIFEST_NAME, MANIFEST_BYTES_MAX)
    file = evidence.file(MANIFEST_NAME)
    document = evidence.document(rules.MANIFEST_TEXT, file, evidence.manifest_data)
    evidence.manifest = evidence.modelled(rules.MANIFEST_SHAPE, file, Manifest, document)


def _index(evidence: Evidence) -> None:
    manifest, most = evidence.manifest, FILE_BYTES_MAX
    evidence.index_data = evidence.read(INDEX_NAME, most, manifest.record_index.bytes)
    evidence.index = _lines(evidence, rules.INDEX_LINES, INDEX_NAME, IndexLine, evidence.index_data)
    evidence.continuations_data = evidence.read(
        CONTINUATIONS_NAME, most, manifest.continuation_index.bytes
    )
    evidence.roots = _lines(
        evidence,
        rules.ROOT_LINES,
        CONTINUATIONS_NAME,
        ContinuationRoot,
        evidence.continuations_data,
    )


def _lines(
    evidence: Evidence, rule: Rule, name: str, model: type[_Model], data: bytes
) -> tuple[_Model, ...]:
    file = evidence.file(name)
    try:
        values = parse_lines(data)
        documents = [
            _object(plainly(line, value))
            for line, value in zip(data.split(b"\n"), values, strict=False)
        ]
    except ValueError as error:
        evidence.note(rule, file, reason_of(error))
        documents = [loose_json(file, line) for line in data.splitlines() if line.strip()]
    return tuple(evidence.modelled(rule, file, model, document) for document in documents)


def _parts(evidence: Evidence) -> None:
    archives = evidence.manifest.archives
    evidence.part_data = tuple(
        evidence.read(archive.name, FILE_BYTES_MAX, archive.bytes) for archive in archives
    )
    parts: list[Members] = []
    for archive, data in zip(archives, evidence.part_data, strict=True):
        try:
            parts.append(decode_part(data))
        except ValueError as error:
            file = evidence.file(archive.name)
            raise CheckpointRefused(rules.READABLE, file, str(error)) from error
    evidence.parts = tuple(parts)


def _records(evidence: Evidence) -> None:
    members = {
        (archive.name, name): data
        for archive, part in zip(evidence.manifest.archives, evidence.parts, strict=True)
        for name, data in part
    }
    data: list[bytes] = []
    records: list[AgentBoundaryRecord] = []
    for line in evidence.index:
        file = evidence.file(f"{line.archive}/{line.member}")
        content = members.get((line.archive, line.member))
        if content is None:
            raise CheckpointRefused(rules.READABLE, file, "there is no such member")
        data.append(content)
        document = evidence.document(rules.RECORD_TEXT, file, content)
        records.append(
            evidence.modelled(
                rules.RECORD_SHAPE, file, AgentBoundaryRecord, document, saved.read_record
            )
        )
    evidence.record_data, evidence.records = tuple(data), tuple(records)


_TAKE_IN = {
    Stage.PLACE: _place,
    Stage.MANIFEST: _manifest,
    Stage.INDEX: _index,
    Stage.PARTS: _parts,
    Stage.RECORDS: _records,
}


def reason_of(error: Exception) -> str:
    """What a person needs to hear of an error: the first place that is wrong, and why."""
    if not isinstance(error, ValidationError):
        return str(error) or type(error).__name__
    first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    where = ".".join(str(part) for part in first["loc"])
    return f"{where}: {first['msg']}" if where else first["msg"]


def loose_json(file: str, data: bytes) -> dict[str, Any]:
    """The object at the start of the bytes, whatever is odd about them; refused when none is."""
    text = data.decode("utf-8-sig", "replace").lstrip()
    try:
        value, _ = json.JSONDecoder().raw_decode(text)
    except (ValueError, RecursionError) as error:
        raise CheckpointRefused(rules.READABLE, file, f"it is not JSON: {error}") from error
    if not isinstance(value, dict):
        raise CheckpointRefused(rules.READABLE, file, "it is not a JSON object")
    return cast("dict[str, Any]", value)


def plainly(data: bytes, value: _T) -> _T:
    """The value that the bytes hold, or ValueError when a zero in them has a sign."""
    if b"-0" in data:
        json.loads(data, parse_int=_plain_number)
    return value


def _plain_number(text: str) -> int:
    if text == "-0":
        raise ValueError("a zero has a sign")
    return int(text)


def _object(value: object) -> dict[str, Any]:
    return _OBJECT.validate_python(value)


def loosely(model: type[_Model], document: Mapping[str, Any], file: str) -> _Model:
    """The document as a model, its values unchecked and its unknown members dropped."""
    values: dict[str, Any] = {}
    for name, field in model.model_fields.items():
        if name not in document:
            raise CheckpointRefused(rules.READABLE, file, f"the member {name!r} is missing")
        values[name] = _loose_value(field.annotation, document[name], file)
    return model.model_construct(**values)


def _loose_value(annotation: Any, value: Any, file: str) -> Any:
    inner = annotation if isinstance(annotation, type) else None
    if inner is not None and issubclass(inner, BaseModel) and isinstance(value, dict):
        return loosely(inner, cast("dict[str, Any]", value), file)
    match value:
        case [*items] if get_args(annotation)[:1] == (Archive,):
            return [_loose_value(Archive, item, file) for item in items]
        case _:
            return value
