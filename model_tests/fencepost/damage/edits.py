"""Single edits of a directory that was taken apart: what goes wrong, and at which level."""

import json
import os
import shutil
import tarfile
from collections.abc import Callable
from io import BytesIO
from typing import Any, Final

from fencepost.damage.draft import Draft, Edit, Level
from fencepost_reference.storage.layout import LIMITS, part_name

Placed = tuple[Level, Edit]
"""An edit and the level at which it is made."""
Change = Callable[[bytes], bytes]

BOM: Final = b"\xef\xbb\xbf"
OTHER_DIGEST: Final = "0" * 64
FIRST: Final = part_name(0)


def manifest(path: str, value: Any) -> Placed:
    """Give one member of the manifest another value; a function makes it from the old one."""

    def edit(draft: Draft) -> None:
        *steps, last = path.split("/")
        node: Any = draft.manifest
        for step in steps:
            node = node[int(step) if step.isdigit() else step]
        node[last] = value(node[last]) if callable(value) else value

    return Level.MANIFEST, edit


def without(member: str) -> Placed:
    """Take one member of the manifest away."""
    return Level.MANIFEST, lambda draft: draft.manifest.pop(member)


def text(change: Change) -> Placed:
    """Change the bytes of the manifest."""

    def edit(draft: Draft) -> None:
        draft.text = change(draft.text)

    return Level.TEXT, edit


def file(name: str, change: Change) -> Placed:
    """Change the bytes of a part or an index file."""

    def edit(draft: Draft) -> None:
        draft.files[name] = change(draft.files[name])

    return Level.FILES, edit


def record(change: Change) -> Placed:
    """Change the bytes of the first record."""

    def edit(draft: Draft) -> None:
        name, data = draft.parts[0][0]
        draft.parts[0][0] = (name, change(data))

    return Level.MEMBERS, edit


def members(edit: Edit) -> Placed:
    """Change parts and the entries about them together."""
    return Level.MEMBERS, edit


def line(**changed: Any) -> Placed:
    """Give members of the first line of the record index other values."""
    return Level.ENTRIES, lambda draft: draft.index[0].update(changed)


def root(**changed: Any) -> Placed:
    """Give members of the first continuation root other values."""
    return Level.ENTRIES, lambda draft: draft.roots[0].update(changed)


def disk(edit: Edit) -> Placed:
    """Change the directory itself."""
    return Level.DISK, edit


def more(number: int) -> int:
    """One more than it was."""
    return number + 1


def behind(addition: bytes) -> Change:
    """The bytes with something behind them."""
    return lambda data: data + addition


def before(addition: bytes) -> Change:
    """The bytes with something before them."""
    return lambda data: addition + data


def half(data: bytes) -> bytes:
    """The first half of the bytes."""
    return data[: len(data) // 2]


def having(**changed: Any) -> Change:
    """The JSON object in the bytes, with these members."""
    return lambda data: json.dumps(json.loads(data) | changed).encode("ascii")


def twice(data: bytes) -> bytes:
    """The JSON object in the bytes, one member of it there twice."""
    name, value = next(iter(json.loads(data.splitlines()[0] if b"}\n{" in data else data).items()))
    return inside(f"{json.dumps(name)}:{json.dumps(value)}")(data)


def inside(member: str) -> Change:
    """The JSON object in the bytes, with a member put in as text."""
    return lambda data: data.replace(b"{", b"{" + member.encode("ascii") + b",", 1)


def stranger(kind: bytes) -> Change:
    """The part with one more entry that is no plain file."""

    def change(data: bytes) -> bytes:
        buffer = BytesIO(data)
        with tarfile.open(fileobj=buffer, mode="a") as part:
            info = tarfile.TarInfo("stranger")
            info.type, info.linkname = kind, FIRST
            part.addfile(info)
        return buffer.getvalue()

    return change


def endless(data: bytes) -> bytes:
    """The part without the empty blocks that end it."""
    return data[: -(-len(data.rstrip(b"\0")) // tarfile.BLOCKSIZE) * tarfile.BLOCKSIZE]


def reverse(draft: Draft) -> None:
    """Everything about the first part, in the opposite order."""
    count = len(draft.parts[0])
    draft.parts[0].reverse()
    draft.index[:count] = draft.index[:count][::-1]
    draft.roots.reverse()


def repeat(draft: Draft) -> None:
    """The first record, and everything about it, once more."""
    draft.parts[0].insert(0, draft.parts[0][0])
    draft.index.insert(0, dict(draft.index[0]))
    draft.roots.insert(0, dict(draft.roots[0]))


def rename_member(draft: Draft) -> None:
    """The first member has a name that leads out of a directory."""
    name, data = draft.parts[0][0]
    draft.parts[0][0] = (f"../{name}", data)
    draft.index[0]["member"] = f"../{name}"


def move_part(draft: Draft) -> None:
    """The first part lies in the directory above, and its name says so."""
    outside = f"../{FIRST}"
    for entry in draft.index:
        entry["archive"] = outside if entry["archive"] == FIRST else entry["archive"]
    draft.manifest["archives"][0]["name"] = outside


def other_attempt(draft: Draft) -> None:
    """The first record belongs to another attempt than its line says."""
    record(having(attempt_index=90))[1](draft)
    draft.roots[0]["attempt_index"] = 90


def empty_part(draft: Draft) -> None:
    """One more part, with nothing in it."""
    draft.manifest["archives"].append({"name": part_name(len(draft.parts))})
    draft.parts.append([])


def crowded_part(draft: Draft) -> None:
    """One part, with one member more than a part may have."""
    (_, data), entry, one = draft.parts[0][0], draft.index[0], draft.roots[0]
    draft.parts, draft.index, draft.roots = [[]], [], []
    del draft.manifest["archives"][1:]
    for attempt in range(LIMITS.members_max + 1):
        name = f"{attempt}.json"
        draft.parts[0].append((name, having(attempt_index=attempt)(data)))
        draft.index.append(entry | {"attempt_index": attempt, "member": name})
        draft.roots.append(one | {"attempt_index": attempt})


def unindexed(draft: Draft) -> None:
    """The first part holds a member that no line names."""
    draft.parts[0].append(("unindexed.json", b"{}"))


def shuffled(draft: Draft) -> None:
    """The members of the first part in another order than the lines."""
    draft.parts[0].reverse()


def lost_root(draft: Draft) -> None:
    """One root fewer than the records have."""
    draft.roots.pop()


def elsewhere(draft: Draft) -> None:
    """The directory is a link to where it was moved, outside the checkpoint directory."""
    outside = draft.place.parents[1].with_name("outside")
    shutil.rmtree(outside, ignore_errors=True)
    draft.place.rename(outside)
    draft.place.symlink_to(outside, target_is_directory=True)


def gone(name: str) -> Placed:
    """A file is missing."""
    return disk(lambda draft: (draft.place / name).unlink())


def linked(name: str) -> Placed:
    """A file is a link to where it was moved."""

    def edit(draft: Draft) -> None:
        hidden = (draft.place / name).rename(draft.place / f"{name}.hidden")
        (draft.place / name).symlink_to(hidden.name)

    return disk(edit)


def folder(name: str) -> Placed:
    """A folder lies where the file should."""

    def edit(draft: Draft) -> None:
        (draft.place / name).unlink()
        (draft.place / name).mkdir()

    return disk(edit)


def pipe(name: str) -> Placed:
    """A pipe that nobody writes to lies where the file should."""

    def edit(draft: Draft) -> None:
        (draft.place / name).unlink()
        os.mkfifo(draft.place / name)

    return disk(edit)
