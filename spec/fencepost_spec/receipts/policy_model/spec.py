"""The specification of a policy model as one value: three tables, operations, ladders and lists."""

import attrs

from fencepost_spec.chart import compile_chart
from fencepost_spec.operation import Check, Operation, check_rules
from fencepost_spec.receipts.fence import CheckpointFence
from fencepost_spec.receipts.keys import Raises, Refuses
from fencepost_spec.receipts.policy_model import facts as f
from fencepost_spec.receipts.policy_model import rules as r
from fencepost_spec.receipts.policy_model.charts import ModelAdmission, ModelTicket
from fencepost_spec.receipts.policy_model.custody import (
    EXISTING_LADDER,
    RESTORE_LADDER,
    ROOT_LADDER,
)
from fencepost_spec.receipts.policy_model.operations import MODEL_OPERATIONS
from fencepost_spec.receipts.policy_model.policy import GATED, MODEL_RAISES, MODEL_REFUSES, Gated
from fencepost_spec.receipts.policy_model.properties import MODEL_PROPERTIES
from fencepost_spec.receipts.policy_model.refusals import CHECKPOINT_PARKED, IDENTITY_MISMATCH
from fencepost_spec.receipts.refusals import STALE_ATTEMPT
from fencepost_spec.rule import Rule
from fencepost_spec.table import Table

GATE: tuple[Check, ...] = (
    Check(r.IDENTITY, f.identity_disagrees, IDENTITY_MISMATCH),
    Check(r.REFUSED, f.attempt_is_refused, STALE_ATTEMPT),
    Check(r.BELOW, f.attempt_is_below_source, STALE_ATTEMPT),
    Check(r.CLOSED, f.model_is_closed, CHECKPOINT_PARKED),
)
"""Asked in this order when a call on a gated route arrives; when none answers, it is let in."""


@attrs.frozen(eq=False)
class ModelSpec:
    """Everything a core of a policy model asks."""

    fence: Table
    admission: Table
    ticket: Table
    operations: dict[str, Operation]
    gate: tuple[Check, ...] = GATE
    roots: tuple[Check, ...] = ROOT_LADDER
    existing: tuple[Check, ...] = EXISTING_LADDER
    source: tuple[Check, ...] = RESTORE_LADDER
    gated: tuple[Gated, ...] = GATED
    refuses: tuple[Refuses, ...] = MODEL_REFUSES
    raises: tuple[Raises, ...] = MODEL_RAISES

    def rules(self) -> tuple[Rule, ...]:
        """Every rule of the value itself, each once, in reading order."""
        listed: list[Rule] = [*self.fence.rules, *self.admission.rules, *self.ticket.rules]
        listed += check_rules(tuple(self.operations.values()))
        for ladder in (self.gate, self.roots, self.existing, self.source):
            listed += [check.rule for check in ladder]
        for entries in (self.gated, self.refuses, self.raises):
            listed += [entry.rule for entry in entries]
        listed += r.OTHER_RULES
        return tuple({rule.id: rule for rule in listed}.values())


MODEL = ModelSpec(
    compile_chart(CheckpointFence),
    compile_chart(ModelAdmission),
    compile_chart(ModelTicket),
    {operation.name: operation for operation in MODEL_OPERATIONS},
)
"""The policy model as it must be."""


def model_rules() -> tuple[Rule, ...]:
    """All rules that concern a policy model, properties included."""
    return (*MODEL.rules(), *(prop.rule for prop in MODEL_PROPERTIES))
