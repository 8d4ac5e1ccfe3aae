"""What happened, line by line, in the order in which it happened; each line is judged as it comes.

An event of the work is held back until its outcome is known or another line follows: only then it
is said to wait. May import: the oracle, faults, lines, handlers.
"""

from collections.abc import Callable

import attrs

from fencepost.faults import ParticipantFault, deed
from fencepost.handlers import CANCELLED, Pending, Worker
from fencepost.oracle import Oracle
from fencepost.recorded import Recorded
from fencepost.trace.lines import JsonObject, Line, Returned, Work
from fencepost_reference.receipts.state import State


class Recording(Recorded[Oracle]):
    """The lines of one run so far, the oracle that reads them, and what went wrong beside them.

    `on_line` is told of every line that was accepted, with the states around it; `doing` of every
    event that is passed on.
    """

    def __init__(self, oracle: Oracle, doing: Callable[[str], None]) -> None:
        super().__init__(oracle)
        self.on_line: Callable[[State, Line, State], None] = _ignored
        # Events that had not been answered when it went wrong, as lines that nobody has judged.
        self.unanswered: tuple[Line, ...] = ()
        self._pending: list[Pending] = []
        self._doing = doing

    @property
    def state(self) -> State:
        """A state of the model that explains what has been seen."""
        return self.oracle.frontier.states[0]

    # What handlers tell.

    def reached(self, pending: Pending) -> None:
        """An event reaches the participant; its line waits for its outcome, or the next line."""
        self.activity += 1
        self._pending.append(pending)
        self._doing(f"the event {pending.line.event}")

    def answered(self, pending: Pending, outcome: str | JsonObject) -> None:
        """An event is answered: at once, or after its line was written."""
        if outcome == {"code": CANCELLED}:
            self.flush()  # Only an event that waits can be cancelled.
        if pending in self._pending:
            self._pending.remove(pending)
            self.emit(attrs.evolve(pending.line, outcome=outcome))
        elif pending.seq is not None:
            self.emit(Returned(0, pending.seq, outcome))

    def finished(self, worker: Worker, line: Work) -> None:
        """A handler ends."""
        if not worker.dead:
            self.emit(attrs.evolve(line, outcome="ok"))

    def broken(self, what: str, error: BaseException) -> None:
        """A call of the adapter raised what it may not raise."""
        fault = error
        if not isinstance(fault, ParticipantFault):
            fault = ParticipantFault(f"{what} {deed(error)}")
            fault.__cause__ = error
        self.fail(fault)

    def stirred(self) -> None:
        """Something moved that no line shows."""
        self.activity += 1

    # Lines.

    def flush(self) -> None:
        """Write down the events that have not been answered: they wait."""
        while self._pending:
            pending = self._pending.pop(0)
            pending.seq = self._write(attrs.evolve(pending.line, outcome="waits"))

    def forget(self) -> None:
        """Drop the events that have not been answered: their process is gone."""
        self._pending.clear()

    def emit(self, line: Line) -> None:
        """Write a line down, after the events that happened before it."""
        self.flush()
        self._write(line)

    def judged(self, line: Line) -> None:
        """Have the oracle read a line, and tell of it when it was accepted."""
        before = self.state
        super().judged(line)
        if self.refusal is None:
            self.on_line(before, line, self.state)

    def fail(self, fault: Exception) -> None:
        """Keep what went wrong, and what had been begun, until somebody checks."""
        if self._fault is None and not self.closed:
            lines = (attrs.evolve(pending.line, outcome="waits") for pending in self._pending)
            begun = enumerate(lines, start=len(self.lines) + 1)
            self.unanswered = tuple(attrs.evolve(line, seq=seq) for seq, line in begun)
        super().fail(fault)


def _ignored(_before: State, _line: Line, _after: State) -> None:
    """Nobody wants to know."""
