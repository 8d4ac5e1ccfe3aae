"""The ledger explored: how large its small worlds are, what holds in them, what mutants show.

Goal: everything the explorer says of the intended core is pinned, and each of its reductions is
shown to change nothing but the numbers. Method: every tiny scope is walked with and without them.
"""

from functools import cache
from typing import Any

import pytest

from fencepost.exploring import comparing
from fencepost.exploring.findings import Findings, explore
from fencepost.exploring.ledger.forgetting import shift, without_first
from fencepost.exploring.ledger.scopes import LEDGER_SCOPES
from fencepost.exploring.ledger.symmetry import renamed_part
from fencepost.exploring.ledger.world import LedgerWorld
from fencepost.exploring.progress import Answer
from fencepost.exploring.rendering import names_of
from fencepost.exploring.scopes import core_of
from fencepost.exploring.small_world import Names, Parts
from fencepost_reference.model import Step
from fencepost_reference.receipts.ledger.actions import Call
from fencepost_reference.receipts.ledger.core import LedgerCore
from fencepost_reference.receipts.ledger.state import State
from fencepost_spec.operation import Kind
from fencepost_spec.receipts.ledger.properties import PROPERTIES

BY_NAME = {scope.name: scope for scope in LEDGER_SCOPES}
TINY = [name for name in BY_NAME if name.startswith("ledger-tiny")]

# Distinct states, as they are when names are told apart, and transitions.
COUNTS = {
    "ledger-tiny": (37, 37, 360),
    "ledger-tiny-siblings": (118, 217, 994),
    "ledger-tiny-cohort": (235, 430, 1926),
    "ledger-tiny-admission": (338, 673, 4094),
    "ledger-tiny-agents": (354, 1301, 2985),
    "ledger-tiny-crash": (1498, 1498, 16169),
    "ledger-tiny-files": (175, 175, 1519),
    "ledger-tiny-restart": (1306, 2437, 9930),
    "ledger-tiny-masked": (25, 25, 245),
    "ledger-tiny-wrong": (16, 16, 831),
    "ledger-tiny-wrong-cohort": (32, 50, 764),
    "ledger-tiny-fields": (10, 10, 182),
    "ledger-tiny-odd": (187, 187, 1092),
    "ledger-tiny-odd-admission": (80, 80, 490),
    "ledger-tiny-sources": (1333, 2491, 10389),
    "ledger-tiny-together": (83, 164, 827),
}
UNUSED = {
    "R-LOP-21", "R-LOP-30", "R-LSV-17", "R-LSV-36", "R-LSV-42", "R-LSV-43",
    "R-LSV-44",
}  # fmt: skip


@cache
def walked(name: str, symmetry: bool = True) -> Findings:
    """Return what the intended core shows in a scope."""
    return explore(LedgerWorld(BY_NAME[name]), symmetry=symmetry)


@pytest.mark.parametrize("name", TINY)
def test_the_size_of_a_scope_is_known(name: str) -> None:
    """A silent change of what can happen changes a number here first."""
    assert comparing.sizes(walked(name)) == COUNTS[name]


@pytest.mark.parametrize("name", TINY)
def test_the_intended_ledger_keeps_its_promises(name: str) -> None:
    """Nothing is broken and nothing is stuck; what the scope has to show, it shows."""
    found = walked(name)

    assert found.exit_code == 0, list(found.wrong)
    assert {one.property.id for one in found.sometimes} == set(BY_NAME[name].shows)
    assert Answer.NEVER not in comparing.answers(found).values()
    assert comparing.open_promises(found) == set()


def test_every_promise_is_asked_somewhere() -> None:
    """No promise of a ledger is left out of the tiny scopes."""
    asked = {one.property.id for name in TINY for one in walked(name).always}
    owed = {name for tiny in TINY for name in comparing.answers(walked(tiny))}
    shown = {one.property.id for name in TINY for one in walked(name).sometimes}

    assert asked == {one.id for one in PROPERTIES if one.kind is Kind.ALWAYS}
    assert owed == {one.id for one in PROPERTIES if one.kind is Kind.EVENTUALLY}
    assert shown == {one.id for one in PROPERTIES if one.kind is Kind.SOMETIMES}


def test_the_rules_that_no_tiny_scope_exercises_are_known() -> None:
    """What an intended controller and its own files cannot come to is in none of them."""
    assert comparing.used_nowhere(walked(name) for name in TINY) == UNUSED


@pytest.mark.parametrize("name", TINY)
def test_symmetry_changes_nothing_but_the_numbers(name: str) -> None:
    """Verdicts agree with and without, and the states that stand for others add up to all."""
    reduced, whole = walked(name), walked(name, symmetry=False)

    assert comparing.verdicts(reduced) == comparing.verdicts(whole)
    assert reduced.whole == whole.states == whole.whole


@pytest.mark.parametrize("name", TINY)
def test_an_attempt_that_is_forgotten_is_never_missed(name: str) -> None:
    """Whatever does not say the attempt does the same with it and without it, by the same rules."""
    scope, found = BY_NAME[name], walked(name)
    world = LedgerWorld(scope)
    met = 0
    for node in range(found.states):
        parts = found.graph.parts(node)
        for done, left in world.forgotten(parts):
            met += 1
            first = done.name.split()[0]
            rollout = first.removesuffix(".0")
            group_id, index = rollout.split("_g")
            names = shift(scope, rollout)

            def lowered(
                parts: Parts, group_id: str = group_id, index: int = int(index)
            ) -> Parts | None:
                return without_first(scope, parts, group_id, index)

            def renamed(text: str, names: Names = names) -> str:
                return str(renamed_part(text, names))

            # The attempt after the last is one that only a walk without the first may come to.
            new = {renamed(f"{rollout}.{scope.attempts}")}
            differs = comparing.missed(world, parts, left, lowered, renamed, {first}, new)
            # The bound of attempts cuts off a retry that the state without the first allows.
            assert set(differs) <= {f"retry {group_id} by other rules"}, differs
    assert bool(met) == (scope.attempts > 1)


LASSOES = (
    ("acknowledges whole cohorts only", "ledger-tiny-cohort", "R-LLV-1"),
    ("records once", "ledger-tiny-cohort", "R-LLV-1"),
    ("keeps what is given up", "ledger-tiny", "R-LLV-15"),
    ("owes the next attempt", "ledger-tiny-cohort", "R-LLV-1"),
    ("reads missing keys as null", "ledger-tiny-files", "R-LLV-1"),
)


@pytest.mark.parametrize(("mutant", "scope", "promise"), LASSOES)
def test_a_mutant_blocks_for_ever(mutant: str, scope: str, promise: str) -> None:
    """A known fault keeps something owed for ever, although the controller does all it should."""
    found = explore(LedgerWorld(BY_NAME[scope], core_of(mutant, "ledger")))

    assert promise in comparing.for_ever(found)
    assert found.exit_code == 1


class NeverRetries(LedgerCore):
    """A ledger that refuses every retry, as one of a group that nobody knows."""

    def step(self, state: State, action: Any) -> Step:
        """Apply one action; a retry is one of another group."""
        if isinstance(action, Call) and action.op == "prepare_incomplete_retry":
            action = Call(action.op, {"group_id": "nobody"})
        return super().step(state, action)


@pytest.mark.parametrize("name", ["ledger-tiny", "ledger-tiny-masked"])
def test_a_retry_that_is_refused_ends_nothing(name: str) -> None:
    """What a scope cuts off is taken for the end of a debt only where it would be accepted."""
    found = explore(LedgerWorld(BY_NAME[name], NeverRetries()))

    assert "R-LLV-2" in comparing.for_ever(found)
    assert "attempts" not in found.cut


def test_a_cohort_that_is_acknowledged_as_a_whole_blocks_for_ever() -> None:
    """The known fault B1, read by a person: the sibling that has finished waits for the other."""
    core = core_of("acknowledges whole cohorts only", "ledger")
    found = explore(LedgerWorld(BY_NAME["ledger-tiny-cohort"], core))
    lasso = next(one.lasso for one in found.eventually if one.lasso is not None)

    assert names_of(lasso.way) == ["reserve p1", "dispatch p1", "a1 finishes p1_g0.0"]
    assert lasso.subject == "p1_g0.0"


BROKEN = (
    ("saves a uuid", "ledger-tiny", "R-LIN-31", 1),
    ("numbers attempts again", "ledger-tiny", "R-LIN-1", 3),
    ("forgets staged rows", "ledger-tiny", "R-LIN-31", 4),
    ("takes any result", "ledger-tiny-wrong", "R-LIN-5", 3),
    ("admits one group", "ledger-tiny-admission", "R-LIN-28", 3),
    ("remembers what it refused", "ledger-tiny-wrong-cohort", "R-LIN-40", 2),
    ("seals half a cohort", "ledger-tiny-wrong-cohort", "R-LIN-6", 3),
    ("forgets what is owed with the group", "ledger-tiny-cohort", "R-LIN-14", 5),
    ("forgets what is owed for abandoned work", "ledger-tiny-cohort", "R-LIN-14", 5),
)


@pytest.mark.parametrize(("mutant", "scope", "promise", "actions"), BROKEN)
def test_a_mutant_is_found_by_the_promise_that_it_breaks(
    mutant: str, scope: str, promise: str, actions: int
) -> None:
    """The shortest trace of a known fault, and the promise that sees it."""
    world = LedgerWorld(BY_NAME[scope], core_of(mutant, "ledger"))
    assert comparing.first_broken(world) == (promise, actions)


@pytest.mark.soak
def test_the_intended_ledger_keeps_its_promises_in_a_larger_world() -> None:
    """What holds in the tiny scopes holds in the small one, and its size is known too."""
    found = walked("ledger-small")

    assert comparing.sizes(found) == (15_958, 31_167, 217_534)
    assert found.exit_code == 0, list(found.wrong)
