"""The bytes of an agent's checkpoint directory: records in parts, two index files, one manifest.

    <dir>/agent[/instance-<sha256 of the name>]/
        agent-part-000000.tar …   the records, sorted by key
        agent-index.jsonl         which record lies where
        continuations.jsonl       the model calls that records rest on
        manifest.json             written last; with it the directory is a checkpoint

Everything here is a function of its arguments. Not decided here: when what is written.
"""

import hashlib
import json
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import attrs

from fencepost_reference.storage.errors import CheckpointRefused
from fencepost_reference.storage.parts import encode_part
from fencepost_spec.receipts import storage_rules as rules
from fencepost_spec.receipts.saved import (
    AgentBoundaryRecord,
    Archive,
    ArtifactReference,
    ContinuationRoot,
    IndexLine,
    Manifest,
)
from fencepost_spec.receipts.versions import SAVED_SCHEMA, SCHEMA_VERSION
from fencepost_spec.vocabulary import canonical_json
from fencepost_spec.wording import counted

INDEX_NAME: Final = "agent-index.jsonl"
CONTINUATIONS_NAME: Final = "continuations.jsonl"
MANIFEST_NAME: Final = "manifest.json"


@attrs.frozen
class Limits:
    """How much one part holds at most; a single larger record has a part of its own."""

    members_max: int = 512
    bytes_max: int = 64 * 1024 * 1024


MANIFEST_BYTES_MAX: Final = 4 * 1024 * 1024
"""How large a manifest may be: one of twenty thousand full parts is smaller."""
FILE_BYTES_MAX: Final = 1024 * 1024 * 1024
"""How large any other file may be, whatever the manifest says; nobody reads more at once."""


LIMITS: Final = Limits()


@attrs.frozen
class Contents:
    """All bytes of a checkpoint: payloads in the order of writing, then the manifest."""

    payloads: tuple[tuple[str, bytes], ...]
    manifest: bytes
    continuation_index: ArtifactReference


def place_of(instance_name: str | None) -> str:
    """The directory of an instance, relative to the checkpoint directory.

    >>> place_of(None)
    'agent'
    """
    if instance_name is None:
        return "agent"
    return f"agent/instance-{hashlib.sha256(instance_name.encode()).hexdigest()}"


def folders_of(place: str) -> tuple[str, ...]:
    """The directories that lead to a place, outermost first.

    >>> folders_of("agent/instance-0")
    ('agent', 'agent/instance-0')
    """
    steps = place.split("/")
    return tuple("/".join(steps[:depth]) for depth in range(1, len(steps) + 1))


def part_name(number: int) -> str:
    """The name of a part."""
    return f"agent-part-{number:06d}.tar"


def member_name(record: AgentBoundaryRecord) -> str:
    """The name of a record within its part."""
    return f"{record.rollout_id}.a{record.attempt_index}.json"


def path_fault(directory: Path) -> str | None:
    """What keeps a path from naming a directory anywhere, if anything does.

    >>> path_fault(Path("a\\0b"))
    'the path of the directory holds a NUL'
    """
    try:
        named = os.fsencode(directory)
    except UnicodeEncodeError:
        return "the path of the directory is no text that a file system takes"
    return "the path of the directory holds a NUL" if b"\0" in named else None


def sha256(data: bytes) -> str:
    """The digest of bytes, as 64 lower-case hexadecimal digits."""
    return hashlib.sha256(data).hexdigest()


def split(
    members: Sequence[tuple[str, bytes]], limits: Limits = LIMITS
) -> Iterator[tuple[tuple[str, bytes], ...]]:
    """Cut members into parts, each filled as far as the limits allow.

    >>> [len(part) for part in split([("a", b"12"), ("b", b"3"), ("c", b"4")], Limits(9, 3))]
    [2, 1]
    """
    part: list[tuple[str, bytes]] = []
    size = 0
    for name, data in members:
        full = len(part) == limits.members_max or size + len(data) > limits.bytes_max
        if part and full:
            yield tuple(part)
            part, size = [], 0
        part.append((name, data))
        size += len(data)
    if part:
        yield tuple(part)


def contents_of(
    checkpoint_id: str,
    instance_name: str | None,
    records: Sequence[AgentBoundaryRecord],
    limits: Limits = LIMITS,
) -> Contents:
    """The bytes of a checkpoint, or CheckpointRefused when a record cannot be saved."""
    place = place_of(instance_name)
    ordered = sorted(records, key=lambda record: record.key)
    encoded = list(_encoded(place, ordered))
    parts = list(split(encoded, limits))
    archives: list[Archive] = []
    payloads: list[tuple[str, bytes]] = []
    lines: list[IndexLine] = []
    unplaced = iter(ordered)
    for number, members in enumerate(parts):
        name, data = part_name(number), encode_part(members)
        payloads.append((name, data))
        archives.append(
            Archive(name=name, sha256=sha256(data), members=len(members), bytes=len(data))
        )
        lines += [_index_line(next(unplaced), name, member, content) for member, content in members]
    roots = [root for record in ordered if (root := record.root) is not None]
    index, continuations = encode_lines(lines), encode_lines(roots)
    payloads += [(INDEX_NAME, index), (CONTINUATIONS_NAME, continuations)]
    reference = reference_to(place, CONTINUATIONS_NAME, continuations, len(roots))
    manifest = Manifest(
        schema_version=SAVED_SCHEMA,
        checkpoint_id=checkpoint_id,
        instance_name=instance_name,
        archives=archives,
        record_index=reference_to(place, INDEX_NAME, index, len(lines)),
        records=len(lines),
        continuation_index=reference,
    )
    text = encode_manifest(manifest.model_dump(mode="json"))
    for name, data, most in (
        *((name, data, FILE_BYTES_MAX) for name, data in payloads),
        (MANIFEST_NAME, text, MANIFEST_BYTES_MAX),
    ):
        if len(data) > most:
            reason = f"it would have {counted(len(data), 'byte')}, more than {most}"
            raise CheckpointRefused(rules.BUILDABLE, f"{place}/{name}", reason)
    return Contents(tuple(payloads), text, reference)


def reference_to(place: str, name: str, data: bytes, records: int) -> ArtifactReference:
    """A reference to a file of the directory, by what it contains."""
    return ArtifactReference(
        schema_version=SCHEMA_VERSION,
        relative_path=f"{place}/{name}",
        sha256=sha256(data),
        records=records,
        bytes=len(data),
    )


def encode_manifest(manifest: dict[str, Any]) -> bytes:
    """The text of a manifest, for people too."""
    return json.dumps(manifest, indent=2, sort_keys=True).encode("ascii")


def encode_lines(documents: Sequence[IndexLine | ContinuationRoot]) -> bytes:
    """One line for each document, its members in the order of the model."""
    texts = (
        json.dumps(document.model_dump(mode="json"), separators=(",", ":"))
        for document in documents
    )
    return "".join(f"{text}\n" for text in texts).encode("ascii")


def _encoded(place: str, ordered: Sequence[AgentBoundaryRecord]) -> Iterator[tuple[str, bytes]]:
    before = None
    for record in ordered:
        name = member_name(record)
        if record.key == before:
            raise CheckpointRefused(rules.BUILDABLE, f"{place}/{name}", "two records for one key")
        before = record.key
        try:
            text = canonical_json(record.model_dump(mode="json"))
        except (ValueError, RecursionError) as error:
            raise CheckpointRefused(rules.BUILDABLE, f"{place}/{name}", str(error)) from error
        yield name, text.encode("ascii")


def _index_line(
    record: AgentBoundaryRecord, archive: str, member: str, content: bytes
) -> IndexLine:
    return IndexLine(
        rollout_id=record.rollout_id,
        attempt_index=record.attempt_index,
        archive=archive,
        member=member,
        sha256=sha256(content),
        bytes=len(content),
    )
