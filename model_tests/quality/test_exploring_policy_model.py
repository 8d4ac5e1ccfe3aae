"""The policy model explored: how large its small worlds are, what holds, what mutants show.

Goal: everything the explorer says of the intended core is pinned, and each of its reductions is
shown to change nothing but the numbers. Method: every tiny scope is walked with and without them.
"""

from functools import cache, partial

import attrs
import pytest

from fencepost.exploring import comparing
from fencepost.exploring.findings import Findings, explore
from fencepost.exploring.policy_model.scopes import MODEL_SCOPES
from fencepost.exploring.policy_model.world import ModelWorld, without_checkpoint, without_rollout
from fencepost.exploring.progress import Answer
from fencepost.exploring.scopes import core_of
from fencepost.exploring.servers.scope import words_of_checkpoint, words_of_rollout
from fencepost_spec.operation import Kind
from fencepost_spec.receipts.policy_model.properties import MODEL_PROPERTIES

BY_NAME = {scope.name: scope for scope in MODEL_SCOPES}
TINY = [name for name in BY_NAME if name.startswith("model-tiny")]

# Distinct states, as they are when names are told apart, and transitions.
COUNTS = {
    "model-tiny": (123, 141, 787),
    "model-tiny-aborts": (341, 341, 2242),
    "model-tiny-ids": (594, 1172, 5146),
    "model-tiny-ledger": (339, 339, 1946),
    "model-tiny-crash": (1127, 1127, 8011),
    "model-tiny-copies": (1465, 1465, 9148),
    "model-tiny-callers": (360, 360, 1808),
    "model-tiny-auxiliary": (2, 2, 12),
}


@cache
def walked(name: str, symmetry: bool = True) -> Findings:
    """Return what the intended core shows in a scope."""
    return explore(ModelWorld(BY_NAME[name]), symmetry=symmetry)


@pytest.mark.parametrize("name", TINY)
def test_the_size_of_a_scope_is_known(name: str) -> None:
    """A silent change of what can happen changes a number here first."""
    assert comparing.sizes(walked(name)) == COUNTS[name]


@pytest.mark.parametrize("name", TINY)
def test_the_intended_model_keeps_its_promises(name: str) -> None:
    """Nothing is broken, stuck or cut; what the scope has to show, it shows."""
    found = walked(name)

    assert found.exit_code == 0, list(found.wrong)
    assert {one.property.id for one in found.sometimes} == set(BY_NAME[name].shows)
    assert not comparing.open_promises(found)


def test_every_promise_is_asked_somewhere() -> None:
    """Every `always` is asked, every `eventually` owed, every `sometimes` shown in a tiny scope."""
    asked = {one.property.id for name in TINY for one in walked(name).always}
    owed = {
        promise
        for name in TINY
        for promise, answer in comparing.answers(walked(name)).items()
        if answer is Answer.HOLDS
    }
    shown = {one.property.id for name in TINY for one in walked(name).sometimes}

    assert asked == {one.id for one in MODEL_PROPERTIES if one.kind is Kind.ALWAYS}
    assert owed == {one.id for one in MODEL_PROPERTIES if one.kind is Kind.EVENTUALLY}
    assert shown == {one.id for one in MODEL_PROPERTIES if one.kind is Kind.SOMETIMES}


@pytest.mark.parametrize("name", TINY)
def test_symmetry_changes_nothing_but_the_numbers(name: str) -> None:
    """Verdicts agree with and without, and the states that stand for others add up to all."""
    if len(ModelWorld(BY_NAME[name]).permutations) == 1:
        assert walked(name).whole == walked(name).states
        return
    reduced, whole = walked(name), walked(name, symmetry=False)

    assert comparing.verdicts(reduced) == comparing.verdicts(whole)
    assert reduced.whole == whole.states == whole.whole


@pytest.mark.parametrize("name", TINY)
def test_a_name_that_is_forgotten_is_never_missed(name: str) -> None:
    """Whatever does not say the name does the same with it and without it, by the same rules.

    Of the larger scopes one state in 5 is looked at.
    """
    scope, found = BY_NAME[name], walked(name)
    world = ModelWorld(scope)
    for node in range(0, found.states, 1 if found.states < 500 else 5):
        parts = found.graph.parts(node)
        for done, left in world.forgotten(parts):
            gone = done.name.split()[0]
            state = partial(without_checkpoint, checkpoint=gone)
            words = words_of_checkpoint(gone)
            if gone in scope.rollout_names:
                state = partial(without_rollout, rollout=gone)
                words = words_of_rollout(scope, gone)
            differs = comparing.missed(world, parts, left, state, str, words, words)
            assert not differs, (gone, differs)


@pytest.mark.parametrize("name", ["model-tiny", "model-tiny-aborts"])
def test_answers_that_leave_at_once_change_no_verdict(name: str) -> None:
    """An answer on its way delays nothing that a promise asks about.

    Not where a commit is refused and made again: with one caller for each call, a controller whose
    resume is still on its way back can go on like that for ever.
    """
    scope = attrs.evolve(BY_NAME[name], at_once=False)
    slow, quick = explore(ModelWorld(scope)), walked(name)
    witnesses = [(one.property.id, one.actions) for one in quick.sometimes]

    assert slow.states > quick.states
    assert slow.exit_code == quick.exit_code == 0
    assert witnesses == [(one.property.id, one.actions) for one in slow.sometimes]
    assert set(slow.cut) == set(quick.cut)


LASSOES = (
    ("never drains", "model-tiny", "R-PML-1"),
    ("never stores", "model-tiny", "R-PML-3"),
    ("never answers", "model-tiny", "R-PML-5"),
)


@pytest.mark.parametrize(("mutant", "scope", "promise"), LASSOES)
def test_a_mutant_blocks_for_ever(mutant: str, scope: str, promise: str) -> None:
    """A known fault keeps something owed for ever, although everybody does all they should."""
    found = explore(ModelWorld(BY_NAME[scope], core_of(mutant, "model")))

    assert promise in comparing.for_ever(found)
    assert found.exit_code == 1


BROKEN = (
    ("late prepare", "model-tiny", "R-PMI-6", 4),
    ("new rows only", "model-tiny-crash", "R-PMI-15", 14),
    ("cancelled is gone", "model-tiny-aborts", "R-PMI-5", 3),
    ("one more call", "model-tiny", "R-PMI-1", 3),
    ("closes when drained", "model-tiny", "R-PMI-1", 3),
    ("writes over", "model-tiny-ids", "R-PMI-9", 4),
    ("aborts only live", "model-tiny-aborts", "R-PMI-2", 4),
    ("restore opens", "model-tiny-ids", "R-PMI-6", 4),
    ("copies before it checks", "model-tiny-copies", "R-PMI-11", 9),
)


@pytest.mark.parametrize(("mutant", "scope", "promise", "actions"), BROKEN)
def test_a_mutant_is_found_by_the_promise_that_it_breaks(
    mutant: str, scope: str, promise: str, actions: int
) -> None:
    """The shortest trace of a known fault, and the promise that sees it."""
    world = ModelWorld(BY_NAME[scope], core_of(mutant, "model"))
    assert comparing.first_broken(world) == (promise, actions)


@pytest.mark.soak
def test_the_intended_model_keeps_its_promises_in_a_larger_world() -> None:
    """What holds in the tiny scopes holds in the small one, and its size is known too."""
    found = walked("model-small")

    assert comparing.sizes(found) == (2319, 4415, 20181)
    assert found.exit_code == 0, list(found.wrong)
