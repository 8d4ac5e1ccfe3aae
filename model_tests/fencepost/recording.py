"""What happened, line by line, in the order in which it happened; each line is judged as it comes.

An event of the work is held back until its outcome is known or another line follows: only then it
is said to wait. May import: the oracle, faults, lines, handlers.
"""

from collections.abc import Callable

import attrs

from fencepost.faults import FencepostFault, HarnessFault, ParticipantFault, deed, named
from fencepost.fitting import require_writable
from fencepost.handlers import CANCELLED, Pending, Worker
from fencepost.oracle import Inconclusive, Oracle, Refusal
from fencepost.trace.lines import JsonObject, Line, Reply, Report, Returned, Work
from fencepost_reference.receipts.state import State


class Recording:
    """The lines of one run so far, the oracle that reads them, and what went wrong beside them.

    `on_line` is told of every line that was accepted, with the states around it; `doing` of every
    event that is passed on. `activity` moves with everything that moves, seen or not.
    """

    def __init__(self, oracle: Oracle, doing: Callable[[str], None]) -> None:
        self.oracle = oracle
        self.lines: list[Line] = []
        self.refusal: Refusal | None = None
        self.closed = False
        self.activity = 0
        self.on_line: Callable[[State, Line, State], None] = _ignored
        # Events that had not been answered when it went wrong, as lines that nobody has judged.
        self.unanswered: tuple[Line, ...] = ()
        self._fault: FencepostFault | Inconclusive | None = None
        self._pending: list[Pending] = []
        self._doing = doing

    @property
    def state(self) -> State:
        """A state of the model that explains what has been seen."""
        return self.oracle.frontier.states[0]

    @property
    def over(self) -> bool:
        """Whether a line was refused, so that nothing more can be learned."""
        return self.refusal is not None

    def check(self) -> None:
        """Raise what went wrong where nobody could be told."""
        if self._fault is not None and not self.over:
            raise self._fault

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

    def _write(self, line: Line) -> int:
        """Give a line its number and show it to the oracle; after a refusal nothing is written."""
        seq = len(self.lines) + 1
        if self.closed or self.over or self._fault is not None:
            return seq
        self.activity += 1
        numbered = attrs.evolve(line, seq=seq)
        try:
            require_writable(numbered)
        except ParticipantFault as fault:
            self.fail(fault)
            return seq
        self.lines.append(numbered)
        before = self.state
        try:
            self.refusal = self.oracle.feed(numbered)
        except (Inconclusive, FencepostFault) as fault:
            self.fail(fault)
        except (KeyError, TypeError, AttributeError, ValueError) as error:
            self.fail(_unreadable(numbered, error))
        else:
            if self.refusal is None:
                self.on_line(before, numbered, self.state)
        return seq

    def fail(self, fault: FencepostFault | Inconclusive) -> None:
        """Keep what went wrong until somebody checks; the first thing counts."""
        if self._fault is None and not self.closed:
            self._fault = fault
            lines = (attrs.evolve(pending.line, outcome="waits") for pending in self._pending)
            begun = enumerate(lines, start=len(self.lines) + 1)
            self.unanswered = tuple(attrs.evolve(line, seq=seq) for seq, line in begun)
        self.activity += 1


def _ignored(_before: State, _line: Line, _after: State) -> None:
    """Nobody wants to know."""


def _unreadable(line: Line, error: Exception) -> FencepostFault:
    """Whose fault it is that a line cannot be judged: a body's author, else ours."""
    if isinstance(line, Reply | Report):
        return ParticipantFault(f"line {line.seq}: no sense in the body: {named(error)}")
    return HarnessFault(f"line {line.seq} cannot be judged: {named(error)}")
