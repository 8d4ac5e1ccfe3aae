"""Every `eventually` of a world, asked of the whole graph under the fairness that it assumes.

A promise is broken by a run that goes on for ever while something is owed: a way to a state, and
from there a cycle (or nothing at all) along which it stays owed. Such a run counts only when it is
fair: a class of actions that is assumed to be taken weakly is taken on the cycle, or not possible
somewhere on it; one assumed strongly is taken on it, or nowhere possible; one that is assumed to
be over in the end is not taken on it. Where only an action
that the scope cuts off keeps a run from being a counterexample, the answer is neither: it is cut.
"""

from collections.abc import Iterator
from enum import Enum

import attrs
import rustworkx

from fencepost.exploring.graph import CUT
from fencepost.exploring.small_world import Eventually, Fair
from fencepost.exploring.unfolding import Whole
from fencepost_spec.operation import Property


class Answer(Enum):
    """What is known of a promise of progress."""

    HOLDS = "holds"
    BROKEN = "broken"
    CUT = "cut"  # Only what the scope cuts off keeps it from being broken.
    NEVER = "never owed"


@attrs.frozen
class Loop:
    """States that a run may go round in for ever, for one subject to whom something is owed."""

    subject: str
    nodes: tuple[int, ...]
    # Must be visited: states where a class is not possible; must be taken: classes, by number.
    escapes: tuple[frozenset[int], ...] = ()
    takes: frozenset[int] = frozenset()
    # The classes, as bits of one number, that may not be taken.
    avoids: int = 0


@attrs.frozen
class Asked:
    """What came of one promise. `owed` counts the states in which something is owed."""

    property: Property
    answer: Answer
    owed: int
    loop: Loop | None = None
    cut: int = 0


@attrs.define(eq=False)
class Classes:
    """The classes of actions of a graph: which are possible in each state, as bits of a number."""

    whole: Whole
    numbers: dict[str, int] = attrs.field(factory=dict)
    possible: list[int] = attrs.field(factory=list, repr=False)
    with_cut: list[int] = attrs.field(factory=list, repr=False)
    of_deed: list[int] = attrs.field(factory=list, repr=False)

    @classmethod
    def of(cls, whole: Whole) -> "Classes":
        """Look at every transition once."""
        found = cls(whole)
        for node in range(len(whole)):
            possible = cut = 0
            for target, deed in whole.edges(node):
                bit = found.bit_of(deed)
                if target == CUT:
                    cut |= bit
                else:
                    possible |= bit
            found.possible.append(possible)
            found.with_cut.append(possible | cut)
        return found

    def bit_of(self, deed: int) -> int:
        """The bit of the class that a deed belongs to; 0 when it belongs to none."""
        while len(self.of_deed) <= deed:
            fair = self.whole.deeds[len(self.of_deed)].fair
            number = -1 if fair is None else self.numbers.setdefault(fair, len(self.numbers))
            self.of_deed.append(0 if number < 0 else 1 << number)
        return self.of_deed[deed]

    def assumed(self, promise: Eventually) -> tuple[int, int, int]:
        """The classes that a promise assumes to be taken, weakly and strongly, or to be over."""
        weak = strong = never = 0
        for fair, number in self.numbers.items():
            how = promise.assumes(fair)
            weak |= (how is Fair.WEAK) << number
            strong |= (how is Fair.STRONG) << number
            never |= (how is Fair.NEVER) << number
        return weak, strong, never


def ask(promise: Eventually, whole: Whole, classes: Classes) -> Asked:
    """Ask a promise of every subject to whom something is ever owed."""
    owed = _owed(promise, whole)
    assumed = classes.assumed(promise)
    best: Loop | None = None
    cut: set[int] = set()
    for subject in sorted(owed):
        search = _Search(whole, classes, subject, owed[subject], assumed)
        for loop in search.loops(classes.with_cut):
            if best is None or _length(whole, loop) < _length(whole, best):
                best = loop
        if best is None:
            for loop in search.loops(_without_cut(promise, whole, classes, subject, owed[subject])):
                cut.update(loop.nodes)
    answer = Answer.HOLDS if owed else Answer.NEVER
    if best is not None:
        answer = Answer.BROKEN
    elif cut:
        answer = Answer.CUT
    return Asked(promise.property, answer, sum(map(len, owed.values())), best, len(cut))


def _without_cut(
    promise: Eventually, whole: Whole, classes: Classes, subject: str, nodes: list[int]
) -> list[int]:
    """The classes that are possible in each state, without those that are cut off.

    One that ends what is owed stays: the scope leaves out where it leads, not that it ends it.
    """
    ends = promise.ends
    if ends is None:
        return classes.possible
    possible = list(classes.possible)
    for node in nodes:
        cut = classes.with_cut[node] & ~possible[node]
        if not cut:
            continue
        parts = whole.graph.packer.parts(whole.packed(node))
        for fair, number in classes.numbers.items():
            if cut >> number & 1 and ends(fair, subject, parts):
                possible[node] |= 1 << number
    return possible


def _owed(promise: Eventually, whole: Whole) -> dict[str, list[int]]:
    """The states in which something is owed, by subject; names are exchanged with the states."""
    graph = whole.graph
    owed: dict[str, list[int]] = {}
    known: list[frozenset[str]] = []
    for node in range(len(whole)):
        of = whole.of[node]
        if of == len(known):
            known.append(promise.pending(graph.parts(of)))
        for subject in known[of]:
            names = graph.renamer.permutations[whole.turn[node]]
            owed.setdefault(graph.world.renamed(subject, names), []).append(node)
    return owed


def _length(whole: Whole, loop: Loop) -> tuple[int, int]:
    """What makes a counterexample shorter than another: the way there, then how much is in it."""
    return min(whole.depth(node) for node in loop.nodes), len(loop.nodes)


class _Search:
    """The states in which something is owed to one subject, and the loops among them."""

    def __init__(
        self,
        whole: Whole,
        classes: Classes,
        subject: str,
        nodes: list[int],
        assumed: tuple[int, int, int],
    ) -> None:
        self.subject = subject
        self.classes = classes
        self.weak, self.strong, self.never = assumed
        self.nodes = nodes
        inside = set(nodes)
        self.edges = {
            node: [
                (target, classes.bit_of(deed))
                for target, deed in whole.edges(node)
                if target in inside and not classes.bit_of(deed) & self.never
            ]
            for node in nodes
        }

    def loops(self, possible: list[int]) -> Iterator[Loop]:
        """Every way to go on for ever that is fair when these classes are possible in a state."""
        both = self.weak | self.strong
        for node in self.nodes:
            if not possible[node] & both:
                yield Loop(self.subject, (node,))
        waiting = [self.nodes]
        while waiting:
            for component in self._components(waiting.pop()):
                yield from self._fair(component, possible, waiting)

    def _components(self, nodes: list[int]) -> Iterator[list[int]]:
        """The strongly connected parts among some states that have a transition inside."""
        place = {node: number for number, node in enumerate(nodes)}
        graph: rustworkx.PyDiGraph[int, None] = rustworkx.PyDiGraph()
        graph.add_nodes_from(nodes)
        graph.add_edges_from_no_data(
            [
                (number, place[target])
                for node, number in place.items()
                for target, _ in self.edges[node]
                if target in place
            ]
        )
        for component in rustworkx.strongly_connected_components(graph):
            first = nodes[component[0]]
            if len(component) > 1 or any(target == first for target, _ in self.edges[first]):
                yield [nodes[number] for number in component]

    def _fair(
        self, component: list[int], possible: list[int], waiting: list[list[int]]
    ) -> Iterator[Loop]:
        """The component as a loop when it is fair; when it is not, parts of it may be."""
        inside = set(component)
        everywhere, somewhere, taken = -1, 0, 0
        for node in component:
            everywhere &= possible[node]
            somewhere |= possible[node]
            for target, bit in self.edges[node]:
                if target in inside:
                    taken |= bit
        # Whatever is possible everywhere in it is possible everywhere in each part of it.
        if everywhere & (self.weak | self.strong) & ~taken:
            return
        lacking = somewhere & self.strong & ~taken
        if lacking:
            waiting.append([node for node in component if not possible[node] & lacking])
            return
        takes = (everywhere & self.weak) | (somewhere & self.strong)
        escapes = [
            frozenset(node for node in component if not possible[node] & bit)
            for bit in _bits(self.weak & somewhere & ~everywhere)
        ]
        taken_on_it = frozenset(_bits(takes))
        yield Loop(self.subject, tuple(component), tuple(escapes), taken_on_it, self.never)


def _bits(number: int) -> Iterator[int]:
    """The bits that are set, each as a number."""
    while number:
        bit = number & -number
        yield bit
        number ^= bit
