"""What happened, line by line and in order; each line is judged as it comes."""

import attrs

from fencepost.faults import FencepostFault
from fencepost.judges import Refusal
from fencepost.mismatch import Inconclusive
from fencepost.policy_model.oracle import ModelOracle
from fencepost.trace.lines import Line
from fencepost_reference.receipts.policy_model.state import State


class ModelRecording:
    """The lines of one run, the oracle that reads them, and what went wrong beside them."""

    def __init__(self, oracle: ModelOracle) -> None:
        self.oracle = oracle
        self.lines: list[Line] = []
        self.refusal: Refusal | None = None
        self.closed = False
        self.activity = 0
        self._fault: FencepostFault | Inconclusive | None = None

    @property
    def state(self) -> State:
        """A state of the model that explains what has been seen."""
        return self.oracle.frontier.states[0]

    @property
    def over(self) -> bool:
        """Whether a line was refused, so that nothing more can be learned."""
        return self.refusal is not None

    def emit(self, line: Line) -> None:
        """Give a line its number and show it to the oracle; after a refusal nothing is written."""
        self.activity += 1
        if self.closed or self.over or self._fault is not None:
            return
        numbered: Line = attrs.evolve(line, seq=len(self.lines) + 1)
        self.lines.append(numbered)
        try:
            self.refusal = self.oracle.feed(numbered)
        except (Inconclusive, FencepostFault) as fault:
            self.fail(fault)

    def fail(self, fault: FencepostFault | Inconclusive) -> None:
        """Keep what went wrong until somebody checks; the first thing counts."""
        if self._fault is None and not self.closed:
            self._fault = fault
        self.activity += 1

    def check(self) -> None:
        """Raise what went wrong where nobody could be told."""
        if self._fault is not None and not self.over:
            raise self._fault
