"""The few steps on a file system that a checkpoint needs, one method each.

Between any two of them the process may die. Not decided here: in which order they are taken.
"""

import errno
import os
import secrets
import stat
from enum import Enum
from pathlib import Path
from typing import Protocol

import attrs

_NO_HARD_LINKS = frozenset((errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS))


class Kind(Enum):
    """What lies under a path, links not followed."""

    ABSENT = "absent"
    FILE = "file"
    DIRECTORY = "directory"
    OTHER = "other"  # A link, a pipe, a device: never part of a checkpoint.


@attrs.frozen
class Look:
    """What one look at a path showed."""

    kind: Kind
    size: int = 0


class Disk(Protocol):
    """A file system, as far as a checkpoint is concerned. Every method may raise OSError."""

    def look(self, path: Path) -> Look:
        """What lies under the path."""
        ...

    def read(self, path: Path) -> bytes:
        """The bytes of a file, never through a link."""
        ...

    def make_directory(self, path: Path) -> None:
        """Make one directory, which may be there already."""
        ...

    def write(self, final: Path, data: bytes) -> Path:
        """Write a new temporary file beside the final name, and return its path."""
        ...

    def sync_file(self, path: Path) -> None:
        """Return only when the bytes of the file would survive a power cut."""
        ...

    def rename(self, temporary: Path, final: Path) -> None:
        """Give a file its final name in one step, whatever had that name before."""
        ...

    def publish(self, temporary: Path, final: Path) -> None:
        """Give a file its final name in one step, or raise FileExistsError when it is taken."""
        ...

    def sync_directory(self, path: Path) -> None:
        """Return only when the names in the directory would survive a power cut."""
        ...

    def remove(self, path: Path) -> None:
        """Take a temporary file away."""
        ...


class TreeDisk(Disk, Protocol):
    """A file system on which whole directories are listed, moved and taken away."""

    def names(self, path: Path) -> tuple[str, ...]:
        """The names in a directory, sorted."""
        ...

    def move_directory(self, source: Path, final: Path) -> None:
        """Give a directory another name beside its own in one step; the name must be free."""
        ...

    def remove_directory(self, path: Path) -> None:
        """Take an empty directory away."""
        ...


class RealDisk:
    """The file system of this machine."""

    def look(self, path: Path) -> Look:
        """What lies under the path."""
        try:
            status = path.lstat()
        except (FileNotFoundError, NotADirectoryError):
            return Look(Kind.ABSENT)
        if stat.S_ISREG(status.st_mode):
            return Look(Kind.FILE, status.st_size)
        return Look(Kind.DIRECTORY if stat.S_ISDIR(status.st_mode) else Kind.OTHER)

    def read(self, path: Path) -> bytes:
        """The bytes of a file, never through a link."""
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        with os.fdopen(descriptor, "rb") as file:
            return file.read()

    def make_directory(self, path: Path) -> None:
        """Make one directory, which may be there already."""
        path.mkdir(exist_ok=True)

    def write(self, final: Path, data: bytes) -> Path:
        """Write a new temporary file beside the final name, and return its path."""
        # A name of its own: another writer, even one thought dead, never writes into this file.
        temporary = final.with_name(f".{final.name}.{secrets.token_hex(8)}.tmp")
        with temporary.open("xb") as file:
            file.write(data)
        return temporary

    def sync_file(self, path: Path) -> None:
        """Return only when the bytes of the file would survive a power cut."""
        _sync(path, os.O_RDONLY)

    def rename(self, temporary: Path, final: Path) -> None:
        """Give a file its final name in one step, whatever had that name before."""
        temporary.replace(final)

    def publish(self, temporary: Path, final: Path) -> None:
        """Give a file its final name in one step, or raise FileExistsError when it is taken."""
        try:
            os.link(temporary, final, follow_symlinks=False)
        except OSError as error:
            if error.errno not in _NO_HARD_LINKS:
                raise
            # Without hard links the look and the rename are two steps; one writer is assumed.
            if self.look(final).kind is not Kind.ABSENT:
                raise FileExistsError(errno.EEXIST, "already published", str(final)) from error
            temporary.replace(final)
            return
        temporary.unlink()

    def sync_directory(self, path: Path) -> None:
        """Return only when the names in the directory would survive a power cut."""
        _sync(path, os.O_RDONLY | os.O_DIRECTORY)

    def remove(self, path: Path) -> None:
        """Take a temporary file away."""
        path.unlink(missing_ok=True)

    def names(self, path: Path) -> tuple[str, ...]:
        """The names in a directory, sorted."""
        return tuple(sorted(one.name for one in path.iterdir()))

    def move_directory(self, source: Path, final: Path) -> None:
        """Give a directory another name beside its own in one step; the name must be free."""
        # The look and the rename are two steps: an empty directory would be replaced in silence.
        if self.look(final).kind is not Kind.ABSENT:
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(final))
        source.rename(final)

    def remove_directory(self, path: Path) -> None:
        """Take an empty directory away."""
        path.rmdir()


def _sync(path: Path, flags: int) -> None:
    descriptor = os.open(path, flags | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
