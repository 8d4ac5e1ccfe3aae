"""A graph in which names are told apart again, worked out from one in which they are not.

A promise of progress is about somebody: this key, that call. In a reduced graph somebody becomes
somebody else along the way, and an assumption of fairness about one could be taken for one about
the other. So progress is asked of the whole graph. Unfolding it costs no step of the core.
"""

from array import array

import attrs

from fencepost.exploring.graph import CUT, Graph, deed_renamed
from fencepost.exploring.packing import Packed
from fencepost.exploring.small_world import Deed


@attrs.define(eq=False)
class Whole:
    """A graph whose states are told apart by names. `of` is the state that each stands for."""

    graph: Graph
    of: "array[int]" = attrs.field(factory=lambda: array("I"), repr=False)
    turn: "array[int]" = attrs.field(factory=lambda: array("H"), repr=False)
    # By state of the reduced graph and exchange: the state here.
    place: "array[int]" = attrs.field(factory=lambda: array("I"), repr=False)
    deeds: list[Deed] = attrs.field(factory=list)
    _deed_numbers: dict[Deed, int] = attrs.field(factory=dict, repr=False)
    _turned: dict[tuple[int, int], int] = attrs.field(factory=dict, repr=False)

    def __len__(self) -> int:
        return len(self.of)

    def edges(self, node: int) -> list[tuple[int, int]]:
        """Where the transitions of a state lead (`CUT` where they are cut off), and their deeds."""
        graph, turn = self.graph, self.turn[node]
        renamer, turns = graph.renamer, len(graph.renamer.permutations)
        back, then, place = renamer.back, renamer.then, self.place
        found: list[tuple[int, int]] = []
        for edge in graph.edges(self.of[node]):
            target = graph.targets[edge]
            if target != CUT:
                target = place[target * turns + then[back[graph.turns[edge]]][turn]]
            found.append((target, self._deed(graph.done[edge], turn)))
        return found

    def _deed(self, deed: int, turn: int) -> int:
        known = self._turned.get((deed, turn))
        if known is None:
            graph = self.graph
            names = graph.renamer.permutations[turn]
            turned = deed_renamed(graph.world, graph.deeds[deed], names)
            known = self._deed_numbers.setdefault(turned, len(self.deeds))
            if known == len(self.deeds):
                self.deeds.append(turned)
            self._turned[deed, turn] = known
        return known

    def packed(self, node: int) -> Packed:
        """The state itself."""
        graph = self.graph
        return graph.renamer.image(self.turn[node], graph.nodes[self.of[node]])

    def depth(self, node: int) -> int:
        """How many actions a shortest way to the state has."""
        return self.graph.depth[self.of[node]]

    @property
    def start(self) -> int:
        """The state in which everything begins."""
        graph = self.graph
        renamer = graph.renamer
        _, turn = renamer.smallest(graph.packer.pack(graph.world.start()))
        return self.place[renamer.back[turn]]


def unfolded(graph: Graph) -> Whole:
    """The whole graph. Every state that differs from a known one in names only is there too."""
    whole = Whole(graph)
    renamer = graph.renamer
    turns = range(len(renamer.permutations))
    for node, packed in enumerate(graph.nodes):
        met: dict[Packed, int] = {}
        for turn in turns:
            image = renamer.image(turn, packed)
            if image not in met:
                met[image] = len(whole.of)
                whole.of.append(node)
                whole.turn.append(turn)
            whole.place.append(met[image])
    return whole
