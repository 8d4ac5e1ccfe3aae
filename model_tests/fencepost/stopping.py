"""How signals stop a command: once, with one line, and with the code that a shell expects.

The first signal raises in the main thread, and everything ends in order. Those that follow do not
disturb that: they hurry it where something waits, and end the process where it has lasted too long.
Imports the standard library only.
"""

import os
import signal
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Final

import attrs

SIGNALS: Final = {signal.SIGINT: "interrupted", signal.SIGTERM: "terminated"}
"""The signals that stop a command, and the word for it."""

PATIENCE_SECONDS: Final = 2.0
"""A further signal so long after the first one ends the process where it stands."""

_CODE: Final = 128
"""What a shell adds to the number of a signal that has ended a program."""


class Stopped(KeyboardInterrupt):
    """A signal has come that stops the command."""

    def __init__(self, number: int) -> None:
        super().__init__(SIGNALS[signal.Signals(number)])
        self.number = number


def code_of(stop: KeyboardInterrupt) -> int:
    """The exit code: 130 after an interrupt, 143 after SIGTERM."""
    return _CODE + (stop.number if isinstance(stop, Stopped) else signal.SIGINT)


def word_for(stop: KeyboardInterrupt) -> str:
    """What is said."""
    return str(stop) if isinstance(stop, Stopped) else SIGNALS[signal.SIGINT]


@attrs.define
class _First:
    """The first signal that came, and when."""

    number: int
    at: float


_first: list[_First] = []
_hurries: list[Callable[[], object]] = []


def listen() -> None:
    """Have signals stop this process; for the program, not for who uses it as a library."""
    if threading.current_thread() is threading.main_thread():
        for number in SIGNALS:
            if signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, _came)


def be_deaf() -> None:
    """Let no signal change any more how this process ends."""
    for number in SIGNALS:
        if signal.getsignal(number) is _came:
            signal.signal(number, signal.SIG_IGN)


def forget() -> None:
    """Have this process, a child, be stopped as any other is."""
    _first.clear()
    _hurries.clear()
    for number, usual in (
        (signal.SIGINT, signal.default_int_handler),
        (signal.SIGTERM, signal.SIG_DFL),
    ):
        if signal.getsignal(number) is _came:
            signal.signal(number, usual)


@contextmanager
def hurried(hurry: Callable[[], object]) -> Generator[None]:
    """While something is waited for at the end, a further signal calls this, and does no more."""
    _hurries.append(hurry)
    try:
        yield
    finally:
        _hurries.remove(hurry)


@contextmanager
def unheard_by_children() -> Generator[None]:
    """Processes that are started here are not stopped by signals, but by whoever has started them.

    A terminal sends its signals to all of them, and each would have a word to say.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _came(number: int, _frame: FrameType | None) -> None:
    now = time.monotonic()
    if not _first:
        _first.append(_First(number, now))
        raise Stopped(number)
    for hurry in _hurries:
        with suppress(Exception):
            hurry()
    if now - _first[0].at > PATIENCE_SECONDS:
        os._exit(_CODE + _first[0].number)
