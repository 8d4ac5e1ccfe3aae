"""What an operation would meet and do: facts for its ladder, and its effect if nothing refuses."""

from collections.abc import Callable
from typing import Any

import attrs

from fencepost_reference.receipts.ledger.actions import Answer, Move
from fencepost_reference.receipts.ledger.state import Attempt, Group, State
from fencepost_spec.operation import Check
from fencepost_spec.receipts.ledger.facts import CallFacts, ResultFacts
from fencepost_spec.receipts.ledger.guards import RowFacts
from fencepost_spec.receipts.ledger.operations import LedgerOperation
from fencepost_spec.receipts.ledger.spec import LedgerSpec
from fencepost_spec.table import Row


@attrs.frozen
class Done:
    """The effect of an operation: the ledger after it, the value it gives, and why."""

    state: State
    body: Any = None
    moves: tuple[Move, ...] = ()


@attrs.frozen
class Plan:
    """What an operation meets, and what it will do. `do` may still refuse a saved state."""

    facts: CallFacts
    do: Callable[[], Done | Answer]
    results: tuple[ResultFacts, ...] = ()


def refusal(spec: LedgerSpec, operation: LedgerOperation, plan: Plan) -> Answer | None:
    """The first check that answers, or None when nothing does."""
    first = _first(operation.ladder, plan.facts)
    if first is None:
        found = (_first(spec.results, result) for result in plan.results)
        first = next((check for check in found if check is not None), None)
    if first is None:
        first = _first(operation.then, plan.facts)
    return None if first is None else refused(first)


def _first(ladder: tuple[Check, ...], facts: CallFacts | ResultFacts) -> Check | None:
    return next((check for check in ladder if check.when(facts)), None)


def refused(check: Check, where: str = "") -> Answer:
    """The answer of a check that says no."""
    about = f" ({where})" if where else ""
    return Answer(False, check.rule, None, check.answer, f"{check.rule.says}{about}")


def unknown(state: State) -> Plan:
    """The plan of an operation on a group that is not there: without the check, nothing happens."""
    return Plan(CallFacts(known=False), lambda: Done(state))


def group_row(spec: LedgerSpec, group: Group, event: str, facts: RowFacts) -> Row | None:
    """The row of the group's chart for an event."""
    return spec.group.find(group.status, event, facts)


def moves_of(group: Group, row: Row | None) -> tuple[Move, ...]:
    """That a row is why a group is as it is; nothing where there is no row."""
    return () if row is None else (Move(group.group_id, row.rule),)


def moved_group(spec: LedgerSpec, group: Group, event: str) -> tuple[Group, tuple[Move, ...]]:
    """The group after an event; without a row it stays as it is."""
    row = group_row(spec, group, event, RowFacts(all_sealed=group.all_sealed))
    if row is None:
        return group, ()
    return attrs.evolve(group, status=row.target), moves_of(group, row)


def moved_attempt(
    spec: LedgerSpec, group: Group, index: int, event: str, facts: RowFacts
) -> tuple[Group, tuple[Move, ...]]:
    """The group after an event of the current attempt of one sibling."""
    attempt = group.siblings[index][-1]
    row = spec.attempt.find(attempt.status, event, facts)
    if row is None:
        return group, ()
    result = attempt.result if row.target == "sealed" else None
    moved = group.with_attempt(index, Attempt(row.target, result))
    return moved, (Move(group.key(index), row.rule),)


def all_have_rows(spec: LedgerSpec, group: Group, event: str, facts: RowFacts) -> bool:
    """Whether every current attempt has a row for an event."""
    return all(spec.attempt.find(one.status, event, facts) is not None for one in group.current)
