"""A walk that remembers finds what a plain walk finds: same states, transitions, broken promises.

Goal: the quick form of a small world is only ever what the world itself has answered. Method:
every tiny scope is walked both ways and the graphs are compared place by place, with the intended
core and with each named mutant; then a world that hides a question from the record is walked, and
the comparison has to notice.
"""

from typing import Any

import attrs
import pytest

from fencepost.exploring.agent.around import FIELDS, state_of
from fencepost.exploring.agent.scope import AgentScope
from fencepost.exploring.agent.scopes import AGENT_SCOPES
from fencepost.exploring.agent.world import AgentWorld
from fencepost.exploring.asking import ABSENT, Record
from fencepost.exploring.beside import AskedSide, Heard, first_otherwise
from fencepost.exploring.breadth import Breadth, Budget, Walked
from fencepost.exploring.differing import those
from fencepost.exploring.firsts.finding import mutants_of, otherwise
from fencepost.exploring.firsts.table import OTHERWISE
from fencepost.exploring.recording import plain, recorded
from fencepost.exploring.scopes import SCOPES, core_of
from fencepost.mutants.mutant import idle
from fencepost_reference.model import Own
from fencepost_reference.receipts import actions as a
from fencepost_reference.receipts.agent import AgentCore, is_decided
from fencepost_reference.receipts.changes import change
from fencepost_reference.receipts.state import History, Reply, State

pytestmark = pytest.mark.slow

BY_NAME = {scope.name: scope for scope in AGENT_SCOPES}
TINY = [name for name in BY_NAME if name.startswith("agent-tiny")]


def is_of_a_run(_state: State, own: Own) -> bool:
    """Return whether a step is the answer of a run."""
    return type(own.action) is a.Leave and own.action.call.startswith("run")


def found(scope: AgentScope, core: AgentCore | None = None, **how: Any) -> tuple[object, ...]:
    """Return everything that a walk has found, in the order in which it was found."""
    return everything(Breadth(AgentWorld(scope, core), **how).walk())


def everything(walked: Walked) -> tuple[object, ...]:
    """Return all that a walk knows: its graph, and what it noted on the way."""
    graph = walked.graph
    return (
        [graph.parts(node) for node in range(graph.states)],
        [list(one) for one in (graph.targets, graph.done, graph.turns, graph.first, graph.count)],
        [list(one) for one in (graph.parent, graph.parent_edge, graph.depth)],
        graph.deeds,
        walked.broken,
        walked.used,
        walked.cut,
        walked.deadlocks,
    )


@pytest.mark.parametrize("symmetry", [True, False], ids=["reduced", "whole"])
@pytest.mark.parametrize("name", TINY)
def test_a_walk_that_remembers_finds_what_a_plain_walk_finds(name: str, symmetry: bool) -> None:
    """The very same graph, state by state and transition by transition."""
    remembered = found(BY_NAME[name], symmetry=symmetry)

    assert remembered == found(BY_NAME[name], symmetry=symmetry, plain=True)


def test_the_beginning_of_larger_worlds_is_the_same_too() -> None:
    """Every kind of deed of a larger scope, as far as a budget goes."""
    budget = Budget(states=1_500)
    for name in BY_NAME.keys() - set(TINY):
        remembered = found(BY_NAME[name], budget=budget)
        assert remembered == found(BY_NAME[name], budget=budget, plain=True)


@pytest.mark.parametrize("name", ["agent-tiny-retire", "agent-tiny-waits", "agent-tiny-callers"])
@pytest.mark.parametrize("core", [AgentCore(), idle(is_of_a_run)], ids=["right", "idle"])
def test_the_answers_that_may_leave_are_those_of_all_own_steps(name: str, core: AgentCore) -> None:
    """A core that is asked for these alone gives the same, in the same order, by the same rules."""
    scope = attrs.evolve(BY_NAME[name], at_once=False)
    graph = Breadth(AgentWorld(scope), budget=Budget(states=300)).walk().graph
    met = 0
    for node in range(graph.states):
        state = state_of(graph.parts(node))
        wanted = [one for one in core.own(state) if type(one.action) in (a.Leave, a.ReturnOrphan)]
        met += len(wanted)
        assert list(core.leaving(state, those(state.calls, is_decided))) == wanted

    assert met


MUTANTS = (
    ("resume leaves a waiting prepare at work", "agent-tiny"),
    ("a stale wake moves work that a later prepare counted", "agent-tiny"),
    ("no watermark", "agent-tiny-crash"),
    ("restore over live work", "agent-tiny-ids"),
    ("a null result can never be released", "agent-tiny-results"),
    # Its step makes a new value where one that records stood, and the promise compares the two.
    ("a record is restored under a refused attempt", "agent-tiny-again"),
)


@pytest.mark.parametrize(("mutant", "name"), MUTANTS)
def test_a_mutant_breaks_the_same_promises_both_ways(mutant: str, name: str) -> None:
    """Every broken promise at the same transition, after as many actions."""
    remembered = found(BY_NAME[name], core_of(mutant))

    assert remembered == found(BY_NAME[name], core_of(mutant), plain=True)


NEAR = 150
"""So many states of a scope show what nearly all of its deeds do."""


@pytest.mark.soak
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("mutant", mutants_of("agent"))
def test_each_mutant_breaks_the_same_promises_both_ways(mutant: str) -> None:
    """In the beginning of every tiny scope, and not only where the mutant is known to show."""
    budget = Budget(states=NEAR)
    for name in TINY:
        remembered = found(BY_NAME[name], core_of(mutant), budget=budget)
        assert remembered == found(BY_NAME[name], core_of(mutant), budget=budget, plain=True), name


@pytest.mark.soak
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("mutant", OTHERWISE["agent"])
def test_each_mutant_does_otherwise_after_as_many_actions_both_ways(mutant: str) -> None:
    """Beside the intended core, remembered and asked anew of each state."""
    scope = SCOPES[OTHERWISE["agent"][mutant]]
    cores = Heard(AgentCore()), Heard(core_of(mutant))
    asked = first_otherwise(*(AskedSide(scope.world(core), core) for core in cores))
    seen = otherwise("agent", mutant, scope.name)

    assert seen is not None
    assert asked is not None
    assert seen.actions == asked.actions


def test_a_value_that_records_is_equal_to_a_plain_one_with_the_same_fields() -> None:
    """Whichever of the two is asked, and however often; what is compared is written down."""
    value = change(History(), finished=History().finished.set("c1", ("d1", Reply(200))))
    record = Record()
    (recording,) = recorded(record, (value,))
    seen = recording.look()

    assert type(seen) is not History
    assert seen == value
    assert value == seen
    assert hash(seen) == hash(value)
    assert {seen, value} == {value}
    assert seen != History()
    assert History() != seen
    assert seen != ABSENT
    assert plain(seen) == value
    assert any(asking[:2] == (0, ("field", "finished")) for asking in record.answers)


# What is asked of a part, by the name of its place; without the keys, which differ.
HIDDEN = (
    ("left", "whole"),
    ("done", "get", "whole"),
    ("history", "field finished", "has"),
    ("history", "field acknowledged", "length"),
    ("fence", "field deadline", "whole"),
    ("executions", "get", "field status", "whole"),
)


@pytest.mark.parametrize("hidden", HIDDEN, ids=" ".join)
def test_a_question_that_is_not_written_down_is_noticed(
    hidden: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """When what is read escapes the record, the walk that remembers differs, or stops."""
    plain = found(BY_NAME["agent-tiny-results"], plain=True)
    note = Record.note
    hid: list[tuple[str, ...]] = []

    def deaf(self: Record, asking: tuple[Any, ...], answer: Any) -> None:
        if named(asking) == hidden:
            hid.append(hidden)
        else:
            note(self, asking, answer)

    monkeypatch.setattr(Record, "note", deaf)
    assert remembered_or_stopped() != plain
    assert hid


def remembered_or_stopped() -> tuple[object, ...]:
    """Return what a walk that remembers finds, or how it was stopped by a branch gone astray."""
    try:
        return found(BY_NAME["agent-tiny-results"])
    except AssertionError as stopped:
        return stopped.args


def named(asking: tuple[Any, ...]) -> tuple[str, ...]:
    """Return a question in words."""
    place, *steps = asking
    return FIELDS[place], *(f"field {name}" if how == "field" else how for how, name in steps)
