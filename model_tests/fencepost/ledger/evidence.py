"""What counts as having used a property of the ledger, and why some rules are not used.

A property is guarded by rows, checks and effects: who has used one of these was held to it, because
a report follows every operation. Data and two functions.
"""

from collections.abc import Container, Mapping
from typing import Final

from fencepost_spec.receipts.ledger.spec import LEDGER

# fmt: off
GUARDS: Final[Mapping[str, tuple[str, ...]]] = {
    "R-LIN-1":  ("R-LAT-6",),
    "R-LIN-2":  ("R-LOP-19", "R-LSV-17"),
    "R-LIN-3":  ("R-LAT-3", "R-LOP-18"),
    "R-LIN-4":  ("R-LAT-2",),
    "R-LIN-5":  ("R-LRC-1", "R-LRC-2", "R-LRC-3", "R-LRC-4"),
    "R-LIN-6":  ("R-LOP-10", "R-LOP-13"),
    "R-LIN-7":  ("R-LGR-1", "R-LGR-3"),
    "R-LIN-8":  ("R-LOP-25",),
    "R-LIN-14": ("R-LOP-24", "R-LOB-3"),
    "R-LIN-15": ("R-LOP-47", "R-LOP-48"),
    "R-LIN-16": ("R-LOP-22",),
    "R-LIN-28": ("R-LOP-7", "R-LOP-41"),
    "R-LIN-31": ("R-LOP-61",),
    "R-LIN-32": ("R-LSV-43",),
    "R-LIN-40": ("R-LOP-2",),
    "R-LLV-1":  ("R-LOP-49",),
    "R-LLV-2":  ("R-LAT-6",),
    "R-LLV-5":  ("R-LOB-3",),
    "R-LLV-15": ("R-LGR-12",),
}
# fmt: on
"""Which rules guard a property."""

UNREACHED: Final[Mapping[str, str]] = {
    "R-LOP-30": "every status of an attempt has a row for what is asked of it",
}
"""Rules that no run of a ledger can come to, and why."""


def with_properties(used: Container[str]) -> frozenset[str]:
    """The properties that were held to, given the rules that were used."""
    return frozenset(
        name for name, guards in GUARDS.items() if any(guard in used for guard in guards)
    )


def operations_of(rule_id: str) -> frozenset[str]:
    """The operations whose ladder or effect a rule is."""
    return frozenset(
        operation.name
        for operation in LEDGER.operations.values()
        if rule_id in {operation.effect.id, *(check.rule.id for check in operation.checks)}
    )


def why_not(rule_id: str, operations: Container[str]) -> str:
    """Why a rule was not exercised, in few words."""
    if rule_id in UNREACHED:
        return UNREACHED[rule_id]
    wanted = operations_of(rule_id)
    if wanted and not any(one in operations for one in wanted):
        return f"needs {' or '.join(sorted(wanted))}"
    return "no case came to it"
