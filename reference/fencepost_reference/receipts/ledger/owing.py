"""Acknowledgements come to be owed, are confirmed, and go."""

from collections.abc import Iterable

import attrs

from fencepost_reference.receipts.ledger.actions import Move
from fencepost_reference.receipts.ledger.planning import Done, Plan, unknown
from fencepost_reference.receipts.ledger.sealing import agent_agrees, result_facts
from fencepost_reference.receipts.ledger.state import Group, State
from fencepost_spec.receipts.ledger.facts import CallFacts
from fencepost_spec.receipts.ledger.guards import RowFacts
from fencepost_spec.receipts.ledger.requests import (
    Acknowledged,
    Nothing,
    OfGroup,
    OfSibling,
    PartialResult,
)
from fencepost_spec.receipts.ledger.spec import LedgerSpec
from fencepost_spec.receipts.ledger.values import CompletedExecution
from fencepost_spec.table import Row


def _row(spec: LedgerSpec, state: State, event: str, row: CompletedExecution) -> Row | None:
    """The row of the chart for an event of the obligation that a row names."""
    pending = state.owed.get(row.receipt.key)
    facts = RowFacts(same_row=pending == row)
    return spec.obligation.find("absent" if pending is None else "pending", event, facts)


def _record(spec: LedgerSpec, state: State, rows: Iterable[CompletedExecution]) -> Done:
    """The ledger that owes these rows too."""
    owed = state.owed
    moves: tuple[Move, ...] = ()
    for row in rows:
        found = _row(spec, state, "recorded", row)
        if found is not None and found.target == "pending":
            owed = owed.set(row.receipt.key, row)
            moves += (Move(row.receipt.key, found.rule),)
    return Done(attrs.evolve(state, owed=owed), None, moves)


def _sealed_rows(group: Group, indices: Iterable[int]) -> list[CompletedExecution | None]:
    """What is owed for sealed siblings, None where there is no completion receipt."""
    rows: list[CompletedExecution | None] = []
    for index in indices:
        result = group.current[index].result
        completion = None if result is None else result.completion
        owed = completion is not None and group.agent is not None
        rows.append(_completed(completion, group.agent) if owed else None)
    return rows


def _completed(receipt: object, agent: str | None) -> CompletedExecution:
    return CompletedExecution.model_construct(None, receipt=receipt, agent_name=agent)


def _recording(
    spec: LedgerSpec,
    state: State,
    group: Group,
    indices: list[int],
    facts: CallFacts,
    several: bool,
) -> Plan:
    rows = _sealed_rows(group, indices)
    there = [row for row in rows if row is not None]
    facts = attrs.evolve(
        facts,
        attempts_allow=all(group.current[index].status == "sealed" for index in indices),
        has_receipt=len(there) == len(rows),
        agrees_with_pending=all(_row(spec, state, "recorded", row) is not None for row in there),
    )

    def do() -> Done:
        body = [row.model_dump() for row in there]
        done = _record(spec, state, there)
        return attrs.evolve(done, body=body if several else next(iter(body), None))

    return Plan(facts, do)


def record_sibling(spec: LedgerSpec, state: State, request: OfSibling) -> Plan:
    """The acknowledgement of one sealed sibling is owed."""
    group = state.groups.get(request.group_id)
    if group is None:
        return unknown(state)
    exists = request.generation_index in range(len(group.siblings))
    facts = CallFacts(granularity_fits=not group.whole_cohorts, siblings_exist=exists)
    indices = [request.generation_index] if exists else []
    return _recording(spec, state, group, indices, facts, False)


def record_group(spec: LedgerSpec, state: State, request: OfGroup) -> Plan:
    """The acknowledgements of a sealed group are owed."""
    group = state.groups.get(request.group_id)
    if group is None:
        return unknown(state)
    indices = list(range(len(group.siblings)))
    return _recording(spec, state, group, indices, CallFacts(), True)


def record_partial(spec: LedgerSpec, state: State, request: PartialResult) -> Plan:
    """The acknowledgement of a finished sibling of a cohort is owed, and nothing is sealed."""
    group = state.groups.get(request.group_id)
    if group is None:
        return unknown(state)
    index, result = request.generation_index, request.result
    exists = index in range(len(group.siblings))
    facts = CallFacts(granularity_fits=group.whole_cohorts, siblings_exist=exists)
    if not exists:
        return Plan(facts, lambda: Done(state))
    row = _completed(result.completion_receipt, result.resolved_agent_name)
    there = result.completion_receipt is not None
    facts = attrs.evolve(
        facts,
        attempts_allow=group.current[index].status == "dispatched",
        has_receipt=there,
        agent_agrees=agent_agrees(state, group, result.resolved_agent_name),
        agrees_with_pending=not there or _row(spec, state, "recorded", row) is not None,
    )

    def do() -> Done:
        if not there:
            return Done(state)
        return attrs.evolve(_record(spec, state, [row]), body=row.model_dump())

    return Plan(facts, do, (result_facts(group.key(index), result),))


def release(spec: LedgerSpec, state: State, request: Acknowledged) -> Plan:
    """Confirmed rows are owed no more."""
    rows = request.acknowledgements
    keys = [row.receipt.key for row in rows]
    found = [_row(spec, state, "released", row) for row in rows]
    facts = CallFacts(
        each_once=len(set(keys)) == len(keys),
        agrees_with_pending=all(row is not None for row in found),
    )

    def do() -> Done:
        owed = state.owed
        moves: tuple[Move, ...] = ()
        for key, row in zip(keys, found, strict=True):
            owed = owed.delete(key) if key in owed else owed
            moves += () if row is None else (Move(key, row.rule),)
        return Done(attrs.evolve(state, owed=owed), None, moves)

    return Plan(facts, do)


def discard(spec: LedgerSpec, state: State, _request: Nothing) -> Plan:
    """What is owed is dropped, because nobody is left who waits for it."""

    def do() -> Done:
        owed = state.owed
        moves: tuple[Move, ...] = ()
        for row in state.rows():
            found = _row(spec, state, "discarded", row)
            if found is not None:
                owed = owed.delete(row.receipt.key)
                moves += (Move(row.receipt.key, found.rule),)
        return Done(attrs.evolve(state, owed=owed), len(moves), moves)

    return Plan(CallFacts(), do)
