"""The specification of a resources server as one value: tables, ladders and lists.

A variation of it, with a row, rung or entry left out, is another value; the reference core takes
the value as an argument and never reads a global.
"""

import attrs

from fencepost_spec.chart import compile_chart
from fencepost_spec.operation import Check, Operation, check_rules
from fencepost_spec.receipts.fence import CheckpointFence
from fencepost_spec.receipts.keys import Raises, Refuses
from fencepost_spec.receipts.resources.handling import ARRIVAL, HANDLING_RULES, UNDER_LOCK
from fencepost_spec.receipts.resources.modes import CONTRACTS, MODES, Contract, Mode
from fencepost_spec.receipts.resources.operations import EFFECT_RULES, OPERATIONS
from fencepost_spec.receipts.resources.policy import (
    BLOCKERS,
    EXPORTED,
    RAISES,
    REFUSES,
    SNAPSHOT,
    Blocker,
    Exported,
    Kept,
)
from fencepost_spec.receipts.resources.properties import PROPERTIES
from fencepost_spec.receipts.resources.routes import (
    COMPARED,
    ROUTE_RULES,
    ROUTES,
    Compared,
    Route,
)
from fencepost_spec.receipts.resources.session import ResourcesSession
from fencepost_spec.receipts.running import DISK_RULES
from fencepost_spec.rule import Rule
from fencepost_spec.table import Table


@attrs.frozen(eq=False)
class ResourcesSpec:
    """Everything a core asks: two tables, the operations, two ladders and the lists."""

    fence: Table
    session: Table
    operations: dict[str, Operation]
    arrival: tuple[Check, ...] = ARRIVAL
    under_lock: tuple[Check, ...] = UNDER_LOCK
    routes: tuple[Route, ...] = ROUTES
    compared: tuple[Compared, ...] = COMPARED
    modes: tuple[Mode, ...] = MODES
    contracts: tuple[Contract, ...] = CONTRACTS
    blockers: tuple[Blocker, ...] = BLOCKERS
    snapshot: tuple[Kept, ...] = SNAPSHOT
    exported: tuple[Exported, ...] = EXPORTED
    refuses: tuple[Refuses, ...] = REFUSES
    raises: tuple[Raises, ...] = RAISES

    def rules(self) -> tuple[Rule, ...]:
        """Every rule of the value itself, each once, in reading order."""
        listed: list[Rule] = [*self.fence.rules, *self.session.rules]
        listed += check_rules(tuple(self.operations.values()))
        listed += EFFECT_RULES
        listed += [check.rule for check in (*self.arrival, *self.under_lock)]
        listed += HANDLING_RULES
        for entries in (
            self.routes,
            self.modes,
            self.contracts,
            self.blockers,
            self.snapshot,
            self.exported,
            self.refuses,
            self.raises,
        ):
            listed += [entry.rule for entry in entries]
        listed += [*ROUTE_RULES, *DISK_RULES]
        seen: dict[str, Rule] = {}
        for rule in listed:
            seen.setdefault(rule.id, rule)
        return tuple(seen.values())


RESOURCES = ResourcesSpec(
    compile_chart(CheckpointFence),
    compile_chart(ResourcesSession),
    {operation.name: operation for operation in OPERATIONS},
)
"""The resources server as it must be."""


def resources_rules() -> tuple[Rule, ...]:
    """All rules that concern a resources server, properties included."""
    return (*RESOURCES.rules(), *(prop.rule for prop in PROPERTIES))
