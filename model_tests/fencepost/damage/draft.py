"""A committed directory taken apart, to be put together again with something wrong in it.

What was not touched stays consistent: digests, sizes and counts above an edit are made anew. What
an edit breaks is therefore broken alone.
"""

import json
from collections.abc import Callable
from enum import IntEnum
from pathlib import Path
from typing import Any

import attrs

from fencepost_reference.storage import layout
from fencepost_reference.storage.parts import decode_part, encode_part

Document = dict[str, Any]


class Level(IntEnum):
    """Where an edit is made: whatever is made from it later follows it."""

    MEMBERS = 0  # Members of parts, entries of both index files.
    ENTRIES = 1  # Entries, after the digests of members were put into them.
    FILES = 2  # The bytes of parts and index files.
    MANIFEST = 3  # The manifest as a document.
    TEXT = 4  # The bytes of the manifest.
    DISK = 5  # The directory, after everything was written.


@attrs.define
class Draft:
    """The pieces of one directory, as far as they have been made."""

    place: Path
    parts: list[list[tuple[str, bytes]]]
    index: list[Document]
    roots: list[Document]
    manifest: Document
    files: dict[str, bytes] = attrs.Factory(dict[str, bytes])
    text: bytes = b""


Edit = Callable[[Draft], None]


def take_apart(place: Path) -> Draft:
    """The pieces of a committed directory."""
    manifest: Document = json.loads((place / layout.MANIFEST_NAME).read_bytes())
    return Draft(
        place,
        [list(decode_part((place / a["name"]).read_bytes())) for a in manifest["archives"]],
        _lines(place / layout.INDEX_NAME),
        _lines(place / layout.CONTINUATIONS_NAME),
        manifest,
    )


def put_together(draft: Draft, level: Level, edit: Edit) -> None:
    """Write the directory anew, with one edit at its level."""
    steps: tuple[Callable[[Draft], None], ...] = (
        lambda _: None,
        _describe_members,
        _encode_files,
        _describe_files,
        _encode_manifest,
        _write,
    )
    for reached, step in zip(Level, steps, strict=True):
        step(draft)
        if reached is level:
            edit(draft)


def _describe_members(draft: Draft) -> None:
    members = {
        (archive["name"], name): data
        for archive, part in zip(draft.manifest["archives"], draft.parts, strict=True)
        for name, data in part
    }
    for entry in draft.index:
        data = members[entry["archive"], entry["member"]]
        entry.update(sha256=layout.sha256(data), bytes=len(data))


def _encode_files(draft: Draft) -> None:
    for archive, part in zip(draft.manifest["archives"], draft.parts, strict=True):
        draft.files[archive["name"]] = encode_part(part)
    draft.files[layout.INDEX_NAME] = _text(draft.index)
    draft.files[layout.CONTINUATIONS_NAME] = _text(draft.roots)


def _describe_files(draft: Draft) -> None:
    manifest = draft.manifest
    for archive, part in zip(manifest["archives"], draft.parts, strict=True):
        data = draft.files[archive["name"]]
        archive.update(sha256=layout.sha256(data), members=len(part), bytes=len(data))
    manifest["records"] = len(draft.index)
    for member, name, lines in (
        ("record_index", layout.INDEX_NAME, draft.index),
        ("continuation_index", layout.CONTINUATIONS_NAME, draft.roots),
    ):
        data = draft.files[name]
        manifest[member].update(sha256=layout.sha256(data), records=len(lines), bytes=len(data))


def _encode_manifest(draft: Draft) -> None:
    draft.text = layout.encode_manifest(draft.manifest)


def _write(draft: Draft) -> None:
    for old in draft.place.iterdir():
        old.unlink()
    for name, data in {**draft.files, layout.MANIFEST_NAME: draft.text}.items():
        (draft.place / name).write_bytes(data)


def _lines(path: Path) -> list[Document]:
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def _text(documents: list[Document]) -> bytes:
    return "".join(
        f"{json.dumps(document, separators=(',', ':'))}\n" for document in documents
    ).encode("ascii")
