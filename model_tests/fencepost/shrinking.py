"""The shortest script that still shows what a run was refused for, found by playing shorter ones.

A script is a list of actions with points of rest between them. Each candidate is played on a fresh
participant and counts when the same rule refuses it. Bounded by time and by the number of plays.
"""

import time
from collections.abc import Callable, Sequence
from typing import TypeVar

from fencepost.trace.lines import Line, Report

PLAYS_MAX = 600
SECONDS_MAX = 8.0

T = TypeVar("T")
Step = tuple[Line, ...]
"""Actions between two points of rest, the rest after them included."""


def shrunk(
    script: Sequence[Line],
    still_shows: Callable[[Sequence[Line]], bool],
    seconds_max: float = SECONDS_MAX,
) -> list[Line]:
    """The shortest script found; the given one when none of its parts shows the failure."""
    plays = _Plays(still_shows, seconds_max)
    steps = steps_of(script)
    steps = _reduced(steps, lambda few: plays.show(joined(few)))
    return _reduced(joined(steps), plays.show)


class _Plays:
    """Counts plays, and says no when there have been too many."""

    def __init__(self, still_shows: Callable[[Sequence[Line]], bool], seconds_max: float) -> None:
        self._still_shows = still_shows
        self._left = PLAYS_MAX
        self._until = time.monotonic() + seconds_max

    def show(self, script: Sequence[Line]) -> bool:
        """Whether a script still shows the failure."""
        if self._left <= 0 or time.monotonic() > self._until:
            return False
        self._left -= 1
        return self._still_shows(script)


def steps_of(script: Sequence[Line]) -> list[Step]:
    """The script cut after each point of rest.

    >>> from fencepost.trace.lines import Note
    >>> rest = Report(0, {})
    >>> [len(step) for step in steps_of([Note(0, "a"), Note(0, "b"), rest, Note(0, "c")])]
    [3, 1]
    """
    steps: list[Step] = []
    begun: list[Line] = []
    for line in script:
        begun.append(line)
        if isinstance(line, Report):
            steps.append(tuple(begun))
            begun = []
    return [*steps, tuple(begun)] if begun else steps


def joined(steps: Sequence[Step]) -> list[Line]:
    """The script that the steps make."""
    return [line for step in steps for line in step]


def _reduced(items: list[T], shows: Callable[[list[T]], bool]) -> list[T]:
    """Fewer and fewer items, taken out in ever smaller pieces, from the end to the start.

    >>> _reduced(list(range(20)), lambda few: {3, 11} <= set(few))
    [3, 11]
    """
    size = max(1, len(items) // 2)
    while True:
        end, smaller = len(items), False
        while end > 0:
            start = max(0, end - size)
            fewer = items[:start] + items[end:]
            if fewer and shows(fewer):
                items, smaller = fewer, True
            end = start
        if size == 1 and not smaller:
            return items
        size = size if smaller and size == 1 else max(1, size // 2)
