"""A disk that a dead process cannot reach any more, although its worker threads go on."""

from pathlib import Path

from fencepost_reference.runtime.errors import Lost
from fencepost_reference.storage import Disk
from fencepost_reference.storage.disk import Look


class MortalDisk:
    """Another disk, until the process dies: from then on every step raises Lost."""

    def __init__(self, inner: Disk) -> None:
        self._inner = inner
        self._alive = True

    def die(self) -> None:
        """Take no further step; one that has begun is finished, as a real one may be."""
        self._alive = False

    def _disk(self) -> Disk:
        if not self._alive:
            raise Lost
        return self._inner

    def look(self, path: Path) -> Look:
        """What lies under the path."""
        return self._disk().look(path)

    def read(self, path: Path) -> bytes:
        """The bytes of a file."""
        return self._disk().read(path)

    def make_directory(self, path: Path) -> None:
        """Make one directory."""
        self._disk().make_directory(path)

    def write(self, final: Path, data: bytes) -> Path:
        """Write a temporary file."""
        return self._disk().write(final, data)

    def sync_file(self, path: Path) -> None:
        """Make the bytes of a file durable."""
        self._disk().sync_file(path)

    def rename(self, temporary: Path, final: Path) -> None:
        """Give a file its final name."""
        self._disk().rename(temporary, final)

    def publish(self, temporary: Path, final: Path) -> None:
        """Give a file its final name unless it is taken."""
        self._disk().publish(temporary, final)

    def sync_directory(self, path: Path) -> None:
        """Make the names in a directory durable."""
        self._disk().sync_directory(path)

    def remove(self, path: Path) -> None:
        """Take a temporary file away."""
        self._disk().remove(path)
