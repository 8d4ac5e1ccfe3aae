"""What may be wrong with a retire, a receipt, an acknowledgement, or a training.

Answers are as in `asking_of_work`.
"""

from typing import Any

from fencepost_reference.receipts.controller import actions as a
from fencepost_reference.receipts.controller.watch.asking_of_work import Told, named, of_run
from fencepost_reference.receipts.controller.watch.cohorts import given_up
from fencepost_reference.receipts.controller.watch.state import Watch


def is_wanted_unsent(watch: Watch, one: a.Sent) -> Told:
    """Its group lives and has not sent it yet: its continuation would be lost."""
    found = of_run(watch, one)
    if found is None or not found[1].live:
        return False
    key, group, index = found
    unsent = key.attempt >= group.current[index] and key not in watch.attempts
    return f"{group.group_id} wants {named(key)}" if unsent else True


def ran_elsewhere(watch: Watch, one: a.Sent) -> Told:
    """Another agent runs the group."""
    key = one.request.key
    known = None if key is None else watch.attempts.get(key)
    if key is None or known is None:
        return False
    return known.agent == one.place or f"{named(key)} ran on {known.agent}"


def is_unheard(watch: Watch, one: a.Sent) -> Told:
    """Nobody told the receipt."""
    for key, _ in one.request.receipts:
        known = watch.attempts.get(key)
        if known is None or known.told is None:
            return f"no receipt of {named(key)} was received"
    return True


def belongs_to_another_agent(watch: Watch, one: a.Sent) -> Told:
    """The receipt is of another agent's result."""
    for key, _ in one.request.receipts:
        known = watch.attempts.get(key)
        if known is not None and known.agent != one.place:
            return f"{named(key)} ran on {known.agent}"
    return True


def differs_from_told(watch: Watch, one: a.Sent) -> Told:
    """The receipt is another than the one that was told."""
    for key, receipt in one.request.receipts:
        known = watch.attempts.get(key)
        if known is not None and receipt not in (known.receipt, known.shown):
            return f"the receipt of {named(key)} is not the one that was told"
    return True


def is_still_wanted(watch: Watch, one: a.Sent) -> Told:
    """Its result has not arrived, and its group waits for it."""
    arose = False
    for key, _ in one.request.receipts:
        known, owner = watch.attempts.get(key), watch.group_of(key)
        if known is None or owner is None or not owner[0].live or known.released:
            continue
        group, index = owner
        if index >= group.siblings or key.attempt < group.current[index]:
            continue
        if known.digest is None and not given_up(watch, group, index):
            return f"the result of {named(key)} has not arrived"
        arose = True
    return arose


def leaves_some_out(watch: Watch, one: a.Sent) -> Told:
    """More is owed to this agent, and nothing of it is on its way."""
    sent = {key for key, _ in one.request.receipts}
    on_way = {
        key
        for call in watch.calls.values()
        if call.op in ("acknowledge", "acknowledge-completed")
        for key, _ in call.request.receipts
    }
    left = sorted(watch.owed(one.place) - sent - on_way)
    return not left or f"{', '.join(map(named, left))} is owed, too"


# Training.


def end_is_unknown(watch: Watch, _one: Any) -> Told:
    """A finalization had an unknown end, and only a new process may go on."""
    return "nobody knows how a finalization ended" if watch.lost_end else False


def was_trained(watch: Watch, one: a.Training) -> Told:
    """The group was handed to the finalizer before."""
    group = watch.groups.get(one.group_id)
    if one.group_id in watch.training:
        return f"{one.group_id} is with the finalizer"
    return group is None or group.status != "trained" or f"{one.group_id} was trained on"


def was_let_go(watch: Watch, one: a.Training) -> Told:
    """The group is stale or was dropped."""
    group = watch.groups.get(one.group_id)
    if group is None:
        return False
    return group.live or f"{one.group_id} is {group.status}"


def rows_do_not_match(watch: Watch, one: a.Training) -> Told:
    """The rows are not one for each sibling, in order."""
    group = watch.groups.get(one.group_id)
    if group is None:
        return False
    came = [key.rollout_id for key, _ in one.rows]
    expected = [group.rollout_id(index) for index in range(group.siblings)]
    return came == expected or f"rows of {', '.join(came) or 'nobody'}"


def row_is_not_current(watch: Watch, one: a.Training) -> Told:
    """A row's attempt is not the current one, or its result or receipt is not here."""
    group = watch.groups.get(one.group_id)
    if group is None:
        return False
    current = set(group.executions()) - {group.key(index) for index in group.again}
    for key, _ in one.rows:
        known = watch.attempts.get(key)
        if key not in current or known is None or not known.usable:
            return f"{named(key)} is not a current attempt with a result and a receipt"
    return True


def row_is_another(watch: Watch, one: a.Training) -> Told:
    """A row's digest is not that of the result."""
    for key, digest in one.rows:
        known = watch.attempts.get(key)
        if known is not None and known.digest is not None and known.digest != digest:
            return f"the row of {named(key)} is not its result"
    return True
