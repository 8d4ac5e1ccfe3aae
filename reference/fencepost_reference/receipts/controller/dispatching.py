"""Attempts are numbered, registered with the fence, and sent, a batch at a time."""

from fencepost_reference.receipts.controller.actions import Request, Sent
from fencepost_reference.receipts.controller.book import status_of, whose
from fencepost_reference.receipts.controller.draft import Draft
from fencepost_reference.receipts.controller.outbox import outbox
from fencepost_reference.receipts.controller.said import AGENT, Place
from fencepost_reference.receipts.controller.state import Open, State, Work
from fencepost_reference.receipts.ledger.state import Group
from fencepost_spec.receipts.controller.spec import ControllerSpec
from fencepost_spec.vocabulary import Key

_GIVEN_UP = ("abandoned", "failed")


def place_of(agent: str) -> Place:
    """Where an agent is called."""
    return Place(AGENT, agent)


def registrations(spec: ControllerSpec, state: State) -> tuple[tuple[Key, ...], ...]:
    """The batches that may be sent now, each the whole of what one group has to send."""
    if spec.policy.dispatch == "open_gate" and _shut(spec, state):
        return ()
    groups = state.ledger.ordered()
    first = spec.policy.relaunch == "reserved_first"
    if first and any(group.phase == "reserved" for group in groups):
        return ()
    if spec.policy.relaunch == "ledger_order":
        return tuple(keys for group in groups if (keys := batch(spec, state, group)))[:1]
    turns = [group for group in groups if group.group_id not in state.late]
    batches = [keys for group in turns if (keys := batch(spec, state, group))]
    if batches and spec.policy.relaunch == "admitted_first":
        return tuple(batches)
    turns = [group for group in groups if group.group_id in state.late]
    return (*batches, *(keys for group in turns if (keys := batch(spec, state, group))))


def _shut(spec: ControllerSpec, state: State) -> bool:
    return not spec.fence.candidates(state.fence, "batch_registered")


def batch(spec: ControllerSpec, state: State, group: Group) -> tuple[Key, ...]:
    """What a group has to send: attempts to number, attempts that are reserved or met a door."""
    if group.phase != "admitted" or group.status != "generating":
        return ()
    again = may_retry(spec, state, group)
    keys: list[Key] = []
    for index, attempt in enumerate(group.current):
        key = group.key(index)
        work = state.works.get(key)
        if again and _is_retried(group, index):
            keys.append(key.next())
        elif attempt.status == "reserved" or (work is not None and work.status == "waiting"):
            keys.append(key)
    return tuple(keys)


def _is_retried(group: Group, index: int) -> bool:
    """Whether a retry numbers the next attempt of a sibling."""
    return group.current[index].status in (*_GIVEN_UP, "dispatched")


def may_retry(spec: ControllerSpec, state: State, group: Group) -> bool:
    """Whether a group has something to number again, and nothing of it may still go on.

    Giving up is of all unsealed siblings, so all of them have to be released.
    """
    ended = [
        _has_ended(spec, state, group.key(index))
        for index, attempt in enumerate(group.current)
        if attempt.status == "dispatched"
    ]
    failed = [
        _has_failed(spec, state, group.key(index))
        for index, attempt in enumerate(group.current)
        if attempt.status == "dispatched"
    ]
    left = any(attempt.status in _GIVEN_UP for attempt in group.current)
    return all(ended) and (left or any(failed))


def _has_ended(spec: ControllerSpec, state: State, key: Key) -> bool:
    """Whether the participant keeps nothing of an attempt, as far as this controller cares."""
    work = state.works.get(key)
    if work is None or work.status in ("waiting", "acknowledged"):
        return True
    if work.status == "taken":
        early = spec.policy.acknowledging in ("on_arrival", "twice")
        return not early and key not in outbox(state)
    return _has_failed(spec, state, key)


def _has_failed(spec: ControllerSpec, state: State, key: Key) -> bool:
    work = state.works.get(key)
    if work is None or work.status == "released":
        return True
    if work.status == "lost":
        return spec.policy.lost_reply == "rerun"
    return work.status == "kept" and spec.policy.kept_result == "rerun"


def register(draft: Draft, keys: tuple[Key, ...]) -> None:
    """One cut: number what has to be, say that the batch is dispatched, and send all of it."""
    group, _ = _owner(draft.state, keys[0])
    for row in draft.spec.fence.candidates(draft.state.fence, "batch_registered"):
        draft.rules.append(row.rule)
    if group.group_id in draft.state.late:
        draft.change(late=draft.state.late - {group.group_id})
    if may_retry(draft.spec, draft.state, group):
        _number_again(draft, group)
    group, _ = _owner(draft.state, keys[0])
    fresh = [index for index, one in enumerate(group.current) if one.status == "reserved"]
    if fresh:
        draft.ledger("mark_group_dispatched", group_id=group.group_id, generation_indices=fresh)
    agent = group.task_source or ""
    for key in keys:
        if key not in draft.state.works:
            draft.set_work(key, Work(draft.spec.attempt.initial, agent))
        send(draft, key, "run_sent")


def _owner(state: State, key: Key) -> tuple[Group, int]:
    found = whose(state.ledger, key)
    assert found is not None, "a batch is of a group that the ledger holds"
    return found


def _number_again(draft: Draft, group: Group) -> None:
    """The attempts that are over are given up, and the next ones numbered."""
    if any(attempt.status == "dispatched" for attempt in group.current):
        draft.ledger("abandon_unsealed", group_id=group.group_id)
    draft.ledger("prepare_incomplete_retry", group_id=group.group_id)
    for key in group.executions():
        if status_of(draft.state.ledger, key) is None:
            draft.moved(key, "superseded")
            draft.set_work(key, None)


def send(draft: Draft, key: Key, event: str) -> None:
    """A run leaves, for the first time or to be answered again."""
    agent = draft.state.works[key].agent
    if draft.moved(key, event):
        leave(draft, "run", place_of(agent), Request(key=key), key)


def leave(draft: Draft, op: str, place: Place, request: Request, key: Key) -> None:
    """A call about one attempt leaves."""
    name = call_name(op, key)
    draft.opened(name, Open(op, place, request))
    draft.outputs.append(Sent(name, place, op, request))


_WORDS = {"completion-receipt": "receipt"}


def call_name(op: str, key: Key) -> str:
    """The name of a call about one attempt."""
    return f"{_WORDS.get(op, op)} {key.rollout_id} {key.attempt}"
