"""A ledger as plain values, for a file, and for a look at it."""

from collections.abc import Callable
from typing import Any

from fencepost_reference.receipts.ledger.planning import Done, Plan, group_row, moves_of
from fencepost_reference.receipts.ledger.state import Attempt, Group, State
from fencepost_spec.receipts.ledger.facts import CallFacts
from fencepost_spec.receipts.ledger.guards import RowFacts
from fencepost_spec.receipts.ledger.requests import BuildSidecar, Nothing
from fencepost_spec.receipts.ledger.spec import LedgerSpec
from fencepost_spec.receipts.versions import LEDGER_SCHEMA

PlainValue = Any
"""Null, a truth value, a number, a text, a list or a mapping of such."""


def saved_ledger(state: State) -> dict[str, PlainValue]:
    """The whole ledger in plain values."""
    return {
        "schema_version": LEDGER_SCHEMA,
        "groups": [_group(group) for group in state.ordered()],
        "pending_completed_execution_acknowledgements": [
            row.model_dump(mode="json") for row in state.rows()
        ],
    }


def _group(group: Group) -> dict[str, PlainValue]:
    return {
        "group_id": group.group_id,
        "admission_id": group.admission_id,
        "prompt_id": group.prompt_id,
        "prompt_ref": {"sample_id": group.prompt_id, "task_name": group.task_name},
        "task_source": group.task_source,
        "resolved_agent_name": group.agent,
        "recovery_granularity": group.granularity,
        "expected_generations": len(group.siblings),
        "target_step": group.target_step,
        "start_weight_version": group.start_weight_version,
        "status": group.status,
        "phase": group.phase,
        "siblings": [
            {
                "generation_index": index,
                "attempts": [_attempt(number, one) for number, one in enumerate(sibling)],
            }
            for index, sibling in enumerate(group.siblings)
        ],
    }


def _attempt(number: int, attempt: Attempt) -> dict[str, PlainValue]:
    result = attempt.result
    completion = None if result is None else result.completion
    return {
        "attempt_index": number,
        "status": attempt.status,
        "receipt": None if result is None else result.receipt_json,
        "completion_receipt": None if completion is None else completion.model_dump(mode="json"),
        "reward": None if result is None else result.reward,
        "mask_sample": None if result is None else result.mask,
        "staging_keys": [] if result is None else list(result.staging_keys),
    }


def _saving(spec: LedgerSpec, state: State, body: Callable[[], Any]) -> Plan:
    groups = state.ordered()
    rows = [group_row(spec, one, "checkpoint_asked", RowFacts()) for one in groups]
    facts = CallFacts(all_are_safe=all(rows), all_are_bound=all(one.bound for one in groups))

    def do() -> Done:
        moves = (move for one, row in zip(groups, rows, strict=True) for move in moves_of(one, row))
        return Done(state, body(), tuple(moves))

    return Plan(facts, do)


def check_safe(spec: LedgerSpec, state: State, _request: Nothing) -> Plan:
    """Whether the ledger may be saved."""
    return _saving(spec, state, lambda: None)


def save(spec: LedgerSpec, state: State, _request: Nothing) -> Plan:
    """The saved ledger."""
    return _saving(spec, state, lambda: saved_ledger(state))


def save_sidecar(spec: LedgerSpec, state: State, request: BuildSidecar) -> Plan:
    """The saved file beside a snapshot."""
    return _saving(spec, state, lambda: saved_ledger(state) | request.model_dump())


def report_of(state: State) -> dict[str, PlainValue]:
    """A ledger as a trace shows it, for a look without effect."""
    return {
        "groups": [_group_report(group) for group in state.ordered()],
        "pending_acks": [
            [row.agent_name, row.receipt.rollout_id, row.receipt.attempt_index]
            for row in state.rows()
        ],
        "expected_staging_keys": sorted(
            key
            for group in state.groups.values()
            for attempt in group.current
            if attempt.result is not None
            for key in attempt.result.staging_keys
        ),
    }


def _group_report(group: Group) -> dict[str, PlainValue]:
    return {
        "group_id": group.group_id,
        "admission_id": group.admission_id,
        "status": group.status,
        "phase": group.phase,
        "granularity": group.granularity,
        "target_step": group.target_step,
        "agent": group.agent,
        "prompt_bound": group.bound,
        "siblings": [
            [_attempt_report(number, one) for number, one in enumerate(sibling)]
            for sibling in group.siblings
        ],
    }


def _attempt_report(number: int, attempt: Attempt) -> dict[str, PlainValue]:
    shown: dict[str, PlainValue] = {"attempt_index": number, "status": attempt.status}
    result = attempt.result
    if result is None:
        return shown
    return shown | {
        "reward": result.reward,
        "mask": result.mask,
        "keys": list(result.staging_keys),
        "has_receipt": result.receipt is not None,
        "has_completion": result.completion is not None,
    }
