"""Which snapshot a run is restored from, and when nothing may be chosen."""

from collections.abc import Callable

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fencepost.snapshot.samples import ANCHOR, FINGERPRINT, SKIPPED, STOPPED, broken, found
from fencepost_reference.receipts.snapshot.choosing import (
    Anchor,
    Candidate,
    Choice,
    changed_fields,
    fingerprint_of,
    select,
)
from fencepost_reference.receipts.snapshot.values import Refused
from fencepost_spec.operation import Check
from fencepost_spec.receipts.snapshot.spec import SNAPSHOT, SnapshotSpec


def chosen(answer: Choice | Refused) -> str:
    """The number that was chosen, "none", or the rule that refused."""
    if isinstance(answer, Refused):
        return answer.rule.id
    return "none" if answer.candidate is None else str(answer.candidate.number)


def without_skip(check: Check) -> SnapshotSpec:
    """The specification that passes nobody over for that reason."""
    rules = SNAPSHOT.selection
    skip = tuple(one for one in rules.skip if one is not check)
    return attrs.evolve(SNAPSHOT, selection=attrs.evolve(rules, skip=skip))


def without_stop(check: Check) -> SnapshotSpec:
    """The specification that does not refuse for that reason."""
    rules = SNAPSHOT.selection
    stop = tuple(one for one in rules.stop if one is not check)
    return attrs.evolve(SNAPSHOT, selection=attrs.evolve(rules, stop=stop))


def test_the_newest_that_fits_is_chosen() -> None:
    """R-SNS-20: whatever the order in which they are found."""
    for order in ([1, 2, 3], [3, 1, 2], [2, 3, 1]):
        answer = select(ANCHOR, [found(number) for number in order], participants=True)
        assert chosen(answer) == "3"
        assert isinstance(answer, Choice)
        assert answer.passed_over == ()


@pytest.mark.parametrize("check", SNAPSHOT.selection.skip, ids=lambda check: check.rule.id)
def test_what_does_not_fit_is_passed_over(check: Check) -> None:
    """4.1: for exactly that reason; without the check it would be chosen, or stumbled over."""
    bad, anchor, mode = SKIPPED[check.rule.id]
    candidates = [found(2, at_boundary=True), bad]
    answer = select(anchor, candidates, mode=mode, participants=True)

    assert chosen(answer) == "2"
    assert isinstance(answer, Choice)
    assert answer.passed_over == ((bad, check.rule),)
    mutant = without_skip(check)
    other = select(anchor, candidates, mode=mode, participants=True, spec=mutant)
    assert other != answer


@pytest.mark.parametrize("check", SNAPSHOT.selection.stop, ids=lambda check: check.rule.id)
def test_nothing_is_chosen_in_silence(check: Check) -> None:
    """4.1: a hard error instead of a quiet step back; without the check something is chosen."""
    anchor, candidates, participants = STOPPED[check.rule.id]
    answer = select(anchor, candidates, participants=participants)

    assert isinstance(answer, Refused)
    assert answer.rule is check.rule
    assert answer.answer == check.answer
    other = select(anchor, candidates, participants=participants, spec=without_stop(check))
    assert isinstance(other, Choice)


def test_a_refusal_says_why_each_candidate_was_passed_over() -> None:
    """Who has to look after it reads all reasons at once."""
    answer = select(ANCHOR, [broken(1), found(2, base_train_step=5)], participants=False)

    assert isinstance(answer, Refused)
    for words in ("snapshot 1: a snapshot that cannot be read", "snapshot 2: a snapshot of anothe"):
        assert words in answer.reason
    changed = select(Anchor(0, 0, changed=("a.b", "c")), [], participants=False)
    assert isinstance(changed, Refused)
    assert "a.b, c" in changed.reason


@pytest.mark.parametrize("participants", [True, False])
def test_a_start_from_nothing_is_a_start(participants: bool) -> None:
    """Before the first step there is nothing that could be left behind."""
    assert chosen(select(Anchor(0, 0, FINGERPRINT), [], participants=participants)) == "none"


def test_a_trained_run_without_any_snapshot() -> None:
    """R-SNS-12: it starts from the trainer's checkpoint only where no participants are wanted."""
    assert chosen(select(ANCHOR, [], participants=False)) == "none"
    assert chosen(select(ANCHOR, [], participants=True)) == "R-SNS-12"
    assert chosen(select(ANCHOR, [], mode="trainer_checkpoint", participants=True)) == "R-SNS-12"


def test_a_snapshot_at_the_boundary_is_the_oldest() -> None:
    """It was taken with the trainer's checkpoint, so every periodic one of that step is newer."""
    candidates = [found(9, at_boundary=True), found(1)]

    assert chosen(select(ANCHOR, candidates, participants=True)) == "1"
    mode = select(ANCHOR, candidates, mode="trainer_checkpoint", participants=True)
    assert chosen(mode) == "9"


@given(
    kinds=st.lists(st.sampled_from(["whole", "broken", "step", "version", "alone"]), max_size=6),
    participants=st.booleans(),
)
def test_selection_agrees_with_its_words(kinds: list[str], participants: bool) -> None:
    """The newest that fits, nothing when none does, never one without wanted participants."""
    make: dict[str, Callable[[int], Candidate]] = {
        "whole": found,
        "broken": broken,
        "step": lambda number: found(number, base_train_step=5),
        "version": lambda number: found(number, trainer_version=5),
        "alone": lambda number: found(number, gym_checkpoint=None),
    }
    candidates = [make[kind](number) for number, kind in enumerate(kinds)]
    fitting = [number for number, kind in enumerate(kinds) if kind in ("whole", "alone")]
    answer = chosen(select(ANCHOR, candidates, participants=participants))
    if kinds and not fitting:
        assert answer == "R-SNS-11"
    elif participants and (not fitting or kinds[fitting[-1]] == "alone"):
        assert answer == "R-SNS-12"
    else:
        assert answer == (str(fitting[-1]) if fitting else "none")


def test_configurations_are_compared_field_by_field() -> None:
    """4.1: the fields that differ are named; those that say nothing of rollouts are left out."""
    saved = {"a": {"b": 1, "c": [1, 2]}, "d": True, "e": {}}
    present = {"a": {"b": 1, "c": [1, 3]}, "d": 1, "f": None}

    assert changed_fields(saved, saved) == ()
    assert changed_fields(saved, present) == ("a.c", "d", "e", "f")
    assert changed_fields(saved, present, excluded=["a", "d", "e"]) == ("f",)
    for excluded in ([], ["a"], ["a.c", "d", "e", "f"]):
        same = fingerprint_of(saved, excluded) == fingerprint_of(present, excluded)
        assert same == (changed_fields(saved, present, excluded) == ())
