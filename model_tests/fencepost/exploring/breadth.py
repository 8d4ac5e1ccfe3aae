"""All states of a small world, nearest first, and every `always` asked of every transition.

Near means few actions of the world: what the participant does by itself costs nothing. So the
first way to a state, or to a broken promise, is one with the fewest actions. A transition that
breaks a promise is not followed: what comes after it would be judged by a promise that is gone.
"""

import resource
import sys
import time
from collections.abc import Callable

import attrs

from fencepost.exploring.graph import CUT, Graph
from fencepost.exploring.packing import Packed
from fencepost.exploring.remembering import Move, Remembering
from fencepost.exploring.small_world import Branching, Deed, SmallWorld, Taken
from fencepost.exploring.uncollected import uncollected
from fencepost_spec.operation import Property

Progress = Callable[[int, int, int], None]
"""Told now and then: states, transitions that lead to one, and how many actions deep it is."""

_LOOK_EVERY = 64
_RSS_UNIT = 1 if sys.platform == "darwin" else 1024


@attrs.frozen
class Budget:
    """How much a walk may use; None is no limit. `memory` is bytes of the whole process."""

    seconds: float | None = None
    memory: int | None = None
    states: int | None = None


@attrs.frozen
class Broken:
    """A transition that breaks a promise: from which state, and after how many actions."""

    property: Property
    node: int
    edge: int
    actions: int


@attrs.define(eq=False)
class Walked:
    """What a walk came to. `stopped` says which budget ended it, if one did."""

    graph: Graph
    broken: dict[str, Broken] = attrs.field(factory=dict)
    used: set[str] = attrs.field(factory=set)
    cut: dict[str, int] = attrs.field(factory=dict)
    deadlocks: list[int] = attrs.field(factory=list)
    stopped: str | None = None
    seconds: float = 0.0

    @property
    def whole(self) -> bool:
        """Whether every state of the scope was reached and asked."""
        return self.stopped is None


class Breadth:
    """One walk."""

    def __init__(
        self,
        world: SmallWorld,
        *,
        symmetry: bool = True,
        budget: Budget | None = None,
        progress: Progress | None = None,
        until_broken: bool = False,
        plain: bool = False,
    ) -> None:
        self.graph = Graph.of(world, symmetry=symmetry)
        self.remembering: Remembering | None = None
        if isinstance(world, Branching) and not plain:
            self.remembering = Remembering(world, self.graph.packer)
        self.walked = Walked(self.graph)
        self._budget = budget or Budget()
        self._progress = progress
        self._until_broken = until_broken
        self._expanded = bytearray()
        self._cuts = 0
        # By a state as moves lead to it: the one that stands for it, and the way there.
        self.reached: dict[Packed, tuple[int, int]] = {}
        self._begun = time.perf_counter()

    def walk(self) -> Walked:
        """Walk until nothing is new, or a budget is used up."""
        with uncollected():
            self._walk()
        self.walked.seconds = time.perf_counter() - self._begun
        return self.walked

    def _walk(self) -> None:
        walked, graph = self.walked, self.graph
        level, actions = [0], 0
        while level and walked.stopped is None:
            following: list[int] = []
            # What the participant does by itself stands at the end of the same level.
            for place, node in enumerate(level):
                if place % _LOOK_EVERY == 0:
                    self._look(actions)
                    if walked.stopped is not None:
                        break
                if graph.depth[node] == actions and not self._is_expanded(node):
                    self._expand(node, actions, level, following)
            if self._until_broken and walked.broken:
                break
            level, actions = following, actions + 1

    def _is_expanded(self, node: int) -> bool:
        if len(self._expanded) <= node:
            self._expanded.extend(bytes(max(node + 1, 1024, 2 * len(self._expanded))))
        return bool(self._expanded[node])

    def _expand(self, node: int, actions: int, level: list[int], following: list[int]) -> None:
        """Take every transition from a state."""
        graph = self.graph
        self._expanded[node] = 1
        graph.first[node] = len(graph.targets)
        if self.remembering is None:
            self._expand_plainly(node, actions, level, following)
        else:
            moves = self.remembering.moves(graph.nodes[node])
            self._expand_remembered(moves, node, actions, level, following)
        graph.count[node] = len(graph.targets) - graph.first[node]
        self._note_end(node)

    def _expand_plainly(
        self, node: int, actions: int, level: list[int], following: list[int]
    ) -> None:
        """By what the world says of the state."""
        graph, used = self.graph, self.walked.used
        pack, smallest = graph.packer.pack, graph.renamer.smallest
        for taken in graph.world.after(graph.parts(node)):
            deed = taken.deed
            cost = actions if deed.own else actions + 1
            edge = len(graph.targets)
            if taken.target is None:
                self._add_edge(CUT, deed, 0)
                self._note_cut(deed)
                continue
            used.update([rule.id for rule in taken.rules])
            if taken.broken:
                self._add_edge(CUT, deed, 0)
                self._note_broken(taken.broken, node, edge, cost)
                continue
            packed, turn = smallest(pack(taken.target))
            target = graph.number.get(packed)
            if target is None:
                target = graph.add(packed)
            elif cost >= graph.depth[target] or self._is_expanded(target):
                self._add_edge(target, deed, turn)
                continue
            self._add_edge(target, deed, turn)
            graph.depth[target] = cost
            graph.parent[target] = node
            graph.parent_edge[target] = edge
            (level if deed.own else following).append(target)

    def _expand_remembered(
        self, moves: list[Move], node: int, actions: int, level: list[int], following: list[int]
    ) -> None:
        """The same by moves, which change a packed state."""
        graph, reached = self.graph, self.reached
        depth, targets = graph.depth, graph.targets
        add_target, add_deed, add_turn = targets.append, graph.done.append, graph.turns.append
        packed = graph.nodes[node]
        for move in moves:
            if move.deed < 0:
                move.deed = graph.deed(move.taken.deed)
                self.walked.used.update([rule.id for rule in move.taken.rules])
            cost = actions if move.own else actions + 1
            if not move.leads:
                self._note_no_target(move.taken, node, cost)
                continue
            there = move.after(packed)
            known = reached.get(there)
            if known is None:
                known = reached[there] = self._reach(there)
            target, turn = known
            if cost < depth[target] and not self._is_expanded(target):
                depth[target] = cost
                graph.parent[target] = node
                graph.parent_edge[target] = len(targets)
                (level if move.own else following).append(target)
            add_deed(move.deed)
            add_turn(turn)
            add_target(target)

    def _reach(self, packed: Packed) -> tuple[int, int]:
        """The state that stands for one, new or not, and the way to it."""
        graph = self.graph
        image, turn = graph.renamer.smallest(packed)
        target = graph.number.get(image)
        if target is None:
            target = graph.add(image)
            # Whatever leads to it leads there in less.
            graph.depth[target] = CUT
        return target, turn

    def _note_no_target(self, taken: Taken, node: int, cost: int) -> None:
        """A transition that is cut off, or that breaks a promise."""
        edge = len(self.graph.targets)
        self._add_edge(CUT, taken.deed, 0)
        if taken.target is None:
            self._note_cut(taken.deed)
        else:
            self._note_broken(taken.broken, node, edge, cost)

    def _add_edge(self, target: int, deed: Deed, turn: int) -> None:
        graph = self.graph
        self._cuts += target == CUT
        graph.targets.append(target)
        graph.done.append(graph.deed(deed))
        graph.turns.append(turn)

    def _note_broken(
        self, broken: tuple[Property, ...], node: int, edge: int, actions: int
    ) -> None:
        found = self.walked.broken
        for one in broken:
            known = found.get(one.id)
            if known is None or actions < known.actions:
                found[one.id] = Broken(one, node, edge, actions)

    def _note_cut(self, deed: Deed) -> None:
        for bound in deed.marks:
            self.walked.cut[bound] = self.walked.cut.get(bound, 0) + 1

    def _note_end(self, node: int) -> None:
        """A state that nothing leads out of is a deadlock, unless the scope cut something off."""
        if self.graph.count[node] == 0:
            self.walked.deadlocks.append(node)

    def _look(self, actions: int) -> None:
        """Say how far it is, and stop when a budget is used up."""
        graph, budget = self.graph, self._budget
        if self._progress is not None:
            self._progress(graph.states, len(graph.targets) - self._cuts, actions)
        if budget.seconds is not None and time.perf_counter() - self._begun > budget.seconds:
            self.walked.stopped = f"{budget.seconds:g} s are over"
        elif budget.states is not None and graph.states > budget.states:
            self.walked.stopped = f"there are more than {budget.states:,} states"
        elif budget.memory is not None and _memory_used() > budget.memory:
            self.walked.stopped = f"more than {budget.memory / 2**20:,.0f} MiB are in use"


def _memory_used() -> int:
    """The most bytes that this process has held."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * _RSS_UNIT
