"""The cases that are played each time, before anything is drawn, if a participant can do them."""

from collections.abc import Iterable

from fencepost.capable import needs_of
from fencepost.generating import directories, stories
from fencepost.trace.lines import Line


def told_cases() -> list[list[Line]]:
    """All of them."""
    return [*map(stories.script_of, stories.STORIES), list(directories.script())]


def told_within(capabilities: frozenset[str], lines_most: int) -> list[list[Line]]:
    """Those that need nothing else, the first ones when all are too long together."""
    told = [script for script in told_cases() if needs_of_all(script) <= capabilities]
    while told and sum(map(len, told)) > lines_most:
        told.pop()
    return told


def needs_of_all(script: Iterable[Line]) -> set[str]:
    """The capabilities without which a script cannot be played."""
    return {need for line in script for need in needs_of(line)}
