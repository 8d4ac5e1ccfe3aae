"""Mutants that nobody thought of: the specification with one thing deleted, for every thing in it.

Every row and guard of both charts, every check of every ladder, every entry of every list, and
every phase of an operation that does not move the fence.
"""

from collections.abc import Callable, Iterator
from typing import Any

import attrs

from fencepost.resources.mutants.mutant import Mutant, core_with
from fencepost_reference.receipts.resources.server import ResourcesCore
from fencepost_spec.operation import Check, Operation
from fencepost_spec.receipts.resources.server import RESOURCES
from fencepost_spec.rule import Rule
from fencepost_spec.table import Table

LISTS = (
    "routes",
    "compared",
    "modes",
    "contracts",
    "blockers",
    "snapshot",
    "exported",
    "refuses",
    "raises",
)


def generated() -> tuple[Mutant, ...]:
    """Every mechanical mutant, in the order of the specification."""
    operations = tuple(RESOURCES.operations.values())
    return (
        *_of_table("fence", RESOURCES.fence),
        *_of_table("session", RESOURCES.session),
        *(one for operation in operations for one in _of_operation(operation)),
        *_of_ladder("arrival", RESOURCES.arrival),
        *_of_ladder("under_lock", RESOURCES.under_lock),
        *_of_lists(),
        *(one for operation in operations for one in _of_phases(operation)),
    )


def _mutant(name: str, says: str, rule: Rule, make: Callable[[], ResourcesCore]) -> Mutant:
    return Mutant(name, says, (rule.id, *rule.facts), make)


def _with(**changes: Any) -> Callable[[], ResourcesCore]:
    return lambda: core_with(**changes)


def _of_table(part: str, table: Table) -> Iterator[Mutant]:
    for row in table.rows:
        where = f"{row.event} in {row.source} to {row.target}"
        says = f"no row for {where}"
        make = _with(**{part: table.without(row)})
        yield _mutant(f"{part} without {where}", says, row.rule, make)
        for guard in row.guards:
            says = f"{where}, whether or not: {(guard.__doc__ or '').strip()}"
            make = _with(**{part: table.without_guard(row, guard)})
            yield _mutant(f"{part} with {where} whatever {guard.__name__}", says, row.rule, make)


def _asks_not(name: str, check: Check) -> str:
    return f"{name} does not ask: {(check.when.__doc__ or '').strip()}"


def _of_operation(operation: Operation) -> Iterator[Mutant]:
    for check in operation.ladder:
        fewer = {**RESOURCES.operations, operation.name: operation.without(check)}
        name = f"{operation.name} without {check.rule.id} {check.when.__name__}"
        says = _asks_not(operation.name, check)
        yield _mutant(name, says, check.rule, _with(operations=fewer))


def _of_ladder(part: str, ladder: tuple[Check, ...]) -> Iterator[Mutant]:
    for check in ladder:
        kept = tuple(one for one in ladder if one is not check)
        name = f"{part} without {check.rule.id} {check.when.__name__}"
        yield _mutant(name, _asks_not(part, check), check.rule, _with(**{part: kept}))


def _of_lists() -> Iterator[Mutant]:
    for part in LISTS:
        entries: tuple[Any, ...] = getattr(RESOURCES, part)
        for entry in entries:
            kept = tuple(one for one in entries if one is not entry)
            fields = ("name", "cause", "status")
            name = next(str(getattr(entry, one)) for one in fields if hasattr(entry, one))
            says = f"it is not so that {entry.rule.says}"
            yield _mutant(f"{part} without {name}", says, entry.rule, _with(**{part: kept}))


def _of_phases(operation: Operation) -> Iterator[Mutant]:
    """Each phase of an operation gone, and each that it lacks added."""
    if operation.phases is None:
        return
    rule = next(check.rule for check in operation.ladder if check.rule.id == "R-OPS-9")
    for phase in RESOURCES.fence.states:
        has = phase in operation.phases
        fewer = tuple(one for one in operation.phases if one != phase)
        phases = fewer if has else (*operation.phases, phase)
        changed = attrs.evolve(operation, phases=phases)
        said = f"{operation.name} {'refused' if has else 'allowed'} in {phase}"
        make = _with(operations={**RESOURCES.operations, operation.name: changed})
        yield _mutant(said, said, rule, make)
