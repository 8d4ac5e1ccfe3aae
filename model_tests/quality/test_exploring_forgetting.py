"""A name that is forgotten is never missed: the state without it goes on exactly as before.

Goal: giving names back may not hide or invent anything. Method: in every state of a tiny scope,
for every name that may be forgotten there, everything that does not say the name leads to the same
with and without it, by the same rules, and breaks the same promises.
"""

from functools import cache

import attrs
import pytest

from fencepost.exploring.agent.forgetting import (
    Forgotten,
    without_checkpoint,
    without_first_attempt,
    without_rollout,
)
from fencepost.exploring.agent.scope import AgentScope, directory_of, text_of
from fencepost.exploring.agent.scopes import AGENT_SCOPES
from fencepost.exploring.agent.shifting import Shift
from fencepost.exploring.agent.world import AgentWorld
from fencepost.exploring.findings import Findings, explore
from fencepost.exploring.renaming import renamed, words_of
from fencepost.exploring.small_world import Parts, Taken
from fencepost_reference.receipts.state import View
from fencepost_spec.vocabulary import Key

pytestmark = pytest.mark.slow

BY_NAME = {scope.name: scope for scope in AGENT_SCOPES}


@cache
def walked(name: str) -> Findings:
    """Return what the intended core shows in a scope."""
    return explore(AgentWorld(BY_NAME[name]))


class Change:
    """What one way to forget does to states, and to the names of deeds."""

    def __init__(self, scope: AgentScope, forgotten: Forgotten) -> None:
        self.scope = scope
        self.word = forgotten.name.split(" ", 1)[0]
        keys = {text_of(key) for key in scope.keys}
        rollout = self.word.split(".")[0]
        self.shift: Shift | None = None
        if "." in self.word:
            self.shift = Shift(rollout, 0, scope.attempts)
            self.lost = {self.word}
            self.new = {text_of(Key(rollout, scope.attempts - 1))}
        elif self.word in scope.rollout_names:
            self.lost = self.new = {rollout, *(key for key in keys if key.startswith(rollout))}
        else:
            self.lost = self.new = {self.word, directory_of(self.word)}

    def state(self, parts: Parts) -> Parts | None:
        """A state in which the name is forgotten."""
        if self.shift is not None:
            return without_first_attempt(self.scope, parts, self.shift.rollout)
        if self.word in self.scope.rollout_names:
            return without_rollout(parts, self.word)
        return without_checkpoint(parts, self.word)

    def text(self, text: str) -> str:
        """The name of a deed afterwards."""
        return text if self.shift is None else self.shift.text(text)


def deeds(world: AgentWorld, parts: Parts, but: set[str]) -> dict[str, Taken]:
    """Return what may be done without saying certain names, and without forgetting."""
    return {
        taken.deed.name: taken
        for taken in world.after(parts)
        if words_of(taken.deed.name).isdisjoint(but) and not taken.deed.name.endswith("forgotten")
    }


def uncounted(parts: Parts | None) -> object:
    """Return a state in which recorded reports do not say how many results were acknowledged.

    That number is shown and asked by nobody: it is the one thing that forgetting changes.
    """
    return renamed(parts, {}, {View: lambda view, _names: attrs.evolve(view, acknowledged=0)})


def effects(taken: Taken) -> tuple[object, ...]:
    """Return what a transition shows, whatever it leads to."""
    rules = tuple(rule.id for rule in taken.rules)
    return taken.deed.own, rules, tuple(one.id for one in taken.broken), taken.target is None


@pytest.mark.parametrize(
    ("name", "kinds", "every"),
    [
        ("agent-tiny", {"c1", "r1"}, 1),
        ("agent-tiny-results", {"c1", "r1"}, 1),
        ("agent-tiny-ids", {"c1", "c2"}, 2),
        ("agent-tiny-crash", {"c1", "r1", "r1.0"}, 4),
        pytest.param("agent-tiny-ids", {"c1", "c2"}, 1, marks=pytest.mark.soak),
        pytest.param("agent-tiny-crash", {"c1", "r1", "r1.0"}, 1, marks=pytest.mark.soak),
    ],
)
def test_what_is_forgotten_is_never_missed(name: str, kinds: set[str], every: int) -> None:
    """Whatever does not say the name does the same with it and without it.

    Of the larger scopes one state in `every` is looked at; `make soak` looks at all of them.
    """
    found = walked(name)
    world = AgentWorld(BY_NAME[name])
    met: set[str] = set()
    for node in range(0, found.states, every):
        parts = found.graph.parts(node)
        ways = [taken for taken in world.after(parts) if taken.deed.name.endswith("is forgotten")]
        for way in ways:
            assert way.target is not None
            change = Change(world.scope, Forgotten(way.deed.name, way.target))
            met.add(change.word)
            before = deeds(world, parts, change.lost)
            # A record of the attempt after the last may wait: in a shifted scope that one may run.
            before = {
                one: taken
                for one, taken in before.items()
                if change.shift is None or words_of(change.text(one)).isdisjoint(change.new)
            }
            after = deeds(world, way.target, change.new)
            assert {change.text(one) for one in before} == set(after)
            for one, taken in before.items():
                then = after[change.text(one)]
                assert effects(taken) == effects(then)
                if taken.target is not None:
                    assert uncounted(change.state(taken.target)) == uncounted(then.target)

    assert met == kinds


def test_names_that_are_given_back_make_rounds() -> None:
    """From every state of the smallest scope with a name in use, a fresh start can be reached."""
    graph = walked("agent-tiny").graph
    back: dict[int, set[int]] = {}
    for node in range(graph.states):
        for edge in graph.edges(node):
            if graph.targets[edge] < graph.states:
                back.setdefault(graph.targets[edge], set()).add(node)
    reached, waiting = {0}, [0]
    while waiting:
        for before in back.get(waiting.pop(), set()) - reached:
            reached.add(before)
            waiting.append(before)

    assert len(reached) == graph.states


def test_a_name_that_is_still_mentioned_is_not_forgotten() -> None:
    """A directory, an open call or a later attempt keeps a name from being given back."""
    found = walked("agent-tiny")
    world = AgentWorld(BY_NAME["agent-tiny"])
    kept = 0
    for node in range(found.states):
        parts = found.graph.parts(node)
        names = {taken.deed.name for taken in world.after(parts)}
        if "c1 is forgotten" not in names:
            continue
        kept += 1
        left = without_checkpoint(parts, "c1")
        assert "c1" not in words_of(left)
        assert "d1" not in words_of(left)

    assert 0 < kept < found.states
