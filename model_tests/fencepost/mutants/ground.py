"""The intact participant walked through a scope, once for all mutants.

Most of what a mutant does is what the intact participant does. The walk keeps every place, what
each move leads to, and which parts of the specification were asked on the way: a mutant needs to
be played only where the part that it lacks was asked.
"""

import time

import attrs

from fencepost.faults import HarnessFault
from fencepost.mismatch import Mismatch
from fencepost.mutants.judge import Explained, Judge
from fencepost.mutants.moves import CallMove, Move, ReceiptMove
from fencepost.mutants.playing import Played, Player, Scene, own_name
from fencepost.mutants.scopes import Scope
from fencepost_reference.model import Own
from fencepost_reference.receipts.agent import AgentCore
from fencepost_spec.receipts.agent import AGENT
from fencepost_spec.table import Row, Table

Place = tuple[Scene, Explained]
Part = tuple[str, ...]
"""A part of the specification: a table, a state and an event, or an operation by its name."""


@attrs.frozen
class _Watched(Table):
    """A table that tells what it was asked."""

    asked: set[Part] = attrs.field(factory=set[Part], eq=False, kw_only=True)

    def find(self, source: str, event: str, facts: object) -> Row | None:
        self.asked.add((self.name, source, event))
        return super().find(source, event, facts)

    def candidates(self, source: str, event: str) -> tuple[Row, ...]:
        self.asked.add((self.name, source, event))
        return super().candidates(source, event)


def _watched(table: Table, asked: set[Part]) -> Table:
    return _Watched(table.name, table.initial, table.states, table.rows, asked=asked)


@attrs.frozen(eq=False)
class Edge:
    """What one move, or one step of the participant's own choice, leads to."""

    by: str
    move: Move | None
    own: Own | None
    played: Played | None
    target: int
    asked: frozenset[Part]


class Ground:
    """The intact participant in one scope. Places are numbered in the order they are reached.

    Another core stands in for it only to show that a refusal on the ground is noticed.
    """

    def __init__(self, scope: Scope, judge: Judge, core: AgentCore | None = None) -> None:
        self.scope = scope
        self.judge = judge
        self._asked: set[Part] = set()
        core = core or AgentCore(
            attrs.evolve(
                AGENT,
                fence=_watched(AGENT.fence, self._asked),
                execution=_watched(AGENT.execution, self._asked),
            )
        )
        self._player = Player(core, scope.lazy)
        self.places: list[Place] = [(Scene(core.initial()), judge.start)]
        self.number: dict[Place, int] = {self.places[0]: 0}
        self._edges: list[tuple[Edge, ...] | None] = [None]
        # Processor seconds spent here, which belong to no mutant.
        self.seconds = 0.0

    def edges(self, place: int) -> tuple[Edge, ...]:
        """Everything that can happen in a place, own choices first."""
        known = self._edges[place]
        if known is None:
            start = time.process_time()
            known = self._edges[place] = tuple(self._expand(self.places[place]))
            self.seconds += time.process_time() - start
        return known

    def _expand(self, place: Place) -> list[Edge]:
        scene, explained = place
        found: list[Edge] = []
        for own in list(self._player.choices(scene)) if self.scope.lazy else ():
            self._asked.clear()
            played = self._player.choose(scene, own)
            found.append(self._edge(explained, own_name(own), None, own, played, ()))
        for move in self.scope.moves:
            if move.ready(scene.world):
                self._asked.clear()
                played = self._player.play(scene, move)
                calls = (move.op,) if isinstance(move, CallMove | ReceiptMove) else ()
                found.append(self._edge(explained, move.name, move, None, played, calls))
        return found

    def _edge(
        self,
        explained: Explained,
        by: str,
        move: Move | None,
        own: Own | None,
        played: Played | None,
        calls: Part,
    ) -> Edge:
        asked = frozenset(self._asked) | {(op,) for op in calls}
        if played is None:
            return Edge(by, move, own, None, -1, asked)
        for told in played.told:
            answer = self.judge.read(explained, told)
            if isinstance(answer, Mismatch):
                raise FalseAlarm(self.scope.name, by, answer)
            explained = answer
        place = (played.scene, explained)
        if place not in self.number:
            self.number[place] = len(self.places)
            self.places.append(place)
            self._edges.append(None)
        return Edge(by, move, own, played, self.number[place], asked)

    def whole(self) -> tuple[int, int]:
        """Walk the whole scope; how many places and transitions it has."""
        level, seen, transitions = [0], {0}, 0
        for _ in range(self.scope.actions_max):
            following: list[int] = []
            for places, moving in ((level, True), (following, False)):
                for place in places:
                    for edge in self.edges(place):
                        if (edge.move is not None) is not moving:
                            continue
                        transitions += 1
                        if edge.target >= 0 and edge.target not in seen:
                            seen.add(edge.target)
                            following.append(edge.target)
            level = following
        return len(seen), transitions


class FalseAlarm(HarnessFault):
    """The oracle refused the intact participant."""

    def __init__(self, scope: str, by: str, mismatch: Mismatch) -> None:
        rule = "no rule" if mismatch.rule is None else mismatch.rule.id
        super().__init__(
            f"in scope {scope} the oracle refuses the intact participant after {by}",
            f"{rule}: expected {mismatch.expected}, came {mismatch.came}",
        )
