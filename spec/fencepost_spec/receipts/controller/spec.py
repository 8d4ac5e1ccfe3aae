"""The specification of a controller as one value: charts as tables, and the policy.

A variation of it is another value; the reference core takes the value as an argument and never
reads a global.
"""

import attrs

from fencepost_spec.chart import compile_chart
from fencepost_spec.receipts.controller.dispatch import DispatchedAttempt
from fencepost_spec.receipts.controller.fence import DispatchFence
from fencepost_spec.receipts.controller.policy import DECISIONS, FAULTS, POLICY, Policy
from fencepost_spec.receipts.controller.publication import SnapshotPublication
from fencepost_spec.receipts.controller.target_level import LEVEL_RULES
from fencepost_spec.receipts.controller.transaction import CheckpointTransaction
from fencepost_spec.rule import Rule
from fencepost_spec.table import Table


@attrs.frozen(eq=False)
class ControllerSpec:
    """Everything a core asks: four tables, and what is decided beside them."""

    fence: Table
    transaction: Table
    publication: Table
    attempt: Table
    policy: Policy = POLICY

    @property
    def tables(self) -> tuple[Table, ...]:
        """The four tables."""
        return (self.fence, self.transaction, self.publication, self.attempt)

    def rules(self) -> tuple[Rule, ...]:
        """Every rule of the value itself, each once, in reading order."""
        listed = [rule for table in self.tables for rule in table.rules]
        listed += [one.rule for one in DECISIONS]
        return (*dict.fromkeys(listed), *LEVEL_RULES)


CONTROLLER = ControllerSpec(
    compile_chart(DispatchFence),
    compile_chart(CheckpointTransaction),
    compile_chart(SnapshotPublication),
    compile_chart(DispatchedAttempt),
)
"""The controller as it must be."""


def faulty(name: str) -> ControllerSpec:
    """The controller with one of the named faults, or KeyError."""
    policies = {fault.name: fault.policy for fault in FAULTS}
    return attrs.evolve(CONTROLLER, policy=policies[name])


def controller_core_rules() -> tuple[Rule, ...]:
    """The rules of the charts and decisions of a controller."""
    return CONTROLLER.rules()
