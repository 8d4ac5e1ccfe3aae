"""The ledger as data: every rule is listed, every row, check and property can be found."""

import attrs
import pytest

from fencepost import catalog
from fencepost_reference.receipts.ledger.core import PLANNERS
from fencepost_spec.operation import Kind
from fencepost_spec.receipts.ledger.dialects import DIALECTS, dialect_of
from fencepost_spec.receipts.ledger.properties import PROPERTIES
from fencepost_spec.receipts.ledger.refusals import REFUSALS
from fencepost_spec.receipts.ledger.requests import REQUESTS
from fencepost_spec.receipts.ledger.spec import LEDGER, ledger_rules
from fencepost_spec.rule import Level

CODES = {refusal.code for refusal in REFUSALS}


def test_what_can_decide_a_verdict_has_a_rule_of_the_catalog() -> None:
    """Rows, checks, effects and properties carry rules that the catalog knows as they are."""
    carried = [row.rule for table in LEDGER.tables for row in table.rows]
    for operation in LEDGER.operations.values():
        carried += [operation.effect, *(check.rule for check in operation.checks)]
    carried += [check.rule for check in (*LEDGER.results, *LEDGER.loading.all())]
    carried += [prop.rule for prop in PROPERTIES]

    assert {rule.id for rule in carried} == {rule.id for rule in ledger_rules()}
    assert all(catalog.rule(rule.id) == rule for rule in carried)
    assert set(catalog.rules_of("ledger")) <= set(catalog.rules())


def test_every_operation_has_a_request_a_plan_and_a_dialect() -> None:
    """An operation that is declared can be asked, done and recorded."""
    names = set(LEDGER.operations)

    assert names == set(REQUESTS) == set(PLANNERS) == dialect_of("fencepost-1").operations
    assert all(dialect.operations <= names for dialect in DIALECTS.values())


def test_every_operation_asks_for_the_cut_and_the_values_first() -> None:
    """A change needs a live cut, and no value is used before it was checked."""
    for operation in LEDGER.operations.values():
        conditions = [check.when.__name__ for check in operation.ladder]
        front = ["cut_is_not_live"] if operation.cut else []
        assert conditions[: len(front) + 1] == [*front, "values_are_wrong"], operation.name
        assert "cut_is_not_live" not in conditions[len(front) :]


def test_every_code_of_a_ladder_is_in_the_registry_and_every_code_is_used() -> None:
    """A refusal says what it proves, and none stands there unused."""
    used = {check.answer for each in LEDGER.operations.values() for check in each.checks}
    used |= {check.answer for check in (*LEDGER.results, *LEDGER.loading.all())}

    assert used == CODES
    assert all(refusal.definite and not refusal.effects for refusal in REFUSALS)


def test_properties_are_named_by_their_rules() -> None:
    """The phrase is the sentence; eventually names what it assumes; sometimes decides nothing."""
    for prop in PROPERTIES:
        assert prop.name == prop.rule.says
        assert bool(prop.fairness) == (prop.kind is Kind.EVENTUALLY)
        assert (prop.kind is Kind.SOMETIMES) == (prop.rule.level is Level.INFO)


@pytest.mark.parametrize("name", LEDGER.operations)
def test_a_check_that_is_taken_out_is_gone(name: str) -> None:
    """Without one check an operation has the others, in their order."""
    operation = LEDGER.operations[name]
    for check in operation.checks:
        fewer = operation.without(check)
        assert list(fewer.checks) == [one for one in operation.checks if one is not check]
        assert attrs.evolve(fewer, ladder=(), then=()) == attrs.evolve(
            operation, ladder=(), then=()
        )


def test_an_unknown_dialect_lists_the_known_ones() -> None:
    """Who misspells a version is told which there are."""
    with pytest.raises(KeyError, match="4265-after-review, 4265-reviewed, fencepost-1"):
        dialect_of("4265")
