"""Worlds around a controller explored: their size, what holds in them, and what faults show."""

from functools import cache

import attrs
import pytest

from fencepost.exploring.findings import Findings, explore
from fencepost.exploring.progress import Answer
from fencepost.exploring.rendering import names_of
from fencepost.exploring.world.controllers import spec_named
from fencepost.exploring.world.scope import NETWORK, PARTICIPANTS, STORAGE, Left, WorldScope
from fencepost.exploring.world.scopes import WORLD_SCOPES
from fencepost.exploring.world.scopes_of_faults import SCOPES_OF_FAULTS
from fencepost.exploring.world.world import WorldOfControllers
from fencepost.faults import UsageFault
from fencepost_reference.receipts.controller.actions import Submit
from fencepost_reference.receipts.promises import PROMISES as AGENTS
from fencepost_spec.operation import Kind
from fencepost_spec.receipts.world import PROPERTIES

pytestmark = pytest.mark.slow

BY_NAME = {scope.name: scope for scope in WORLD_SCOPES}
TINY = [n for n in BY_NAME if n.startswith("world-tiny") and BY_NAME[n] not in SCOPES_OF_FAULTS]

# Distinct states, as they are when siblings are told apart, and transitions.
COUNTS = {
    "world-tiny": (356, 356, 585),
    "world-tiny-cohort": (2039, 3767, 3823),
    "world-tiny-lost": (1858, 1858, 3094),
    "world-tiny-release": (760, 760, 1272),
    "world-tiny-storage": (5156, 5156, 9082),
    "world-tiny-crash": (2703, 4090, 5174),
    "world-tiny-both": (2703, 4090, 5174),
    "world-tiny-agent": (2851, 2851, 4982),
    "world-tiny-stale": (1266, 1266, 2271),
    "world-tiny-model": (9729, 9729, 17882),
    "world-tiny-referee": (1910, 1910, 3046),
    "world-tiny-referee-lost": (1242, 1242, 1923),
    "world-tiny-referee-crash": (2864, 2864, 4786),
    "world-tiny-twice": (846, 846, 1304),
    "world-tiny-steps": (953, 953, 1441),
    "world-tiny-referee-model": (227, 227, 323),
    "world-tiny-referee-stale": (687, 687, 1018),
    "world-tiny-referee-outbox": (386, 386, 577),
    "world-tiny-fallback": (5846, 5846, 10943),
    "world-tiny-late": (7079, 7079, 15984),
    "world-tiny-strict": (828, 828, 1260),
    "world-tiny-strict-servers": (1300, 1300, 2377),
    "world-tiny-impatient": (689, 689, 1594),
}

OWED = {one.id for one in PROPERTIES if one.kind is Kind.EVENTUALLY}


def owed_in(scope: WorldScope) -> set[str]:
    """Return the promises of progress that somebody is owed in a scope."""
    crashes = scope.left.whole_crashes or scope.left.controller_crashes
    asked = {"R-WEV-6": scope.snapshots and scope.patient, "R-WEV-8": crashes}
    return {one for one in OWED if asked.get(one, True)}


@cache
def walked(name: str, fault: str | None = None, *, symmetry: bool = True) -> Findings:
    """Return what a controller shows in a scope."""
    spec = None if fault is None else spec_named(fault)
    return explore(WorldOfControllers(BY_NAME[name], spec), symmetry=symmetry)


def answers(found: Findings) -> dict[str, Answer]:
    """Return what became of each promise of progress."""
    return {one.asked.property.id: one.asked.answer for one in found.eventually}


def broken(found: Findings) -> dict[str, int]:
    """Return each `always` that is broken, with the actions of the shortest counterexample."""
    return {one.property.id: one.broken.actions for one in found.always if one.broken is not None}


@pytest.mark.parametrize("name", TINY)
def test_the_size_of_a_world_is_known(name: str) -> None:
    """A silent change of what can happen changes a number here first."""
    found = walked(name)

    assert (found.states, found.whole, found.transitions) == COUNTS[name]


@pytest.mark.parametrize("name", TINY)
def test_the_intended_controller_keeps_its_promises(name: str) -> None:
    """Nothing is broken and nothing is stuck; what the scope has to show, it shows."""
    found = walked(name)

    assert found.exit_code == 0, list(found.wrong)
    assert not found.deadlocks
    assert {one.property.id for one in found.sometimes} == set(BY_NAME[name].shows)
    held = {one for one, answer in answers(found).items() if answer is Answer.HOLDS}
    assert held >= owed_in(BY_NAME[name])
    # What a participant does at once is never owed.
    assert set(answers(found).values()) <= {Answer.HOLDS, Answer.NEVER}


def test_every_promise_is_asked_owed_or_shown_somewhere() -> None:
    """No promise of a world holds in the tiny scopes because nobody asked it."""
    asked = {one.property.id for name in TINY for one in walked(name).always}
    owed = {one for name in TINY for one in answers(walked(name)) if one in OWED}
    shown = {one.property.id for name in TINY for one in walked(name).sometimes}

    assert asked >= {one.id for one in PROPERTIES if one.kind is Kind.ALWAYS} | set(AGENTS)
    assert owed == OWED
    assert shown == {one.id for one in PROPERTIES if one.kind is Kind.SOMETIMES}


def test_what_a_scope_cuts_off_is_told() -> None:
    """A bound that was met is named, and how often."""
    assert set(walked("world-tiny-lost").cut) == {"lost"}
    assert set(walked("world-tiny-fallback").cut) == {"whole crashes"}
    assert walked("world-tiny").cut == {}


# What is known to be wrong.


def test_a_controller_that_acknowledges_only_whole_groups_blocks_for_ever() -> None:
    """One sibling of a cohort has finished, the other failed: nobody ever lets the result go."""
    found = walked("world-tiny-cohort", "acknowledges only whole groups")
    lassos = {one.asked.property.id: one.lasso for one in found.eventually if one.lasso}
    lasso = lassos["R-WEV-1"]

    assert broken(found) == {}
    assert answers(found)["R-WEV-2"] is Answer.BROKEN
    assert lasso is not None
    assert names_of(lasso.way)[:4] == [
        "submit g1",
        "(registers g1_g0.0 g1_g1.0)",
        "g1_g0.0 finishes",
        "g1_g1.0 fails",
    ]
    assert lasso.subject == "g1_g0.0"
    assert "g1_g0.0 completed unacknowledged" in lasso.state
    assert "a snapshot is due" in names_of(lasso.round)
    assert not any("acknowledge" in name for name in names_of(lasso.round))


def test_a_controller_that_reruns_after_a_lost_reply_blocks_for_ever() -> None:
    """The lasso as a person reads it: the answer is lost, and every later attempt is refused."""
    found = walked("world-tiny-lost", "reruns after a lost reply without retiring")
    lassos = {one.asked.property.id: one.lasso for one in found.eventually if one.lasso}
    lasso = lassos["R-WEV-1"]

    assert broken(found) == {}
    assert set(lassos) == {"R-WEV-1", "R-WEV-2", "R-WEV-6"}
    assert lasso is not None
    assert names_of(lasso.way) == [
        "submit g1",
        "(registers g1_g0.0)",
        "(arrives: run g1_g0 0)",
        "g1_g0.0 finishes",
        "answer lost: run g1_g0 0",
        "(registers g1_g0.1)",
    ]
    assert lasso.state == "gate open · owns g1 · a1 idle · g1_g0.0 completed unacknowledged"
    assert names_of(lasso.round)[:6] == [
        "a snapshot is due",
        "(prepare agent a1)",
        "the deadline comes",
        "(resume agent a1)",
        "(concludes)",
        "(registers g1_g0.2)",
    ]


WRONG = (
    ("publishes after failed storage", "world-tiny-storage", "R-WLD-5"),
    ("opens the gate before the release is confirmed", "world-tiny-release", "R-WLD-8"),
    ("publishes although the step has changed", "world-tiny-steps", "R-WLD-11"),
    ("dispatches while frozen", "world-tiny-referee-lost", "R-WLD-11"),
    ("publishes with a full outbox", "world-tiny-referee-lost", "R-WLD-11"),
)


@pytest.mark.parametrize(("fault", "scope", "promise"), WRONG)
def test_a_fault_is_found_by_the_promise_that_it_breaks(
    fault: str, scope: str, promise: str
) -> None:
    """The shortest trace of a known fault has at most three actions."""
    assert broken(walked(scope, fault))[promise] <= 3


STUCK = (
    ("does not repeat a release", "world-tiny-release", {"R-WEV-2", "R-WEV-3", "R-WEV-5"}),
    ("lets a group go and forgets its attempts", "world-tiny-stale", {"R-WEV-1", "R-WEV-6"}),
)


@pytest.mark.parametrize(("fault", "scope", "promises"), STUCK)
def test_a_fault_that_blocks_is_found_by_a_promise_of_progress(
    fault: str, scope: str, promises: set[str]
) -> None:
    """Nothing that must never happen happens, and what must come about does not."""
    found = walked(scope, fault)

    assert broken(found) == {}
    assert {one.asked.property.id for one in found.eventually if one.lasso} == promises


def test_a_fault_that_nobody_has_is_refused_with_those_that_are_known() -> None:
    """A misspelt name is no controller."""
    with pytest.raises(UsageFault, match="no controller has the fault"):
        spec_named("is late for lunch")


# Reductions.

ONE = (Submit("g1", 1, "sibling", "a1"),)
SLOW = (
    WorldScope("plain", "", groups=ONE, boundaries=False, left=Left(groups=1)),
    WorldScope(
        "lost",
        "",
        groups=ONE,
        boundaries=False,
        snapshots=False,
        left=Left(groups=1, snapshots=1, lost=1),
        lossy=("run", "retire"),
    ),
    WorldScope(
        "crash",
        "",
        groups=ONE,
        boundaries=False,
        snapshots=False,
        left=Left(groups=1, snapshots=1, whole_crashes=1),
    ),
)


def seen(found: Findings) -> tuple[object, ...]:
    """Return everything that a reduction may not change."""
    return broken(found), answers(found), bool(found.deadlocks), set(found.cut)


WITH_SIBLINGS = (
    ("world-tiny-cohort", None),
    ("world-tiny-crash", None),
    ("world-tiny-both", None),
    ("world-tiny-cohort", "acknowledges only whole groups"),
)


@pytest.mark.parametrize(("name", "fault"), WITH_SIBLINGS)
def test_symmetry_changes_nothing_but_the_numbers(name: str, fault: str | None) -> None:
    """Verdicts agree with and without, and the states that stand for others add up to all."""
    reduced, whole = walked(name, fault), walked(name, fault, symmetry=False)

    assert reduced.states < whole.states
    assert reduced.whole == whole.states == whole.whole
    assert seen(reduced) == seen(whole)
    assert [one.asked.owed for one in reduced.eventually] == [
        one.asked.owed for one in whole.eventually
    ]
    assert [(one.property.id, one.actions) for one in reduced.sometimes] == [
        (one.property.id, one.actions) for one in whole.sometimes
    ]


@pytest.mark.parametrize("scope", SLOW, ids=lambda scope: scope.name)
@pytest.mark.parametrize("left_out", [NETWORK, PARTICIPANTS, STORAGE, "everything"])
def test_what_is_done_at_once_changes_no_verdict(scope: WorldScope, left_out: str) -> None:
    """Messages, answers and steps of storage on their own make a larger world, and no other."""
    at_once = frozenset[str]() if left_out == "everything" else scope.at_once - {left_out}
    slow = explore(WorldOfControllers(attrs.evolve(scope, at_once=at_once)))
    quick = explore(WorldOfControllers(scope))

    assert slow.states >= quick.states
    assert seen(slow) == seen(quick)


def test_numbers_that_are_given_back_change_no_verdict() -> None:
    """With as many snapshots as can be counted, ids that stay used up show the same."""
    scope = attrs.evolve(SLOW[0], snapshots=False, left=Left(groups=1, snapshots=3))
    kept = explore(WorldOfControllers(attrs.evolve(scope, pool=False)))
    given_back = explore(WorldOfControllers(scope))

    assert kept.states > given_back.states
    assert seen(kept) == seen(given_back)


def test_with_numbers_that_are_given_back_the_world_comes_round_again() -> None:
    """Snapshots are made for ever in finitely many states; so progress is not vacuous."""
    found = walked("world-tiny")
    graph = found.graph
    saves = {number for number, deed in enumerate(graph.deeds) if "snapshot saved" in deed.marks}
    back = [
        edge
        for node in range(graph.states)
        for edge in graph.edges(node)
        if graph.done[edge] in saves and graph.targets[edge] <= node
    ]
    assert back
