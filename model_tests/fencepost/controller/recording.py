"""What happened in a deployment, line by line; each line is judged as it comes.

May import: the judges, faults, lines.
"""

from fencepost.faults import FencepostFault, HarnessFault, ParticipantFault, TraceFault, named
from fencepost.judges import Judge
from fencepost.recorded import Recorded
from fencepost.trace.lines import Line, Work

LINES_MAX = 20_000

DEEDS = ("train", "store", "snapshot_ended")
"""What a controller does besides calling: who cannot read it knows whom to blame."""


class Recording(Recorded[Judge]):
    """The lines so far, the judge that reads them, and what went wrong beside them."""

    def __init__(self, oracle: Judge) -> None:
        super().__init__(oracle)
        self.stopped = False

    @property
    def over(self) -> bool:
        """Whether a line was refused, or something went wrong: nothing more can be learned."""
        return self.stopped or self.refusal is not None or self._fault is not None

    def stop(self) -> None:
        """The controller runs no more, and rightly so: nothing follows."""
        self.stopped = True

    def judged(self, line: Line) -> None:
        """Have the judge read a line, unless there are too many."""
        if len(self.lines) > LINES_MAX:
            raise ParticipantFault("it never comes to rest", "it calls again and again")
        try:
            super().judged(line)
        except TraceFault as wrong:
            if isinstance(line, Work) and line.event in DEEDS:
                raise ParticipantFault(wrong.reason, wrong.hint) from wrong
            raise

    def unreadable(self, line: Line, error: Exception) -> FencepostFault:
        """Ours: who answers a controller is a participant of ours."""
        return HarnessFault(f"line {line.seq} cannot be judged: {named(error)}")
