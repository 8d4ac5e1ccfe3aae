"""A disk that fails where it is told to: at a numbered step, before, after or half-way through.

It also says what it did, so that a test can first ask how many steps there are and then try each.
"""

import errno
import os
from collections.abc import Callable, Mapping
from enum import Enum
from pathlib import Path
from typing import TypeVar

import attrs

from fencepost_reference.storage.disk import Disk, Look, TreeDisk

_Result = TypeVar("_Result")


class Fault(Enum):
    """What happens to one step."""

    FAIL = "fail"  # An error instead of the step.
    FAIL_AFTER = "fail after"  # The step, and an error all the same.
    TEAR = "tear"  # Half of what is written, and an error; other steps just fail.
    STOP = "stop"  # The process dies instead of the step.
    SKIP = "skip"  # Nothing, and no error: a disk that lies about syncing; other steps fail.


class Stopped(BaseException):
    """The process died at a step; nobody catches this and goes on."""


@attrs.frozen
class Moment:
    """One step of the disk: its number from zero, what it is and what it is about."""

    number: int
    step: str
    path: Path


READS = frozenset(("look", "read", "names"))


def _done() -> None:
    """A step that says it was taken."""


class FaultyDisk:
    """Another disk, with faults at some of its steps. Looks and reads count only when asked to."""

    def __init__(
        self,
        inner: Disk,
        faults: Mapping[int, Fault] | None = None,
        *,
        before: Callable[[Moment], None] | None = None,
        count_reads: bool = False,
    ) -> None:
        self.inner = inner
        self.faults = faults or {}
        self.before = before
        self.count_reads = count_reads
        self.moments: list[Moment] = []

    def look(self, path: Path) -> Look:
        """What lies under the path."""
        return self._step("look", path, lambda: self.inner.look(path))

    def read(self, path: Path) -> bytes:
        """The bytes of a file."""
        return self._step("read", path, lambda: self.inner.read(path))

    def make_directory(self, path: Path) -> None:
        """Make one directory."""
        self._step("make_directory", path, lambda: self.inner.make_directory(path))

    def write(self, final: Path, data: bytes) -> Path:
        """Write a temporary file, or half of one when the fault is a tear."""
        half = data[: len(data) // 2]
        torn = lambda: self.inner.write(final, half)  # noqa: E731  # one of two ways to take a step
        return self._step("write", final, lambda: self.inner.write(final, data), tear=torn)

    def sync_file(self, path: Path) -> None:
        """Make the bytes of a file durable."""
        self._step("sync_file", path, lambda: self.inner.sync_file(path), skip=_done)

    def rename(self, temporary: Path, final: Path) -> None:
        """Give a file its final name."""
        self._step("rename", final, lambda: self.inner.rename(temporary, final))

    def publish(self, temporary: Path, final: Path) -> None:
        """Give a file its final name unless it is taken."""
        self._step("publish", final, lambda: self.inner.publish(temporary, final))

    def sync_directory(self, path: Path) -> None:
        """Make the names in a directory durable."""
        self._step("sync_directory", path, lambda: self.inner.sync_directory(path), skip=_done)

    def remove(self, path: Path) -> None:
        """Take a temporary file away."""
        self._step("remove", path, lambda: self.inner.remove(path))

    def _step(
        self,
        step: str,
        path: Path,
        take: Callable[[], _Result],
        *,
        skip: Callable[[], _Result] | None = None,
        tear: Callable[[], object] | None = None,
    ) -> _Result:
        if step in READS and not self.count_reads:
            return take()
        moment = Moment(len(self.moments), step, path)
        self.moments.append(moment)
        if self.before is not None:
            self.before(moment)
        match self.faults.get(moment.number):
            case None:
                return take()
            case Fault.STOP:
                raise Stopped(moment)
            case Fault.SKIP if skip is not None:
                return skip()
            case Fault.FAIL_AFTER:
                take()
            case Fault.TEAR if tear is not None:
                tear()
            case _:
                pass
        raise OSError(errno.EIO, os.strerror(errno.EIO), str(path))


class FaultyTreeDisk(FaultyDisk):
    """Another disk of whole directories, with faults at some of its steps."""

    def __init__(
        self,
        inner: TreeDisk,
        faults: Mapping[int, Fault] | None = None,
        *,
        before: Callable[[Moment], None] | None = None,
        count_reads: bool = False,
    ) -> None:
        super().__init__(inner, faults, before=before, count_reads=count_reads)
        self._tree = inner

    def names(self, path: Path) -> tuple[str, ...]:
        """The names in a directory."""
        return self._step("names", path, lambda: self._tree.names(path))

    def move_directory(self, source: Path, final: Path) -> None:
        """Give a directory another name."""
        self._step("move_directory", final, lambda: self._tree.move_directory(source, final))

    def remove_directory(self, path: Path) -> None:
        """Take an empty directory away."""
        self._step("remove_directory", path, lambda: self._tree.remove_directory(path))
