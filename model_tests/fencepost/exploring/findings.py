"""What an exploration of a scope came to: every promise with its answer, and what was left out."""

from collections.abc import Iterator

import attrs

from fencepost.exploring.breadth import Breadth, Broken, Budget, Progress, Walked
from fencepost.exploring.graph import Graph, deed_renamed
from fencepost.exploring.lasso import Lasso, lasso_of
from fencepost.exploring.progress import Answer, Asked, Classes, ask
from fencepost.exploring.small_world import Deed, SmallWorld
from fencepost.exploring.telling import Witness, witness
from fencepost.exploring.unfolding import unfolded
from fencepost_spec.operation import Property
from fencepost_spec.rule import Rule


@attrs.frozen
class Counterexample:
    """A trace with the fewest actions that ends in what is wrong, and the state before its end."""

    deeds: tuple[Deed, ...]
    actions: int
    state: str


@attrs.frozen
class Always:
    """A promise about every transition; without a counterexample none breaks it."""

    property: Property
    broken: Counterexample | None


@attrs.frozen
class Progressed:
    """A promise of progress, and the counterexample when it is broken."""

    asked: Asked
    lasso: Lasso | None


@attrs.frozen(eq=False)
class Findings:
    """Everything that is known of a scope. `graph` is what was walked.

    `stopped` says which budget ended the walk; then no promise of progress is asked. `whole` is
    how many states there are when names are told apart.
    """

    graph: Graph = attrs.field(repr=False)
    states: int
    whole: int
    transitions: int
    depth: int
    seconds: float
    stopped: str | None
    always: tuple[Always, ...]
    eventually: tuple[Progressed, ...]
    sometimes: tuple[Witness, ...]
    deadlock: Counterexample | None
    deadlocks: int
    cut: dict[str, int]
    unused: tuple[Rule, ...]

    @property
    def world(self) -> SmallWorld:
        """What was explored."""
        return self.graph.world

    @property
    def wrong(self) -> Iterator[Property]:
        """The promises that are broken."""
        yield from (one.property for one in self.always if one.broken is not None)
        for progressed in self.eventually:
            if progressed.asked.answer is Answer.BROKEN:
                yield progressed.asked.property
        if self.stopped is None:
            yield from (one.property for one in self.sometimes if one.deeds is None)

    @property
    def exit_code(self) -> int:
        """1 when something is wrong, 3 when not everything was walked, else 0."""
        if self.deadlocks or any(True for _ in self.wrong):
            return 1
        return 3 if self.stopped is not None or not self.transitions else 0

    @property
    def verdict(self) -> str:
        """The exit code as a word."""
        return {0: "conforms", 1: "does not conform", 3: "inconclusive"}[self.exit_code]


def explore(
    world: SmallWorld,
    *,
    symmetry: bool = True,
    budget: Budget | None = None,
    progress: Progress | None = None,
    until_broken: bool = False,
    plain: bool = False,
) -> Findings:
    """Walk a world and ask it everything; `until_broken` is content with one broken `always`.

    A `plain` walk asks the world of each state anew and remembers nothing: it finds the same.
    """
    walked = Breadth(
        world,
        symmetry=symmetry,
        budget=budget,
        progress=progress,
        until_broken=until_broken,
        plain=plain,
    ).walk()
    graph = walked.graph
    partly = walked.stopped is not None or (until_broken and bool(walked.broken))
    broken = {name: _of_broken(graph, one) for name, one in walked.broken.items()}
    return Findings(
        graph,
        graph.states,
        graph.whole_states(),
        graph.transitions,
        max(graph.depth),
        walked.seconds,
        walked.stopped,
        tuple(Always(one, broken.get(one.id)) for one in world.always),
        () if partly else _progress(graph),
        () if until_broken and walked.broken else tuple(witness(s, graph) for s in world.sometimes),
        _deadlock(walked),
        len(walked.deadlocks),
        walked.cut,
        tuple(rule for rule in world.rules if rule.id not in walked.used),
    )


def _of_broken(graph: Graph, broken: Broken) -> Counterexample:
    """The shortest trace that ends in a transition which breaks a promise."""
    way = graph.way_to(broken.node)
    turn = graph.turn_after(way)
    last = deed_renamed(
        graph.world, graph.deeds[graph.done[broken.edge]], graph.renamer.permutations[turn]
    )
    deeds = tuple(stride.deed for stride in graph.walk(way))
    return Counterexample((*deeds, last), broken.actions, _state_at(graph, broken.node, turn))


def _deadlock(walked: Walked) -> Counterexample | None:
    graph = walked.graph
    if not walked.deadlocks:
        return None
    node = min(walked.deadlocks, key=lambda one: graph.depth[one])
    way = graph.way_to(node)
    deeds = tuple(stride.deed for stride in graph.walk(way))
    state = _state_at(graph, node, graph.turn_after(way))
    return Counterexample(deeds, graph.depth[node], state)


def _state_at(graph: Graph, node: int, turn: int) -> str:
    packed = graph.renamer.image(turn, graph.nodes[node])
    return graph.world.show(graph.packer.parts(packed))


def _progress(graph: Graph) -> tuple[Progressed, ...]:
    """Every `eventually`, asked of the graph with names told apart."""
    if not graph.world.eventually:
        return ()
    whole = unfolded(graph)
    classes = Classes.of(whole)
    found: list[Progressed] = []
    for promise in graph.world.eventually:
        asked = ask(promise, whole, classes)
        loop = asked.loop
        lasso = None if loop is None else lasso_of(whole, classes, loop)
        found.append(Progressed(asked, lasso))
    return tuple(found)
