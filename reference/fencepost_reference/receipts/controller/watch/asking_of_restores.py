"""What may be wrong with a restore, or with a restored continuation that is discarded.

Answers are as in `asking_of_work`.
"""

from fencepost_reference.receipts.controller import actions as a
from fencepost_reference.receipts.controller.said import Place
from fencepost_reference.receipts.controller.watch.asking_of_checkpoints import (
    HOLDING,
    before,
    listed,
    own,
)
from fencepost_reference.receipts.controller.watch.asking_of_work import Told, named
from fencepost_reference.receipts.controller.watch.state import Watch


def has_lived(watch: Watch, _one: a.Sent) -> Told:
    """The process has run or prepared something."""
    return not watch.lived or "the process has begun other things"


def was_not_saved(watch: Watch, one: a.Sent) -> Told:
    """The process was not started from a snapshot that has this participant."""
    saved = watch.started
    if saved is None:
        return "the process was started from no snapshot"
    return one.place in dict(saved.participants) or f"snapshot {saved.number} lacks {one.place}"


def id_is_of_source(watch: Watch, one: a.Sent) -> Told:
    """The id is that of the snapshot."""
    saved = watch.started
    if saved is None:
        return False
    same = one.request.checkpoint_id == saved.checkpoint_id
    return not same or f"{saved.checkpoint_id} is what is restored"


def has_met_another(watch: Watch, one: a.Sent) -> Told:
    """A participant has restored something else than the snapshot has."""
    transaction = own(watch, one)
    if transaction is None:
        return False
    return not transaction.mismatched or "a participant has restored something else"


def earlier_are_not_restored(watch: Watch, one: a.Sent) -> Told:
    """A participant whose kind comes first has not restored."""
    saved = {} if watch.started is None else dict(watch.started.participants)
    earlier = {place for place in before(watch, one, HOLDING, False) if place in saved}
    if not earlier:
        return False
    transaction = own(watch, one)
    left = earlier - (frozenset[Place]() if transaction is None else transaction.restored)
    return not left or f"{listed(left)} has not restored"


def is_not_restored_paused(watch: Watch, one: a.Sent) -> Told:
    """The agent has not restored under this id, or its release was sent."""
    transaction = own(watch, one)
    if transaction is None or one.place not in transaction.restored:
        return f"{one.place} has not restored under {one.request.checkpoint_id}"
    return not transaction.releasing or f"{transaction.checkpoint_id} is being released"


def can_go_on(watch: Watch, one: a.Sent) -> Told:
    """The continuation is wanted, and depends on nothing that is lost."""
    key = one.request.key
    spoilt = {each for _, each in (*watch.doomed(), *watch.orphans())}
    gone = watch.transaction is not None and key in watch.transaction.discarded
    if key is None or key in spoilt or gone:
        return True
    known = any(each.key.next() == key for _, each in watch.continuations)
    return f"{named(key)} can go on" if known else f"{named(key)} was not restored"
