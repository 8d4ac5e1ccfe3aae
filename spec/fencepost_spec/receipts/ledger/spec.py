"""The specification of a recovery ledger as one value: tables, ladders and checks.

A variation of it, with a row or a check left out, is another value; the reference core takes the
value as an argument and never reads a global.
"""

import attrs

from fencepost_spec.chart import compile_chart
from fencepost_spec.operation import Check
from fencepost_spec.receipts.ledger.attempt import RolloutAttempt
from fencepost_spec.receipts.ledger.group import GroupAdmission, PromptGroup
from fencepost_spec.receipts.ledger.loading import LOAD_CHECKS, LoadChecks
from fencepost_spec.receipts.ledger.obligation import AcknowledgementObligation
from fencepost_spec.receipts.ledger.operations import OPERATIONS, RESULT_CHECKS, LedgerOperation
from fencepost_spec.receipts.ledger.properties import PROPERTIES
from fencepost_spec.rule import Rule
from fencepost_spec.table import Table


@attrs.frozen(eq=False)
class LedgerSpec:
    """Everything a core asks: four tables, the operations, and the checks of results and loads."""

    attempt: Table
    admission: Table
    group: Table
    obligation: Table
    operations: dict[str, LedgerOperation]
    results: tuple[Check, ...] = RESULT_CHECKS
    loading: LoadChecks = LOAD_CHECKS

    @property
    def tables(self) -> tuple[Table, ...]:
        """The four tables."""
        return (self.attempt, self.admission, self.group, self.obligation)

    def rules(self) -> tuple[Rule, ...]:
        """Every rule of the value itself, each once, in reading order."""
        listed: list[Rule] = [rule for table in self.tables for rule in table.rules]
        for operation in self.operations.values():
            listed += [check.rule for check in operation.checks]
            listed.append(operation.effect)
        listed += [check.rule for check in (*self.results, *self.loading.all())]
        seen: dict[str, Rule] = {}
        for rule in listed:
            seen.setdefault(rule.id, rule)
        return tuple(seen.values())


LEDGER = LedgerSpec(
    compile_chart(RolloutAttempt),
    compile_chart(GroupAdmission),
    compile_chart(PromptGroup),
    compile_chart(AcknowledgementObligation),
    {operation.name: operation for operation in OPERATIONS},
)
"""The ledger as it must be."""


def ledger_rules() -> tuple[Rule, ...]:
    """All rules that concern a ledger, properties included."""
    return (*LEDGER.rules(), *(prop.rule for prop in PROPERTIES))
