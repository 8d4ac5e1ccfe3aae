"""The verdict on a participant that was sent the actions of a trace again."""

from collections.abc import Callable, Sequence
from typing import Protocol

import attrs

from fencepost.faults import Raised
from fencepost.judges import Judge, Refusal
from fencepost.judging import refused
from fencepost.trace.lines import Header, Line, Report
from fencepost.verdict import Verdict

PLAYED_MIN = 0.5
"""A replay that could send fewer of the actions than this share is inconclusive."""


class Again(Protocol):
    """What came of playing a script again."""

    @property
    def header(self) -> Header:
        """The header of what was played."""
        ...

    @property
    def lines(self) -> tuple[Line, ...]:
        """What happened."""
        ...

    @property
    def actions(self) -> int:
        """How many actions were sent."""
        ...

    @property
    def refusal(self) -> Refusal | None:
        """What the oracle refused."""
        ...

    @property
    def oracle(self) -> Judge:
        """The oracle that read the lines."""
        ...

    @property
    def inconclusive(self) -> str | None:
        """Why nothing can be said, if so."""
        ...

    @property
    def raised(self) -> tuple[Raised, ...]:
        """What the participant raised in tasks of its own."""
        ...


def script_with(
    lines: Sequence[Line], is_action: Callable[[Line], bool], rest: Report
) -> list[Line]:
    """The actions of a trace, with its points of rest."""
    return [
        rest if isinstance(line, Report) else line
        for line in lines
        if is_action(line) or (isinstance(line, Report) and not line.moving)
    ]


def verdict_on(played: Again, wanted: Sequence[Line], name: str, done: str = "sent") -> Verdict:
    """The verdict, given the actions that were to be sent; `done` is the word for that."""
    return attrs.evolve(_verdict_on(played, wanted, name, done), raised=played.raised)


def _verdict_on(played: Again, wanted: Sequence[Line], name: str, done: str) -> Verdict:
    if played.refusal is not None:
        return refused(played.header, played.lines, played.refusal, played.oracle, name)
    if played.inconclusive is not None:
        return Verdict("inconclusive", name, reason=played.inconclusive)
    if played.actions < max(1, len(wanted) * PLAYED_MIN):
        reason = f"only {played.actions} of {len(wanted)} actions could be {done}"
        return Verdict("inconclusive", name, reason=reason)
    return Verdict("conforms", name, rules_exercised=tuple(sorted(played.oracle.rules)))
