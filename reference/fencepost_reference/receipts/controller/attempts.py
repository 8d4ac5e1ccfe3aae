"""What becomes of attempts that were sent: they finish, fail, are lost, retired and adopted."""

import re

from fencepost_reference.receipts.changes import change
from fencepost_reference.receipts.controller.actions import Call, Request
from fencepost_reference.receipts.controller.book import result, whose
from fencepost_reference.receipts.controller.dispatching import call_name, leave, place_of
from fencepost_reference.receipts.controller.draft import Draft, wanted
from fencepost_reference.receipts.controller.outbox import drop_row, outbox
from fencepost_reference.receipts.controller.said import Answer, Finished, Receipted, Retired
from fencepost_reference.receipts.controller.state import State, Work
from fencepost_reference.receipts.ledger.state import Group
from fencepost_reference.receipts.state import Receipt
from fencepost_spec.receipts.controller.spec import ControllerSpec
from fencepost_spec.vocabulary import Key

CLOSED = "agent_admission_closed"
UNCLEAR = "duplicate_execution"
_DIGEST = re.compile(r"[0-9a-f]{64}")

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
    return current is None or (
        current.publication in ("gated", "prepared")
        and current.transaction in ("idle", "preparing", "prepared")
    )


def _retiring_id(state: State) -> str:
    """The open checkpoint, or an id that no checkpoint has had; retiring does not use it up."""
    return f"c{state.number}" if state.round is None else state.round.id


def ask(draft: Draft, key: Key) -> None:
    """What an attempt asks for is called."""
    found = due_call(draft.spec, draft.state, key)
    assert found is not None, "nothing is due"
    call, event = found
    if draft.moved(key, event):
        leave(draft, call.op, call.place, call.request, key)


# What comes back.


def run_answered(draft: Draft, key: Key, answer: Answer | None, agent: str) -> None:
    """A run ends well or not, meets a closed door, or nobody knows."""
    if answer is None or answer.code == UNCLEAR:
        draft.moved(key, "run_lost")
    elif answer.ok:
        said = answer.said
        digest = said.digest if isinstance(said, Finished) else None
        if key not in draft.state.works:
            # A late result of an attempt that is forgotten: its participant may be a new one.
            draft.set_work(key, Work("lost", agent))
        draft.moved(key, "run_finished", digest=digest)
    elif answer.code == CLOSED and draft.moved(key, "run_refused"):
        pass
    else:
        draft.moved(key, "run_failed")
    draft.moved(key, "superseded")


def receipt_answered(draft: Draft, key: Key, answer: Answer | None) -> None:
    """A receipt comes, which makes the result ours, or does not, or is that of another."""
    said = None if answer is None or not answer.ok else answer.said
    if not isinstance(said, Receipted):
        draft.moved(key, "receipt_lost")
        return
    if not _fits(draft.state.works.get(key), key, said):
        draft.moved(key, "receipt_misfits")
        return
    if draft.moved(key, "receipt_came", receipt=said.receipt):
        take(draft, key, said.receipt)


def _fits(work: Work | None, key: Key, said: Receipted) -> bool:
    """Whether a receipt names the attempt that it was asked of, and the result that came."""
    digest = said.receipt.result_digest
    heard = None if work is None else work.digest
    return said.key == key and heard in (None, digest) and _DIGEST.fullmatch(digest) is not None


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
        if draft.policy.acknowledging in ("on_arrival", "twice"):
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
        known = work is None or work.receipt is None or wanted(draft.state, key)
        if work is not None and not known and key in draft.state.ledger.owed:
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
