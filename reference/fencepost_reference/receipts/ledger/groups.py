"""Groups come, are admitted and dispatched, are finalized, and go."""

from typing import Any

import attrs

from fencepost_reference.receipts.ledger.actions import Move
from fencepost_reference.receipts.ledger.planning import (
    Done,
    Plan,
    group_row,
    moved_attempt,
    moved_group,
    moves_of,
    unknown,
)
from fencepost_reference.receipts.ledger.state import Attempt, Group, State
from fencepost_spec.receipts.ledger.facts import CallFacts
from fencepost_spec.receipts.ledger.guards import RowFacts
from fencepost_spec.receipts.ledger.requests import (
    AdmitGroup,
    BindPrompt,
    DispatchGroup,
    Groups,
    OfGroup,
    ReserveGroup,
)
from fencepost_spec.receipts.ledger.spec import LedgerSpec


def reserve(spec: LedgerSpec, state: State, request: ReserveGroup) -> Plan:
    """A new group with one reserved attempt for every generation."""
    admission_id = request.admission_id or request.group_id
    phase = spec.admission.initial
    if request.admitted:
        row = spec.admission.find(phase, "admission_called", RowFacts())
        phase = phase if row is None else row.target
    together = [g for g in state.groups.values() if g.admission_id == admission_id]
    agreed = {(g.phase, g.target_step) for g in together} <= {(phase, request.target_step)}

    def do() -> Done:
        attempts = ((Attempt(spec.attempt.initial),),) * request.expected_generations
        group = Group(
            state.reserved,
            request.group_id,
            admission_id,
            request.prompt_id,
            request.prompt_payload.task_name,
            request.task_source,
            request.recovery_granularity,
            request.target_step,
            request.start_weight_version,
            spec.group.initial,
            phase,
            None,
            True,
            attempts,
        )
        return Done(attrs.evolve(state.with_group(group), reserved=state.reserved + 1))

    taken = request.group_id in state.groups
    return Plan(CallFacts(taken=taken, admission_disagrees=not agreed), do)


def admit(spec: LedgerSpec, state: State, request: AdmitGroup) -> Plan:
    """Every group of the admission is admitted."""
    group = state.groups.get(request.group_id)
    if group is None:
        return unknown(state)
    row = spec.admission.find(group.phase, "admission_called", RowFacts())

    def do() -> Done:
        after = state
        moves: list[Move] = []
        for other in state.groups.values():
            if other.admission_id == group.admission_id:
                changed = attrs.evolve(
                    other,
                    phase=other.phase if row is None else row.target,
                    target_step=request.target_step,
                    start_weight_version=request.start_weight_version,
                )
                after = after.with_group(changed)
                moves += [] if row is None else [Move(other.group_id, row.rule)]
        return Done(after, None, tuple(moves))

    return Plan(CallFacts(phase_allows=row is not None), do)


def dispatch(spec: LedgerSpec, state: State, request: DispatchGroup) -> Plan:
    """The attempts named, or all, are dispatched."""
    group = state.groups.get(request.group_id)
    if group is None:
        return unknown(state)
    named = request.generation_indices
    every = range(len(group.siblings))
    meant = [index for index in (every if named is None else named) if index in every]
    rows = [
        spec.attempt.find(group.current[i].status, "dispatch_called", RowFacts()) for i in meant
    ]
    allowed = spec.admission.find(group.phase, "dispatch_called", RowFacts())
    facts = CallFacts(
        phase_allows=allowed is not None,
        bound=group.bound,
        siblings_exist=named is None or len(meant) == len(named),
        attempts_allow=all(row is not None for row in rows),
    )

    def do() -> Done:
        after, moves = group, moves_of(group, allowed)
        for index in meant:
            after, more = moved_attempt(spec, after, index, "dispatch_called", RowFacts())
            moves += more
        return Done(state.with_group(after), None, moves)

    return Plan(facts, do)


def finalize(event: str) -> Any:
    """The operation that only moves the status of a group by an event."""

    def plan(spec: LedgerSpec, state: State, request: OfGroup) -> Plan:
        group = state.groups.get(request.group_id)
        if group is None:
            return unknown(state)
        after, moves = moved_group(spec, group, event)
        kept = state.without_group if after.status == "removed" else None

        def do() -> Done:
            left = state.with_group(after) if kept is None else kept(group.group_id)
            return Done(left, None, moves)

        return Plan(CallFacts(status_allows=bool(moves)), do)

    return plan


def discard_canonical(spec: LedgerSpec, state: State, request: Groups) -> Plan:
    """Groups that are training data already go; the others are not touched."""

    def do() -> Done:
        after, moves = state, list[Move]()
        for group_id in dict.fromkeys(request.group_ids):
            group = state.groups.get(group_id)
            if group is None:
                continue
            row = group_row(spec, group, "found_canonical", RowFacts())
            if row is not None:
                after = after.without_group(group_id)
                moves += moves_of(group, row)
        return Done(after, len(moves), tuple(moves))

    return Plan(CallFacts(), do)


def bind(_spec: LedgerSpec, state: State, request: BindPrompt) -> Plan:
    """A group has its prompt again."""
    group = state.groups.get(request.group_id)
    if group is None:
        return unknown(state)
    payload = request.prompt_payload
    same = (str(payload.idx), payload.task_name) == (group.prompt_id, group.task_name)
    bound = attrs.evolve(group, bound=True)
    return Plan(CallFacts(prompt_agrees=same), lambda: Done(state.with_group(bound)))


def inputs(spec: LedgerSpec, state: State, request: OfGroup) -> Plan:
    """What the finalizer gets: capture keys, rollout ids, receipts, rewards, masks."""
    group = state.groups.get(request.group_id)
    if group is None:
        return unknown(state)
    row = group_row(spec, group, "inputs_asked", RowFacts())

    def do() -> Done:
        results = [attempt.result for attempt in group.current]
        keys = group.executions()
        body = [
            [key.capture_key for key in keys],
            [key.rollout_id for key in keys],
            [None if one is None else one.receipt_json for one in results],
            [None if one is None else one.reward for one in results],
            [None if one is None else one.mask for one in results],
        ]
        return Done(state, body, moves_of(group, row))

    return Plan(CallFacts(status_allows=row is not None), do)
