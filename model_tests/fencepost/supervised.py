"""Runs a command whose adapter may end the process, in a process of its own.

The child tells its exit code over a pipe as its last act; a child that ends without a word has no
verdict, whatever its status. While an adapter runs, what it prints goes to standard error, and the
streams it may close or replace are not those that the verdict goes to. Where there is no `fork`, or
standard output is no descriptor, the work just runs. May import `faults` and how commands print.
"""

import atexit
import functools
import io
import json
import os
import signal
import sys
import threading
import time
import traceback
import warnings
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final, NoReturn, ParamSpec, TextIO

import attrs
import typer

from fencepost.commands.output import PIPE_CLOSED, PipeClosed, complain
from fencepost.faults import FencepostFault

P = ParamSpec("P")

# Less than any pipe takes at once: the child is not heard before it has ended.
_TEXT_MAX: Final = 2_000
_WHERE_MAX: Final = 3_000
_PIPE_BYTES: Final = 65_536
_GRACE_SECONDS: Final = 5.0
_POLL_SECONDS: Final = 0.02


class Ended(FencepostFault):
    """What stopped the work in the child, as far as it could be told."""


class _There(Exception):  # a place, shown as the cause of what is raised here
    """The traceback in the child."""


def supervised(work: Callable[[], int]) -> int:
    """The exit code of the work, or 4 and a line on standard error when there is none.

    What the work raises is raised here: a fault with its own exit code, anything else as Exception
    of the same name, KeyboardInterrupt as itself.
    """
    if not _can_supervise():
        return work()
    told, tell = os.pipe()
    alive, life = os.pipe()
    _flush()
    with warnings.catch_warnings():
        # The child uses no lock that another thread may hold, and threads are rare here.
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if child == 0:
        _be_the_child(work, tell, (told, life), alive)
    os.close(tell)
    os.close(alive)
    try:
        status = _wait(child)
        os.set_blocking(told, False)
        with suppress(BlockingIOError):
            if said := os.read(told, _PIPE_BYTES):
                return _hear(json.loads(said))
    finally:
        os.close(told)
        os.close(life)
    complain(f"the participant ended the process ({_named(status)}) before there was a verdict")
    return FencepostFault.exit_code


def supervises(command: Callable[P, None]) -> Callable[P, None]:
    """The command, run supervised whenever its option `adapter` names one."""

    @functools.wraps(command)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        if kwargs.get("adapter") is None:
            return command(*args, **kwargs)

        def work() -> int:
            try:
                command(*args, **kwargs)
            except typer.Exit as left:
                return left.exit_code
            return 0

        raise typer.Exit(supervised(work))

    return run


def take_back_streams() -> None:
    """Print to the real streams again, whatever became of those of Python; for the verdict."""
    if _KEPT:
        _KEPT[0].restore()


@attrs.frozen
class _Streams:
    """Duplicates of standard output and error that no adapter knows, and how they are written."""

    out: int
    err: int
    encodings: tuple[tuple[str, str], tuple[str, str]]

    @staticmethod
    def keep() -> "_Streams":
        encodings = tuple(
            (stream.encoding or "utf-8", stream.errors or "strict")
            for stream in (sys.stdout, sys.stderr)
        )
        out, err = os.dup(sys.stdout.fileno()), os.dup(sys.stderr.fileno())
        return _Streams(out, err, (encodings[0], encodings[1]))

    def redirect(self) -> None:
        """Send everything to standard error, also what is written to descriptor 1."""
        os.dup2(self.err, 1)
        sys.stdout = _opened(self.err, self.encodings[0])

    def restore(self) -> None:
        """Make both descriptors and both streams anew."""
        _flush()
        os.dup2(self.out, 1)
        os.dup2(self.err, 2)
        sys.stdout = _opened(self.out, self.encodings[0])
        sys.stderr = _opened(self.err, self.encodings[1])


# The streams of this process, once it is the child.
_KEPT: list[_Streams] = []


def _opened(descriptor: int, encoding: tuple[str, str]) -> TextIO:
    raw = os.fdopen(os.dup(descriptor), "wb")
    return io.TextIOWrapper(raw, *encoding, line_buffering=True)


def _can_supervise() -> bool:
    if os.name != "posix":
        return False
    try:
        return sys.stdout.fileno() >= 0 and sys.stderr.fileno() >= 0
    except (AttributeError, OSError, ValueError):  # Replaced, closed, or kept in memory.
        return False


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        with suppress(Exception):
            stream.flush()


def _be_the_child(
    work: Callable[[], int], tell: int, of_the_parent: tuple[int, ...], alive: int
) -> NoReturn:
    said: dict[str, Any] = {}
    try:
        for descriptor in of_the_parent:
            os.close(descriptor)
        # The handlers so far are the parent's; nothing public forgets them.
        atexit._clear()  # pyright: ignore[reportPrivateUsage]
        threading.Thread(target=_end_with_parent, args=(alive,), daemon=True).start()
        _KEPT[:] = [_Streams.keep()]
        _KEPT[0].redirect()
        said = _outcome(work)
        # The adapter may have left something to tidy up, and may end the process there.
        atexit._run_exitfuncs()  # pyright: ignore[reportPrivateUsage]  # nothing public does it
        _flush()
    finally:
        if said:
            with suppress(BaseException):
                os.write(tell, json.dumps(said).encode("ascii"))
        os._exit(FencepostFault.exit_code)


def _outcome(work: Callable[[], int]) -> dict[str, Any]:
    """What came of the work, as the parent is told."""
    try:
        return {"code": work()}
    except PipeClosed:
        return {"code": PIPE_CLOSED}
    except KeyboardInterrupt:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        return {"interrupted": True}
    except SystemExit as left:
        return {"code": left.code if isinstance(left.code, int) else FencepostFault.exit_code}
    except FencepostFault as fault:
        return {"fault": fault.exit_code} | _told(fault)
    except BaseException as error:  # noqa: BLE001 - whatever it is, the parent must hear of it
        return {"raised": type(error).__name__} | _told(error)


def _told(error: BaseException) -> dict[str, Any]:
    frames = "".join(traceback.format_tb(error.__traceback__))
    return {"text": str(error)[:_TEXT_MAX], "where": frames[-_WHERE_MAX:]}


def _end_with_parent(alive: int) -> None:
    """Return never: a child that nobody waits for ends."""
    os.read(alive, 1)
    os._exit(FencepostFault.exit_code)


def _wait(child: int) -> int:
    """The status of the child; an interrupt is forwarded, and raised once the child has ended."""
    try:
        return os.waitpid(child, 0)[1]
    except KeyboardInterrupt:
        with suppress(ProcessLookupError):
            os.kill(child, signal.SIGINT)
        try:
            _wait_a_while(child)
        except KeyboardInterrupt:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
        raise


def _wait_a_while(child: int) -> None:
    until = time.monotonic() + _GRACE_SECONDS
    while os.waitpid(child, os.WNOHANG)[0] == 0:
        if time.monotonic() > until:
            os.kill(child, signal.SIGKILL)
            until = float("inf")
        time.sleep(_POLL_SECONDS)


def _hear(said: dict[str, Any]) -> int:
    """The exit code that the child told, or what it raised."""
    if said.get("interrupted"):
        raise KeyboardInterrupt
    if "code" in said:
        return int(said["code"])
    there = _There(f"in the process of the participant\n{said['where']}")
    if "fault" in said:
        fault = Ended(said["text"])
        fault.exit_code = said["fault"]
        raise fault from there
    unexpected = type(said["raised"], (Exception,), {})
    raise unexpected(said["text"]) from there


def _named(status: int) -> str:
    code = os.waitstatus_to_exitcode(status)
    if code >= 0:
        return f"status {code}"
    try:
        return f"status {code}, {signal.Signals(-code).name}"
    except ValueError:
        return f"status {code}"
