"""Whole directories: filled, made durable, taken away. Links are never followed."""

from collections.abc import Iterator
from pathlib import Path

from fencepost_reference.storage.disk import Kind, TreeDisk
from fencepost_reference.storage.layout import folders_of


def make_folder(disk: TreeDisk, path: Path) -> None:
    """Make a directory and those above it, each durable in the one above."""
    missing: list[Path] = []
    above = path
    while disk.look(above).kind is Kind.ABSENT and above != above.parent:
        missing.insert(0, above)
        above = above.parent
    for one in missing:
        disk.make_directory(one)
        disk.sync_directory(one.parent)


def put(disk: TreeDisk, directory: Path, name: str, data: bytes) -> None:
    """Write a file below a directory; it is durable when the tree has been synced."""
    above, slash, _ = name.rpartition("/")
    for folder in folders_of(above) if slash else ():
        disk.make_directory(directory / folder)
    final = directory / name
    disk.rename(disk.write(final, data), final)


def walk(disk: TreeDisk, directory: Path) -> Iterator[tuple[Path, Kind]]:
    """Everything below a directory and then itself, what a directory holds before it."""
    found: list[tuple[Path, Kind]] = []
    waiting = [directory]
    while waiting:
        path = waiting.pop()
        kind = disk.look(path).kind
        found.append((path, kind))
        if kind is Kind.DIRECTORY:
            waiting += [path / name for name in disk.names(path)]
    yield from reversed(found)


def sync_tree(disk: TreeDisk, directory: Path) -> None:
    """Return only when every file and name below a directory would survive a power cut."""
    for path, kind in walk(disk, directory):
        if kind is Kind.FILE:
            disk.sync_file(path)
        elif kind is Kind.DIRECTORY:
            disk.sync_directory(path)


def remove_tree(disk: TreeDisk, directory: Path) -> None:
    """Take a directory away with everything below it."""
    for path, kind in walk(disk, directory):
        if kind is Kind.DIRECTORY:
            disk.remove_directory(path)
        elif kind is not Kind.ABSENT:
            disk.remove(path)
