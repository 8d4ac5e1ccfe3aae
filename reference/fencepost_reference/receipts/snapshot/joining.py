"""Continuations from the two indexes that participants commit, and the rows that they need."""

from collections.abc import Iterable, Sequence

from fencepost_reference.receipts.ledger.state import State
from fencepost_reference.receipts.snapshot.values import Continuation
from fencepost_spec.receipts.policy_model.saved import StorageReference
from fencepost_spec.receipts.saved import ContinuationRoot
from fencepost_spec.vocabulary import Key


def join(
    roots: Sequence[ContinuationRoot], references: Sequence[StorageReference]
) -> tuple[Continuation, ...]:
    """Each continuation with the staged rows of its capture key; N goes on as N + 1."""
    rows: dict[str, list[str]] = {}
    for reference in references:
        rows.setdefault(reference.capture_key, []).append(reference.key)
    return tuple(
        Continuation(
            Key(root.rollout_id, root.attempt_index),
            root.capture_key,
            root.last_committed_model_call_id,
            None
            if root.resource_state_revisions is None
            else tuple(sorted(root.resource_state_revisions.items())),
            tuple(sorted(set(rows.get(root.capture_key, ())))),
        )
        for root in roots
    )


def required_staging_keys(
    ledger: State,
    references: Iterable[StorageReference],
    *,
    canonical: frozenset[str] = frozenset(),
    planned: Iterable[str] = (),
) -> frozenset[str]:
    """The staged rows that something relies on.

    Those of sealed attempts, of storage references, and those that the caller has planned to route
    to somewhere. Groups that training owns need their canonical rows only.
    """
    sealed = (
        key
        for group in ledger.groups.values()
        if group.group_id not in canonical
        for attempt in group.current
        if attempt.result is not None
        for key in attempt.result.staging_keys
    )
    return frozenset((*sealed, *(reference.key for reference in references), *planned))


def current_attempts(
    ledger: State, canonical: frozenset[str] = frozenset()
) -> tuple[tuple[str, int, str], ...]:
    """Rollout id, number and status of each sibling's current attempt."""
    return tuple(
        (f"{group.group_id}_g{index}", len(sibling) - 1, sibling[-1].status)
        for group in ledger.groups.values()
        if group.group_id not in canonical
        for index, sibling in enumerate(group.siblings)
        if sibling
    )
