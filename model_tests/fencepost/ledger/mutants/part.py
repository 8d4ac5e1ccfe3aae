"""The mutants of the recovery ledger, for the kill matrix."""

from fencepost.catalog import rules_of
from fencepost.kill_matrix.part import MECHANICAL, Examine, Part
from fencepost.ledger.mutants.argued import EQUIVALENT, UNBROKEN
from fencepost.ledger.mutants.careless import careless
from fencepost.ledger.mutants.examining import Examiner
from fencepost.ledger.mutants.mechanical import mechanical
from fencepost.ledger.mutants.mutant import LedgerMutant
from fencepost.ledger.mutants.named import named
from fencepost.ledger.mutants.valued import of_values
from fencepost_spec.receipts.ledger.spec import LEDGER


def _examiner() -> Examine:
    return Examiner().examine


_NAMED = (*named(), *of_values(), *careless())

PART = Part(
    name="ledger",
    title="Mutants of the recovery ledger",
    says="An action is one operation, or one crash and load.",
    page="ledger-mutants.md",
    groups={"named": _NAMED, MECHANICAL: tuple(mechanical())},
    examiner=_examiner,
    rules=lambda: rules_of("ledger"),
    intact=LEDGER,
    spec_of=lambda mutant: mutant.core.spec,
    arguments=EQUIVALENT,
    unbroken=UNBROKEN,
)
"""The ledger."""

MUTANTS: dict[str, LedgerMutant] = {one.name: one for one in (*_NAMED, *mechanical())}
"""Every mutant, by its name."""
