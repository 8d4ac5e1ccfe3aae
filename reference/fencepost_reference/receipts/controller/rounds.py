"""All participants go through one checkpoint or restore together, and say how it went."""

from collections.abc import Iterable

from fencepost_reference.receipts.controller.actions import Call, Sent
from fencepost_reference.receipts.controller.asking import DISCARD
from fencepost_reference.receipts.controller.attempts import found_kept
from fencepost_reference.receipts.controller.draft import Draft, round_of
from fencepost_reference.receipts.controller.said import (
    MODEL,
    RESOURCES,
    Answer,
    Committed,
    Place,
    Readiness,
    Restored,
)
from fencepost_reference.receipts.controller.sessions import are_kept
from fencepost_reference.receipts.controller.state import Open
from fencepost_spec.vocabulary import Key

INCOMPLETE = "agent_prepare_incomplete"
STALE = "stale_checkpoint"

# What is called.

_BEGINS = {"pause": "prepare_called", "prepare": "prepare_called", "commit": "commit_called"}


def begin(draft: Draft, call: Call) -> None:
    """A call of the checkpoint leaves; whoever is asked to close is remembered before."""
    current = round_of(draft.state)
    event = _BEGINS.get(call.op)
    if event is not None and draft.went(event):
        draft.set_round(done=frozenset(), pending=frozenset())
    if call.op == "resume" and current.transaction == "restored":
        if not draft.went("release_called"):
            return
        draft.set_round(done=frozenset(), pending=frozenset())
    if call.op in ("pause", "prepare", "restore"):
        draft.set_round(touched=round_of(draft.state).touched | {call.place})
    draft.opened(call.call, Open(call.op, call.place, call.request))
    draft.outputs.append(Sent(call.call, call.place, call.op, call.request))


# What comes back.


def answered(draft: Draft, opened: Open, answer: Answer | None) -> None:
    """An answer that belongs to the open checkpoint has its effect; a late one has none."""
    current = draft.state.round
    if current is None or opened.request.checkpoint_id != current.id:
        return
    place, phase = opened.place, current.transaction
    if opened.op in ("pause", "status", "prepare") and phase == "preparing":
        _prepared(draft, place, answer)
    elif opened.op == "commit" and phase == "committing":
        _committed(draft, place, answer)
    elif opened.op == "retire" and phase in ("prepared", "committing"):
        _ended(draft, opened, answer)
    elif opened.op == "restore" and phase == "restoring":
        _restored(draft, place, answer)
    elif opened.op == DISCARD and phase == "restored":
        _discarded(draft, opened, answer)
    elif opened.op == "resume" and phase == "releasing":
        _released(draft, place, answer)
    elif phase == "releasing":
        _came_late(draft, place, answer)


def _prepared(draft: Draft, place: Place, answer: Answer | None) -> None:
    said = None if answer is None else answer.said
    if answer is None:
        if draft.policy.rollback == "answered_only":
            draft.set_round(touched=round_of(draft.state).touched - {place})
        give_up(draft, "prepare_lost")
    elif answer.ok and isinstance(said, Readiness) and said.ready:
        _done(draft, place)
        if place.kind == RESOURCES and said.sessions is not None:
            _lists(draft, place, said.sessions)
        if _all_are_done(draft, draft.fleet.places(saved=False)) and draft.went("prepare_finished"):
            draft.published("participants_prepared")
            draft.set_round(done=frozenset(), pending=frozenset())
    elif (answer.ok and place.kind == MODEL) or answer.code == INCOMPLETE:
        draft.set_round(pending=round_of(draft.state).pending | {place})
        if isinstance(said, Readiness):
            found_kept(draft, place.instance, said.unacknowledged)
    else:
        give_up(draft, "prepare_failed")


def _lists(draft: Draft, place: Place, sessions: tuple[tuple[Key, int], ...]) -> None:
    """A resources server says which sessions it will write."""
    if place in draft.fleet.places(saved=True):
        known = round_of(draft.state).sessions
        draft.set_round(sessions=known.set(place, frozenset(sessions)))


def _ended(draft: Draft, opened: Open, answer: Answer | None) -> None:
    """The session of an attempt that is over is not written, or nothing is."""
    if answer is None or not answer.ok:
        give_up(draft, "session_not_ended")
        return
    place, known = opened.place, round_of(draft.state).sessions
    left = frozenset(one for one in known[place] if one[0] != opened.request.key)
    draft.set_round(sessions=known.set(place, left))


def _done(draft: Draft, place: Place) -> None:
    draft.set_round(done=round_of(draft.state).done | {place})


def _all_are_done(draft: Draft, places: Iterable[Place]) -> bool:
    return frozenset(places) <= round_of(draft.state).done


def _committed(draft: Draft, place: Place, answer: Answer | None) -> None:
    said = None if answer is None or not answer.ok else answer.said
    if not isinstance(said, Committed):
        give_up(draft, "commit_failed")
        return
    results = tuple(sorted((*round_of(draft.state).results, (place, said)), key=lambda one: one[0]))
    draft.set_round(results=results)
    _done(draft, place)
    if not _all_are_done(draft, draft.fleet.places(saved=True)):
        return
    kept = draft.policy.sessions == "end_only"
    kept = kept or are_kept(draft.state, results, round_of(draft.state).sessions)
    if draft.went("commit_finished", references_fit=fit(results) and kept):
        draft.published("participants_committed")
    else:
        give_up(draft, "references_do_not_fit")


def fit(results: tuple[tuple[Place, Committed], ...]) -> bool:
    """Whether each reference of a model belongs to one continuation, at its last call."""
    roots: dict[str, str | None] = {}
    for _, one in results:
        for root in one.continuations:
            if root.capture_key in roots:
                return False
            roots[root.capture_key] = root.call_id
    return all(
        roots.get(reference.capture_key) == reference.call_id
        for _, one in results
        for reference in one.references
    )


def _restored(draft: Draft, place: Place, answer: Answer | None) -> None:
    if answer is None:
        return
    current = round_of(draft.state)
    snapshot = current.snapshot
    assert snapshot is not None, "a restore has a snapshot"
    written = dict(snapshot.participants)[place]
    expected = Restored(snapshot.checkpoint_id, getattr(written, "digest", ""))
    if not answer.ok or answer.said != expected:
        draft.change(halted=f"{place} did not restore")
        return
    _done(draft, place)
    if _all_are_done(draft, (one for one, _ in snapshot.participants)):
        draft.went("restore_finished")


def _discarded(draft: Draft, opened: Open, answer: Answer | None) -> None:
    if answer is None:
        return
    if not answer.ok:
        draft.change(halted=f"{opened.place} did not discard")
        return
    left = tuple(
        one for one in round_of(draft.state).discards if one != (opened.place, opened.request.key)
    )
    draft.set_round(discards=left)


def _released(draft: Draft, place: Place, answer: Answer | None) -> None:
    confirmed = answer is not None and (answer.ok or answer.code == STALE)
    if confirmed:
        draft.set_round(touched=round_of(draft.state).touched - {place})
        _confirm(draft)
        return
    _done(draft, place)
    if draft.policy.failed_rollback == "new_id" and round_of(draft.state).because:
        forget(draft)


def _came_late(draft: Draft, place: Place, answer: Answer | None) -> None:
    """Who says late that it has done what it was asked, after a resume, is to be released again."""
    if answer is not None and answer.ok:
        draft.set_round(touched=round_of(draft.state).touched | {place})
    _confirm(draft)


def _confirm(draft: Draft) -> None:
    """All are released when each has confirmed it, and no call is left that could close again."""
    current = round_of(draft.state)
    ids = {one.request.checkpoint_id for one in draft.state.calls.values() if one.op != "retire"}
    if not current.touched and current.id in ids:
        return
    draft.went("release_confirmed", all_released=not current.touched)


def give_up(draft: Draft, because: str) -> None:
    """The snapshot is given up, and everybody who was attempted is to be released."""
    if not draft.published("gave_up"):
        return
    fail(draft, because)


def fail(draft: Draft, because: str) -> None:
    """What has been asked of participants is taken back."""
    draft.set_round(because=because, pending=frozenset(), done=frozenset(), snapshot=None)
    draft.went("given_up")
    release(draft)


def release(draft: Draft) -> None:
    """Participants are released; with nobody to release, that is done already."""
    draft.set_round(done=frozenset(), pending=frozenset())
    if draft.policy.gate == "before_release":
        open_gate(draft)
    if not round_of(draft.state).touched:
        _confirm(draft)


def open_gate(draft: Draft) -> None:
    """Dispatch is open again."""
    draft.fenced("unfreeze_called", round_of(draft.state).number)


def forget(draft: Draft) -> None:
    """As a careless controller does: the checkpoint is forgotten although somebody is held."""
    open_gate(draft)
    draft.change(round=None)
