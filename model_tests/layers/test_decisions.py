"""Every decision names its rules, and every question has a decision."""

import re
from pathlib import Path

import pytest

from fencepost import catalog
from fencepost.report.fact_list import BY_NUMBER

PAGE = Path(__file__).resolve().parents[2] / "docs" / "decisions.md"
SECTION = re.compile(r"^### (?P<title>.+)$", re.MULTILINE)
RULES_LINE = re.compile(r"^Rules: (?P<ids>R-[A-Z0-9, -]+)$", re.MULTILINE)
RULE_ID = re.compile(r"\bR-[A-Z]+-\d+\b")
FACT = re.compile(r"[A-Z]\d+|\d+(?:\.\d+)?")


def decisions() -> list[tuple[str, str]]:
    """Return the title and the text of each decision."""
    text = PAGE.read_text(encoding="utf-8")
    parts = SECTION.split(text)
    bodies = (body.split("\n## ")[0] for body in parts[2::2])
    return list(zip(parts[1::2], bodies, strict=True))


def facts_in(title: str) -> tuple[str, ...]:
    """Return the numbers of facts at the start of a title."""
    before, colon, _ = title.partition(":")
    named = tuple(part.strip() for part in before.split(",")) if colon else ()
    return named if all(FACT.fullmatch(part) for part in named) else ()


@pytest.mark.parametrize(("title", "body"), decisions(), ids=[title for title, _ in decisions()])
def test_a_decision_names_the_rules_that_state_it(title: str, body: str) -> None:
    """Each decision names rules that exist, and they cite the facts that it is about."""
    (line,) = RULES_LINE.findall(body)
    rules = [catalog.rule(rule_id.strip()) for rule_id in line.split(",")]
    cited = {fact for rule in rules for fact in rule.facts}
    numbers = facts_in(title)

    assert set(numbers) <= set(BY_NUMBER)
    missing = [number for number in numbers if number not in cited and number[0].isalpha()]
    assert [number for number in missing if not BY_NUMBER[number].without] == []
    assert not numbers or cited & set(numbers) or missing == list(numbers)


def test_every_question_and_every_edge_of_the_agent_is_decided() -> None:
    """R1 to R25, and each derived edge, have a decision."""
    decided = {number for title, _ in decisions() for number in facts_in(title)}
    elsewhere = {"D9"}  # Decided as R9.
    edges = {number for number in BY_NUMBER if re.fullmatch(r"D\d+", number)} - elsewhere

    assert {f"R{number}" for number in range(1, 26)} <= decided
    assert edges <= decided
    assert any(title == "Equality and size" for title, _ in decisions())


def test_every_decision_of_ours_is_written_down() -> None:
    """A rule whose source is a decision, or derived, is named on the page that gives the reason."""
    page = PAGE.read_text(encoding="utf-8")
    ours = [rule for rule in catalog.rules() if rule.source.id in ("decision", "derived")]
    named = set(RULE_ID.findall(page))
    unnamed = [rule.id for rule in ours if rule.id not in named]

    assert unnamed == []
