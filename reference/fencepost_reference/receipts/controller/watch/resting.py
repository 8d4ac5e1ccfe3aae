"""What must not be left undone at a report at rest.

Answers are as in `asking_of_work`: a text says what is wrong.
"""

from collections.abc import Callable

import attrs

from fencepost_reference.receipts.controller.watch.asking_of_work import Told, named
from fencepost_reference.receipts.controller.watch.cohorts import given_up
from fencepost_reference.receipts.controller.watch.seen import Rested
from fencepost_reference.receipts.controller.watch.state import (
    Attempt,
    Group,
    Transaction,
    Watch,
)
from fencepost_spec.vocabulary import Key

Rest = Callable[[Watch, Rested], Told]


# What must not be left undone.

_ACKNOWLEDGES = ("acknowledge", "acknowledge-completed")


def _called(watch: Watch, key: Key, *ops: str) -> bool:
    """Whether a call about an attempt has no answer yet."""
    return any(
        call.op in ops and (call.request.key == key or key in dict(call.request.receipts))
        for call in watch.calls.values()
    )


def _is_answered_to(watch: Watch) -> bool:
    """Whether a step of a checkpoint has no answer yet, so that the controller may wait for it."""
    steps = ["prepare", "pause", "commit", "resume", "restore"]
    if watch.due or watch.fallen:
        steps += ["acknowledge", "acknowledge-completed"]  # The flush before a prepare.
    return any(call.op in steps for call in watch.calls.values())


def _wanted(watch: Watch, key: Key) -> bool:
    owner = watch.group_of(key)
    return owner is not None and owner[0].live and owner[1] < owner[0].siblings


def blocks_for_ever(watch: Watch, _one: Rested) -> Told:
    """An agent is known to keep a result, and nobody sees to it."""
    arose = False
    for key, known in sorted(watch.attempts.items()):
        arose = arose or known.kept or known.released
        if watch.retires_later:
            continue  # It is seen to when the open checkpoint has answered, or is released.
        if known.kept and not known.released and not known.owed and not _busy(watch, key, known):
            return f"the agent keeps the result of {named(key)}, and nobody asks for it"
    return arose


def _busy(watch: Watch, key: Key, known: Attempt) -> bool:
    ops = ("run", "retire", "completion-receipt", "acknowledge", "acknowledge-completed")
    return bool(known.open) or _called(watch, key, *ops)


def is_left_lost(watch: Watch, _one: Rested) -> Told:
    """An attempt of a live group has an unknown end, or has failed and has no next."""
    arose = False
    for group in watch.ordered():
        if not group.live:
            continue
        for index, key in enumerate(group.executions()):
            known = watch.attempts.get(key)
            if known is None or known.held or _busy(watch, key, known):
                continue
            arose = True
            if not (known.released or known.kept or watch.retires_later):
                return f"nobody knows what became of {named(key)}, and nobody asks"
            closed = watch.gate_may_wait or _is_answered_to(watch)
            if known.released and not closed and not _waits(watch, group, index):
                return f"{named(key)} has ended, and no next attempt was sent"
    return arose


def _waits(watch: Watch, group: Group, index: int) -> bool:
    """Whether a group may wait with the next attempts, because a sibling of it still runs."""
    others = [key for i, key in enumerate(group.executions()) if i != index]
    known = {key: watch.attempts[key] for key in others if key in watch.attempts}
    return any(one.owed or _busy(watch, key, one) for key, one in known.items())


def stays_closed(watch: Watch, one: Rested) -> Told:
    """A checkpoint is open, nothing is awaited, and it is not released; or none is, and no gate."""
    transaction = watch.transaction
    if transaction is None or not transaction.open_at:
        return _gate_stays_closed(watch, one)
    if transaction.restores:
        return True
    name = transaction.checkpoint_id
    calls = watch.calls.values()
    if any(call.request.checkpoint_id == name or call.op.startswith("ack") for call in calls):
        return True  # Nothing is saved while something is owed.
    exporting = set(watch.settings.exporting)
    waits = (
        not transaction.late
        and not transaction.releasing
        and not transaction.troubled & transaction.open_at
        and not exporting <= transaction.held
        and not transaction.committed
        and not _is_ready_unasked(watch, transaction)
    )
    left = ", ".join(sorted(map(str, transaction.open_at)))
    return waits or f"{name} goes no further, and is not released by {left}"


def _is_ready_unasked(watch: Watch, transaction: Transaction) -> bool:
    """Whether an agent that was not ready has nothing left that it waits for, and nobody asks."""
    return any(
        not watch.is_kept_busy(place)
        for place in transaction.pending - transaction.held
        if place in transaction.open_at
    )


def _gate_stays_closed(watch: Watch, one: Rested) -> Told:
    """The gate is told closed, although nothing is open that it waits for."""
    if one.gate_open is not False:
        return watch.transaction is not None
    transaction = watch.transaction
    vacated = transaction is not None and transaction.vacated - transaction.released
    waits = watch.gate_may_wait or watch.lost_end or bool(vacated) or _is_answered_to(watch)
    return waits or "the gate is told closed, and nothing is open"


def stays_owed(watch: Watch, _one: Rested) -> Told:
    """Something is owed, and nothing is on its way."""
    # One request is under way at a time, so what came later may wait for its answer.
    sending = any(call.op in _ACKNOWLEDGES for call in watch.calls.values())
    owed = sorted(watch.owed())
    if owed and not sending:
        return f"{', '.join(map(named, owed))} is owed, and was not sent again"
    return any(one.held for one in watch.attempts.values())


def is_never_attempted(watch: Watch, _one: Rested) -> Told:
    """A snapshot fell due, and neither is a checkpoint open nor was an end told."""
    if not watch.due or watch.lost_end:
        return False
    transaction = watch.transaction
    waits = transaction is not None and bool(transaction.open_at)
    waits = waits or any(call.op != "run" for call in watch.calls.values())
    return waits or "a snapshot fell due, and nothing came of it"


def is_never_trained(watch: Watch, _one: Rested) -> Told:
    """A group has every result, and was not handed to the finalizer."""
    if watch.lost_end:
        return False
    arose = False
    for group in watch.ordered():
        if not group.live or group.again or group.group_id in watch.training:
            continue
        known = [watch.attempts.get(key) for key in group.executions()]
        arose = True
        asks = any(_called(watch, key, *_ACKNOWLEDGES) for key in group.executions())
        if all(one is not None and one.held for one in known) and not asks:
            return f"{group.group_id} has every result, and was not trained on"
    return arose


def is_never_launched(watch: Watch, _one: Rested) -> Told:
    """An admitted group has a sibling that was never sent, and the gate is open."""
    if watch.gate_may_wait or _is_answered_to(watch):
        return False
    for group in watch.ordered():
        if group.live and group.admitted:
            for index, key in enumerate(group.executions()):
                waits = group.whole and any(
                    given_up(watch, group, each) for each in range(group.siblings) if each != index
                )
                if key not in watch.attempts and not waits:
                    return f"{named(key)} was not sent"
    return bool(watch.groups)


def is_left_running(watch: Watch, _one: Rested) -> Told:
    """A group was let go, and its agent may still run something of it, or keep it."""
    arose = False
    closed = watch.transaction is not None and bool(watch.transaction.open_at)
    closed = closed or watch.retires_later
    for key, known in sorted(watch.attempts.items()):
        if _wanted(watch, key) or known.owed:
            continue
        arose = True
        if known.released or closed:
            continue
        ops = ("retire", "completion-receipt", "acknowledge", "acknowledge-completed")
        if not _called(watch, key, *ops):
            return f"{named(key)} may still run, or be kept, and nobody wants it"
    return arose


def is_left_installed(watch: Watch, _one: Rested) -> Told:
    """A restored continuation is wanted by nobody, and waits."""
    if watch.started is None or watch.to_restore:
        return False
    left = [key for _, key in watch.orphans() if not _gone(watch, key)]
    return not left or f"the continuation of {named(left[0])} waits, and nobody wants it"


def _gone(watch: Watch, key: Key) -> bool:
    """Whether the continuation was used by its attempt, or a call about it is under way."""
    ops = ("retire", "discard-restored-continuation", "run")
    return key in watch.attempts or _called(watch, key, *ops)


def is_never_restored(watch: Watch, _one: Rested) -> Told:
    """A restore stands still and has met no trouble."""
    if watch.started is None or not watch.to_restore:
        return watch.started is not None
    transaction = watch.transaction
    hurt = transaction is not None and (transaction.troubled or transaction.mismatched)
    known = {place.instance for place in watch.settings.places}
    used = [name for _, one in watch.continuations for name, _ in one.revisions or ()]
    hurt = hurt or not known.issuperset(used)
    return bool(hurt) or bool(watch.calls) or "the restore stands still"


QUESTIONS: dict[str, Rest] = {
    each.__name__: each
    for each in (
        *(blocks_for_ever, is_left_lost, stays_closed, stays_owed, is_never_attempted),
        *(is_never_trained, is_never_launched, is_left_running, is_left_installed),
        is_never_restored,
    )
}
"""Everything that is asked of what is left undone."""


def after(watch: Watch, one: Rested) -> Watch:
    """What is known after a report: groups that it does not hold any more were given up."""
    if one.groups is None:
        return watch
    held = {group_id for group_id, _ in one.groups}
    groups = watch.groups
    for group_id, group in watch.groups.items():
        if group.live and group_id not in held:
            groups = groups.set(group_id, attrs.evolve(group, status="given_up"))
    return attrs.evolve(watch, groups=groups)
