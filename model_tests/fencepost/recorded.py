"""What happened in a case, line by line, whoever is driven; each line is judged as it comes.

May import: the judges, faults, lines.
"""

from typing import Generic, TypeVar

import attrs

from fencepost import pulse
from fencepost.faults import FencepostFault, HarnessFault, ParticipantFault, named
from fencepost.fitting import require_writable
from fencepost.judges import Judge, Refusal
from fencepost.mismatch import Inconclusive
from fencepost.trace.lines import Line, Reply, Report

J = TypeVar("J", bound=Judge)


class Recorded(Generic[J]):
    """The lines of one case so far, the oracle that reads them, and what went wrong beside them.

    `activity` moves with everything that moves, seen or not.
    """

    def __init__(self, oracle: J) -> None:
        self.oracle = oracle
        self.lines: list[Line] = []
        self.refusal: Refusal | None = None
        self.closed = False
        self.activity = 0
        self._fault: Exception | None = None
        pulse.begin_case()

    @property
    def over(self) -> bool:
        """Whether a line was refused, so that nothing more can be learned."""
        return self.refusal is not None

    def check(self) -> None:
        """Raise what went wrong where nobody could be told."""
        if self._fault is not None and self.refusal is None:
            raise self._fault

    def emit(self, line: Line) -> None:
        """Write a line down; after a refusal nothing is written."""
        self._write(line)

    def _write(self, line: Line) -> int:
        """Give a line its number and show it to the oracle."""
        seq = len(self.lines) + 1
        if self.closed or self.over or self._fault is not None:
            return seq
        self.activity += 1
        numbered: Line = attrs.evolve(line, seq=seq)
        try:
            require_writable(numbered)
        except ParticipantFault as unfit:
            self.fail(unfit)
            return seq
        self.lines.append(numbered)
        pulse.happened(numbered)
        try:
            self.judged(numbered)
        except (Inconclusive, FencepostFault) as known:
            self.fail(known)
        except (KeyError, TypeError, AttributeError, ValueError) as error:
            fault = self.unreadable(numbered, error)
            fault.__cause__ = error
            self.fail(fault)
        return seq

    def judged(self, line: Line) -> None:
        """Have the oracle read a line."""
        self.refusal = self.oracle.feed(line)

    def unreadable(self, line: Line, error: Exception) -> FencepostFault:
        """Whose fault it is that a line cannot be judged: a body's author, else ours."""
        if isinstance(line, Reply | Report):
            return ParticipantFault(f"line {line.seq}: no sense in the body: {named(error)}")
        return HarnessFault(f"line {line.seq} cannot be judged: {named(error)}")

    def fail(self, fault: Exception) -> None:
        """Keep what went wrong until somebody checks; the first thing counts."""
        if self._fault is None and not self.closed:
            self._fault = fault
        self.activity += 1
