"""Every statement about a controller has a rule that a trace can break, or a reason why not."""

from pathlib import Path

from fencepost.report.fact_list import BY_NUMBER
from fencepost_spec.receipts.controller.referee import referee_rules

PAGE = Path(__file__).resolve().parents[2] / "docs" / "decisions.md"
HEADING = "### What a trace of a controller does not show"


def test_every_statement_has_a_rule_of_the_referee_or_a_reason() -> None:
    """I1 to I33 and L1 to L10: cited by a rule that judges calls, or named on the page."""
    cited = {fact for rule in referee_rules() for fact in rule.facts}
    _, _, rest = PAGE.read_text(encoding="utf-8").partition(HEADING)
    section = rest.split("\n### ")[0]
    statements = [f"I{number}" for number in range(1, 34)]
    statements += [f"L{number}" for number in range(1, 11)]

    for one in statements:
        assert f"ledger:{one}" in BY_NUMBER
        told = f" {one}:" in section
        assert (f"ledger:{one}" in cited) != told, f"{one}: a rule, or a reason; not both"


SERIES = {"A": 10, "P": 11, "S": 12, "F": 11, "V": 26, "I": 33, "L": 10, "B": 23}
"""How far the numbered statements about the controller's side go, by their letter."""


def test_no_numbered_statement_is_left_out_of_the_list_of_facts() -> None:
    """What has no line there can be stated by no rule, and nobody would miss it."""
    numbers = {f"{one}{number}" for one, last in SERIES.items() for number in range(1, last + 1)}

    assert {one for one in {*numbers, "S0"} if f"ledger:{one}" not in BY_NUMBER} == set()
