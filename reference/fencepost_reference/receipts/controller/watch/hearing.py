"""What a watcher learns from the answer of a participant."""

from typing import Any

import attrs

from fencepost_reference.receipts.controller import actions as a
from fencepost_reference.receipts.controller.said import (
    AGENT,
    Answer,
    Committed,
    Finished,
    Place,
    Readiness,
    Receipted,
    Released,
    Restored,
    Retired,
)
from fencepost_reference.receipts.controller.watch.asking_of_sessions import listed
from fencepost_reference.receipts.controller.watch.changing import (
    PREPARES,
    in_trouble,
    with_attempt,
    with_steps,
)
from fencepost_reference.receipts.controller.watch.state import Attempt, Watch
from fencepost_reference.receipts.state import Receipt
from fencepost_spec.receipts import refusals as code
from fencepost_spec.vocabulary import Key

_NOT_BEGUN = frozenset((code.UNAUTHORIZED, code.INVALID_REQUEST, code.ADMISSION_CLOSED))
_STILL_THERE = frozenset((code.DUPLICATE_EXECUTION,))


def heard(watch: Watch, call: a.Sent, answer: Answer) -> Watch:
    """What is known after a definite answer."""
    if call.op == "run":
        return _ran(watch, call, answer)
    said = answer.said
    if isinstance(said, Receipted) and call.request.key is not None:
        return told(watch, call.place, call.request.key, said.receipt)
    if call.op == "completion-receipt" and answer.code == code.ACKNOWLEDGEMENT_ERROR:
        return _not_kept(watch, call.request.key)
    if isinstance(said, Retired) and call.request.key is not None:
        return _retired(watch, call.request.key, said)
    if call.op == "retire" and answer.ok:
        return watch if call.place.kind == AGENT else _session_ended(watch, call)
    if isinstance(said, Released):
        if set(said.receipts) != set(call.request.receipts):
            return watch  # It covers something else than was asked: nothing is confirmed.
        for key, receipt in said.receipts:
            one = watch.attempts.get(key)
            if one is not None and receipt in (one.receipt, one.shown):
                watch = with_attempt(watch, key, released=True)
        return watch
    if isinstance(said, Readiness):
        for key in said.unacknowledged:
            watch = _kept(watch, call.place, key)
        for key, one in watch.attempts.items() if said.ready else ():
            if one.gone and one.agent == call.place and key not in said.unacknowledged:
                watch = _not_kept(watch, key)  # Whoever keeps a result is not ready.
    return _stepped(watch, call, answer)


def _ran(watch: Watch, call: a.Sent, answer: Answer) -> Watch:
    key = call.request.key
    one = None if key is None else watch.attempts.get(key)
    if key is None or one is None:
        return watch
    watch = with_attempt(watch, key, open=max(one.open - 1, 0))
    if isinstance(answer.said, Finished) and answer.ok:
        if one.gone:
            # The request was on its way when a process went, and the next one has answered it; or
            # the answer was. Nobody told the controller, and so nothing is asked of it.
            return with_attempt(watch, key, digest=answer.said.digest, offered=False, lost=False)
        if one.failed or one.released:
            return watch
        return with_attempt(
            watch, key, digest=answer.said.digest, kept=True, offered=False, lost=False
        )
    if answer.code in _NOT_BEGUN:
        fresh = not (one.lost or one.kept or one.open > 1)
        return with_attempt(watch, key, declined=True, failed=fresh, released=fresh)
    if answer.code in _STILL_THERE:
        # An earlier request of the same attempt runs; nobody will tell its end by itself.
        return with_attempt(watch, key, lost=one.open <= 1)
    failed = not one.held
    return with_attempt(watch, key, failed=failed, released=True, kept=False, lost=False)


def _retired(watch: Watch, key: Key, said: Retired) -> Watch:
    one = watch.attempts.get(key)
    if one is None:
        return attrs.evolve(watch, continuations=_without(watch, key)) if said.tombstoned else watch
    if said.unacknowledged:
        return with_attempt(watch, key, kept=True, offered=True)
    if said.tombstoned:  # That it was live says nothing of whether its key is refused now.
        failed = not one.held
        return with_attempt(watch, key, released=True, failed=failed, kept=False, lost=False)
    return watch


def _without(watch: Watch, key: Key) -> Any:
    return tuple(each for each in watch.continuations if each[1].key.next() != key)


def _kept(watch: Watch, place: Place, key: Key) -> Watch:
    one = watch.attempts.get(key)
    if one is None:
        kept = Attempt(place, lost=True, kept=True)
        return attrs.evolve(watch, attempts=watch.attempts.set(key, kept))
    return watch if one.released else with_attempt(watch, key, kept=True)


def _not_kept(watch: Watch, key: Key | None) -> Watch:
    """An agent has no result to show, whatever was heard before. That lets go of nothing."""
    one = None if key is None else watch.attempts.get(key)
    if key is None or one is None or not one.kept or one.held:
        return watch
    return with_attempt(watch, key, kept=False, offered=False, lost=not one.released)


def told(watch: Watch, place: Place, key: Key, receipt: Receipt) -> Watch:
    """An agent has told a receipt, so it keeps the result."""
    watch = _kept(watch, place, key)
    return with_attempt(watch, key, receipt=receipt)


def shown(watch: Watch, place: Place, key: Key, receipt: Receipt) -> Watch:
    """A status names a receipt: the agent keeps the result, and the controller may take it."""
    watch = _kept(watch, place, key)
    return with_attempt(watch, key, shown=receipt)


def _stepped(watch: Watch, call: a.Sent, answer: Answer) -> Watch:
    """An answer to a step of the open checkpoint."""
    transaction, place = watch.transaction, call.place
    if transaction is None or call.request.checkpoint_id != transaction.checkpoint_id:
        return watch
    if call.op == "resume" and (answer.ok or answer.code == code.STALE_CHECKPOINT):
        return _released(watch, place)  # Its id is over there, by this release or an earlier one.
    if not answer.ok:
        if call.op == "commit":
            watch = with_steps(watch, committing=transaction.committing - {place})
        waits = call.op in PREPARES and answer.code == code.PREPARE_INCOMPLETE
        if waits:
            pending = transaction.pending - {place}
            if watch.is_kept_busy(place):
                pending |= {place}  # It will be ready when that has ended.
            return with_steps(watch, troubled=transaction.troubled - {place}, pending=pending)
        return in_trouble(watch, call)
    said, troubled = answer.said, transaction.troubled - {place}
    if call.op in PREPARES or (call.op == "status" and isinstance(said, Readiness)):
        answered = transaction.answered | frozenset({place} if call.op in PREPARES else ())
        ready = said.ready if isinstance(said, Readiness) else place.kind == "resources"
        if not ready and place.kind == "agent" and call.op == "prepare":
            return with_steps(watch, troubled=troubled | {place})
        if call.op == "prepare" and isinstance(said, Readiness) and said.sessions is not None:
            listing = listed(watch, said.sessions)
            watch = with_steps(watch, sessions=transaction.sessions.set(place, listing))
        held = transaction.held | frozenset({place} if ready else ())
        return with_steps(watch, answered=answered, held=held, troubled=troubled)
    if call.op == "commit" and isinstance(said, Committed):
        committed = transaction.committed.set(place, said)
        watch = with_steps(watch, committed=committed, troubled=troubled)
        return attrs.evolve(watch, anchors=watch.anchors[-1:], touched=watch.touched.__class__())
    if call.op == "restore" and isinstance(said, Restored):
        return _restored(watch, place, said)
    if call.op == "discard-restored-continuation" and call.request.key is not None:
        key = call.request.key
        watch = with_steps(watch, discarded=transaction.discarded | {key}, troubled=troubled)
        return attrs.evolve(watch, continuations=_without(watch, key))
    return watch


def _session_ended(watch: Watch, call: a.Sent) -> Watch:
    transaction, key = watch.transaction, call.request.key
    if transaction is None or key is None or call.place not in transaction.sessions:
        return watch
    left = transaction.sessions[call.place].without(key)
    return with_steps(watch, sessions=transaction.sessions.set(call.place, left))


def _restored(watch: Watch, place: Place, said: Restored) -> Watch:
    transaction, saved = watch.transaction, watch.started
    assert transaction is not None
    expected = dict(saved.participants) if saved is not None else {}
    wrote = expected.get(place)
    fits = saved is None or said.source == saved.checkpoint_id
    if isinstance(wrote, Committed) and wrote.digest and said.digest:
        fits = fits and wrote.digest == said.digest
    if not fits:
        return with_steps(watch, mismatched=True, troubled=transaction.troubled | {place})
    return with_steps(
        watch,
        restored=transaction.restored | {place},
        troubled=transaction.troubled - {place},
    )


def _released(watch: Watch, place: Place) -> Watch:
    transaction = watch.transaction
    assert transaction is not None
    watch = with_steps(
        watch,
        released=transaction.released | {place},
        troubled=transaction.troubled - {place},
    )
    if transaction.restores and watch.to_restore <= transaction.restored:
        watch = attrs.evolve(watch, to_restore=watch.to_restore - {place})
    return watch
