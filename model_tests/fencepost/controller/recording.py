"""What happened in a deployment, line by line; each line is judged as it comes.

May import: the judges, faults, lines.
"""

import attrs

from fencepost.faults import FencepostFault, HarnessFault, ParticipantFault, named
from fencepost.fitting import require_writable
from fencepost.judges import Judge, Refusal
from fencepost.mismatch import Inconclusive
from fencepost.trace.lines import Line

LINES_MAX = 20_000


class Recording:
    """The lines so far, the judge that reads them, and what went wrong beside them."""

    def __init__(self, judge: Judge) -> None:
        self.judge = judge
        self.lines: list[Line] = []
        self.refusal: Refusal | None = None
        self.closed = False
        self.stopped = False
        self._fault: Exception | None = None

    @property
    def over(self) -> bool:
        """Whether a line was refused, or something went wrong: nothing more can be learned."""
        return self.stopped or self.refusal is not None or self._fault is not None

    def stop(self) -> None:
        """The controller runs no more, and rightly so: nothing follows."""
        self.stopped = True

    @property
    def activity(self) -> int:
        """Moves with every line."""
        return len(self.lines)

    def check(self) -> None:
        """Raise what went wrong where nobody could be told."""
        if self._fault is not None and self.refusal is None:
            raise self._fault

    def emit(self, line: Line) -> None:
        """Write a line down and show it to the judge; after a refusal nothing is written."""
        if self.closed or self.over:
            return
        numbered = attrs.evolve(line, seq=len(self.lines) + 1)
        try:
            require_writable(numbered)
        except ParticipantFault as fault:
            self.fail(fault)
            return
        self.lines.append(numbered)
        if len(self.lines) > LINES_MAX:
            self.fail(ParticipantFault("it never comes to rest", "it calls again and again"))
            return
        try:
            self.refusal = self.judge.feed(numbered)
        except (Inconclusive, FencepostFault) as fault:
            self.fail(fault)
        except (KeyError, TypeError, AttributeError, ValueError) as error:
            why = f"line {numbered.seq} cannot be judged: {named(error)}"
            ours = HarnessFault(why)
            ours.__cause__ = error
            self.fail(ours)

    def fail(self, fault: Exception) -> None:
        """Keep what went wrong until somebody checks; the first thing counts."""
        if self._fault is None and not self.closed:
            self._fault = fault
