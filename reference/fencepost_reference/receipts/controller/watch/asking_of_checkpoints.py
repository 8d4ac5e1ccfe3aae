"""What may be wrong with a prepare, a commit, a release, or the id of a retire.

Answers are as in `asking_of_work`.
"""

from fencepost_reference.receipts.controller import actions as a
from fencepost_reference.receipts.controller.said import KINDS, Committed, Place
from fencepost_reference.receipts.controller.watch.asking_of_work import Told, named
from fencepost_reference.receipts.controller.watch.state import Transaction, Watch

HOLDING = ("model", "agent", "resources")
_WRITING = ("agent", "model", "resources")


def listed(places: set[Place] | frozenset[Place]) -> str:
    """Participants in words."""
    return ", ".join(sorted(map(str, places)))


def own(watch: Watch, one: a.Sent) -> Transaction | None:
    """The checkpoint that is open, if the call is about it."""
    transaction = watch.transaction
    if transaction is None or transaction.checkpoint_id != one.request.checkpoint_id:
        return None
    return transaction


def before(watch: Watch, one: a.Sent, order: tuple[str, ...], exporting: bool) -> set[Place]:
    """The participants whose kind comes before that of the called one."""
    earlier = order[: order.index(one.place.kind)] if one.place.kind in order else ()
    places = watch.settings.exporting if exporting else watch.settings.places
    return {place for place in places if place.kind in earlier}


def has_no_place(watch: Watch, one: a.Sent, kinds: tuple[str, ...]) -> Told:
    """There is no such participant, or its kind has no such operation."""
    if one.place not in watch.settings.places:
        return f"there is no {one.place}"
    return one.place.kind in kinds or f"{one.place.kind} has no operation {one.op}"


# Prepare.


def another_is_open(watch: Watch, one: a.Sent) -> Told:
    """An earlier checkpoint still waits for a participant."""
    transaction = watch.transaction
    if transaction is None:
        return False
    if transaction.checkpoint_id == one.request.checkpoint_id or not transaction.open_at:
        return True
    return f"{transaction.checkpoint_id} is not released by {listed(transaction.open_at)}"


def id_was_used(watch: Watch, one: a.Sent) -> Told:
    """The id named another checkpoint of these processes, or a snapshot."""
    name = one.request.checkpoint_id
    transaction = watch.transaction
    if transaction is not None and transaction.checkpoint_id == name:
        same = transaction.restores == (one.op == "restore")
        return same or f"{name} is the id of another operation"
    known = any(name in used for used in watch.used.values())
    known = known or any(each.checkpoint_id == name for each in watch.published)
    return not known or f"{name} was used before"


def is_going_back(watch: Watch, one: a.Sent | a.Storing) -> Told:
    """A release of the checkpoint was sent."""
    transaction = watch.transaction
    if transaction is None:
        return False
    if isinstance(one, a.Sent) and one.request.checkpoint_id != transaction.checkpoint_id:
        return False
    return not transaction.releasing or f"{transaction.checkpoint_id} is being released"


def is_late(watch: Watch, one: a.Sent) -> Told:
    """The time of the checkpoint is over."""
    transaction = own(watch, one)
    if transaction is None:
        return False
    return not transaction.late or f"the time of {transaction.checkpoint_id} is over"


def is_owing(watch: Watch, one: a.Sent) -> Told:
    """What was owed when the snapshot fell due is still owed; asked of the first prepare."""
    if own(watch, one) is not None or not watch.due_rows:
        return False
    left = sorted(watch.due_rows & watch.owed())
    return not left or f"{', '.join(map(named, left))} is still owed"


def earlier_are_not_held(watch: Watch, one: a.Sent) -> Told:
    """A model was not paused, or an agent has not parked."""
    earlier = before(watch, one, HOLDING, exporting=False)
    earlier = {place for place in earlier if place in _asked_first(watch)}
    if not earlier:
        return False
    transaction = own(watch, one)
    done = frozenset[Place]()
    if transaction is not None:
        agents = frozenset(place for place in transaction.held if place.kind == "agent")
        done = agents | frozenset(p for p in transaction.answered if p.kind == "model")
    left = earlier - done
    return not left or f"{listed(left)} does not hold still"


def _asked_first(watch: Watch) -> tuple[Place, ...]:
    return tuple(place for place in watch.settings.exporting if place.kind in KINDS)


def models_still_drain(watch: Watch, one: a.Sent) -> Told:
    """An agent is asked to park while a model has calls in flight."""
    transaction = own(watch, one)
    if one.place.kind != "agent" or transaction is None:
        return False
    models = {place for place in watch.settings.exporting if place.kind == "model"}
    left = models - transaction.held
    return not left or f"{listed(left)} still drains"


# Commit.


def is_not_open(watch: Watch, one: a.Sent | a.Storing) -> Told:
    """What is written belongs to another checkpoint, or to none that is open."""
    transaction = watch.transaction
    name = one.request.checkpoint_id if isinstance(one, a.Sent) else one.snapshot.checkpoint_id
    if transaction is None or transaction.restores or transaction.checkpoint_id != name:
        return f"{name} is not open"
    return True


def cannot_export(watch: Watch, one: a.Sent) -> Told:
    """The participant's mode is another than export_restore."""
    return one.place in watch.settings.exporting or f"{one.place} cannot be restored"


def somebody_moves(watch: Watch, one: a.Sent) -> Told:
    """A participant that can be restored is not known to hold still."""
    transaction = own(watch, one)
    if transaction is None:
        return False
    left = set(watch.settings.exporting) - transaction.held - set(transaction.committed)
    return not left or f"{listed(left)} was not seen to hold still"


def has_written(watch: Watch, one: a.Sent) -> Told:
    """The participant has answered that it has written."""
    transaction = own(watch, one)
    if transaction is None:
        return False
    return one.place not in transaction.committed or f"{one.place} has written"


def comes_too_early(watch: Watch, one: a.Sent) -> Told:
    """A participant whose kind comes first has not written."""
    transaction = own(watch, one)
    earlier = before(watch, one, _WRITING, exporting=True)
    if transaction is None or not earlier:
        return False
    left = earlier - set(transaction.committed)
    return not left or f"{listed(left)} has not written"


def scope_is_wrong(watch: Watch, one: a.Sent) -> Told:
    """A model's commit does not name exactly the indexes of all agents."""
    transaction = own(watch, one)
    if one.place.kind != "model" or transaction is None:
        return False
    expected = sorted(
        wrote.digest for place, wrote in transaction.committed.items() if place.kind == "agent"
    )
    came = sorted(one.request.agents)
    return came == expected or f"it names {len(came)} indexes, not the {len(expected)} written"


def directory_is_another(watch: Watch, one: a.Sent) -> Told:
    """The checkpoint was given another directory before."""
    transaction = own(watch, one)
    if transaction is None or transaction.directory is None:
        return False
    known = transaction.directory
    return one.request.directory == known or f"its directory is {known}"


def directory_is_published(watch: Watch, one: a.Sent) -> Told:
    """An earlier checkpoint was written under that name, and is the newest snapshot."""
    if watch.newest_in is None:
        return False
    return one.request.directory != watch.newest_in or "the newest snapshot was written there"


# Release, retire.


def ends_without_time(watch: Watch, one: a.Sent) -> Told:
    """A checkpoint that came to nothing is released, with a deadline that is over."""
    transaction, left = own(watch, one), one.request.deadline_in
    if transaction is None or transaction.restores or transaction.published:
        return False
    return left is not None and (left > 0 or f"its deadline is {left:g} seconds from now")


def was_not_begun(watch: Watch, one: a.Sent) -> Told:
    """Another checkpoint is open, or none was begun there under that id."""
    name, transaction = one.request.checkpoint_id, watch.transaction
    if transaction is not None and transaction.checkpoint_id == name:
        return True
    if transaction is not None and one.place in transaction.open_at:
        return f"{transaction.checkpoint_id} is open there"
    used = watch.used.get(one.place, frozenset[str]())
    return name in used or f"{name} was not begun at {one.place}"


def keeps_the_lost(watch: Watch, one: a.Sent) -> Told:
    """Everything is restored, and a continuation is left that cannot go on."""
    transaction = own(watch, one)
    if transaction is None or not transaction.restores:
        return False
    if not watch.to_restore <= transaction.restored:
        return False  # The restore is given up.
    # What nobody wants may be retired later: it never runs.
    doomed = set(watch.doomed()) - set(watch.orphans())
    left = sorted(key for place, key in doomed if place in transaction.restored)
    return not left or f"{', '.join(map(named, left))} cannot go on"


def id_is_wrong(watch: Watch, one: a.Sent) -> Told:
    """Another id is open there, or the id was released."""
    name, transaction = one.request.checkpoint_id, watch.transaction
    if transaction is not None and one.place in transaction.open_at:
        return name == transaction.checkpoint_id or f"{transaction.checkpoint_id} is open"
    used = watch.used.get(one.place, frozenset[str]())
    if transaction is not None and transaction.checkpoint_id == name:
        gone = one.place in transaction.released
        return not gone or f"{name} was released"
    return name not in used or f"{name} was released"


def phase_forbids(watch: Watch, one: a.Sent) -> Told:
    """The participant writes, has written, or has restored."""
    transaction = watch.transaction
    if transaction is None or one.place not in transaction.open_at:
        return False
    busy = transaction.restores or one.place in transaction.committing
    return not busy or f"{one.place} is committed or restored, and not released"


def written(watch: Watch) -> dict[Place, Committed]:
    """What the participants have written of the open checkpoint."""
    return {} if watch.transaction is None else dict(watch.transaction.committed)
