"""The specification of a model with one thing deleted, for every thing in it.

Every row and guard of the three charts, every check of every ladder, every entry of every list, and
every phase of an operation that does not move the fence (that one also with each phase added).
"""

from collections.abc import Iterator
from typing import Any

import attrs

from fencepost.policy_model.mutants.mutant import ModelMutant, core_with
from fencepost_spec.operation import Check, Operation
from fencepost_spec.receipts.policy_model.spec import MODEL
from fencepost_spec.rule import Rule
from fencepost_spec.table import Table

TABLES = ("fence", "admission", "ticket")
LADDERS = ("gate", "roots", "existing", "source")
LISTS = ("gated", "refuses", "raises")


def generated() -> tuple[ModelMutant, ...]:
    """Every mechanical mutant, in the order of the specification."""
    found: list[ModelMutant] = []
    for part in TABLES:
        found += _of_table(part, getattr(MODEL, part))
    for operation in MODEL.operations.values():
        found += _of_operation(operation)
    for part in LADDERS:
        found += _of_ladder(part, getattr(MODEL, part))
    for part in LISTS:
        found += _of_list(part, getattr(MODEL, part))
    return tuple(found)


def _mutant(name: str, says: str, rule: Rule, **changes: Any) -> ModelMutant:
    cites = (rule.id, *rule.facts)
    return ModelMutant(name, says, cites, lambda: core_with(**changes), mechanical=True)


def _of_table(part: str, table: Table) -> Iterator[ModelMutant]:
    for row in table.rows:
        where = f"{row.event} in {row.source} to {row.target}"
        name = f"{part} without {where}"
        yield _mutant(name, f"no row for {where}", row.rule, **{part: table.without(row)})
        for guard in row.guards:
            name = f"{part} with {where} whatever {guard.__name__}"
            says = f"{where} whether or not: {_condition(guard.__doc__)}"
            yield _mutant(name, says, row.rule, **{part: table.without_guard(row, guard)})


def _condition(docstring: str | None) -> str:
    return (docstring or "").strip().removesuffix(".")


def _name_of(ladder: tuple[Check, ...], check: Check) -> str:
    alike = [one for one in ladder if one.rule == check.rule]
    return check.rule.id if len(alike) == 1 else f"{check.rule.id} {check.when.__name__}"


def _of_operation(operation: Operation) -> Iterator[ModelMutant]:
    for check in operation.ladder:
        name = f"{operation.name} without {_name_of(operation.ladder, check)}"
        says = f"{operation.name} does not ask: {_condition(check.when.__doc__)}"
        yield _changed(name, says, check.rule, operation.without(check))
    if operation.phases is None:
        return
    rule = next(check.rule for check in operation.ladder if check.rule.id == "R-OPS-9")
    for phase in MODEL.fence.states:
        has = phase in operation.phases
        kept = tuple(one for one in operation.phases if one != phase)
        phases = kept if has else (*operation.phases, phase)
        says = f"{operation.name} {'refused' if has else 'allowed'} in {phase}"
        yield _changed(says, says, rule, attrs.evolve(operation, phases=phases))


def _changed(name: str, says: str, rule: Rule, operation: Operation) -> ModelMutant:
    operations = {**MODEL.operations, operation.name: operation}
    return _mutant(name, says, rule, operations=operations)


def _of_ladder(part: str, ladder: tuple[Check, ...]) -> Iterator[ModelMutant]:
    for check in ladder:
        kept = tuple(one for one in ladder if one is not check)
        says = f"{part} does not ask: {_condition(check.when.__doc__)}"
        yield _mutant(f"{part} without {check.rule.id}", says, check.rule, **{part: kept})


def _of_list(part: str, entries: tuple[Any, ...]) -> Iterator[ModelMutant]:
    for entry in entries:
        kept = tuple(one for one in entries if one is not entry)
        what = entry.cause if hasattr(entry, "cause") else entry.name
        says = f"it is not so that {entry.rule.says}"
        yield _mutant(f"{part} without {what}", says, entry.rule, **{part: kept})
