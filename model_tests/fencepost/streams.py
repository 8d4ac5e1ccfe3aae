"""The streams of a process: those that were closed from the start, and those of an adapter.

An adapter prints to standard error, whatever it does. What it may close, replace or fill is made
anew from a duplicate that it does not know, and so is the folder that the process was in. Imports
the standard library only.
"""

import io
import os
import sys
from contextlib import suppress
from typing import TextIO

import attrs


@attrs.frozen
class Streams:
    """A duplicate of standard error, how the streams are written, and the folder."""

    error: int
    encodings: tuple[tuple[str, str], ...]
    folder: int | None

    @staticmethod
    def keep() -> "Streams":
        """Keep what this process has."""
        encodings = tuple(
            (stream.encoding or "utf-8", stream.errors or "strict")
            for stream in (sys.stdout, sys.stderr)
        )
        folder = None
        with suppress(OSError):  # It may be gone, or not be ours to read.
            folder = os.open(".", os.O_RDONLY)
        return Streams(os.dup(sys.stderr.fileno()), encodings, folder)

    def restore(self) -> None:
        """Make both streams anew, for standard error both, and go back to the folder."""
        flush()
        os.dup2(self.error, 1)
        os.dup2(self.error, 2)
        sys.stdout, sys.stderr = (_opened(self.error, encoding) for encoding in self.encodings)
        if self.folder is not None:
            with suppress(OSError):
                os.fchdir(self.folder)


def open_closed() -> None:
    """Open what was closed before we began: nobody reads it, and no file of ours gets its number.

    Standard input stays closed for Python, so that it is not taken for an empty one.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            null = os.open(os.devnull, os.O_RDWR)
            os.dup2(null, number)
            if null != number:
                os.close(null)
    for number, name in ((1, "stdout"), (2, "stderr")):
        if getattr(sys, name) is None:
            setattr(sys, name, _opened(number, ("utf-8", "backslashreplace")))


def are_descriptors() -> bool:
    """Whether the streams are descriptors: they may be closed, or live in memory."""
    try:
        return sys.stdout.fileno() >= 0 and sys.stderr.fileno() >= 0
    except (AttributeError, OSError, ValueError):
        return False


def flush() -> None:
    """Write out what is kept back, as far as that is possible."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(Exception):
            stream.flush()


def _opened(descriptor: int, encoding: tuple[str, str]) -> TextIO:
    raw = os.fdopen(os.dup(descriptor), "wb")
    return io.TextIOWrapper(raw, *encoding, line_buffering=True)
