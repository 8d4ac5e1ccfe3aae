"""What may be wrong with the sessions that resources servers keep for attempts.

Answers are as in `asking_of_work`.
"""

from fencepost_reference.receipts.controller import actions as a
from fencepost_reference.receipts.controller.said import RESOURCES, Committed, Place
from fencepost_reference.receipts.controller.watch.asking_of_work import Told, named
from fencepost_reference.receipts.controller.watch.sessions import Sessions
from fencepost_reference.receipts.controller.watch.state import Watch
from fencepost_spec.vocabulary import Key


def listed(watch: Watch, held: tuple[tuple[Key, int], ...]) -> Sessions:
    """What a server lists, and which of it belongs to attempts that have ended by now."""
    over = frozenset(key for key, _ in held if _is_over(watch, key))
    return Sessions(frozenset(held), over)


def _is_over(watch: Watch, key: Key) -> bool:
    """Whether the agent of an attempt was seen to let go of it, or nobody will ever run it."""
    known = watch.attempts.get(key)
    if known is not None:
        return known.released and not (known.gone or known.declined)
    owner = watch.group_of(key)
    wanted = owner is not None and owner[0].live and owner[1] < owner[0].siblings
    if owner is None or not wanted:
        return not any(one.key.next() == key for _, one in watch.continuations)
    return key.attempt < owner[0].current[owner[1]]


def session_goes_on(watch: Watch, one: a.Sent) -> Told:
    """A session is ended whose attempt may run, and is wanted."""
    key = one.request.key
    known = None if key is None else watch.attempts.get(key)
    if one.place.kind != RESOURCES or key is None or known is None:
        return False
    owner = watch.group_of(key)
    wanted = owner is not None and owner[0].live and owner[1] < owner[0].siblings
    if known.released or owner is None or not wanted:
        return True
    return f"{named(key)} may still run at {known.agent}"


def keeps_ended_session(watch: Watch, one: a.Sent) -> Told:
    """A server is to write the session of an attempt that was let go of."""
    transaction = watch.transaction
    if transaction is None or one.place not in transaction.sessions:
        return False
    left = sorted(transaction.sessions[one.place].over)
    if left:
        return f"{one.place} holds a session of {', '.join(map(named, left))}, which has ended"
    return bool(transaction.sessions[one.place].held)


def lacks_a_session(watch: Watch, one: a.Storing) -> Told:
    """A continuation names a session that its server has not written, or another revision."""
    transaction, asked = watch.transaction, False
    sessions = {} if transaction is None else dict(transaction.sessions)
    for _, wrote in one.snapshot.participants:
        for root in wrote.continuations if isinstance(wrote, Committed) else ():
            for name, revision in root.revisions or ():
                place = Place(RESOURCES, name)
                if place not in watch.settings.exporting or place not in sessions:
                    continue
                asked = True
                if (root.key, revision) not in sessions[place].held:
                    return f"{place} has no session of {named(root.key)} at revision {revision}"
    return asked
