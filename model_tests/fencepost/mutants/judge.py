"""The oracle as an automaton that is built as it is needed: sets of states, and what lines do.

What a line does to a set of explaining states is worked out once and kept; whole families of
mutants share it. What a frontier remembers beside its states is that of the first way there. It
concerns only what a log may leave out, and a refusal is stated anew on its own trace anyway
(`confirm.py`).
"""

from typing import Any

import attrs

from fencepost.agent.frontier import Frontier
from fencepost.agent.oracle import Oracle
from fencepost.mismatch import Mismatch
from fencepost.mutants.told import Told
from fencepost.trace import Header
from fencepost_reference.receipts.state import Reply, State

HEADER = Header(
    protocol="receipts",
    kind="agent",
    name="mutant",
    version="fencepost-1",
    scenario="mutant",
    about="the shortest sequence that shows a participant wrong",
    settings={"disk": "empty"},
    hidden=(),
)


@attrs.define(eq=False)
class Explained:
    """A set of states that explain what was told so far."""

    frontier: Frontier = attrs.field(repr=False)
    after: "dict[Told, Explained | Mismatch]" = attrs.field(factory=dict, repr=False)
    # Rules of level should that were broken by what was told next.
    noted: dict[Told, str] = attrs.field(factory=dict, repr=False)


_Known = tuple[frozenset[State], frozenset[tuple[str, tuple[Reply, ...]]]]


class Judge:
    """Reads what was told, from any set of states, and remembers what came of it."""

    def __init__(self) -> None:
        self._known: dict[_Known, Explained] = {}
        self.start = self._same_as(Oracle(HEADER).frontier)

    def read(self, known: Explained, told: Told) -> Explained | Mismatch:
        """The states that explain one thing more, or why none does."""
        answer = known.after.get(told)
        if answer is None:
            frontier = _copy(known.frontier)
            mismatch = frontier.read(told.line())
            if frontier.notes:
                known.noted[told] = frontier.notes[0][1].id
            answer = self._same_as(frontier) if mismatch is None else mismatch
            known.after[told] = answer
        return answer

    def _same_as(self, frontier: Frontier) -> Explained:
        """The one value for a set of states, and for what open calls may have read."""
        key = frozenset(frontier.states), frozenset(frontier.reads.items())
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = Explained(frontier)
        return found

    def __len__(self) -> int:
        return len(self._known)


def _copy(frontier: Frontier) -> Frontier:
    """A frontier that knows the same and learns on its own."""
    own: dict[str, Any] = {"rules": {}, "notes": []}
    for field in attrs.fields(Frontier):
        value: Any = getattr(frontier, field.name)
        if field.name not in own and isinstance(value, dict | set):
            own[field.name] = value.copy()
    return attrs.evolve(frontier, **own)
