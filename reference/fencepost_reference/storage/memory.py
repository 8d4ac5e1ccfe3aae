"""A disk in memory that forgets like a real one: what was not synced may be lost, part by part.

It is for tests of crashes: run up to some step, ask what is in doubt, and look at any world in
which some of that survived and the rest did not. Links do not exist here.
"""

import errno
import os
from collections.abc import Iterator
from pathlib import Path

import attrs

from fencepost_reference.storage.disk import Kind, Look


@attrs.define(eq=False)
class _File:
    data: bytes
    # Invariant: what a power cut leaves for certain; None when it may leave anything.
    durable: bytes | None = None


Change = tuple[tuple[str, "_File | _Folder | None"], ...]
"""Names that change in one step, each with what it stands for afterwards."""


@attrs.define(eq=False)
class _Folder:
    names: "dict[str, _File | _Folder]" = attrs.field(factory=dict)
    durable: "dict[str, _File | _Folder]" = attrs.field(factory=dict)
    # Invariant: durable with every change of pending applied, in order, is names.
    pending: list[Change] = attrs.field(factory=list)

    def change(self, *changes: "tuple[str, _File | _Folder | None]") -> None:
        """Change names in one step, for now in memory only."""
        self.pending.append(changes)
        _apply(self.names, changes)


class MemoryDisk:
    """A file system that keeps apart what is visible and what is durable."""

    def __init__(self) -> None:
        self._root = _Folder()
        self._temporaries = 0

    def look(self, path: Path) -> Look:
        """What lies under the path."""
        node = self._find(path)
        if isinstance(node, _File):
            return Look(Kind.FILE, len(node.data))
        return Look(Kind.ABSENT if node is None else Kind.DIRECTORY)

    def read(self, path: Path) -> bytes:
        """The bytes of a file."""
        return self._file(path).data

    def make_directory(self, path: Path) -> None:
        """Make one directory, which may be there already."""
        folder = self._folder(path.parent)
        there = folder.names.get(path.name)
        if isinstance(there, _File):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(path))
        if there is None:
            folder.change((path.name, _Folder()))

    def write(self, final: Path, data: bytes) -> Path:
        """Write a new temporary file beside the final name, and return its path."""
        self._temporaries += 1
        temporary = final.with_name(f".{final.name}.{self._temporaries}.tmp")
        self._folder(final.parent).change((temporary.name, _File(data)))
        return temporary

    def sync_file(self, path: Path) -> None:
        """Make the bytes of the file durable."""
        file = self._file(path)
        file.durable = file.data

    def rename(self, temporary: Path, final: Path) -> None:
        """Give a file its final name in one step, whatever had that name before."""
        file = self._file(temporary)
        self._folder(final.parent).change((final.name, file), (temporary.name, None))

    def publish(self, temporary: Path, final: Path) -> None:
        """Give a file its final name in one step, or raise FileExistsError when it is taken."""
        file, folder = self._file(temporary), self._folder(final.parent)
        if final.name in folder.names:
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(final))
        folder.change((final.name, file))
        folder.change((temporary.name, None))

    def sync_directory(self, path: Path) -> None:
        """Make the names in the directory durable."""
        folder = self._folder(path)
        folder.durable, folder.pending = dict(folder.names), []

    def remove(self, path: Path) -> None:
        """Take a temporary file away."""
        folder = self._folder(path.parent)
        if path.name in folder.names:
            folder.change((path.name, None))

    def names(self, path: Path) -> tuple[str, ...]:
        """The names in a directory, sorted."""
        return tuple(sorted(self._folder(path).names))

    def move_directory(self, source: Path, final: Path) -> None:
        """Give a directory another name beside its own in one step; the name must be free."""
        moved, folder = self._folder(source), self._folder(final.parent)
        if final.name in folder.names:
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(final))
        folder.change((final.name, moved), (source.name, None))

    def remove_directory(self, path: Path) -> None:
        """Take an empty directory away."""
        if self._folder(path).names:
            raise OSError(errno.ENOTEMPTY, os.strerror(errno.ENOTEMPTY), str(path))
        self._folder(path.parent).change((path.name, None))

    def doubts(self) -> int:
        """How many things a power cut could take or leave, each by itself."""
        return len(list(_doubts(self._root)))

    def after_power_cut(self, survived: frozenset[int]) -> "MemoryDisk":
        """The disk as it comes back when, of what was in doubt, only these numbers survived."""
        kept = {doubt for number, doubt in enumerate(_doubts(self._root)) if number in survived}
        disk = MemoryDisk()
        disk._root = _survivor(self._root, kept, {})
        disk._temporaries = self._temporaries
        return disk

    def _find(self, path: Path) -> "_File | _Folder | None":
        node: _File | _Folder | None = self._root
        for part in path.parts[1:] if path.is_absolute() else path.parts:
            node = node.names.get(part) if isinstance(node, _Folder) else None
        return node

    def _file(self, path: Path) -> _File:
        node = self._find(path)
        if isinstance(node, _File):
            return node
        number = errno.ENOENT if node is None else errno.EISDIR
        raise OSError(number, os.strerror(number), str(path))

    def _folder(self, path: Path) -> _Folder:
        node = self._find(path)
        if isinstance(node, _Folder):
            return node
        number = errno.ENOENT if node is None else errno.ENOTDIR
        raise OSError(number, os.strerror(number), str(path))


Doubt = tuple[int, int]
"""The identity of a folder and the number of a change in it, or of a file and -1."""


def _doubts(folder: _Folder) -> Iterator[Doubt]:
    for number, _ in enumerate(folder.pending):
        yield id(folder), number
    nodes = {id(node): node for node in _reachable(folder)}
    for node in nodes.values():
        if isinstance(node, _Folder):
            yield from _doubts(node)
        elif node.durable != node.data:
            yield id(node), -1


def _reachable(folder: _Folder) -> "Iterator[_File | _Folder]":
    yield from folder.durable.values()
    for change in folder.pending:
        yield from (node for _, node in change if node is not None)


def _survivor(folder: _Folder, kept: set[Doubt], files: dict[int, _File]) -> _Folder:
    names = dict(folder.durable)
    for number, change in enumerate(folder.pending):
        if (id(folder), number) in kept:
            _apply(names, change)
    after = _Folder()
    for name, node in names.items():
        if isinstance(node, _Folder):
            after.names[name] = _survivor(node, kept, files)
        else:
            after.names[name] = files.setdefault(id(node), _remains(node, kept))
    after.durable = dict(after.names)
    return after


def _remains(file: _File, kept: set[Doubt]) -> _File:
    whole = file.durable == file.data or (id(file), -1) in kept
    # A torn write: half of it came through.
    data = file.data if whole else file.data[: len(file.data) // 2]
    return _File(data, data)


def _apply(names: "dict[str, _File | _Folder]", change: Change) -> None:
    for name, node in change:
        if node is None:
            names.pop(name, None)
        else:
            names[name] = node
