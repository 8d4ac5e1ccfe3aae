"""What a report at rest must say.

Answers are as in `asking_of_work`: a text says what is wrong.
"""

from collections.abc import Callable

from fencepost_reference.receipts.controller.watch.asking_of_work import Told, named
from fencepost_reference.receipts.controller.watch.seen import Rested
from fencepost_reference.receipts.controller.watch.state import Group, Watch
from fencepost_spec.wording import counted


def gate_is_told_wrongly(watch: Watch, one: Rested) -> Told:
    """An open gate while a participant is closed. (A closed gate is told by what stays closed.)"""
    if one.gate_open is None:
        return False
    wrong = one.gate_open and watch.gate_closed
    return "the gate is told open, and a participant has not confirmed" if wrong else True


def id_is_told_wrongly(watch: Watch, one: Rested) -> Told:
    """The open id is another."""
    if not one.tells_active:
        return False
    transaction = watch.transaction
    kept = transaction is not None and transaction.vacated - transaction.released
    if transaction is not None and kept and one.active == transaction.checkpoint_id:
        return True  # Nobody told the controller that a participant was replaced.
    told = " or ".join(sorted(each or "nothing" for each in watch.ids_to_tell))
    return one.active in watch.ids_to_tell or f"{told} is open, told is {one.active}"


def running_is_told_wrongly(watch: Watch, one: Rested) -> Told:
    """What is told as running was not sent, or was answered."""
    if one.running is None:
        return False
    sent = {key for key, known in watch.attempts.items() if known.open}
    extra = sorted(one.running - sent)
    if extra:
        return f"{', '.join(map(named, extra))} does not run"
    missing = [
        key
        for key in sorted(sent - one.running)
        if not (watch.attempts[key].released or watch.attempts[key].kept)
    ]
    return not missing or f"{', '.join(map(named, missing))} runs and is not told"


def owed_is_told_wrongly(watch: Watch, one: Rested) -> Told:
    """Something is owed and not told, or told and was never received."""
    if one.owed is None:
        return False
    missing = sorted(watch.owed() - one.owed)
    if missing:
        return f"{', '.join(map(named, missing))} is owed and not told"
    known = {key for key, each in watch.attempts.items() if each.receipt is not None}
    extra = sorted(one.owed - known)
    return not extra or f"{', '.join(map(named, extra))} was never received"


def attempts_are_told_wrongly(watch: Watch, one: Rested) -> Told:
    """A group has other attempts than were sent."""
    arose = False
    for group_id, attempts in one.groups or ():
        group = watch.groups.get(group_id)
        if group is None or attempts is None:
            continue
        arose = True
        for index, count in enumerate(attempts[: group.siblings]):
            key = group.key(index)
            sent = key in watch.attempts
            # After a restart the next attempt is numbered when the gate opens.
            least = key.attempt + 1 if sent else max(key.attempt, 1)
            if not least <= count <= key.attempt + 1 + sent:
                return f"{key.rollout_id} has {counted(count, 'attempt')}"
    return arose


def groups_are_told_wrongly(watch: Watch, one: Rested) -> Told:
    """A live group is not held, or one is held that has ended."""
    if one.groups is None:
        return False
    held = {group_id for group_id, _ in one.groups}
    for group_id, group in sorted(watch.groups.items()):
        if group.live and group_id not in held and not _has_failed(watch, group):
            return f"{group_id} is not held"
        if group.status == "trained" and group_id in held and group_id in watch.trained:
            return f"{group_id} is held, and it is training data"
    extra = sorted(held - set(watch.groups))
    return not extra or f"{', '.join(extra)} was never handed over"


def _has_failed(watch: Watch, group: Group) -> bool:
    """Whether an attempt of the group has failed, so that it may be given up."""
    ids = {group.rollout_id(index) for index in range(group.siblings)}
    return any(one.failed for key, one in watch.attempts.items() if key.rollout_id in ids)


QUESTIONS: dict[str, Callable[[Watch, Rested], Told]] = {
    each.__name__: each
    for each in (
        *(gate_is_told_wrongly, id_is_told_wrongly, running_is_told_wrongly),
        *(owed_is_told_wrongly, attempts_are_told_wrongly, groups_are_told_wrongly),
    )
}
"""Everything that is asked of a report itself."""
