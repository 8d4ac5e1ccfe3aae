"""A deployment starts: from nothing, or from a snapshot, whose work goes on or starts over."""

from typing import Any

from fencepost_reference.receipts.controller.actions import Snapshot, Start
from fencepost_reference.receipts.controller.book import status_of, whose
from fencepost_reference.receipts.controller.draft import Draft
from fencepost_reference.receipts.controller.publishing import ledger_of
from fencepost_reference.receipts.controller.said import Committed, Continuation, Place
from fencepost_reference.receipts.controller.state import Round, State, Work
from fencepost_spec.receipts.controller.target_level import continues
from fencepost_spec.vocabulary import Key


def start(draft: Draft, action: Start) -> None:
    """All memory is lost; what is in the snapshot is read back, and participants restore."""
    snapshot = action.snapshot
    draft.state = State()
    if snapshot is None:
        draft.change(number=max(1, action.number))
        return
    number = max(snapshot.number + 1, action.number)
    draft.change(number=number, step=snapshot.train_step, trained=snapshot.trained)
    if not draft.ledger("load", state=ledger_of(snapshot)).ok:
        draft.change(halted="the saved ledger cannot be read")
        return
    restored = _continuations(snapshot)
    known = {name for name, _ in draft.fleet.modes()}
    if not known.issuperset(name for _, root in restored for name, _ in root.revisions or ()):
        draft.change(halted="a continuation depends on a server that nobody knows")
        return
    _restart(draft, snapshot, restored)
    if not snapshot.participants:
        return
    draft.fenced("freeze_called", number)
    tables = draft.spec
    current = Round(
        number,
        False,
        tables.transaction.initial,
        tables.publication.initial,
        snapshot.train_step,
        discards=discards(draft, restored),
        snapshot=snapshot,
    )
    draft.change(round=current, number=number + 1)
    draft.went("restore_called")
    for place, root in restored:
        # A participant knows this attempt before it is sent, and has to hear if it never will be.
        key = root.key.next()
        if (place, key) not in current.discards and _is_taken_up(draft.state, root.key):
            draft.set_work(key, Work(tables.attempt.initial, place.instance))


def _continuations(snapshot: Snapshot) -> tuple[tuple[Place, Continuation], ...]:
    return tuple(
        (place, root)
        for place, one in snapshot.participants
        if isinstance(one, Committed)
        for root in one.continuations
    )


def _restart(
    draft: Draft, snapshot: Snapshot, restored: tuple[tuple[Place, Continuation], ...]
) -> None:
    """The ledger gives up what the last process ran, and has its prompts again."""
    draft.ledger("discard_canonical_groups", group_ids=list(snapshot.trained))
    # Participants are as new as their controller: nobody is left who waits for an answer.
    draft.ledger("discard_pending_acknowledgements")
    sources = {root.key for _, root in restored}
    if draft.policy.reserved == "burn":
        groups = draft.state.ledger.groups.values()
        sources |= {key for group in groups for key in group.executions()}
    named: list[dict[str, Any]] = [
        {"rollout_id": key.rollout_id, "attempt_index": key.attempt} for key in sorted(sources)
    ]
    draft.ledger("prepare_for_restart", restored_sources=named)
    reserved = (one for one in draft.state.ledger.ordered() if one.phase == "reserved")
    draft.change(late=frozenset(group.group_id for group in reserved))
    for group in draft.state.ledger.ordered():
        payload = {"idx": int(group.prompt_id), "task_name": group.task_name}
        draft.ledger("bind_runtime_prompt", group_id=group.group_id, prompt_payload=payload)


def discards(
    draft: Draft, restored: tuple[tuple[Place, Continuation], ...]
) -> tuple[tuple[Place, Key], ...]:
    """The replacements that must not go on: nobody takes them up, or they cannot be restored."""
    left = [(place, root.key.next()) for place, root in restored if _is_discarded(draft, root)]
    return tuple(sorted(left))


def _is_discarded(draft: Draft, root: Continuation) -> bool:
    if not _is_taken_up(draft.state, root.key):
        return draft.policy.orphans == "discard"
    return draft.policy.restart_only == "start_over" and not _goes_on(draft, root)


def _is_taken_up(state: State, key: Key) -> bool:
    """Whether the next attempt of an unfinished sibling is the one that continues."""
    return whose(state.ledger, key) is not None and status_of(state.ledger, key) in (
        "abandoned",
        "failed",
    )


def _goes_on(draft: Draft, root: Continuation) -> bool:
    used = None if root.revisions is None else tuple(name for name, _ in root.revisions)
    fleet = draft.fleet
    return continues(fleet.target_level, used, fleet.modes(), fleet.scored())
