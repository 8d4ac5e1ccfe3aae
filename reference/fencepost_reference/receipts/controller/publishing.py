"""A snapshot becomes due, is captured, written step by step, published, and concluded."""

import json

from fencepost_reference.receipts.controller.actions import (
    Conclude,
    Snapshot,
    SnapshotEnded,
    StoreStep,
    Storing,
)
from fencepost_reference.receipts.controller.draft import Draft, round_of
from fencepost_reference.receipts.controller.outbox import outbox
from fencepost_reference.receipts.controller.rounds import fail, give_up, open_gate, release
from fencepost_reference.receipts.controller.state import Round, State
from fencepost_reference.receipts.ledger.reading import from_json
from fencepost_spec.vocabulary import canonical_json

UNSAFE = ("finalizing", "finalization_unknown")
STEPS = {"captured": "sidecars", "described": "manifest", "sealed": "rename"}
"""What is written next, by where the snapshot stands."""

_WRITTEN = {
    "sidecars": "sidecars_written",
    "manifest": "manifest_written",
    "rename": "renamed",
}


def due(draft: Draft) -> None:
    """The gate closes, and a checkpoint begins; while one is open, no other does."""
    if draft.state.round is not None:
        draft.outputs.append(SnapshotEnded(False, "busy"))
        return
    number = draft.state.number
    if not draft.fenced("freeze_called", number):
        draft.outputs.append(SnapshotEnded(False, "frozen"))
        return
    tables = draft.spec
    begun = Round(
        number,
        True,
        tables.transaction.initial,
        tables.publication.initial,
        draft.state.step,
    )
    draft.change(round=begun, number=number + 1)
    draft.published("snapshot_due")


def may_time_out(current: Round | None) -> bool:
    """Whether the open checkpoint still waits for participants to be prepared."""
    return (
        current is not None
        and current.publication in ("gated", "prepared")
        and current.transaction in ("idle", "preparing", "prepared")
    )


def timed_out(draft: Draft) -> None:
    """Participants were waited for long enough."""
    give_up(draft, "deadline")


def may_capture(state: State) -> bool:
    """Whether everything is committed, and no group is just being finalized."""
    current = state.round
    if current is None or current.publication != "committed":
        return False
    return all(group.status not in UNSAFE for group in state.ledger.groups.values())


def capture(draft: Draft) -> None:
    """What is saved is fixed at one moment, or the snapshot is given up."""
    current = round_of(draft.state)
    policy = draft.policy
    same = policy.published_step == "any" or current.step == draft.state.step
    empty = policy.published_outbox == "any" or not outbox(draft.state)
    target = draft.published("capture_called", step_unchanged=same, outbox_empty=empty)
    if target == "given_up":
        fail(draft, "something_is_owed" if same else "trainer_state_changed")
    if target != "captured":
        return
    saved = draft.ledger(
        "build_rollout_recovery_state", batch_shortfall={}, sampler_stamps_target_steps=False
    )
    snapshot = Snapshot(
        current.number,
        current.id,
        draft.state.step,
        draft.state.step,
        canonical_json(saved.body),
        current.results,
        draft.state.trained,
    )
    draft.set_round(snapshot=snapshot)


def due_step(state: State) -> StoreStep | None:
    """The next step of writing that is to be begun."""
    current = state.round
    if current is None or current.storing or current.publication not in STEPS:
        return None
    return StoreStep(STEPS[current.publication])


def store(draft: Draft, action: StoreStep) -> None:
    """The disk is asked for a step."""
    snapshot = round_of(draft.state).snapshot
    assert snapshot is not None, "what is written was captured"
    draft.set_round(storing=action.step)
    draft.outputs.append(Storing(action.step, snapshot))


def stored(draft: Draft, ok: bool) -> None:
    """A step is done, and the next may follow; or it has failed, and the snapshot is given up."""
    step = round_of(draft.state).storing
    draft.set_round(storing="")
    if not ok and draft.policy.published_storage == "written":
        if draft.published("storing_failed"):
            fail(draft, "storage_failed")
        return
    if draft.published(_WRITTEN[step]) == "published":
        draft.set_round(snapshot=None)
        draft.went("release_called")
        release(draft)


def may_conclude(state: State) -> bool:
    """Whether the open checkpoint or restore is over."""
    current = state.round
    if current is None or current.transaction != "idle":
        return False
    return current.publication in ("published", "given_up") or not current.saves


def conclude(draft: Draft, _action: Conclude) -> None:
    """The gate opens, and how it ended is told."""
    current = round_of(draft.state)
    if current.saves:
        saved = current.publication == "published"
        if not draft.published("concluded"):
            return
        draft.outputs.append(SnapshotEnded(saved, current.because))
    open_gate(draft)
    draft.change(round=None)


def ledger_of(snapshot: Snapshot) -> dict[str, object]:
    """The saved ledger of a snapshot as plain values."""
    saved: dict[str, object] = from_json(json.loads(snapshot.ledger))
    return saved
