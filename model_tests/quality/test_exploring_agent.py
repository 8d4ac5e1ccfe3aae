"""The agent explored: how large its small worlds are, what holds in them, and what mutants show.

Goal: everything the explorer says of the intended core is pinned, and each of its reductions is
shown to change nothing but the numbers. Method: every tiny scope is walked with and without them.
"""

from functools import cache

import attrs
import pytest

from fencepost.exploring.agent.scope import AgentScope
from fencepost.exploring.agent.scopes import AGENT_SCOPES
from fencepost.exploring.agent.world import AgentWorld
from fencepost.exploring.breadth import Breadth
from fencepost.exploring.findings import Findings, explore
from fencepost.exploring.progress import Answer
from fencepost.exploring.rendering import names_of
from fencepost.exploring.scopes import core_of
from fencepost_reference.receipts.agent import AgentCore
from fencepost_spec.operation import Kind
from fencepost_spec.receipts.properties import PROPERTIES

pytestmark = pytest.mark.slow

BY_NAME = {scope.name: scope for scope in AGENT_SCOPES}
TINY = [name for name in BY_NAME if name.startswith("agent-tiny")]

# Distinct states, as they are when names are told apart, and transitions.
COUNTS = {
    "agent-tiny": (968, 968, 6631),
    "agent-tiny-results": (125, 125, 848),
    "agent-tiny-pair": (2043, 3924, 17876),
    "agent-tiny-ids": (1194, 2283, 13171),
    "agent-tiny-crash": (2452, 2452, 21930),
    "agent-tiny-batch": (15, 25, 51),
    "agent-tiny-again": (637, 637, 4046),
    "agent-tiny-waits": (1405, 1405, 6474),
    "agent-tiny-retire": (2647, 2647, 21743),
    "agent-tiny-callers": (5295, 8965, 26003),
    "agent-tiny-parks": (46, 46, 172),
    "agent-tiny-refused": (378, 729, 2486),
    "agent-tiny-records": (1286, 2257, 7470),
    "agent-tiny-same": (647, 647, 4246),
    "agent-tiny-nameless": (55, 55, 223),
    "agent-tiny-elsewhere": (32, 32, 153),
    "agent-tiny-damaged": (263, 263, 1340),
    "agent-tiny-capabilities": (18, 18, 73),
}


@cache
def walked(name: str, symmetry: bool = True) -> Findings:
    """Return what the intended core shows in a scope."""
    return explore(AgentWorld(BY_NAME[name]), symmetry=symmetry)


def answers(found: Findings) -> dict[str, Answer]:
    """Return what became of each promise of progress."""
    return {one.asked.property.id: one.asked.answer for one in found.eventually}


def seen(found: Findings) -> tuple[object, ...]:
    """Return everything a reduction may not change."""
    broken = tuple(one.property.id for one in found.always if one.broken is not None)
    shortest = tuple(one.broken.actions for one in found.always if one.broken is not None)
    witnesses = tuple((one.property.id, one.actions) for one in found.sometimes)
    cut = {bound: bool(times) for bound, times in found.cut.items()}
    return broken, shortest, answers(found), witnesses, bool(found.deadlocks), cut, found.unused


@pytest.mark.parametrize("name", TINY)
def test_the_size_of_a_scope_is_known(name: str) -> None:
    """A silent change of what can happen changes a number here first."""
    found = walked(name)

    assert (found.states, found.whole, found.transitions) == COUNTS[name]


@pytest.mark.parametrize("name", TINY)
def test_the_intended_agent_keeps_its_promises(name: str) -> None:
    """Nothing is broken and nothing is stuck; what the scope has to show, it shows."""
    found = walked(name)

    assert found.exit_code == 0, list(found.wrong)
    assert {one.property.id for one in found.sometimes} == set(BY_NAME[name].shows)
    assert Answer.BROKEN not in answers(found).values()


def test_every_always_is_asked_and_every_eventually_is_owed_somewhere() -> None:
    """No promise of an agent holds in the tiny scopes because nobody could break it."""
    asked = {one.property.id for name in TINY for one in walked(name).always}
    owed = {
        one.asked.property.id
        for name in TINY
        for one in walked(name).eventually
        if one.asked.answer is not Answer.NEVER
    }

    assert asked == {one.id for one in PROPERTIES if one.kind is Kind.ALWAYS}
    assert owed == {one.id for one in PROPERTIES if one.kind is Kind.EVENTUALLY}


@pytest.mark.parametrize("name", TINY)
def test_symmetry_changes_nothing_but_the_numbers(name: str) -> None:
    """Verdicts agree with and without, and the states that stand for others add up to all."""
    reduced, whole = walked(name), walked(name, symmetry=False)

    assert seen(reduced) == seen(whole)
    assert reduced.whole == whole.states == whole.whole
    owed = [(one.asked.owed, one.asked.cut) for one in reduced.eventually]
    assert owed == [(one.asked.owed, one.asked.cut) for one in whole.eventually]


AT_ONCE = (
    AgentScope("runs", "", ops=("prepare", "resume"), shows=("R-SOM-5",)),
    AgentScope("results", "", ops=("prepare", "resume"), events=(), ends=("completed",)),
    AgentScope("retires", "", ops=("prepare", "retire"), events=(), ends=("completed",)),
    AgentScope("storage", "", ops=("prepare", "commit", "restore"), events=(), ends=(), crashes=1),
)


@pytest.mark.parametrize("scope", AT_ONCE, ids=lambda scope: scope.name)
def test_answers_that_leave_at_once_change_no_verdict(scope: AgentScope) -> None:
    """An answer on its way delays nothing that a promise asks about."""
    slow = explore(AgentWorld(attrs.evolve(scope, at_once=False)))
    quick = explore(AgentWorld(scope))

    assert slow.states > quick.states
    assert _but_for_answers(slow) == _but_for_answers(quick)


def _but_for_answers(found: Findings) -> tuple[object, ...]:
    """Return what is seen, but for whether the answers themselves leave."""
    progress = answers(found)
    assert progress.pop("R-LIV-9") in (Answer.HOLDS, Answer.NEVER)
    witnesses = tuple((one.property.id, one.actions) for one in found.sometimes)
    return list(found.wrong), progress, witnesses, found.deadlocks, set(found.cut)


def test_a_null_result_that_can_never_be_released_blocks_for_ever() -> None:
    """The known fault D3: the receipt is given back again and again, and always refused."""
    core = core_of("a null result can never be released")
    found = explore(AgentWorld(BY_NAME["agent-tiny-results"], core))
    (wrong,) = [one for one in found.eventually if one.lasso is not None]
    lasso = wrong.lasso

    assert wrong.asked.property.id == "R-LIV-1"
    assert lasso is not None
    assert names_of(lasso.way) == ["run r1.0", "(handler begins r1.0)", "complete r1.0 with null"]
    assert names_of(lasso.round) == ["acknowledge r1.0"]
    assert lasso.state == "fence idle · open · r1 attempt 0 completed, unacknowledged"


def test_nothing_is_released_where_nobody_acknowledges() -> None:
    """Without the fairness that the promise assumes, the intended agent is stuck for ever."""
    scope = attrs.evolve(BY_NAME["agent-tiny-results"], acknowledges=False, shows=())
    found = explore(AgentWorld(scope))
    (wrong,) = [one for one in found.eventually if one.lasso is not None]

    assert wrong.asked.property.id == "R-LIV-1"
    assert wrong.lasso is not None
    assert names_of(wrong.lasso.round) == []
    assert found.exit_code == 1


@pytest.mark.soak
def test_the_intended_agent_keeps_its_promises_in_a_larger_world() -> None:
    """What holds in the tiny scopes holds in the small one, and its size is known too."""
    found = explore(AgentWorld(BY_NAME["agent-small"]))

    assert (found.states, found.whole, found.transitions) == (46_306, 91_581, 483_504)
    assert found.exit_code == 0, list(found.wrong)


def first_broken(core: AgentCore, scope: AgentScope) -> tuple[str, int] | None:
    """Return the promise that is broken with the fewest actions, and how many they are."""
    broken = Breadth(AgentWorld(scope, core), until_broken=True).walk().broken
    least = min(broken.values(), key=lambda one: one.actions, default=None)
    return None if least is None else (least.property.id, least.actions)


BROKEN = (
    ("resume leaves a waiting prepare at work", "agent-tiny", "R-INV-17", 2),
    ("no watermark", "agent-tiny-crash", "R-INV-4", 2),
    ("a stale wake moves work that a later prepare counted", "agent-tiny", "R-INV-7", 4),
    ("restore over live work", "agent-tiny-ids", "R-INV-20", 5),
)


@pytest.mark.parametrize(("mutant", "scope", "promise", "actions"), BROKEN)
def test_a_mutant_is_found_by_the_promise_that_it_breaks(
    mutant: str, scope: str, promise: str, actions: int
) -> None:
    """The shortest trace of a known fault, and the promise that sees it."""
    assert first_broken(core_of(mutant), BY_NAME[scope]) == (promise, actions)
