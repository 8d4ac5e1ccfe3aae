"""What may be wrong with the start of a process, and with refusing to start.

Answers are as in `asking_of_work`.
"""

from fencepost_reference.receipts.controller.watch import seen as s
from fencepost_reference.receipts.controller.watch.asking_of_work import Told
from fencepost_reference.receipts.controller.watch.state import Watch


def is_not_published(watch: Watch, one: s.Started) -> Told:
    """No snapshot of that number was published."""
    if one.number is None:
        return False
    known = any(each.number == one.number for each in watch.published)
    return known or f"snapshot {one.number} was not published"


def passes_over(watch: Watch, one: s.Started) -> Told:
    """A process starts from nothing although a snapshot was published."""
    if not watch.published:
        return False
    return one.number is not None or f"snapshot {watch.published[-1].number} was published"


def is_not_newest(watch: Watch, one: s.Started) -> Told:
    """A newer snapshot was published."""
    if not watch.published or one.number is None:
        return False
    sound = [each.number for each in watch.published if each.number not in watch.damaged]
    if not sound:
        return False
    return one.number >= sound[-1] or f"snapshot {sound[-1]} is newer"


def is_damaged(watch: Watch, one: s.Started) -> Told:
    """The snapshot cannot be read any more."""
    if one.number in watch.damaged:
        return f"snapshot {one.number} is damaged"
    return bool(watch.damaged) and one.number is not None


def is_of_another_step(watch: Watch, one: s.Started) -> Told:
    """The trainer stands at another step than the snapshot was taken at."""
    steps = [each.train_step for each in watch.published if each.number == one.number]
    if not steps or one.train_step is None:
        return False
    same = steps[-1] == one.train_step
    return same or f"snapshot {one.number} is of step {steps[-1]}, the trainer at {one.train_step}"


def is_refused_in_vain(watch: Watch, _one: s.StartRefused) -> Told:
    """The newest snapshot is as it was written."""
    if not watch.published:
        return "no snapshot was published that could be refused"
    newest = watch.published[-1].number
    return newest in watch.damaged or f"snapshot {newest} is whole"
