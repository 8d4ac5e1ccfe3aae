"""Acknowledgements and completion receipts."""

from fencepost_reference.model import Step
from fencepost_reference.receipts import actions as a
from fencepost_reference.receipts.changes import answered, change
from fencepost_reference.receipts.state import Receipt, Reply, State
from fencepost_spec.receipts.agent import AgentSpec
from fencepost_spec.receipts.facts import ReceiptFacts
from fencepost_spec.rule import Rule
from fencepost_spec.vocabulary import Key


def receipt_facts(spec: AgentSpec, state: State, key: Key, receipt: Receipt) -> ReceiptFacts:
    """What is known about one receipt of an acknowledgement."""
    known = state.history.acknowledged.get(key)
    execution = state.executions.get(key)
    retained = None if execution is None else execution.receipt
    return ReceiptFacts(
        acknowledged=known is not None,
        equals_acknowledged=known is not None and same_receipt(spec, known, receipt),
        completed=retained is not None,
        equals_retained=retained is not None and same_receipt(spec, retained, receipt),
    )


def same_receipt(spec: AgentSpec, one: Receipt, other: Receipt) -> bool:
    """Whether two receipts agree in every field that the specification names."""
    return all(getattr(one, f.name) == getattr(other, f.name) for f in spec.receipt_fields)


def acknowledge(spec: AgentSpec, state: State, action: a.Call, rule: Rule) -> Step:
    """Release results by their receipts: all that are named, or none."""
    receipts = action.request.receipts
    for key, receipt in receipts:
        facts = receipt_facts(spec, state, key, receipt)
        for check in spec.receipt_ladder:
            if check.when(facts):
                reply = Reply(409, check.answer, rule=check.rule)
                return Step(answered(state, action.id, reply), (), (check.rule,))
    fresh = False
    rules: list[Rule] = []
    for key, receipt in receipts:
        known = key in state.history.acknowledged
        source = "acknowledged" if known else "completed_unacknowledged"
        row = spec.execution.find(source, "acknowledge_called", None)
        if row is not None:
            rules.append(row.rule)
            fresh = fresh or not known
            state = _released(state, key, receipt)
    body: object = (("acknowledged", fresh), ("idempotent", not fresh))
    if action.op == "acknowledge-completed":
        body = ("receipts", receipts)
    reply = Reply(200, body=body, rule=rule)
    return Step(answered(state, action.id, reply), (), tuple(rules))


def _released(state: State, key: Key, receipt: Receipt) -> State:
    history = change(state.history, acknowledged=state.history.acknowledged.set(key, receipt))
    executions = state.executions
    if key in executions:
        executions = executions.delete(key)
    return change(state, history=history, executions=executions)


def completion_receipt(_spec: AgentSpec, state: State, action: a.Call, rule: Rule) -> Step:
    """Tell the receipt of a retained result."""
    key = action.request.key
    execution = None if key is None else state.executions.get(key)
    receipt = None if execution is None else execution.receipt
    reply = Reply(200, body=("receipts", ((key, receipt),)), rule=rule)
    return Step(answered(state, action.id, reply))
