"""The states and transitions of a small world, kept in few bytes, and the shortest way to each.

States are numbered in the order in which they were met; 0 is the start. A transition is a place
in three arrays: where it leads, what was done, and which exchange of names led from the state that
was reached to the one that stands for it.
"""

from array import array
from collections.abc import Iterator

import attrs

from fencepost.exploring.packing import Packed, Packer, Renamer
from fencepost.exploring.small_world import Deed, Names, Parts, SmallWorld

CUT = 0xFFFFFFFF
"""The target of a transition that the scope cuts off."""


@attrs.frozen
class Stride:
    """One step of a path: what was done, and the state that it led to."""

    deed: Deed
    parts: Parts


@attrs.define(eq=False)
class Graph:
    """What a walk has found so far."""

    world: SmallWorld
    packer: Packer
    renamer: Renamer
    nodes: list[Packed] = attrs.field(factory=list)
    number: dict[Packed, int] = attrs.field(factory=dict, repr=False)
    deeds: list[Deed] = attrs.field(factory=list)
    deed_numbers: dict[Deed, int] = attrs.field(factory=dict, repr=False)
    targets: "array[int]" = attrs.field(factory=lambda: array("I"), repr=False)
    done: "array[int]" = attrs.field(factory=lambda: array("I"), repr=False)
    turns: "array[int]" = attrs.field(factory=lambda: array("H"), repr=False)
    # By state: where its transitions begin, how many there are, and how it was reached first.
    first: "array[int]" = attrs.field(factory=lambda: array("Q"), repr=False)
    count: "array[int]" = attrs.field(factory=lambda: array("I"), repr=False)
    parent: "array[int]" = attrs.field(factory=lambda: array("I"), repr=False)
    parent_edge: "array[int]" = attrs.field(factory=lambda: array("Q"), repr=False)
    depth: "array[int]" = attrs.field(factory=lambda: array("I"), repr=False)

    @classmethod
    def of(cls, world: SmallWorld, *, symmetry: bool) -> "Graph":
        """A graph that holds the start of a world and nothing else."""
        start = world.start()
        packer = Packer(len(start))
        permutations = world.permutations if symmetry else world.permutations[:1]
        renamer = Renamer(packer, len(start), permutations, world.renamed)
        graph = cls(world, packer, renamer)
        graph.add(renamer.smallest(packer.pack(start))[0])
        return graph

    def add(self, packed: Packed) -> int:
        """Give a new state its number."""
        number = self.number[packed] = len(self.nodes)
        self.nodes.append(packed)
        self.first.append(0)
        self.count.append(0)
        self.parent.append(CUT)
        self.parent_edge.append(0)
        self.depth.append(0)
        return number

    def deed(self, deed: Deed) -> int:
        """The number of a deed."""
        number = self.deed_numbers.get(deed)
        if number is None:
            number = self.deed_numbers[deed] = len(self.deeds)
            self.deeds.append(deed)
        return number

    def edges(self, node: int) -> range:
        """The places of the transitions of a state."""
        begin = self.first[node]
        return range(begin, begin + self.count[node])

    def parts(self, node: int) -> Parts:
        """A state."""
        return self.packer.parts(self.nodes[node])

    @property
    def states(self) -> int:
        """How many states there are; of those that differ in names only, one is counted."""
        return len(self.nodes)

    @property
    def transitions(self) -> int:
        """How many transitions there are, without those that are cut off."""
        return len(self.targets) - self.targets.count(CUT)

    def whole_states(self) -> int:
        """How many states there are when names are told apart."""
        return sum(len(self.renamer.orbit(packed)) for packed in self.nodes)

    def way_to(self, node: int) -> list[int]:
        """The places of the transitions of a shortest way from the start to a state."""
        way: list[int] = []
        while self.parent[node] != CUT:
            way.append(self.parent_edge[node])
            node = self.parent[node]
        return way[::-1]

    def walk(self, way: list[int], start: int = 0, turn: int | None = None) -> Iterator[Stride]:
        """The steps of a way, its names those of one run: as they were when it began.

        A state stands for all that differ in names; along a way the names have to fit each other.
        """
        renamer = self.renamer
        if turn is None:
            packed = self.packer.pack(self.world.start())
            turn = renamer.back[renamer.smallest(packed)[1]]
        for edge in way:
            names = renamer.permutations[turn]
            deed = deed_renamed(self.world, self.deeds[self.done[edge]], names)
            # The state that was reached is the one that stands for it, turned back.
            turn = renamer.then[renamer.back[self.turns[edge]]][turn]
            start = self.targets[edge]
            yield Stride(deed, self.packer.parts(renamer.image(turn, self.nodes[start])))

    def turn_after(self, way: list[int]) -> int:
        """The exchange of names that holds at the end of a way from the start."""
        renamer = self.renamer
        turn = renamer.back[renamer.smallest(self.packer.pack(self.world.start()))[1]]
        for edge in way:
            turn = renamer.then[renamer.back[self.turns[edge]]][turn]
        return turn


def deed_renamed(world: SmallWorld, deed: Deed, names: Names) -> Deed:
    """A deed in which names are exchanged."""
    if not names:
        return deed
    fair = None if deed.fair is None else world.renamed(deed.fair, names)
    marks = world.renamed(deed.marks, names)
    return Deed(world.renamed(deed.name, names), deed.own, fair, marks)
