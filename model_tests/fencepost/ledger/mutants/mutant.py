"""A mutant of the ledger: a core with one fault, named after what it does wrong."""

from collections.abc import Callable
from typing import Any

import attrs

from fencepost_reference.receipts.ledger.core import LedgerCore, Planner
from fencepost_reference.receipts.ledger.planning import Plan
from fencepost_reference.receipts.ledger.state import State
from fencepost_spec.receipts.ledger.spec import LEDGER, LedgerSpec

Fault = Callable[[Planner, LedgerSpec, State, Any], Plan]
"""What a faulty operation meets and does, given the right planner and what that is given."""


@attrs.frozen(eq=False)
class LedgerMutant:
    """One fault. `cites` are the rules or facts that it stands for.

    `loads` says that it can only show when a saved state is read.
    """

    name: str
    says: str
    cites: tuple[str, ...]
    core: LedgerCore
    mechanical: bool = False
    loads: bool = False


def core_with(**changes: Any) -> LedgerCore:
    """A core whose specification differs in the named parts."""
    return LedgerCore(attrs.evolve(LEDGER, **changes))


def faulty(fault: Fault, *operations: str) -> LedgerCore:
    """A core that plans some operations otherwise."""
    core = LedgerCore()
    for name in operations:
        core.planners[name] = _around(core.planners[name], fault)
    return core


def _around(right: Planner, fault: Fault) -> Planner:
    return lambda spec, state, request: fault(right, spec, state, request)
