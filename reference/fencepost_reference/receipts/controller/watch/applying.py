"""What a watcher learns from each thing that it sees. Nothing is judged here."""

from typing import Any

import attrs

from fencepost_reference.receipts.controller import actions as a
from fencepost_reference.receipts.controller.said import Place
from fencepost_reference.receipts.controller.watch import seen as s
from fencepost_reference.receipts.controller.watch.changing import (
    PREPARES,
    in_trouble,
    with_attempt,
    with_group,
    with_steps,
)
from fencepost_reference.receipts.controller.watch.hearing import heard, shown
from fencepost_reference.receipts.controller.watch.starting import started
from fencepost_reference.receipts.controller.watch.state import Attempt, Group, Transaction, Watch
from fencepost_spec.vocabulary import Key


def applied(watch: Watch, one: Any) -> Watch:
    """What is known after something was seen."""
    if isinstance(one, a.Sent):
        return _sent(attrs.evolve(watch, calls=watch.calls.set(one.call, one)), one)
    if isinstance(one, a.Answered | a.Lost):
        call = watch.calls.get(one.call)
        if call is None:
            return watch  # A process that is gone has asked it.
        watch = attrs.evolve(watch, calls=watch.calls.delete(one.call))
        return _lost(watch, call) if isinstance(one, a.Lost) else heard(watch, call, one.answer)
    if isinstance(one, s.Told):
        return shown(watch, one.place, one.key, one.receipt)
    if isinstance(one, s.Replaced):
        return _replaced(watch, one.place)
    if isinstance(one, s.Started):
        return started(watch, one.number)
    if isinstance(one, s.Damaged):
        return attrs.evolve(watch, damaged=watch.damaged | {one.number})
    return _done(watch, one)


def _done(watch: Watch, one: Any) -> Watch:
    """What the harness, the finalizer and the disk do."""
    transaction = watch.transaction
    if isinstance(one, a.Submit):
        return _handed_over(watch, one)
    if isinstance(one, a.Admit | a.GoneStale):
        known = watch.groups.get(one.group_id)
        if known is None:
            return watch
        if isinstance(one, a.Admit):
            return with_group(
                watch, attrs.evolve(known, admitted=True, target_step=one.target_step)
            )
        return with_group(watch, attrs.evolve(known, status="stale")) if known.live else watch
    if isinstance(one, a.SnapshotDue):
        return _fell_due(watch)
    if isinstance(one, s.Stepped):
        consumed = watch.consumed | watch.trained
        return attrs.evolve(watch, anchors=(*watch.anchors, one.train_step), consumed=consumed)
    if isinstance(one, s.TimeOver) and transaction is not None:
        mine = one.checkpoint_id in (None, transaction.checkpoint_id)
        return with_steps(watch, late=True) if mine else watch
    if isinstance(one, a.DeadlinePassed):
        return watch if transaction is None else with_steps(watch, late=True)
    if isinstance(one, a.Training):
        return attrs.evolve(watch, training=(*watch.training, one.group_id))
    if isinstance(one, a.Trained):
        return _trained(watch, one)
    if isinstance(one, a.Storing):
        return watch if transaction is None else with_steps(
            watch, storing=one.step, captured=one.snapshot
        )  # fmt: skip
    if isinstance(one, a.Stored):
        return _stored(watch, one.ok)
    if isinstance(one, a.SnapshotEnded):
        return _ended(watch, one)
    return watch


def _ended(watch: Watch, one: a.SnapshotEnded) -> Watch:
    transaction = watch.transaction
    if watch.fallen > 1 and not one.saved:
        # Of two that fell due, this one was turned down; the open one ends later.
        return attrs.evolve(watch, due=False, fallen=watch.fallen - 1)
    # Whoever went while it was released is not waited for; the next attempt is another.
    over = transaction is None or not transaction.open_at
    if transaction is not None and one.saved and not over:
        watch = with_steps(watch, told=True)
    return attrs.evolve(
        watch,
        due=False,
        fallen=0 if over else max(watch.fallen - 1, 0),
        transaction=None if over else watch.transaction,
    )


def _handed_over(watch: Watch, one: a.Submit) -> Watch:
    if one.group_id in watch.groups:
        return watch  # A ledger refuses it.
    group = Group(one.group_id, one.siblings, one.granularity, one.agent, one.target_step,
                  one.admitted, current=(0,) * one.siblings)  # fmt: skip
    agents = watch.agents.set(one.group_id, one.agent)
    return with_group(attrs.evolve(watch, agents=agents), group)


def _fell_due(watch: Watch) -> Watch:
    transaction = watch.transaction
    if transaction is not None and transaction.open_at:
        watch = with_steps(watch, told=False)  # Its release is what this attempt begins with.
    rows = watch.due_rows if watch.fallen else watch.owed()
    return attrs.evolve(watch, due=True, fallen=watch.fallen + 1, due_rows=rows)


# Calls.


def _sent(watch: Watch, call: a.Sent) -> Watch:
    request, place = call.request, call.place
    if call.op == "run" and request.key is not None:
        return _run(attrs.evolve(watch, lived=True), request.key, place)
    if call.op in PREPARES or call.op == "restore":
        if request.checkpoint_id is None:
            return watch
        return _begun(watch, call, request.checkpoint_id)
    transaction = watch.transaction
    if transaction is None or request.checkpoint_id != transaction.checkpoint_id:
        return watch
    if call.op == "commit":
        committing = transaction.committing | {place}
        return with_steps(watch, committing=committing, directory=request.directory)
    if call.op == "resume":
        return with_steps(watch, releasing=True)
    return watch


def _begun(watch: Watch, call: a.Sent, checkpoint_id: str) -> Watch:
    transaction = watch.transaction
    if transaction is None or transaction.checkpoint_id != checkpoint_id:
        transaction = Transaction(checkpoint_id, call.op == "restore", watch.anchors[-1])
    directory = call.request.directory or transaction.directory
    attempted = transaction.attempted | {call.place}
    transaction = attrs.evolve(
        transaction, attempted=attempted, released=transaction.released - {call.place},
        directory=directory,
    )  # fmt: skip
    used = watch.used.get(call.place, frozenset[str]()) | {checkpoint_id}
    lived = watch.lived or call.op in PREPARES
    return attrs.evolve(
        watch, transaction=transaction, used=watch.used.set(call.place, used), lived=lived
    )


def _run(watch: Watch, key: Key, place: Place) -> Watch:
    known = watch.attempts.get(key)
    sent = Attempt(place, open=1)
    if known is not None:
        sent = attrs.evolve(known, open=known.open + 1)
        if known.declined or known.gone:
            # It did not begin, or its process is another: it is sent as if for the first time.
            sent = attrs.evolve(sent, declined=False, gone=False, failed=False, released=False)
    owner = watch.group_of(key)
    watch = attrs.evolve(watch, attempts=watch.attempts.set(key, sent))
    if owner is None or owner[1] >= owner[0].siblings:
        return watch
    group, index = owner
    if key.attempt == group.current[index]:
        return watch
    again = group.again - {index}
    if group.whole and index not in group.again:
        again = frozenset(
            each
            for each in range(group.siblings)
            if each != index and group.key(each) in watch.attempts
        )
    current = (*group.current[:index], key.attempt, *group.current[index + 1 :])
    return with_group(watch, attrs.evolve(group, current=current, again=again))


def _lost(watch: Watch, call: a.Sent) -> Watch:
    key = call.request.key
    if call.op == "run" and key is not None and key in watch.attempts:
        left = watch.attempts[key].open - 1
        return with_attempt(watch, key, open=max(left, 0), lost=True)
    return in_trouble(watch, call)


# What else happens.


def _trained(watch: Watch, one: a.Trained) -> Watch:
    training = tuple(each for each in watch.training if each != one.group_id)
    watch = attrs.evolve(watch, training=training)
    group = watch.groups.get(one.group_id)
    if one.outcome == "unknown":
        watch = attrs.evolve(watch, lost_end=True)
    if group is None:
        return watch
    status = {"committed": "trained", "ok": "trained", "dropped": "dropped"}.get(one.outcome)
    watch = with_group(watch, attrs.evolve(group, status=status or "unknown"))
    if status == "trained":
        watch = attrs.evolve(watch, trained=watch.trained | {one.group_id})
    return watch


def _stored(watch: Watch, ok: bool) -> Watch:
    transaction = watch.transaction
    if transaction is None or transaction.storing is None:
        return watch
    step, snapshot = transaction.storing, transaction.captured
    watch = with_steps(watch, storing=None)
    if not ok:
        return with_steps(watch, store_failed=True)
    watch = with_steps(watch, steps=(*transaction.steps, step))
    if step == "rename" and snapshot is not None:
        watch = with_steps(watch, published=True)
        published = (*watch.published, snapshot)
        watch = attrs.evolve(watch, published=published, newest_in=transaction.directory)
    return watch


def _replaced(watch: Watch, place: Place | None) -> Watch:
    if place is None:
        return Watch(
            watch.settings, used=watch.used, anchors=watch.anchors[-1:],
            published=watch.published, newest_in=watch.newest_in, damaged=watch.damaged,
            agents=watch.agents,
        )  # fmt: skip
    # A controller is not told, so what it has heard before still counts for it.
    attempts = watch.attempts
    for key, one in watch.attempts.items():
        if one.agent == place and not one.released:
            gone = attrs.evolve(one, released=True, failed=not one.held, gone=True)
            attempts = attempts.set(key, gone)
    left = tuple(each for each in watch.continuations if each[0] != place)
    used = watch.used.delete(place) if place in watch.used else watch.used
    watch = attrs.evolve(watch, attempts=attempts, continuations=left, used=used)
    transaction = watch.transaction
    if transaction is None or place not in transaction.attempted:
        return watch
    return with_steps(
        watch,
        attempted=transaction.attempted - {place},
        vacated=transaction.vacated | {place},
        troubled=transaction.troubled | {place},
    )
