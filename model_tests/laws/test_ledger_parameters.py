"""Who writes a ledger can follow its contract from the page: every parameter is told there."""

from fencepost.report.ledger import render_ledger
from fencepost_spec.receipts.ledger.meanings import NULLS, PARAMETERS
from fencepost_spec.receipts.ledger.requests import REQUESTS


def test_every_parameter_has_a_meaning_and_so_has_its_null() -> None:
    """No parameter is forgotten, and no meaning is left over."""
    members = [
        (name, "null" in str(member.get("anyOf", "")))
        for model in REQUESTS.values()
        for name, member in model.model_json_schema().get("properties", {}).items()
    ]
    assert {name for name, _ in members} == set(PARAMETERS)
    assert {name for name, nullable in members if nullable} == set(NULLS)


def test_the_page_names_the_parameters_of_each_operation() -> None:
    """With what a caller has to know: whether it may be left out, and what null means."""
    page = render_ledger()
    for operation, model in REQUESTS.items():
        section = page.split(f"### {operation}\n")[1].split("\n### ")[0]
        for name in model.model_fields:
            assert f"\n| `{name}` | " in section
        assert model.model_fields or "No parameters." in section
    row = next(line for line in page.splitlines() if line.startswith("| `admission_id`"))
    assert "text, not empty, or null | `null` |" in row
    assert row.endswith("| the group id |")
    for value in ("Result", "GateReceipt", "Receipt", "PromptPayload", "Keyed"):
        assert f"#### {value}\n" in page
