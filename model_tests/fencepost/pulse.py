"""A page of memory that a process shares with its parent: that it lives, and what it does.

Words over a pipe need Python to run, and that is what an adapter may keep it from; the page can be
read whatever the process does, and after it. Imports the standard library only.
"""

import mmap
import struct
from collections import deque
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from typing import Any, Final

# Each field has one thread that writes it.
_NUMBER: Final = struct.Struct("=Q")
_BEATS, _STEPS, _SIZE, _LENGTH, _TEXT = range(0, 5 * _NUMBER.size, _NUMBER.size)
_TEXT_MAX: Final = 500
_ACTIONS: Final = _TEXT + _TEXT_MAX
_ACTIONS_MAX: Final = 4_000
ACTIONS_KEPT: Final = 8
"""So many of the last actions are shared."""


class Pulse:
    """The page: signs of life, steps of the process, and the last words about what it does."""

    def __init__(self) -> None:
        self._page = mmap.mmap(-1, _ACTIONS + _ACTIONS_MAX)

    @property
    def beats(self) -> int:
        """How many signs of life there were."""
        return self._read(_BEATS)

    @property
    def steps(self) -> int:
        """How often a bounded step has begun or ended: odd while one lasts."""
        return self._read(_STEPS)

    @property
    def doing(self) -> str:
        """What was done last."""
        return self._page[_TEXT : _TEXT + self._read(_SIZE)].decode("utf-8", "replace")

    @property
    def actions(self) -> tuple[str, ...]:
        """The last actions of the case that runs, or ran, in words."""
        text = self._page[_ACTIONS : _ACTIONS + self._read(_LENGTH)].decode("utf-8", "replace")
        return tuple(text.split("\n")) if text else ()

    def beat(self) -> None:
        """Give a sign of life."""
        self._write(_BEATS, self.beats + 1)

    def step(self) -> None:
        """Begin a bounded step, or end it."""
        self._write(_STEPS, self.steps + 1)

    def do(self, what: str) -> None:
        """Say what is done from now on."""
        text = what.encode("utf-8", "replace")[:_TEXT_MAX]
        self._page[_TEXT : _TEXT + len(text)] = text
        self._write(_SIZE, len(text))

    def did(self, actions: Sequence[str]) -> None:
        """Say what has been done so far in the case that runs."""
        lines = [" ".join(one.splitlines()) for one in actions]
        data = "\n".join(lines).encode("utf-8", "replace")[-_ACTIONS_MAX:]
        # Whoever reads between the two reads nothing.
        self._write(_LENGTH, 0)
        self._page[_ACTIONS : _ACTIONS + len(data)] = data
        self._write(_LENGTH, len(data))

    def _read(self, place: int) -> int:
        (number,) = _NUMBER.unpack_from(self._page, place)
        return int(number)

    def _write(self, place: int, number: int) -> None:
        _NUMBER.pack_into(self._page, place, number)


# The page of this process, once it shares one.
_SHARED: list[Pulse] = []


def share(pulse: Pulse) -> None:
    """Have this process tell its parent."""
    _SHARED[:] = [pulse]


def do(what: str) -> None:
    """Say what is done from now on, to a parent that may want to know."""
    for pulse in _SHARED:
        pulse.do(what)


Texts = Callable[[Sequence[Any]], Sequence[str]]
_texts: list[Texts] = []
_actions: deque[str] = deque(maxlen=ACTIONS_KEPT)


def tell_in(texts: Texts) -> None:
    """Have what happens told in these words: those of the actions among some lines."""
    _texts[:] = [texts]


def begin_case() -> None:
    """A case begins, in which nothing has happened yet."""
    _actions.clear()
    for pulse in _SHARED:
        pulse.did(())


def happened(line: Any) -> None:
    """Say that a line of the case was written down, to a parent that may want to know."""
    for pulse in _SHARED:
        told = [text for texts in _texts for text in texts((line,))]
        if told:
            _actions.extend(told)
            pulse.did(_actions)


@contextmanager
def bounded(what: str) -> Generator[None]:
    """A step that the parent does not let last longer than its patience."""
    do(what)
    for pulse in _SHARED:
        pulse.step()
    try:
        yield
    finally:
        for pulse in _SHARED:
            pulse.step()
