"""A ledger that is careless about one field or value is refused by what it is told, at any seed."""

from typing import Any

import pytest

from fencepost.adapters.ledger import CoreLedger, LibraryLedger
from fencepost.check_result import render_result
from fencepost.ledger.checking import check_ledger
from fencepost.ledger.mutants.careless import careless
from fencepost.ledger.mutants.mutant import LedgerMutant
from fencepost.ledger.mutants.valued import of_values
from fencepost.ledger.telling import told

TOLD = sum(map(len, told()))
MUTANTS = (*of_values(), *careless())


@pytest.mark.slow
@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_what_is_told_shows_it(mutant: LedgerMutant) -> None:
    """Not one action has to be drawn, so no seed can miss it."""
    result = check_ledger(lambda: CoreLedger(mutant.core), budget=TOLD)

    assert result.exit_code == 1, render_result(result)
    assert result.verdict.kind == "violates", render_result(result)


class GivesTuples(LibraryLedger):
    """A ledger whose lists are tuples."""

    def call(self, op: str, request: Any, *, cut: bool) -> Any:
        """Do one operation, and give a tuple where a list is wanted."""
        answer: Any = super().call(op, request, cut=cut)
        return tuple(answer) if op == "finalization_inputs" else answer


def test_a_tuple_is_told_from_a_list() -> None:
    """The adapter is at fault, and the verdict says what is wrong and what to do."""
    result = check_ledger(GivesTuples, budget=TOLD)

    assert result.exit_code == 4, render_result(result)
    assert "a tuple is no list: make it one with list()" in result.verdict.reason
