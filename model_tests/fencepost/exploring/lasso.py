"""A counterexample to progress as people read it: a way there, and what is then done for ever."""

from collections import deque

import attrs

from fencepost.exploring.progress import Classes, Loop
from fencepost.exploring.small_world import Deed
from fencepost.exploring.unfolding import Whole


@attrs.frozen
class Lasso:
    """First the deeds of the way, then those of the round; an empty round: nothing more happens."""

    subject: str
    way: tuple[Deed, ...]
    round: tuple[Deed, ...]
    # The states at the end of the way, as the world shows it.
    state: str


def lasso_of(whole: Whole, classes: Classes, loop: Loop) -> Lasso:
    """The counterexample that a loop stands for: a short way to it, and a short fair round."""
    inside = set(loop.nodes)
    way, entry = _nearest(whole, whole.start, inside, None)
    around = _Round(whole, classes, loop, inside).walk(entry)
    graph = whole.graph
    state = graph.world.show(graph.packer.parts(whole.packed(entry)))
    deeds = whole.deeds
    return Lasso(
        loop.subject,
        tuple(deeds[deed] for deed in way),
        tuple(deeds[deed] for deed in around),
        state,
    )


class _Round:
    """A walk round a loop that takes all that has to be taken and passes all that has to be."""

    def __init__(self, whole: Whole, classes: Classes, loop: Loop, inside: set[int]) -> None:
        self._whole, self._classes, self._inside = whole, classes, inside
        self._takes, self._avoids = set(loop.takes), loop.avoids
        self._escapes = list(loop.escapes)
        self._deeds: list[int] = []

    def walk(self, start: int) -> list[int]:
        """The deeds of a round from a state back to it."""
        here = start
        if not self._takes and not self._escapes and len(self._inside) == 1:
            return []
        self._pass(start)
        while self._takes or self._escapes:
            here = self._go(here, self._wanted_nodes(), self._takes)
        if here != start or not self._deeds:
            self._go(here, {start}, set())
        return self._deeds

    def _wanted_nodes(self) -> set[int]:
        return {node for one in self._escapes for node in one}

    def _pass(self, node: int) -> None:
        self._escapes = [one for one in self._escapes if node not in one]

    def _go(self, here: int, nodes: set[int], bits: set[int]) -> int:
        """Go to the nearest wanted state, or past the nearest wanted transition."""
        way, here = _nearest(
            self._whole, here, nodes, self._inside, bits, self._classes, self._avoids
        )
        for deed in way:
            self._deeds.append(deed)
            self._takes.discard(self._classes.bit_of(deed))
        self._pass(here)
        return here


def _nearest(
    whole: Whole,
    start: int,
    wanted: set[int],
    inside: set[int] | None,
    bits: set[int] | None = None,
    classes: Classes | None = None,
    avoids: int = 0,
) -> tuple[list[int], int]:
    """The deeds of a shortest way to a wanted state or past a wanted deed, and where it ends.

    Within the loop at least one step is taken; from the start of everything none may be needed.
    """
    if inside is None and start in wanted:
        return [], start
    before: dict[int, tuple[int, int]] = {}
    waiting = deque([start])
    while waiting:
        node = waiting.popleft()
        for target, deed in whole.edges(node):
            if target >= len(whole) or (inside is not None and target not in inside):
                continue
            bit = 0 if classes is None else classes.bit_of(deed)
            if bit & avoids:
                continue
            takes = bits and bit in bits
            if target in wanted or takes:
                return [*_way_back(before, start, node), deed], target
            if target not in before and target != start:
                before[target] = (node, deed)
                waiting.append(target)
    raise AssertionError("a loop is connected, and can be reached")


def _way_back(before: dict[int, tuple[int, int]], start: int, node: int) -> list[int]:
    deeds: list[int] = []
    while node != start:
        node, deed = before[node]
        deeds.append(deed)
    return deeds[::-1]
