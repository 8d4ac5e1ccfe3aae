"""The oracle as an automaton that is built as it is needed: sets of states, and what lines do.

What a line does to a set of explaining states does not depend on how they were reached, so it is
worked out once and kept; whole families of mutants share it.
"""

import attrs

from fencepost.agent.frontier import Frontier
from fencepost.agent.mismatch import Mismatch
from fencepost.agent.oracle import Oracle
from fencepost.mutants.told import Told
from fencepost.trace import Header
from fencepost_reference.receipts.state import State

HEADER = Header(
    protocol="receipts",
    kind="agent",
    name="mutant",
    version="fencepost-1",
    scenario="mutant",
    about="the shortest sequence that shows a participant wrong",
    settings={},
    hidden=(),
)


@attrs.define(eq=False)
class Explained:
    """A set of states that explain what was told so far."""

    number: int
    states: tuple[State, ...]
    # Rules of level should that were broken on the way in, by what was told.
    noted: "dict[Told, str]" = attrs.field(factory=dict, repr=False)
    after: "dict[Told, Explained | Mismatch]" = attrs.field(factory=dict, repr=False)


class Judge:
    """Reads what was told, from any set of states, and remembers what came of it."""

    def __init__(self) -> None:
        self._frontier: Frontier = Oracle(HEADER).frontier
        self._sets: dict[frozenset[State], Explained] = {}
        self.start = self._set_of(self._frontier.states)

    def read(self, known: Explained, told: Told) -> Explained | Mismatch:
        """The states that explain one thing more, or why none does."""
        answer = known.after.get(told)
        if answer is None:
            frontier = attrs.evolve(self._frontier, states=known.states, notes=[])
            mismatch = frontier.read(told.line())
            if frontier.notes:
                known.noted[told] = frontier.notes[0][1].id
            answer = self._set_of(frontier.states) if mismatch is None else mismatch
            known.after[told] = answer
        return answer

    def _set_of(self, states: tuple[State, ...]) -> Explained:
        key = frozenset(states)
        found = self._sets.get(key)
        if found is None:
            found = self._sets[key] = Explained(len(self._sets), states)
        return found

    def __len__(self) -> int:
        return len(self._sets)
