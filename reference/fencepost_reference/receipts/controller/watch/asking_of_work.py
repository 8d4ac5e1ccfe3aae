"""What may be wrong with a run.

Each answer is a text that says what is wrong; True where the question arose and all is well; and
False where it did not arise.
"""

from typing import Any

from fencepost_reference.receipts.controller import actions as a
from fencepost_reference.receipts.controller.watch.cohorts import given_up
from fencepost_reference.receipts.controller.watch.state import Attempt, Group, Watch
from fencepost_spec.vocabulary import Key

Told = str | bool


def named(key: Key) -> str:
    """A key in words."""
    return f"{key.rollout_id} attempt {key.attempt}"


def of_run(watch: Watch, one: Any) -> tuple[Key, Group, int] | None:
    """The key of a run with the group and sibling that it names; None where there are none."""
    key = one.request.key
    owner = None if key is None else watch.group_of(key)
    if key is None or owner is None or owner[1] >= owner[0].siblings:
        return None
    return key, *owner


def is_of_no_group(watch: Watch, one: Any) -> Told:
    """Of a run or a training: the group was never handed over."""
    if isinstance(one, a.Training):
        return one.group_id in watch.groups or f"no group {one.group_id} was handed over"
    key = one.request.key
    if key is None:
        return "it names no attempt"
    return watch.group_of(key) is not None or f"no group of {key.rollout_id} was handed over"


def has_another_agent(watch: Watch, one: a.Sent) -> Told:
    """The group was handed over with another agent."""
    key = one.request.key
    owner = None if key is None else watch.group_of(key)
    if owner is None:
        return False
    agent = owner[0].agent
    return one.place.instance == agent or f"{owner[0].group_id} is run by agent {agent}"


def is_no_sibling(watch: Watch, one: a.Sent) -> Told:
    """The generation index is not one of the group's."""
    key = one.request.key
    owner = None if key is None else watch.group_of(key)
    if owner is None:
        return False
    group, index = owner
    return index < group.siblings or f"{group.group_id} has {group.siblings} siblings"


def group_has_ended(watch: Watch, one: a.Sent) -> Told:
    """The group is not live any more."""
    found = of_run(watch, one)
    if found is None:
        return False
    group = found[1]
    return group.live or f"{group.group_id} is {group.status}"


def group_is_reserved(watch: Watch, one: a.Sent) -> Told:
    """The group was not admitted."""
    found = of_run(watch, one)
    if found is None:
        return False
    return found[1].admitted or f"{found[1].group_id} is reserved"


def is_not_restored(watch: Watch, _one: a.Sent) -> Told:
    """A participant that the snapshot has is not restored and released."""
    if watch.started is None:
        return False
    left = ", ".join(sorted(map(str, watch.to_restore)))
    return not left or f"{left} is not restored and released"


def gate_is_closed(watch: Watch, one: a.Sent) -> Told:
    """A checkpoint is open, and the attempt is not one that finished already."""
    transaction, key = watch.transaction, one.request.key
    if transaction is None or key is None:
        return False
    known = watch.attempts.get(key)
    if not transaction.open_at or (known is not None and known.kept):
        return True
    left = ", ".join(sorted(map(str, transaction.open_at)))
    return f"{transaction.checkpoint_id} is not released by {left}"


def is_sealed(watch: Watch, one: a.Sent) -> Told:
    """The current attempt's result is here, and nothing takes it back."""
    found = of_run(watch, one)
    if found is None:
        return False
    key, group, index = found
    current = watch.attempts.get(group.key(index))
    if current is None or not current.held:
        return False
    if key == group.key(index) and current.offered:
        return True
    if not group.whole:
        return f"the result of {named(group.key(index))} is here"
    if group.again or key.attempt <= group.current[index]:
        return False
    attempts = [watch.attempts.get(each) for each in group.executions()]
    whole = all(each is not None and each.held for each in attempts)
    return f"the cohort {group.group_id} has all its results" if whole else True


def is_misnumbered(watch: Watch, one: a.Sent) -> Told:
    """Neither the current attempt, nor the next of one that was sent."""
    found = of_run(watch, one)
    if found is None:
        return False
    key, group, index = found
    current = group.key(index)
    if key == current or (key == current.next() and current in watch.attempts):
        return True
    expected = current.next() if current in watch.attempts else current
    return f"next is attempt {expected.attempt}"


def is_known(watch: Watch, one: a.Sent) -> Told:
    """The attempt was sent before, and nothing is unknown about it."""
    found = of_run(watch, one)
    known = None if found is None else watch.attempts.get(found[0])
    if found is None or known is None or found[0] != found[1].key(found[2]):
        return False
    if known.declined or (known.gone and not known.held):
        return True
    if known.kept and not known.released and (known.offered or not known.held):
        return True
    if known.lost and not known.open and not known.released:
        return True
    if known.open:
        return f"{named(found[0])} was sent and is not answered"
    return f"{named(found[0])} has ended"


def _before(watch: Watch, one: a.Sent) -> tuple[Key, Attempt, Group, int] | None:
    """The attempt that the next one would take the place of."""
    found = of_run(watch, one)
    if found is None:
        return None
    key, group, index = found
    current = group.key(index)
    known = watch.attempts.get(current)
    if known is None or key != current.next():
        return None
    return current, known, group, index


def is_to_be_adopted(watch: Watch, one: a.Sent) -> Told:
    """The attempt before has finished, and its result is kept for whoever asks."""
    found = _before(watch, one)
    if found is None:
        return False
    current, known, group, index = found
    if known.held:
        return False
    if not known.kept or (known.released and given_up(watch, group, index)):
        return known.released
    if given_up(watch, group, index):
        return False  # Its result is not wanted; that it must be released is another rule.
    if known.gone:
        return f"nothing told it that the result of {named(current)} is not kept any more"
    return f"the agent keeps the result of {named(current)}"


def is_not_released(watch: Watch, one: a.Sent) -> Told:
    """The agent may still run, or keep, the attempt before."""
    found = _before(watch, one)
    if found is None:
        return False
    return found[1].released or f"the agent was not seen to let go of {named(found[0])}"


def cohort_goes_on(watch: Watch, one: a.Sent) -> Told:
    """A sibling of the cohort still runs or is kept, or none has failed."""
    found = _before(watch, one)
    if found is None or not found[2].whole or found[3] in found[2].again:
        return found is not None and found[2].whole
    group = found[2]
    failed = False
    for index in range(group.siblings):
        known = watch.attempts.get(group.key(index))
        if known is None or index in group.again:
            continue
        failed = failed or known.failed
        if not known.released:
            return f"{named(group.key(index))} is not released"
    return failed or f"nothing of the cohort {group.group_id} has failed"


def is_out_of_turn(watch: Watch, one: a.Sent) -> Told:
    """A group that was reserved when it was restored comes before one that was admitted."""
    found = of_run(watch, one)
    if found is None or not found[1].late:
        return False
    for group in watch.ordered():
        if group.early and group.live:
            for key in group.executions():
                if key not in watch.attempts:
                    return f"{named(key)} was admitted when it was restored, and was not sent yet"
    return True
