"""The specification of an agent as one value: tables, ladders and lists.

A variation of it, with a row or a rung left out, is another value; the reference core takes the
value as an argument and never reads a global.
"""

import attrs

from fencepost_spec.chart import compile_chart
from fencepost_spec.operation import Check, Operation, check_rules
from fencepost_spec.receipts.execution import AgentExecution
from fencepost_spec.receipts.fence import CheckpointFence
from fencepost_spec.receipts.keys import Raises, Refuses
from fencepost_spec.receipts.operation_rules import PREPARE_RAISED, SHAPE
from fencepost_spec.receipts.operations import OPERATIONS
from fencepost_spec.receipts.policy import (
    BLOCKERS,
    EXPORTS,
    RAISES,
    RECEIPT_FIELDS,
    REFUSES,
    Blocker,
    Export,
    ReceiptField,
)
from fencepost_spec.receipts.properties import PROPERTIES, SHOULD_RULES
from fencepost_spec.receipts.running import (
    ADMITTED,
    DISK_RULES,
    RECEIPT_LADDER,
    RUN_LADDER,
    UNTRACKED,
)
from fencepost_spec.rule import Rule
from fencepost_spec.table import Table


@attrs.frozen(eq=False)
class AgentSpec:
    """Everything a core asks: two tables, the operations, two ladders and five lists."""

    fence: Table
    execution: Table
    operations: dict[str, Operation]
    run_ladder: tuple[Check, ...] = RUN_LADDER
    receipt_ladder: tuple[Check, ...] = RECEIPT_LADDER
    blockers: tuple[Blocker, ...] = BLOCKERS
    exports: tuple[Export, ...] = EXPORTS
    receipt_fields: tuple[ReceiptField, ...] = RECEIPT_FIELDS
    refuses: tuple[Refuses, ...] = REFUSES
    raises: tuple[Raises, ...] = RAISES

    def rules(self) -> tuple[Rule, ...]:
        """Every rule of the value itself, each once, in reading order."""
        listed: list[Rule] = [*self.fence.rules, *self.execution.rules]
        listed += check_rules(tuple(self.operations.values()))
        listed += [check.rule for check in (*self.run_ladder, *self.receipt_ladder)]
        for entries in (
            self.blockers,
            self.exports,
            self.receipt_fields,
            self.refuses,
            self.raises,
        ):
            listed += [entry.rule for entry in entries]
        listed += [ADMITTED, UNTRACKED, SHAPE, PREPARE_RAISED, *DISK_RULES]
        seen: dict[str, Rule] = {}
        for rule in listed:
            seen.setdefault(rule.id, rule)
        return tuple(seen.values())


AGENT = AgentSpec(
    compile_chart(CheckpointFence),
    compile_chart(AgentExecution),
    {operation.name: operation for operation in OPERATIONS},
)
"""The agent as it must be."""


def agent_rules() -> tuple[Rule, ...]:
    """All rules that concern an agent, properties and shoulds included."""
    return (*AGENT.rules(), *(prop.rule for prop in PROPERTIES), *SHOULD_RULES)
