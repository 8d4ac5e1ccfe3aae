"""A walk whose every action is shown to the oracle, which must have nothing against it."""

from collections.abc import Iterable
from typing import Any

from fencepost.agent.oracle import Oracle
from fencepost.enabled import Ask, Look
from fencepost.mismatch import Inconclusive
from fencepost.scribe import Scribe
from fencepost.trace import Header, Line
from fencepost.walking import INSTANCE, Walk, WentWrong
from fencepost_reference.model import Step
from fencepost_reference.receipts import actions as a
from fencepost_reference.receipts.agent import AgentCore
from fencepost_reference.receipts.counting import view_of
from fencepost_reference.receipts.state import Directory, State

CUT_OFF_MAX = 1
"""How many commits may have been cut off by crashes before somebody looks what they left."""

NOTHING = Directory("partial")


def header_of(hidden: Iterable[str] = ()) -> Header:
    """The header of the trace of a walk."""
    about = "a core that is led through random actions"
    settings = {"instance_name": INSTANCE, "disk": "empty"}
    named = tuple(sorted(hidden))
    return Header("receipts", "agent", "core", "fencepost-1", "walk", about, settings, named)


class JudgedWalk(Walk):
    """A walk that the oracle reads. `hidden` is what its trace leaves out.

    At every point of rest the participant reports.
    """

    def __init__(self, core: AgentCore | None = None, hidden: frozenset[str] = frozenset()) -> None:
        super().__init__(core)
        self.lines: list[Line] = []
        # Whether the oracle gave up, because more states explain the trace than it may keep.
        self.undecided = False
        self._oracle = Oracle(header_of(hidden))
        self._scribe = Scribe(hidden)
        self._cut_off: list[str] = []

    @property
    def number(self) -> int:
        """The number of the next line."""
        return self._scribe.number

    @property
    def states(self) -> int:
        """How many states explain the trace so far."""
        return len(self._oracle.frontier.states)

    def show(self, before: State, action: Any, step: Step) -> None:
        """Have the oracle read the lines that show an action."""
        scribe, after = self._scribe, self.state
        if isinstance(action, Ask):
            self._read(scribe.report(view_of(self.core.spec, after), moving=True))
        elif isinstance(action, Look):
            self._read(scribe.look(action.path, after.disk[action.path]))
        else:
            self._read(scribe.shown(before, action, step))
            if isinstance(action, a.Replace):
                self._clean_up(before)

    def rest(self) -> None:
        """Have the oracle read a report."""
        self._read(self._scribe.report(view_of(self.core.spec, self.state)))
        self.world = self.world.at(self.number)

    def _clean_up(self, before: State) -> None:
        """After crashes somebody looks at what commits that were cut off have left."""
        storing = before.fence.storing
        if storing is not None and storing.op == "commit":
            self._cut_off.append(storing.directory)
        if len(self._cut_off) > CUT_OFF_MAX:
            for path in self._cut_off:
                self._read(self._scribe.look(path, self.state.disk.get(path, NOTHING)))
            self._cut_off.clear()

    def _read(self, lines: list[Line]) -> None:
        for line in lines:
            if self.undecided:
                return
            self.lines.append(line)
            try:
                refusal = self._oracle.feed(line)
            except Inconclusive:
                self.undecided = True
                return
            if refusal is not None:
                found = refusal.mismatch
                rule = "no rule" if found.rule is None else found.rule.id
                wanted = f"expected {found.expected!r}, came {found.came!r}"
                raise WentWrong(self.told(f"false alarm at line {line.seq}: {rule}: {wanted}"))
