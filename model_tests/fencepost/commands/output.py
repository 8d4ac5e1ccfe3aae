"""How commands print: standard output for results, standard error for everything else."""

import json
import os
import shutil
import sys
import time
from contextlib import suppress
from typing import TextIO

import attrs

from fencepost.faults import MachineFault
from fencepost.layout import WIDTH, clean
from fencepost.trace.lines import Json

PIPE_CLOSED = 141
"""What a shell says of a program whose reader went away: 128 and the number of SIGPIPE."""

_WIDTH_MIN = 60
_PROGRESS_SECONDS = 10.0
_PROGRESS_SECONDS_TTY = 0.2


class PipeClosed(Exception):
    """Whoever reads our output has gone."""


@attrs.define
class Session:
    """What the options before the command's name say."""

    debug: bool = False


@attrs.frozen
class Conclusion:
    """How a command ends: its exit code, and the last words that are printed with it."""

    code: int
    text: str = ""


def say(text: str) -> None:
    """Print to standard output; characters that its encoding lacks become escapes."""
    try:
        _write(sys.stdout, text)
    except BrokenPipeError:
        _give_up(sys.stdout)
        raise PipeClosed from None
    except OSError as error:
        _give_up(sys.stdout)
        raise MachineFault(f"cannot write to standard output: {error.strerror}") from error


def say_json(value: Json) -> None:
    """Print one value as one line of JSON, in ASCII."""
    say(as_line(value))


def as_line(value: Json) -> str:
    """One value as one line of JSON, in ASCII."""
    return json.dumps(value, allow_nan=False)


def complain(text: str, *, verbatim: bool = False) -> None:
    """Print to standard error, on one line unless the text is meant to have several.

    Where that is not possible nobody can be told, and what else is to be done is done.
    """
    _tell(text if verbatim else f"fencepost: {clean(text)}")


def end_streams() -> None:
    """Write out what is kept back, so that no exit code but ours comes of what cannot be."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):
            _give_up(stream)


def _tell(text: str, end: str = "\n") -> None:
    try:
        _write(sys.stderr, text, end)
    except (AttributeError, OSError, ValueError):  # An adapter may have put anything there.
        _give_up(sys.stderr)


def _write(stream: TextIO, text: str, end: str = "\n") -> None:
    encoding = stream.encoding or "utf-8"
    stream.write(text.encode(encoding, "backslashreplace").decode(encoding) + end)
    stream.flush()


def _give_up(stream: TextIO) -> None:
    """What is still in the buffer has nowhere to go; the interpreter must not try again."""
    with suppress(AttributeError, OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def wants_colour() -> bool:
    """Whether colour would be seen: on a terminal, and nobody has asked for none."""
    if _LOOK:
        return _LOOK[0].colour
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR")


def text_width() -> int:
    """How wide text may be: as wide as the terminal, within reason."""
    if _LOOK:
        return _LOOK[0].width
    if not sys.stdout.isatty():
        return WIDTH
    return max(_WIDTH_MIN, min(shutil.get_terminal_size().columns, WIDTH))


@attrs.frozen
class _Look:
    """How text is laid out."""

    colour: bool
    width: int


_LOOK: list[_Look] = []


def keep_look() -> None:
    """Lay text out for standard output as it is now, in a process that will lose it."""
    _LOOK[:] = [_Look(wants_colour(), text_width())]


class Progress:
    """Says on standard error how far a long run has come: often on a terminal, else rarely."""

    def __init__(self, *, silent: bool = False) -> None:
        self._silent = silent
        self._tty = sys.stderr.isatty()
        self._pause = _PROGRESS_SECONDS_TTY if self._tty else _PROGRESS_SECONDS
        self._start = time.monotonic()
        self._next = self._start + self._pause

    def __call__(self, done: int, total: int, text: str) -> None:
        """Note that `done` of `total` steps are taken; `text` says of what."""
        self.tell(f"{done} of {total} {text}")

    def tell(self, text: str) -> None:
        """Say how far it is where nobody knows how far it goes."""
        now = time.monotonic()
        if self._silent or now < self._next:
            return
        self._next = now + self._pause
        line = f"{clean(text)}, {now - self._start:.0f} s"
        if self._tty:
            _tell(f"\r\x1b[K{line}", end="")
        else:
            complain(line)

    def end(self) -> None:
        """Take the last line off a terminal."""
        if self._tty and not self._silent:
            _tell("\r\x1b[K", end="")
