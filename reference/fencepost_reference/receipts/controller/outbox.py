"""What is owed is sent, agent by agent, and goes when the answer covers it."""

from collections.abc import Mapping

import attrs

from fencepost_reference.receipts.controller.actions import Call, Request, Sent
from fencepost_reference.receipts.controller.book import receipt_of, status_of
from fencepost_reference.receipts.controller.draft import Draft
from fencepost_reference.receipts.controller.said import AGENT, Answer, Place, Released
from fencepost_reference.receipts.controller.state import Open, State
from fencepost_reference.receipts.state import Receipt
from fencepost_spec.receipts.controller.spec import ControllerSpec
from fencepost_spec.vocabulary import Key

OP = "acknowledge-completed"

Rows = tuple[tuple[Key, Receipt], ...]


def outbox(state: State) -> Mapping[Key, tuple[str, Receipt]]:
    """What is owed, and to whom: by the ledger, and for results that nobody wants any more."""
    owed = {key: (row.agent_name, receipt_of(row)) for key, row in state.ledger.owed.items()}
    for key, work in state.works.items():
        if work.status != "taken" or work.receipt is None or key in owed:
            continue
        if status_of(state.ledger, key) is None:
            owed[key] = (work.agent, work.receipt)
    return owed


def due_calls(spec: ControllerSpec, state: State) -> tuple[Call, ...]:
    """One call for each agent that is owed something and is not being told."""
    owed = {key: row for key, row in outbox(state).items() if not _is_in_doubt(state, key)}
    calls: list[Call] = []
    for agent in sorted({agent for agent, _ in owed.values()}):
        name = f"acknowledge {agent}"
        if name in state.calls:
            continue
        rows = tuple((key, owed[key][1]) for key in sorted(owed) if owed[key][0] == agent)
        if spec.policy.receipts == "another":
            rows = tuple((key, _another(receipt)) for key, receipt in rows)
        calls.append(Call(name, Place(AGENT, agent), OP, Request(receipts=rows)))
    return tuple(calls)


def _is_in_doubt(state: State, key: Key) -> bool:
    """Whether a participant refused the receipt, and is asked first what it still keeps."""
    work = state.works.get(key)
    return work is not None and work.status not in ("taken", "acknowledged")


def _another(receipt: Receipt) -> Receipt:
    digest = receipt.result_digest
    return attrs.evolve(receipt, result_digest=("1" if digest[0] == "0" else "0") + digest[1:])


def send(draft: Draft, call: Call) -> None:
    """What is owed to an agent is on its way; it is owed still."""
    draft.opened(call.call, Open(call.op, call.place, call.request))
    draft.outputs.append(Sent(call.call, call.place, call.op, call.request))


def answered(draft: Draft, opened: Open, answer: Answer | None) -> None:
    """Exactly what was asked is confirmed, or nothing is."""
    asked = opened.request.receipts
    said = None if answer is None or not answer.ok else answer.said
    covered = isinstance(said, Released) and set(said.receipts) == set(asked)
    if covered or draft.policy.removal == "unanswered":
        for key, _ in asked:
            drop_row(draft, key)
            draft.moved(key, "receipt_confirmed")
            draft.moved(key, "superseded")
    elif answer is not None and not answer.ok:
        for key, _ in asked:
            draft.moved(key, "receipt_refused")


def drop_row(draft: Draft, key: Key) -> None:
    """The obligation of an attempt goes, if there is one: its participant keeps nothing of it."""
    row = draft.state.ledger.owed.get(key)
    if row is not None:
        rows = [row.model_dump(mode="json")]
        draft.ledger("mark_completed_executions_acknowledged", acknowledgements=rows)
