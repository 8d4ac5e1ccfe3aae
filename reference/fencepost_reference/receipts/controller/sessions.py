"""What resources servers keep for attempts: a session whose attempt is over is ended before it is
written, because no agent will name it when it is restored."""

from collections.abc import Mapping

from fencepost_reference.receipts.controller.book import status_of, whose
from fencepost_reference.receipts.controller.said import RESOURCES, Committed, Place
from fencepost_reference.receipts.controller.state import Round, State
from fencepost_spec.vocabulary import Key

_OVER = ("released", "acknowledged")
Sessions = Mapping[Place, frozenset[tuple[Key, int]]]


def left_over(state: State, current: Round, place: Place) -> list[Key]:
    """The sessions of a server whose attempts are over: their agents have let go of them."""
    return sorted(key for key, _ in current.sessions.get(place, ()) if _is_over(state, key))


def _is_over(state: State, key: Key) -> bool:
    work = state.works.get(key)
    if work is not None:
        return work.status in _OVER
    return status_of(state.ledger, key) not in ("reserved", "dispatched") and not _comes(state, key)


def _comes(state: State, key: Key) -> bool:
    """Whether an attempt is the next of a sibling, and was not numbered yet."""
    found = whose(state.ledger, key)
    return found is not None and found[0].key(found[1]).next() == key


def are_kept(
    state: State, results: tuple[tuple[Place, Committed], ...], sessions: Sessions
) -> bool:
    """Whether each continuation finds its sessions, and no session waits for one that is gone."""
    for held in sessions.values():
        if any(key not in state.works and _comes(state, key) for key, _ in held):
            return False
    return all(
        (root.key, revision) in sessions[Place(RESOURCES, name)]
        for _, one in results
        for root in one.continuations
        for name, revision in root.revisions or ()
        if Place(RESOURCES, name) in sessions
    )
