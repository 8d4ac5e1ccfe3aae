"""How fast the explorer walks, what finding a fault costs, and where the time goes.

`make bench` runs this. Figures are printed, and none is asserted; times are processor time.
"""

import cProfile
from collections import defaultdict
from pathlib import PurePath
from statistics import median
from sys import getsizeof
from time import process_time

import pytest

from fencepost.exploring.agent.scopes import AGENT_SCOPES
from fencepost.exploring.agent.world import AgentWorld
from fencepost.exploring.breadth import Breadth, Budget, Walked
from fencepost.exploring.graph import CUT, Graph
from fencepost.exploring.packing import Packed
from fencepost.exploring.remembering import Remembering
from fencepost.exploring.scopes import SCOPES, core_of, scope_named

pytestmark = pytest.mark.bench

BY_NAME = {scope.name: scope for scope in AGENT_SCOPES}
STATES_MAX = 20_000
WALKS = 7

FAULTS = (
    ("resume leaves a waiting prepare at work", "agent-tiny"),
    ("a stale wake moves work that a later prepare counted", "agent-tiny"),
    ("no watermark", "agent-tiny-crash"),
    ("restore over live work", "agent-tiny-ids"),
)


def say(what: str, figure: str) -> None:
    """Print one figure."""
    print(f"\n  {what:<58} {figure:>16}", end="")


def walk(
    name: str, mutant: str | None = None, *, plain: bool = False, states: int = STATES_MAX
) -> tuple[Walked, float]:
    """Walk a scope, at most so far, and return what was found and the seconds it took."""
    core = None if mutant is None else core_of(mutant)
    walk = Breadth(
        AgentWorld(BY_NAME[name], core),
        budget=Budget(states=states),
        until_broken=mutant is not None,
        plain=plain,
    )
    begun = process_time()
    return walk.walk(), process_time() - begun


def test_the_rate_of_a_walk() -> None:
    """Transitions and distinct states a second, every promise asked of every transition.

    Others use the machine too, so a walk is timed more than once: the best time is what it needs.
    """
    breadth, seconds = _walked_small()
    times = [seconds, *(_walked_small()[1] for _ in range(WALKS - 1))]
    graph = breadth.graph
    assert breadth.remembering is not None
    best, middle = min(times), median(times)
    say("states met at small scope", f"{graph.states:,}")
    say(f"transitions, best of {WALKS} walks", f"{graph.transitions / best:,.0f}/s")
    say("transitions, the walk in the middle", f"{graph.transitions / middle:,.0f}/s")
    say("distinct states, best", f"{graph.states / best:,.0f}/s")
    say("times that a branch of the world was asked", f"{breadth.remembering.runs:,}")
    again = _seconds_again(graph, breadth.remembering)
    say("transitions when no branch has to be asked", f"{graph.transitions / again:,.0f}/s")
    packed = _seconds_of_numbers(graph)
    say("the same graph when successors are numbers", f"{graph.transitions / packed:,.0f}/s")
    plain, seconds = walk("agent-small", plain=True, states=STATES_MAX // 2)
    say("transitions when nothing is remembered", f"{plain.graph.transitions / seconds:,.0f}/s")


def _walked_small() -> tuple[Breadth, float]:
    """The small scope, walked to its end, and the seconds that took."""
    breadth = Breadth(AgentWorld(BY_NAME["agent-small"]))
    begun = process_time()
    breadth.walk()
    return breadth, process_time() - begun


def _seconds_again(graph: Graph, remembering: Remembering) -> float:
    """How long it takes to go through a graph whose moves are all remembered."""
    smallest, number = graph.renamer.smallest, graph.number
    reached: dict[Packed, Packed] = {}
    begun = process_time()
    for packed in graph.nodes:
        for move in remembering.moves(packed):
            if move.leads:
                there = move.after(packed)
                if there not in reached:
                    reached[there] = smallest(there)[0]
                assert reached[there] in number
    return process_time() - begun


def _seconds_of_numbers(graph: Graph) -> float:
    """How long the same walk takes when nothing is left of it but look-ups of packed states."""
    after = [
        [graph.nodes[graph.targets[e]] for e in graph.edges(node) if graph.targets[e] != CUT]
        for node in range(graph.states)
    ]
    begun = process_time()
    number = {graph.nodes[0]: 0}
    waiting = [0]
    for node in waiting:
        for packed in after[node]:
            if packed not in number:
                number[packed] = graph.number[packed]
                waiting.append(number[packed])
    return process_time() - begun


OTHERS = [one.name for one in SCOPES.values() if one.size == "small" and one.part.name != "agent"]


@pytest.mark.parametrize("name", ["agent-large", *OTHERS])
def test_the_rate_of_a_part_of_another_scope(name: str) -> None:
    """The same at a larger scope, and where nothing is remembered: as far as a budget goes."""
    begun = process_time()
    walked = Breadth(scope_named(name).world(None), budget=Budget(states=STATES_MAX // 2)).walk()
    seconds = process_time() - begun
    graph = walked.graph
    say(f"{name}: transitions", f"{graph.transitions / seconds:,.0f}/s")
    say(f"{name}: distinct states", f"{graph.states / seconds:,.0f}/s")


@pytest.mark.parametrize(("mutant", "scope"), FAULTS)
def test_the_time_to_find_a_fault(mutant: str, scope: str) -> None:
    """From nothing to the shortest trace that shows a fault, at tiny scope."""
    found, seconds = walk(scope, mutant)
    least = min(found.broken.values(), key=lambda one: one.actions)
    say(mutant, f"{seconds * 1000:,.0f} ms")
    say(f"   {least.property.id}", f"{least.actions} actions")


def test_the_memory_of_a_walk() -> None:
    """Bytes for each distinct state, and how many of them are the table of reached states."""
    breadth = Breadth(AgentWorld(BY_NAME["agent-small"]))
    graph = breadth.walk().graph
    kept = set(map(id, graph.nodes))
    edges = [graph.targets, graph.done, graph.turns, graph.first, graph.count]
    arrays = [*edges, graph.parent, graph.parent_edge, graph.depth]
    states = getsizeof(graph.nodes) + getsizeof(graph.number) + sum(map(getsizeof, graph.nodes))
    transitions = sum(map(getsizeof, arrays))
    reached = getsizeof(breadth.reached)
    for packed, known in breadth.reached.items():
        reached += getsizeof(known) + (0 if id(packed) in kept else getsizeof(packed))
    say("bytes a state, the state itself", f"{states / graph.states:,.0f}")
    say("bytes a state, its transitions", f"{transitions / graph.states:,.0f}")
    say("bytes a state, the table of reached states", f"{reached / graph.states:,.0f}")
    say("states in that table for each distinct one", f"{len(breadth.reached) / graph.states:.1f}")


def test_where_the_time_goes() -> None:
    """The share of each part in a walk, in processor time under a profiler."""
    profile = cProfile.Profile()
    profile.enable()
    walk("agent-small", states=3_000)
    profile.disable()
    spent: defaultdict[str, float] = defaultdict(float)
    for entry in profile.getstats():
        code = entry.code
        spent[_part_of(code if isinstance(code, str) else code.co_filename)] += entry.inlinetime
    whole = sum(spent.values())
    for part, seconds in sorted(spent.items(), key=lambda one: -one[1]):
        say(f"spent in {part}", f"{seconds / whole:.0%}")


_PARTS = {
    "promises": ("promises", "promises_of_work", "promises_of_checkpoints", "ghost"),
    "remembering": ("remembering", "recording", "asking", "differing", "exact", "likeness"),
    "packing and names": ("packing", "graph", "breadth", "renaming", "symmetry"),
    "what is around the participant": ("doings", "mishaps", "around", "world", "marks", "using"),
    "giving names back": ("forgetting", "shifting"),
}


def _part_of(file: str) -> str:
    """Which part of the explorer a file belongs to."""
    path = PurePath(file)
    for part, modules in _PARTS.items():
        if path.stem in modules:
            return part
    return "the core" if "fencepost_reference" in path.parts else "Python and its libraries"
