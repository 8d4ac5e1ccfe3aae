"""Every check of a controller's ladder is needed: a shortest trace shows it, and nothing else does.

Goal: each rule refuses one trace and lets its legal neighbour pass. Method: cases, each judged as a
whole, and judged again by referees that lack one check.
"""

from functools import cache
from typing import Any

import attrs
import pytest

from fencepost.controller.all_cases import CASES, judged
from fencepost.controller.cases import Case
from fencepost_reference.receipts.controller.watch import reports, resting
from fencepost_reference.receipts.controller.watch.core import ANSWERS, Watcher
from fencepost_spec.operation import Kind
from fencepost_spec.receipts.controller.call_facts import QUESTIONS
from fencepost_spec.receipts.controller.properties import AT_REPORT, AT_REST, PROPERTIES
from fencepost_spec.receipts.controller.referee import REFEREE, referee_rules
from fencepost_spec.rule import Level, duplicates


def name_of(case: Case) -> str:
    """Return how a case is named in a list of tests."""
    return f"{case.rule} {case.deed} {case.says}"


@cache
def judgement(place: int) -> tuple[str, int] | None:
    """Return what the referee makes of the wrong ending of a case."""
    return judged(CASES[place].told(CASES[place].wrong))


@pytest.mark.parametrize("place", range(len(CASES)), ids=map(name_of, CASES))
def test_a_case_is_refused_by_its_rule_and_its_neighbour_is_not(place: int) -> None:
    """The wrong ending is refused by exactly that rule; all of the right one is legal."""
    case = CASES[place]
    begun = case.told(lambda _tale: None)

    found = judgement(place)

    assert found is not None
    assert found[0] == case.rule
    assert found[1] > len(begun.lines), "the beginning is legal"
    assert judged(case.told(case.right)) is None


@pytest.mark.parametrize(
    ("deed", "place"),
    [(deed.name, at) for deed in REFEREE.deeds.values() for at in range(len(deed.ladder))],
    ids=str,
)
def test_a_ladder_without_one_check_judges_some_case_otherwise(deed: str, place: int) -> None:
    """Take any one check away, and a case of that deed gets another verdict."""
    fewer = Watcher(REFEREE.without(deed, place))
    asked = [number for number, case in enumerate(CASES) if case.deed == deed]

    assert any(
        judged(CASES[number].told(CASES[number].wrong), fewer) != judgement(number)
        for number in asked
    )


@pytest.mark.parametrize("field", ["at_report", "at_rest"])
def test_every_question_at_rest_is_needed(field: str) -> None:
    """Take any one question away, and a case gets another verdict."""
    questions = getattr(REFEREE, field)
    asked = [number for number, case in enumerate(CASES) if case.deed == "rest"]
    for gone in questions:
        left = tuple(one for one in questions if one is not gone)
        changes: dict[str, Any] = {field: left}
        fewer = Watcher(attrs.evolve(REFEREE, **changes))
        assert any(
            judged(CASES[number].told(CASES[number].wrong), fewer) != judgement(number)
            for number in asked
        ), gone[1].id


def test_every_rule_that_can_be_broken_has_a_case() -> None:
    """Each rule of a ladder and each promise at rest is shown by a case."""
    rungs = {rung.rule.id for deed in REFEREE.deeds.values() for rung in deed.ladder}
    promised = {rule.id for _, rule in (*AT_REPORT, *AT_REST)}

    assert {case.rule for case in CASES} == rungs | promised


def test_every_question_is_asked_and_answered() -> None:
    """No question of the specification is left without an answer, none is asked by nobody."""
    asked = {rung.asks.name for deed in REFEREE.deeds.values() for rung in deed.ladder}

    assert asked == set(QUESTIONS) == {*ANSWERS, "is_malformed"}
    answered = {*reports.QUESTIONS, *resting.QUESTIONS}
    assert {name for name, _ in (*AT_REPORT, *AT_REST)} == answered


def test_the_rules_of_a_referee_are_well_formed() -> None:
    """Ids are unique; promises are named by their rules; sometimes decides nothing."""
    assert duplicates(referee_rules()) == ()
    for prop in PROPERTIES:
        assert prop.name == prop.rule.says
        assert bool(prop.fairness) == (prop.kind is Kind.EVENTUALLY)
        assert (prop.kind is Kind.SOMETIMES) == (prop.rule.level is Level.INFO)
