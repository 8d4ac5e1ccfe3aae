"""One mutant for each row, guard and check of the specification: the ledger without it."""

from collections.abc import Iterator
from typing import Any

import attrs

from fencepost.ledger.mutants.mutant import LedgerMutant, core_with, faulty
from fencepost_reference.receipts.ledger.actions import Answer
from fencepost_reference.receipts.ledger.core import Planner
from fencepost_reference.receipts.ledger.planning import Done, Plan
from fencepost_reference.receipts.ledger.state import State
from fencepost_spec.operation import Check
from fencepost_spec.receipts.ledger.spec import LEDGER, LedgerSpec

_TABLES = ("attempt", "admission", "group", "obligation")
_READERS = ("load", "load_state_dict")
_LEVELS = ("shape", "attempt", "sibling", "group", "ledger")


def mechanical() -> Iterator[LedgerMutant]:
    """Every mutant that follows from the value of the specification alone."""
    yield from _rows()
    yield from _checks()
    yield from _results()
    yield from _loads()
    yield from _effects()


def _rows() -> Iterator[LedgerMutant]:
    for part in _TABLES:
        table = getattr(LEDGER, part)
        for row in table.rows:
            name = f"{row.rule.id} without its row from {row.source}"
            says = f"{row.event} in {row.source} has no row"
            loads = row.event == "loaded_as_failed"
            core = core_with(**{part: table.without(row)})
            yield LedgerMutant(name, says, (row.rule.id,), core, True, loads)
            for guard in row.guards:
                name = f"{row.rule.id} in {row.source} without {guard.__name__}"
                says = f"{row.event} in {row.source} is not asked whether {guard.__name__}"
                core = core_with(**{part: table.without_guard(row, guard)})
                yield LedgerMutant(name, says, (row.rule.id,), core, True)


def _checks() -> Iterator[LedgerMutant]:
    for operation in LEDGER.operations.values():
        for check in operation.checks:
            name = f"{operation.name} without {check.rule.id}"
            says = f"{operation.name} is not refused when {check.when.__name__}"
            operations = {**LEDGER.operations, operation.name: operation.without(check)}
            core = core_with(operations=operations)
            loads = operation.name in ("load", "load_state_dict")
            yield LedgerMutant(name, says, (check.rule.id,), core, True, loads)


def _results() -> Iterator[LedgerMutant]:
    for check in LEDGER.results:
        fewer = _without(LEDGER.results, check)
        says = f"a result is taken although {check.when.__name__}"
        core = core_with(results=fewer)
        yield LedgerMutant(f"results without {check.rule.id}", says, (check.rule.id,), core, True)


def _loads() -> Iterator[LedgerMutant]:
    for level in _LEVELS:
        checks = getattr(LEDGER.loading, level)
        for check in checks:
            loading = attrs.evolve(LEDGER.loading, **{level: _without(checks, check)})
            says = f"a saved state is read although {check.when.__name__}"
            name = f"load without {check.rule.id}"
            core = core_with(loading=loading)
            yield LedgerMutant(name, says, (check.rule.id,), core, True, True)


def _effects() -> Iterator[LedgerMutant]:
    for operation in LEDGER.operations.values():
        if operation.name == "assert_checkpoint_safe":
            continue  # It does nothing but answer.
        core = faulty(_does_nothing, operation.name)
        says = f"{operation.name} answers, and does nothing"
        loads = operation.name in _READERS
        name = f"{operation.name} without effect"
        yield LedgerMutant(name, says, (operation.effect.id,), core, True, loads)


def _does_nothing(right: Planner, spec: LedgerSpec, state: State, request: Any) -> Plan:
    plan = right(spec, state, request)

    def do() -> Done | Answer:
        done = plan.do()
        return done if isinstance(done, Answer) else Done(state)

    return attrs.evolve(plan, do=do)


def _without(checks: tuple[Check, ...], check: Check) -> tuple[Check, ...]:
    return tuple(one for one in checks if one is not check)
