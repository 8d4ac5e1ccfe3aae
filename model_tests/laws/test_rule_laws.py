"""Laws of rules: what an id, a sentence and a source may be, and how two claims are found."""

import pickle
from typing import Any

import attrs
import pytest

from fencepost_spec.rule import Level, Rule, Source, duplicates

SOURCE = Source("Gym #2942", "an agent parks at a boundary")
RULE = Rule("R-EXE-5", "running work records where it could continue", SOURCE, ("3.1", "I4"))


def untyped(value: Any) -> Any:
    """The same value, for what types would forbid."""
    return value


def test_a_rule_is_a_must_unless_it_says_otherwise() -> None:
    """A rule demands unless it is written down as advice or as information."""
    assert RULE.level is Level.MUST
    assert [level.value for level in Level] == ["must", "should", "info"]


def test_a_rule_cannot_be_changed() -> None:
    """Once written, a rule stays what it is."""
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        untyped(RULE).says = "something else"


def test_rules_are_equal_by_what_they_say() -> None:
    """Two rules with the same words are one rule, also after a trip through bytes."""
    again = pickle.loads(pickle.dumps(RULE))
    assert again == RULE
    assert hash(again) == hash(RULE)
    assert attrs.evolve(RULE, level=Level.INFO) != RULE


@pytest.mark.parametrize(
    "rule_id",
    ["", "R-EXE", "r-exe-5", "R-EXE-5a", "R-EXE-5\n", "RR-EXE-5", "R-E2E-5", "R-EXE-٣", 5],
)
def test_an_id_of_another_form_is_refused(rule_id: Any) -> None:
    """An id is a capital, a name in capitals and a number, and the refusal shows which it was."""
    with pytest.raises((ValueError, TypeError)):
        Rule(rule_id, "work goes on", SOURCE)


def test_the_refusal_of_an_id_shows_the_form_and_the_culprit() -> None:
    """Whoever mistypes an id is told what an id looks like."""
    with pytest.raises(ValueError, match=r"looks like R-EXE-5, not 'R-exe-1'"):
        Rule("R-exe-1", "work goes on", SOURCE)


@pytest.mark.parametrize(
    ("says", "complaint"),
    [
        ("", "empty"),
        ("  ", "empty"),
        ("work goes on ", "spaces"),
        ("work\ngoes on", "one line"),
        ("Work goes on. Then it ends.", "one sentence"),
    ],
)
def test_a_rule_says_one_sentence_on_one_line(says: str, complaint: str) -> None:
    """Nothing, several lines and several sentences are each refused with the reason."""
    with pytest.raises(ValueError, match=complaint):
        Rule("R-EXE-1", says, SOURCE)


@pytest.mark.parametrize("says", ["work goes on", "Work goes on.", "not 1.5, e.g. here"])
def test_a_sentence_may_end_with_a_full_stop_or_not(says: str) -> None:
    """How a sentence ends is left to its writer."""
    assert Rule("R-EXE-1", says, SOURCE).says == says


@pytest.mark.parametrize(("facts", "error"), [("3.1", TypeError), (["3.1"], TypeError)])
def test_facts_are_a_tuple(facts: Any, error: type[Exception]) -> None:
    """A lone text would be taken for many one-letter facts, so it is refused."""
    with pytest.raises(error, match="tuple of fact numbers"):
        Rule("R-EXE-1", "work goes on", SOURCE, facts)


@pytest.mark.parametrize("fact", ["", " ", 3])
def test_a_fact_number_says_something(fact: Any) -> None:
    """An empty fact number points nowhere, so it is refused."""
    with pytest.raises(ValueError, match="fact number"):
        Rule("R-EXE-1", "work goes on", SOURCE, ("3.1", fact))


def test_a_source_and_a_level_are_asked_for_by_type() -> None:
    """A bare word in place of a source or a level is refused."""
    with pytest.raises(TypeError, match="source"):
        Rule("R-EXE-1", "work goes on", untyped("Gym #2942"))
    with pytest.raises(TypeError, match="level"):
        Rule("R-EXE-1", "work goes on", SOURCE, (), untyped("must"))


@pytest.mark.parametrize(("source_id", "title"), [("", "title"), ("Gym #1", ""), ("a", "a\nb")])
def test_a_source_has_an_id_and_a_title(source_id: str, title: str) -> None:
    """A source that a reader could not look up is refused."""
    with pytest.raises(ValueError, match=r"Source\.(id|title)"):
        Source(source_id, title)


def test_an_id_claimed_by_two_rules_is_found_once() -> None:
    """Only ids with different contents count, each once, in the order of the second claim."""
    other = attrs.evolve(RULE, says="something else")
    third = attrs.evolve(RULE, says="a third thing")
    first = Rule("R-EXE-1", "work goes on", SOURCE)
    assert duplicates([]) == ()
    assert duplicates([RULE, first, RULE]) == ()
    assert duplicates([first, RULE, other, third, attrs.evolve(first, level=Level.INFO)]) == (
        "R-EXE-5",
        "R-EXE-1",
    )
