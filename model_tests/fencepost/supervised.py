"""Runs a command whose adapter may end the process, in a process of its own.

The child has one thing to say, its conclusion, and says it over a pipe as its last act; the parent
prints it, and gives its code. A child that ends without a word has no verdict, whatever its status.
It has no standard output: what an adapter prints goes to standard error. Where there is no `fork`,
or the streams are no descriptors, the work just runs. May import `blame`, `faults`, `streams`,
`pulse`, `vigil`, and how commands print.
"""

import atexit
import functools
import json
import os
import select
import signal
import threading
import time
import warnings
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final, NoReturn, ParamSpec

from fencepost.blame import frames_of, traceback_of
from fencepost.commands.output import Conclusion, keep_look
from fencepost.faults import (
    FencepostFault,
    HarnessFault,
    MachineFault,
    ParticipantFault,
    UsageFault,
    fault_of,
)
from fencepost.pulse import Pulse, bounded, share
from fencepost.stopping import forget, hurried
from fencepost.streams import Streams, are_descriptors, flush
from fencepost.vigil import Vigil, patience

P = ParamSpec("P")

_KINDS: Final = {
    kind.__name__: kind for kind in (UsageFault, ParticipantFault, MachineFault, HarnessFault)
}
_PIPE_BYTES: Final = 65_536
_GRACE_SECONDS: Final = 5.0
_STEP_SECONDS: Final = 0.1
_BEAT_SECONDS: Final = 0.2
_POLL_SECONDS: Final = 0.02
_UNKNOWN: Final = -1


class _There(Exception):  # a place, shown as the cause of what is raised here
    """The traceback in the child."""


def supervised(work: Callable[[], Conclusion]) -> Conclusion:
    """The conclusion of the work; a fault when it comes to none, or raises.

    KeyboardInterrupt is raised here when somebody interrupts this process. The child may not.
    """
    if os.name != "posix" or not are_descriptors():
        return work()
    vigil = Vigil(pulse := Pulse(), patience())
    told, tell = os.pipe()
    alive, life = os.pipe()
    flush()
    with warnings.catch_warnings():
        # The child uses no lock that another thread may hold, and threads are rare here.
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if child == 0:
        _be_the_child(work, tell, (told, life), alive, pulse)
    os.close(tell)
    os.close(alive)
    try:
        said = _heard(child, told, vigil)
    except ParticipantFault as fault:
        fault.last_actions = pulse.actions
        raise
    finally:
        os.close(told)
        os.close(life)
    return _conclusion(json.loads(said))


def supervises(command: Callable[P, Conclusion]) -> Callable[P, Conclusion]:
    """The command, run supervised whenever its option `adapter` names one."""

    @functools.wraps(command)
    def run(*args: P.args, **kwargs: P.kwargs) -> Conclusion:
        if kwargs.get("adapter") is None:
            return command(*args, **kwargs)
        return supervised(functools.partial(command, *args, **kwargs))

    return run


def take_back_streams() -> None:
    """Have streams and folder as they were, whatever became of them; for those who report."""
    if _KEPT:
        _KEPT[0].restore()


# The streams of this process, once it is the child.
_KEPT: list[Streams] = []


# The child.


def _be_the_child(
    work: Callable[[], Conclusion],
    tell: int,
    of_the_parent: tuple[int, ...],
    alive: int,
    pulse: Pulse,
) -> NoReturn:
    said: dict[str, Any] = {}
    try:
        forget()
        for descriptor in of_the_parent:
            os.close(descriptor)
        # The handlers so far are the parent's; nothing public forgets them.
        atexit._clear()  # pyright: ignore[reportPrivateUsage]
        share(pulse)
        _end_by_signal(alive)
        threading.Thread(target=_live_with_parent, args=(alive, pulse), daemon=True).start()
        keep_look()
        _KEPT[:] = [Streams.keep()]
        take_back_streams()
        said = _outcome(work)
        # The adapter may have left something to tidy up, and may end the process there.
        with bounded("what it registered for the end of the process"):
            atexit._run_exitfuncs()  # pyright: ignore[reportPrivateUsage]  # nothing public does
        flush()
    finally:
        if said:
            with suppress(BaseException):
                _write(tell, json.dumps(said).encode("ascii") + b"\n")
        os._exit(FencepostFault.exit_code)


def _outcome(work: Callable[[], Conclusion]) -> dict[str, Any]:
    """What came of the work, as the parent is told."""
    try:
        conclusion = work()
        said = {"code": conclusion.code, "text": conclusion.text}
    except KeyboardInterrupt as interrupt:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        fault: FencepostFault = ParticipantFault(str(interrupt) or "it interrupted the process")
        fault.__cause__ = interrupt
    except BaseException as error:  # noqa: BLE001 - whatever it is, the parent must hear of it
        fault = fault_of(error)
    else:
        return said
    where, frames = traceback_of(fault), frames_of(fault)
    return {"fault": type(fault).__name__, "text": str(fault), "where": where, "frames": frames}


def _write(tell: int, word: bytes) -> None:
    while word:
        word = word[os.write(tell, word) :]


def _live_with_parent(alive: int, pulse: Pulse) -> None:
    """Return never: give signs of life, and end when nobody waits for them."""
    while not select.select([alive], [], [], _BEAT_SECONDS)[0]:
        pulse.beat()
    os._exit(FencepostFault.exit_code)


def _end_by_signal(alive: int) -> None:
    """Have the system end this process with its parent, should no thread of it run any more."""
    import fcntl

    with suppress(OSError):
        fcntl.fcntl(alive, fcntl.F_SETOWN, os.getpid())
        fcntl.fcntl(alive, fcntl.F_SETFL, fcntl.fcntl(alive, fcntl.F_GETFL) | os.O_ASYNC)


# The parent.


def _heard(child: int, told: int, vigil: Vigil) -> bytes:
    """The line that the child says before it ends, or a fault when it ends without one.

    An interrupt is forwarded, and raised once the child has ended.
    """
    try:
        said = _listen(child, told, vigil)
        _end(child)
    except KeyboardInterrupt:
        with suppress(ProcessLookupError):
            os.kill(child, signal.SIGINT)
        try:
            with hurried(lambda: os.kill(child, signal.SIGKILL)):
                _end(child)
        except KeyboardInterrupt:
            _kill(child)
        raise
    return said


def _listen(child: int, told: int, vigil: Vigil) -> bytes:
    said, status = b"", None
    while not said.endswith(b"\n"):
        some = _read(told)
        if some:
            said += some
        elif status is not None:
            how = f"the participant ended the process ({_named(status)})"
            raise ParticipantFault(f"{how} before there was a verdict{vigil.last_step}")
        elif some is None:
            status = _status(child)
            if status is None:
                _look(child, vigil)
        else:
            status = _end(child)
    return said


def _look(child: int, vigil: Vigil) -> None:
    """Give a child up that shows no life."""
    try:
        vigil.look()
    except ParticipantFault:
        _kill(child)
        raise


def _read(told: int) -> bytes | None:
    """What can be read now, nothing when no more will come, and None when nothing has come."""
    ready, _, _ = select.select([told], [], [], _STEP_SECONDS)
    return os.read(told, _PIPE_BYTES) if ready else None


def _status(child: int) -> int | None:
    """The status of a child that has ended."""
    try:
        ended, status = os.waitpid(child, os.WNOHANG)
    except ChildProcessError:  # It has been waited for, or this process may not wait.
        return _UNKNOWN
    return status if ended else None


def _end(child: int) -> int:
    """The status of a child that is about to end, or is made to."""
    until = time.monotonic() + _GRACE_SECONDS
    while (status := _status(child)) is None:
        if time.monotonic() > until:
            return _kill(child)
        time.sleep(_POLL_SECONDS)
    return status


def _kill(child: int) -> int:
    with suppress(ProcessLookupError):
        os.kill(child, signal.SIGKILL)
    try:
        return os.waitpid(child, 0)[1]
    except ChildProcessError:
        return _UNKNOWN


def _conclusion(said: dict[str, Any]) -> Conclusion:
    """What the child concluded, or the fault that kept it from that."""
    if "fault" not in said:
        return Conclusion(said["code"], said["text"])
    # A fault of a trace has told its places in its text.
    fault = _KINDS.get(said["fault"], UsageFault)(said["text"])
    fault.frames = tuple(said["frames"])
    raise fault from _There(f"in the process of the participant\n{said['where']}")


def _named(status: int) -> str:
    if status == _UNKNOWN:
        return "status unknown"
    code = os.waitstatus_to_exitcode(status)
    if code >= 0:
        return f"status {code}"
    try:
        return f"status {code}, {signal.Signals(-code).name}"
    except ValueError:
        return f"status {code}"
