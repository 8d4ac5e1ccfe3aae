"""The promises of a world as questions, each asked of one step.

A question is true while the promise is kept. None asks a core what to do: they read states, what
was seen, and what a watcher remembers (`ghost.py`).
"""

import json
from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from typing import Any

from fencepost_reference.model import Step
from fencepost_reference.receipts.controller.actions import Training
from fencepost_reference.receipts.controller.said import MODEL, Place
from fencepost_reference.receipts.ledger.actions import Call
from fencepost_reference.receipts.ledger.core import LedgerCore
from fencepost_reference.receipts.ledger.promises import broken_in_state
from fencepost_reference.receipts.ledger.reading import from_json
from fencepost_reference.receipts.ledger.state import State as Ledger
from fencepost_reference.receipts.state import LIVE
from fencepost_reference.worlds import actions as a
from fencepost_reference.worlds.asked import broken_inside
from fencepost_reference.worlds.ghost import Ghost, Moment, keys_begun
from fencepost_reference.worlds.refereeing import watched
from fencepost_reference.worlds.state import Published, State
from fencepost_reference.worlds.viewing import asks_again, gate_is_open, open_checkpoint, unknown
from fencepost_spec.operation import Property
from fencepost_spec.receipts.world import BY_ID
from fencepost_spec.vocabulary import Key

Promise = Callable[[Moment], bool]
_LEDGER = LedgerCore()


def _handed_over(moment: Moment) -> list[Training]:
    return [one for one in moment.step.outputs if isinstance(one, Training)]


def _one_row_for_each_sibling(moment: Moment) -> bool:
    for training in _handed_over(moment):
        names = [f"{training.group_id}_g{n}" for n in range(_siblings(moment, training))]
        if [key.rollout_id for key, _ in training.rows] != names:
            return False
    return True


def _siblings(moment: Moment, training: Training) -> int:
    return moment.ghost.siblings.get(training.group_id, 0)


def _nothing_is_trained_twice(moment: Moment) -> bool:
    known = moment.before.trained
    waiting = {group for group, _ in moment.before.training}
    return all(
        one.group_id not in known and one.group_id not in waiting for one in _handed_over(moment)
    )


def _only_finished_work_is_trained(moment: Moment) -> bool:
    finished = moment.ghost.finished
    return all(key in finished for one in _handed_over(moment) for key, _ in one.rows)


def _publishes(moment: Moment) -> Published | None:
    """The snapshot that a step makes visible, if it does."""
    before, after = moment.before.disk, moment.after.disk
    if not isinstance(moment.action, a.Write) or before is after or not after:
        return None
    return after[-1] if not before or after[-1] is not before[-1] else None


def _nothing_is_owed_when_published(moment: Moment) -> bool:
    made = _publishes(moment)
    if made is None:
        return True
    owed = _owed_in(made.snapshot.ledger)
    kept = any(_keeps_a_result(one) for one in moment.after.participants)
    return not owed and not kept


def _keeps_a_result(participant: Any) -> bool:
    executions = getattr(participant, "executions", None)
    if executions is None:
        return False
    return any(one.status == "completed_unacknowledged" for one in executions.values())


@cache
def _owed_in(ledger: str) -> bool:
    return bool(json.loads(ledger)["pending_completed_execution_acknowledgements"])


def _all_of_it_is_written(moment: Moment) -> bool:
    made = _publishes(moment)
    if made is None:
        return True
    if moment.ghost.written != ("sidecars", "manifest"):
        return False
    lying = _lying(moment.places, moment.after)
    return all(
        (place, made.snapshot.checkpoint_id) in lying for place, _ in made.snapshot.participants
    )


def _lying(places: tuple[Place, ...], state: State) -> dict[tuple[Place, str], Any]:
    """What each participant has committed, by its place and the checkpoint."""
    found: dict[tuple[Place, str], Any] = {}
    for place, participant in zip(places, state.participants, strict=True):
        for directory in participant.disk.values():
            if directory.kind == "committed":
                source = directory.id if place.kind == MODEL else directory.source
                found[place, source] = directory
    return found


def _it_can_be_read_back(moment: Moment) -> bool:
    made = _publishes(moment)
    return made is None or _is_read(made.snapshot.ledger)


@cache
def _is_read(ledger: str) -> bool:
    step = _LEDGER.step(_LEDGER.initial(), Call("load", {"state": from_json(json.loads(ledger))}))
    return bool(step.outputs[0].ok)


def _published_stays(moment: Moment) -> bool:
    before, after = moment.before, moment.after
    if before.disk is not after.disk and not isinstance(moment.action, a.Damage):
        kept = after.disk[: len(after.disk) - 1] if _publishes(moment) else after.disk
        if any(one not in before.disk for one in kept):
            return False
    if before.participants is after.participants or not after.disk:
        return True
    was, now = _lying(moment.places, before), _lying(moment.places, after)
    sources = {one.snapshot.checkpoint_id for one in after.disk}
    return all(now.get(name) == one for name, one in was.items() if name[1] in sources)


def _opens_when_released(moment: Moment) -> bool:
    before, after = moment.before.controller, moment.after.controller
    if before is after or before is None or after is None:
        return True
    if gate_is_open(before) or not gate_is_open(after) or isinstance(moment.action, a.Start):
        return True
    mine = open_checkpoint(before)
    return all(one.fence.active != mine for one in moment.after.participants if mine is not None)


def _begins_once(moment: Moment) -> bool:
    # A result that was kept is asked for again; where its process has gone, it is made again.
    return all(
        key not in moment.ghost.begun or asks_again(moment.before.controller, key)
        for key in keys_begun(moment.step)
    )


def _begins_alone(moment: Moment) -> bool:
    begun = keys_begun(moment.step)
    return all(not _lives_beside(moment.after, key) for key in begun)


def _lives_beside(state: State, key: Key) -> bool:
    for participant in state.participants:
        for other, one in getattr(participant, "executions", {}).items():
            same = other.rollout_id == key.rollout_id and other != key
            if same and one.status in LIVE and one.status != "retiring":
                return True
    return False


def _referee_allows(moment: Moment) -> bool:
    watch = moment.ghost.watch
    if watch is None:
        return True
    return watched(watch, moment.before, moment.action, moment.step)[1] is None


def _dispatched_is_known(moment: Moment) -> bool:
    before, after = moment.before.controller, moment.after.controller
    if after is None or before is after:
        return True
    return not unknown(after)


PROMISES: Mapping[str, Promise] = {
    "R-WLD-1": _one_row_for_each_sibling,
    "R-WLD-2": _nothing_is_trained_twice,
    "R-WLD-3": _only_finished_work_is_trained,
    "R-WLD-4": _nothing_is_owed_when_published,
    "R-WLD-5": _all_of_it_is_written,
    "R-WLD-6": _it_can_be_read_back,
    "R-WLD-7": _published_stays,
    "R-WLD-8": _opens_when_released,
    "R-WLD-9": _begins_once,
    "R-WLD-10": _begins_alone,
    "R-WLD-11": _referee_allows,
    "R-WLD-12": _dispatched_is_known,
}
"""Every `always` of a world, by its id."""


def broken(
    places: tuple[Place, ...], before: State, action: Any, step: Step, ghost: Ghost
) -> tuple[Property, ...]:
    """The promises that a step breaks, given what was remembered before it."""
    moment = Moment(places, before, action, step, ghost)
    lost = [BY_ID[name] for name, kept in PROMISES.items() if not kept(moment)]
    if ghost.inside:
        lost += broken_inside(places, ghost.inside, step)
    return (*lost, *_broken_by_ledger(moment))


def _broken_by_ledger(moment: Moment) -> tuple[Property, ...]:
    """The promises that the controller's ledger breaks as it stands."""
    before, after = moment.before.controller, moment.after.controller
    if after is None or (before is not None and before.ledger is after.ledger):
        return ()
    return _of_ledger(after.ledger)


@lru_cache(maxsize=50_000)
def _of_ledger(ledger: Ledger) -> tuple[Property, ...]:
    return tuple(one for one, _ in broken_in_state(ledger))
