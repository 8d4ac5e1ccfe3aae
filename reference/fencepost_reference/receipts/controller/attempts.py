"""Attempts are registered and sent, finish, fail, are lost, retired and adopted."""

import re

from fencepost_reference.receipts.changes import change
from fencepost_reference.receipts.controller.actions import Call, Request, Sent
from fencepost_reference.receipts.controller.book import result, status_of, whose
from fencepost_reference.receipts.controller.draft import Draft, wanted
from fencepost_reference.receipts.controller.outbox import drop_row, outbox
from fencepost_reference.receipts.controller.said import (
    AGENT,
    Answer,
    Finished,
    Place,
    Receipted,
    Retired,
)
from fencepost_reference.receipts.controller.state import Open, State, Work
from fencepost_reference.receipts.ledger.state import Group
from fencepost_reference.receipts.state import Receipt
from fencepost_spec.receipts.controller.spec import ControllerSpec
from fencepost_spec.vocabulary import Key

CLOSED = "agent_admission_closed"
UNCLEAR = "duplicate_execution"
_DIGEST = re.compile(r"[0-9a-f]{64}")
_GIVEN_UP = ("abandoned", "failed")


def place_of(agent: str) -> Place:
    """Where an agent is called."""
    return Place(AGENT, agent)


# What is sent.


def registrations(spec: ControllerSpec, state: State) -> tuple[tuple[Key, ...], ...]:
    """The batches that may be sent now, each the whole of what one group has to send."""
    if spec.policy.dispatch == "open_gate" and _shut(spec, state):
        return ()
    groups = state.ledger.ordered()
    first = spec.policy.relaunch == "reserved_first"
    if first and any(group.phase == "reserved" for group in groups):
        return ()
    batches = (batch(spec, state, group) for group in groups)
    return tuple(keys for keys in batches if keys)


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
        if again and _is_retried(state, group, index):
            keys.append(key.next())
        elif attempt.status == "reserved" or (work is not None and work.status == "waiting"):
            keys.append(key)
    return tuple(keys)


def _is_retried(state: State, group: Group, index: int) -> bool:
    """Whether a retry numbers the next attempt of a sibling."""
    status = group.current[index].status
    if status in _GIVEN_UP:
        return True
    return status == "dispatched"


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
        return spec.policy.acknowledging != "on_arrival" and key not in outbox(state)
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
        _leave(draft, "run", place_of(agent), Request(key=key), key)


def _leave(draft: Draft, op: str, place: Place, request: Request, key: Key) -> None:
    name = call_name(op, key)
    draft.opened(name, Open(op, place, request))
    draft.outputs.append(Sent(name, place, op, request))


_WORDS = {"completion-receipt": "receipt"}


def call_name(op: str, key: Key) -> str:
    """The name of a call about one attempt."""
    return f"{_WORDS.get(op, op)} {key.rollout_id} {key.attempt}"


# What is asked about an attempt.

_ASKS = {
    "finished": ("completion-receipt", "receipt_asked"),
    "lost": ("retire", "retire_sent"),
}


def due_call(spec: ControllerSpec, state: State, key: Key) -> tuple[Call, str] | None:
    """The call that an attempt asks for now, and the event that it is."""
    work = state.works[key]
    op, event = _ASKS.get(work.status, ("", ""))
    if work.status == "kept":
        op, event = ("run", "run_sent") if wanted(state, key) else _ASKS["finished"]
        if op == "run" and spec.policy.kept_result == "rerun":
            return None
    if not op or (op == "retire" and not _may_retire(spec, state, key)):
        return None
    name = call_name(op, key)
    if name in state.calls:
        return None
    request = Request(_retiring_id(state) if op == "retire" else None, None, key)
    return Call(name, place_of(work.agent), op, request), event


def _may_retire(spec: ControllerSpec, state: State, key: Key) -> bool:
    """Participants retire until they commit; after that one waits for their release."""
    if spec.policy.lost_reply == "rerun" and wanted(state, key):
        return False
    current = state.round
    return current is None or current.transaction in ("idle", "preparing", "prepared")


def _retiring_id(state: State) -> str:
    """The open checkpoint, or an id that no checkpoint has had; retiring does not use it up."""
    return f"c{state.number}" if state.round is None else state.round.id


def ask(draft: Draft, key: Key) -> None:
    """What an attempt asks for is called."""
    found = due_call(draft.spec, draft.state, key)
    assert found is not None, "nothing is due"
    call, event = found
    if draft.moved(key, event):
        _leave(draft, call.op, call.place, call.request, key)


# What comes back.


def run_answered(draft: Draft, key: Key, answer: Answer | None) -> None:
    """A run ends well or not, meets a closed door, or nobody knows."""
    if answer is None or answer.code == UNCLEAR:
        draft.moved(key, "run_lost")
    elif answer.ok:
        said = answer.said
        digest = said.digest if isinstance(said, Finished) else None
        draft.moved(key, "run_finished", digest=digest)
    elif answer.code == CLOSED and draft.moved(key, "run_refused"):
        pass
    else:
        draft.moved(key, "run_failed")
    draft.moved(key, "superseded")


def receipt_answered(draft: Draft, key: Key, answer: Answer | None) -> None:
    """A receipt comes, which makes the result ours, or does not."""
    said = None if answer is None or not answer.ok else answer.said
    if not isinstance(said, Receipted) or _DIGEST.fullmatch(said.receipt.result_digest) is None:
        draft.moved(key, "receipt_lost")
        return
    if draft.moved(key, "receipt_came", receipt=said.receipt):
        take(draft, key, said.receipt)


def take(draft: Draft, key: Key, receipt: Receipt) -> None:
    """A result is sealed where it is wanted, and its acknowledgement comes to be owed."""
    found = whose(draft.state.ledger, key)
    if found is None or not wanted(draft.state, key):
        return
    group, index = found
    work = draft.state.works[key]
    given = result(key, work.agent, receipt)
    named = {"group_id": group.group_id, "generation_index": index}
    if not group.whole_cohorts:
        sealed = draft.ledger("mark_sibling_sealed", **named, **given)
        if sealed.ok and draft.policy.recording == "with_the_seal":
            record(draft, key)
    else:
        if draft.policy.acknowledging == "on_arrival":
            draft.ledger("record_partial_group_acknowledgement", **named, result=given)
        _seal_cohort(draft, group)
    _settle(draft, group.group_id)


def record(draft: Draft, key: Key) -> None:
    """The acknowledgement of a sealed sibling is owed, unless that has to wait for the group."""
    found = whose(draft.state.ledger, key)
    if found is None:
        return
    group, index = found
    if draft.policy.acknowledging != "at_group_end":
        draft.ledger(
            "record_sealed_sibling_acknowledgement",
            group_id=group.group_id,
            generation_index=index,
        )
    elif group.all_sealed:
        draft.ledger("record_sealed_group_acknowledgements", group_id=group.group_id)


def _seal_cohort(draft: Draft, group: Group) -> None:
    """The cohort is sealed when the last result is here."""
    works = draft.state.works
    results: dict[str, object] = {}
    for index, key in enumerate(group.executions()):
        work = works.get(key)
        if work is None or work.receipt is None or work.status not in ("taken", "acknowledged"):
            return
        results[str(index)] = result(key, work.agent, work.receipt)
    sealed = draft.ledger("mark_group_sealed", group_id=group.group_id, results=results)
    if sealed.ok and draft.policy.acknowledging != "on_arrival":
        draft.ledger("record_sealed_group_acknowledgements", group_id=group.group_id)


def _settle(draft: Draft, group_id: str) -> None:
    """Attempts of which nothing is left to do are forgotten, and results that are sealed."""
    for key in sorted(draft.state.works):
        if key.rollout_id.rpartition("_g")[0] != group_id:
            continue
        draft.moved(key, "superseded")
        work = draft.state.works.get(key)
        if work is not None and work.receipt is not None and key in draft.state.ledger.owed:
            if not wanted(draft.state, key):
                draft.set_work(key, change(work, digest=None, receipt=None))


def retire_answered(draft: Draft, key: Key, answer: Answer | None) -> None:
    """A lost attempt is released, or turns out to be kept, or nobody knows still."""
    said = None if answer is None or not answer.ok else answer.said
    if not isinstance(said, Retired):
        draft.moved(key, "retire_lost")
    elif said.tombstoned:
        if draft.moved(key, "retire_confirmed"):
            drop_row(draft, key)
    elif said.unacknowledged:
        draft.moved(key, "retire_declined")
    else:
        draft.moved(key, "retire_lost")
    draft.moved(key, "superseded")


def let_go(draft: Draft, group_id: str) -> None:
    """A group is owned no more; its attempts are released one by one."""
    keys = [k for k in sorted(draft.state.works) if k.rollout_id.rpartition("_g")[0] == group_id]
    for key in keys:
        if draft.policy.letting_go == "forget":
            draft.set_work(key, None)
            continue
        draft.moved(key, "let_go")
        draft.moved(key, "superseded")


def found_kept(draft: Draft, agent: str, keys: tuple[Key, ...]) -> None:
    """Results that hold up a prepare: whoever has no memory of them asks about them."""
    if draft.policy.blockers == "ignore":
        return
    owed = outbox(draft.state)
    for key in keys:
        if key not in draft.state.works and key not in owed:
            draft.set_work(key, Work("lost", agent))
