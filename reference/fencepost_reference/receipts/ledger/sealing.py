"""Results are sealed, attempts are given up and followed by the next."""

from collections.abc import Mapping, Sequence
from typing import Any

import attrs

from fencepost_reference.receipts.ledger.actions import Move
from fencepost_reference.receipts.ledger.planning import (
    Done,
    Plan,
    all_have_rows,
    group_row,
    moved_attempt,
    moved_group,
    moves_of,
    unknown,
)
from fencepost_reference.receipts.ledger.state import Attempt, Group, Sealed, Sibling, State
from fencepost_spec.receipts.ledger.facts import CallFacts, ResultFacts
from fencepost_spec.receipts.ledger.guards import RowFacts
from fencepost_spec.receipts.ledger.requests import (
    OfGroup,
    Restart,
    SealGroup,
    SealSibling,
)
from fencepost_spec.receipts.ledger.spec import LedgerSpec
from fencepost_spec.receipts.ledger.values import GateReceipt, Result
from fencepost_spec.vocabulary import Key, canonical_json

Given = Mapping[int, Result | SealSibling]
"""Results by generation index."""

RETRIED = ("abandoned", "failed")
"""The statuses that a next attempt may follow."""


def sealed_of(result: Result | SealSibling) -> Sealed:
    """A result as it is kept."""
    receipt = result.receipt
    entries = () if receipt is None else receipt.manifest
    text = None if receipt is None else canonical_json(_plain(receipt))
    keys = tuple(entry.staging_key for entry in entries)
    completion = result.completion_receipt
    return Sealed(text, completion, result.reward, result.mask_sample, keys)


def _plain(receipt: GateReceipt) -> Any:
    return receipt.model_dump(mode="python")


def result_facts(key: Key, result: Result | SealSibling) -> ResultFacts:
    """What a result names, against the execution that it must belong to."""
    completion = result.completion_receipt
    return ResultFacts(
        key,
        result.gate_rollout_id,
        None if result.receipt is None else result.receipt.rollout_id,
        None if completion is None else completion.key,
    )


def agent_agrees(state: State, group: Group, agent: str) -> bool:
    """Whether an agent is the one that the group's results, sealed or owed, name already."""
    owed = {state.owed[key].agent_name for key in group.executions() if key in state.owed}
    named = owed if group.agent is None else owed | {group.agent}
    return named <= {agent}


def agrees_with_owed(state: State, key: Key, result: Result | SealSibling) -> bool:
    """Whether a result has the receipt that is owed for its execution already."""
    owed = state.owed.get(key)
    return owed is None or owed.receipt == result.completion_receipt


def _same(group: Group, index: int, result: Result | SealSibling) -> bool:
    attempt = group.current[index]
    same = attempt.result == sealed_of(result) and group.agent == result.resolved_agent_name
    return attempt.status == "sealed" and same


def seal_sibling(spec: LedgerSpec, state: State, request: SealSibling) -> Plan:
    """One sibling is sealed."""
    return _seal(spec, state, request.group_id, {request.generation_index: request}, False)


def seal_group(spec: LedgerSpec, state: State, request: SealGroup) -> Plan:
    """A cohort is sealed."""
    results = {_index(name): result for name, result in request.results.items()}
    return _seal(spec, state, request.group_id, results, True)


def _index(name: str) -> int:
    """The generation index that a result is listed under; none that a sibling has, if it is not."""
    return int(name) if name.isdecimal() and str(int(name)) == name else -1


def _seal(spec: LedgerSpec, state: State, group_id: str, given: Given, whole: bool) -> Plan:
    group = state.groups.get(group_id)
    if group is None:
        return unknown(state)
    every = range(len(group.siblings))
    results = {index: one for index, one in sorted(given.items()) if index in every}
    agents = {one.resolved_agent_name for one in results.values()}
    same = {index: _same(group, index, one) for index, one in results.items()}
    rows = [
        spec.attempt.find(
            group.current[index].status, "seal_called", RowFacts(same_result=same[index])
        )
        for index in results
    ]
    facts = CallFacts(
        granularity_fits=group.whole_cohorts == whole,
        siblings_exist=len(results) == len(given),
        whole_cohort=list(given) == list(every) or sorted(given) == list(every),
        one_agent=len(agents) <= 1,
        attempts_allow=all(row is not None for row in rows),
        agent_agrees=all(agent_agrees(state, group, agent) for agent in agents),
        agrees_with_pending=all(
            agrees_with_owed(state, group.key(index), one) for index, one in results.items()
        ),
    )

    def do() -> Done:
        event = "cohort_sealed" if whole else "sibling_sealed"
        return _sealed(spec, state, group, results, event)

    checks = tuple(result_facts(group.key(index), one) for index, one in results.items())
    return Plan(facts, do, checks)


def _sealed(spec: LedgerSpec, state: State, group: Group, results: Given, event: str) -> Done:
    after = group
    moves: tuple[Move, ...] = ()
    for index, result in results.items():
        facts = RowFacts(same_result=_same(group, index, result))
        row = spec.attempt.find(after.current[index].status, "seal_called", facts)
        after = after.with_attempt(index, Attempt("sealed", sealed_of(result)))
        moves += () if row is None else (Move(group.key(index), row.rule),)
        after = attrs.evolve(after, agent=result.resolved_agent_name)
    after, more = moved_group(spec, after, event)
    return Done(state.with_group(after), None, (*moves, *more))


def abandon(spec: LedgerSpec, state: State, request: OfGroup) -> Plan:
    """Every unsealed sibling is given up."""
    group = state.groups.get(request.group_id)
    if group is None:
        return unknown(state)
    row = group_row(spec, group, "abandon_called", RowFacts())
    allow = all_have_rows(spec, group, "abandon_called", RowFacts())
    facts = CallFacts(status_allows=row is not None, attempts_allow=allow)
    return Plan(facts, lambda: _each(spec, state, group, "abandon_called", ()))


def _each(spec: LedgerSpec, state: State, group: Group, event: str, sources: Sequence[Key]) -> Done:
    """The ledger after an event of every current attempt of a group."""
    after, moves = group, moves_of(group, group_row(spec, group, event, RowFacts()))
    for index in range(len(group.siblings)):
        facts = RowFacts(restored_source=group.key(index) in sources)
        after, more = moved_attempt(spec, after, index, event, facts)
        moves += more
    return Done(state.with_group(after), None, moves)


def retry(spec: LedgerSpec, state: State, request: OfGroup) -> Plan:
    """What was given up is followed by a next attempt."""
    group = state.groups.get(request.group_id)
    if group is None:
        return unknown(state)
    allowed = group_row(spec, group, "retry_called", RowFacts())
    allow = all_have_rows(spec, group, "retry_called", RowFacts())
    facts = CallFacts(status_allows=allowed is not None, attempts_allow=allow)

    def do() -> Done:
        siblings: list[Sibling] = []
        moves = moves_of(group, allowed)
        for index, sibling in enumerate(group.siblings):
            row = spec.attempt.find(sibling[-1].status, "retry_called", RowFacts())
            again = row is not None and row.target in RETRIED
            siblings.append((*sibling, Attempt(spec.attempt.initial)) if again else sibling)
            moves += () if row is None else (Move(group.key(index), row.rule),)
        after = attrs.evolve(group, siblings=tuple(siblings))
        return Done(state.with_group(after), None, moves)

    return Plan(facts, do)


def restart(spec: LedgerSpec, state: State, request: Restart) -> Plan:
    """What the last process ran is given up."""
    sources = frozenset(one.key for one in request.restored_sources)
    groups = state.ordered()
    safe = all(group_row(spec, one, "restart_called", RowFacts()) for one in groups)
    allow = all(
        spec.attempt.find(
            attempt.status,
            "restart_called",
            RowFacts(restored_source=one.key(index) in sources),
        )
        for one in groups
        for index, attempt in enumerate(one.current)
    )

    def do() -> Done:
        after = state
        moves: tuple[Move, ...] = ()
        for group in groups:
            done = _each(spec, after, group, "restart_called", tuple(sources))
            after, moves = done.state, (*moves, *done.moves)
        return Done(after, None, moves)

    return Plan(CallFacts(all_are_safe=safe, attempts_allow=allow), do)
