"""Every `sometimes` of a world: the shortest trace that tells one of its stories."""

from collections import deque

import attrs

from fencepost.exploring.graph import CUT, Graph, deed_renamed
from fencepost.exploring.small_world import Deed, Sometimes
from fencepost_spec.operation import Property

_Place = tuple[int, int, int]
"""A state, the exchange of names that holds there, and how far the story is told."""


@attrs.frozen
class Witness:
    """What was done, from the start to the end of a story; None: no trace here tells one."""

    property: Property
    deeds: tuple[Deed, ...] | None
    actions: int = 0


def witness(promise: Sometimes, graph: Graph) -> Witness:
    """A trace with the fewest actions that tells any of the stories of a promise."""
    best: Witness | None = None
    marks = _Marks(graph)
    for story in promise.stories:
        found = _Telling(graph, marks, promise, story).search()
        if found is not None and (best is None or found.actions < best.actions):
            best = found
    return best or Witness(promise.property, None)


class _Marks(dict[tuple[int, int], frozenset[str]]):
    """The marks of a deed under an exchange of names."""

    def __init__(self, graph: Graph) -> None:
        super().__init__()
        self._graph = graph

    def __missing__(self, key: tuple[int, int]) -> frozenset[str]:
        deed, turn = key
        graph = self._graph
        names = graph.renamer.permutations[turn]
        self[key] = marks = frozenset(graph.world.renamed(graph.deeds[deed].marks, names))
        return marks


class _Telling:
    """The search for one story: states with how far it is told, fewest actions first."""

    def __init__(
        self, graph: Graph, marks: _Marks, promise: Sometimes, story: tuple[str, ...]
    ) -> None:
        self.graph, self.marks = graph, marks
        self.property = promise.property
        self.story, self.without = story, promise.without
        self.before: dict[_Place, tuple[_Place, int]] = {}

    def search(self) -> Witness | None:
        """The shortest trace, if there is one."""
        graph = self.graph
        if not self._may_be_told():
            return None
        renamer = graph.renamer
        _, turn = renamer.smallest(graph.packer.pack(graph.world.start()))
        start: _Place = (0, renamer.back[turn], 0)
        cost: dict[_Place, int] = {start: 0}
        waiting: deque[_Place] = deque([start])
        while waiting:
            here = waiting.popleft()
            if here[2] == len(self.story):
                return self._told(start, here, cost[here])
            for edge in graph.edges(here[0]):
                if graph.targets[edge] == CUT:
                    continue
                there = self._after(here, edge)
                own = graph.deeds[graph.done[edge]].own
                actions = cost[here] + (not own)
                if there not in cost or actions < cost[there]:
                    cost[there] = actions
                    self.before[there] = (here, edge)
                    (waiting.appendleft if own else waiting.append)(there)
        return None

    def _may_be_told(self) -> bool:
        """Whether every mark of the story is shown at all."""
        turns = range(len(self.graph.renamer.permutations))
        deeds = range(len(self.graph.deeds))
        shown = {mark for deed in deeds for turn in turns for mark in self.marks[deed, turn]}
        return shown.issuperset(self.story)

    def _after(self, here: _Place, edge: int) -> _Place:
        graph, renamer = self.graph, self.graph.renamer
        _, turn, told = here
        marks = self.marks[graph.done[edge], turn]
        if told and not marks.isdisjoint(self.without) and self.story[told] not in marks:
            told = 0
        if self.story[told] in marks:
            told += 1
        return graph.targets[edge], renamer.then[renamer.back[graph.turns[edge]]][turn], told

    def _told(self, start: _Place, here: _Place, actions: int) -> Witness:
        graph = self.graph
        deeds: list[Deed] = []
        while here != start:
            here, edge = self.before[here]
            names = graph.renamer.permutations[here[1]]
            deeds.append(deed_renamed(graph.world, graph.deeds[graph.done[edge]], names))
        return Witness(self.property, tuple(deeds[::-1]), actions)
