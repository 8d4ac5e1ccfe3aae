"""A trace that can be read once only, such as a pipe: judged while it comes, and kept to explain.

What has been read is kept in a file without a name, so that it is gone with the process, however
that ends. Nothing is read ahead: what cannot be a trace is refused where that shows.
"""

import os
import tempfile
from types import TracebackType
from typing import BinaryIO, Self

from fencepost.faults import MachineFault


class Flow:
    """The lines of a stream, each kept as it is read."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        try:
            self._kept = tempfile.TemporaryFile()  # noqa: SIM115 - it is closed with the flow
        except OSError as error:
            raise _cannot_keep(error) from error

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        where: TracebackType | None,
    ) -> None:
        try:
            self._kept.close()
        except OSError:
            return  # Nobody reads again what could not be written.

    def readline(self, limit: int = -1, /) -> bytes:
        """The next line, or as much of it as the limit allows."""
        line = self._stream.readline(limit)
        try:
            self._kept.write(line)
        except OSError as error:
            raise _cannot_keep(error) from error
        return line

    def close(self) -> None:
        """Leave what was read to be read again; the stream belongs to somebody else."""

    def again(self) -> BinaryIO:
        """All that was read, from the start."""
        try:
            self._kept.flush()
            copy = os.fdopen(os.dup(self._kept.fileno()), "rb")
            copy.seek(0)
        except OSError as error:
            raise _cannot_keep(error) from error
        return copy


def _cannot_keep(error: OSError) -> MachineFault:
    return MachineFault(f"what comes through a pipe cannot be kept: {error.strerror}")
