"""A saved ledger is read back: every check of the specification, then all of it or nothing."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from immutables import Map

from fencepost_reference.receipts.ledger.actions import Answer, Move
from fencepost_reference.receipts.ledger.planning import Done, Plan, refused
from fencepost_reference.receipts.ledger.reading import lenient, read, shape_of
from fencepost_reference.receipts.ledger.state import Attempt, Group, Sealed, State
from fencepost_spec.operation import Check
from fencepost_spec.receipts.ledger.facts import CallFacts
from fencepost_spec.receipts.ledger.guards import RowFacts
from fencepost_spec.receipts.ledger.load_facts import (
    AttemptFacts,
    GroupFacts,
    LedgerFacts,
    SiblingFacts,
)
from fencepost_spec.receipts.ledger.requests import Load
from fencepost_spec.receipts.ledger.saved import (
    SavedAttempt,
    SavedGroup,
    SavedLedger,
    SavedSibling,
    SavedSidecar,
)
from fencepost_spec.receipts.ledger.spec import LedgerSpec
from fencepost_spec.receipts.requests import Receipt
from fencepost_spec.vocabulary import Key, canonical_json

_CARELESS = (AttributeError, KeyError, TypeError, ValueError)
"""What reading a document of another shape may raise; only where a check was left out."""


def load_into(spec: LedgerSpec, state: State, request: Load) -> Plan:
    """An empty ledger becomes the saved one."""
    facts = CallFacts(empty=state.is_empty)
    return Plan(facts, lambda: _load(spec, SavedLedger, request.state))


def load_sidecar(spec: LedgerSpec, _state: State, request: Load) -> Plan:
    """A new ledger is read from the file beside a snapshot."""
    return Plan(CallFacts(), lambda: _load(spec, SavedSidecar, request.state))


def _load(spec: LedgerSpec, model: type[SavedLedger], document: Any) -> Done | Answer:
    shape = shape_of(model, document)
    found = _first(spec.loading.shape, shape)
    if found is not None:
        return refused(found)
    saved = read(model, document)
    if saved is not None:
        return _checked(spec, saved)
    try:
        return _checked(spec, lenient(model, document))
    except _CARELESS:
        # Nothing could be made of it, so it is refused after all.
        return refused(spec.loading.shape[-1] if spec.loading.shape else spec.loading.ledger[0])


def _first(checks: Sequence[Check], facts: object) -> Check | None:
    return next((check for check in checks if check.when(facts)), None)


def _checked(spec: LedgerSpec, saved: Any) -> Done | Answer:
    for group in saved.groups:
        answer = _group_answer(spec, group)
        if answer is not None:
            return answer
    found = _first(spec.loading.ledger, _ledger_facts(saved))
    if found is not None:
        return refused(found)
    groups = {group.group_id: _group_of(number, group) for number, group in enumerate(saved.groups)}
    rows = saved.pending_completed_execution_acknowledgements
    owed = Map({row.receipt.key: row for row in rows})
    state = State(Map(groups), owed, len(saved.groups))
    return Done(state, None, tuple(_failures(spec, state)))


def _failures(spec: LedgerSpec, state: State) -> Iterator[Move]:
    """Why an attempt may stand as failed."""
    row = spec.attempt.find(spec.attempt.initial, "loaded_as_failed", RowFacts())
    for group in state.groups.values() if row else ():
        for index, sibling in enumerate(group.siblings):
            if row is not None and sibling and sibling[-1].status == row.target:
                yield Move(group.key(index), row.rule)


def _group_answer(spec: LedgerSpec, group: SavedGroup) -> Answer | None:
    """The first check that refuses a group, or None."""
    checks = spec.loading
    for place, sibling in enumerate(group.siblings):
        rollout_id = f"{group.group_id}_g{place}"
        for number, attempt in enumerate(sibling.attempts):
            facts = _attempt_facts(rollout_id, sibling, number, attempt)
            found = _first(checks.attempt, facts) or _failed(spec, attempt)
            if found is not None:
                return refused(found, f"{rollout_id}, attempt {number}")
        indices = tuple(one.attempt_index for one in sibling.attempts)
        found = _first(checks.sibling, SiblingFacts(place, sibling.generation_index, indices))
        if found is not None:
            return refused(found, rollout_id)
    found = _first(checks.group, _group_facts(group))
    return None if found is None else refused(found, str(group.group_id))


def _failed(spec: LedgerSpec, attempt: SavedAttempt) -> Check | None:
    """Where no row lets an attempt stand as failed, one that does is out of its domain."""
    if attempt.status != "failed":
        return None
    row = spec.attempt.find(spec.attempt.initial, "loaded_as_failed", RowFacts())
    return spec.loading.shape[-1] if row is None else None


def _attempt_facts(
    rollout_id: str, sibling: SavedSibling, number: int, attempt: SavedAttempt
) -> AttemptFacts:
    receipt, completion = attempt.receipt, attempt.completion_receipt
    manifest = () if receipt is None else tuple(one.staging_key for one in receipt.manifest)
    return AttemptFacts(
        Key(rollout_id, attempt.attempt_index),
        attempt.status,
        number == len(sibling.attempts) - 1,
        receipt is not None,
        None if receipt is None else receipt.rollout_id,
        manifest,
        tuple(attempt.staging_keys or ()),
        None if completion is None else completion.key,
        attempt.reward is not None,
        attempt.mask_sample is not None,
    )


def _group_facts(group: SavedGroup) -> GroupFacts:
    return GroupFacts(
        group.expected_generations,
        len(group.siblings),
        group.status,
        group.phase,
        group.recovery_granularity == "prompt_group",
        group.resolved_agent_name is not None,
        group.prompt_id,
        group.prompt_ref.sample_id,
        tuple(sibling.attempts[-1].status for sibling in group.siblings if sibling.attempts),
        tuple(one.status for sibling in group.siblings for one in sibling.attempts),
    )


def _ledger_facts(saved: SavedLedger) -> LedgerFacts:
    rows = saved.pending_completed_execution_acknowledgements
    return LedgerFacts(
        tuple(group.group_id for group in saved.groups),
        tuple(row.receipt.key for row in rows),
        tuple((g.admission_id, g.phase, g.target_step) for g in saved.groups),
        tuple((row.receipt.key, _text(row.receipt), row.agent_name) for row in rows),
        tuple(
            (Key(f"{group.group_id}_g{place}", number), _text(attempt.completion_receipt), agent)
            for group in saved.groups
            for agent in (group.resolved_agent_name,)
            for place, sibling in enumerate(group.siblings)
            for number, attempt in enumerate(sibling.attempts)
            if attempt.status == "sealed"
        ),
    )


def _text(receipt: Receipt | None) -> str | None:
    return None if receipt is None else canonical_json(receipt.model_dump())


def _group_of(number: int, group: SavedGroup) -> Group:
    return Group(
        number,
        group.group_id,
        group.admission_id,
        group.prompt_id,
        group.prompt_ref.task_name,
        group.task_source,
        group.recovery_granularity,
        group.target_step,
        group.start_weight_version,
        group.status,
        group.phase,
        group.resolved_agent_name,
        False,
        tuple(_siblings(group.siblings)),
    )


def _siblings(siblings: Iterable[SavedSibling]) -> Iterator[tuple[Attempt, ...]]:
    for sibling in siblings:
        yield tuple(_attempt_of(attempt) for attempt in sibling.attempts)


def _attempt_of(attempt: SavedAttempt) -> Attempt:
    keys = tuple(attempt.staging_keys or ())
    completion: Receipt | None = attempt.completion_receipt
    data = (attempt.receipt, completion, attempt.reward, attempt.mask_sample)
    if all(one is None for one in data) and not keys:
        return Attempt(attempt.status)
    text = None if attempt.receipt is None else canonical_json(attempt.receipt.model_dump())
    result = Sealed(text, completion, attempt.reward, attempt.mask_sample, keys)
    return Attempt(attempt.status, result)
