"""The rule that is nearest to a difference, where the one that decided the answer is coarser."""

from fencepost.agent.expecting import blamed_for_view
from fencepost.mismatch import Mismatch
from fencepost_reference.receipts.agent import AgentCore
from fencepost_reference.receipts.counting import view_of
from fencepost_reference.receipts.state import FROZEN, Outstanding, State
from fencepost_spec.receipts import operation_rules as ops
from fencepost_spec.receipts.policy import EXPORTS
from fencepost_spec.receipts.properties import BY_ID
from fencepost_spec.receipts.refusals import PREPARE_INCOMPLETE
from fencepost_spec.rule import Rule

PENDING = next(export.rule for export in EXPORTS if export.name == "pending")


def blamed_for_records(state: State, came: object) -> Rule | None:
    """The export rule that a commit left out, judged by the number of records it told."""
    parked = [
        execution
        for execution in state.executions.values()
        if execution.status == "parked_with_boundary" or execution.status in FROZEN
    ]
    continued = sum(execution.boundary is None for execution in parked)
    number = {
        "own_boundary": len(parked) - continued,
        "continuation": continued,
        "pending": len(state.pending),
    }
    every = sum(number.values())
    for export in reversed(EXPORTS):
        if number[export.name] and came == every - number[export.name]:
            return export.rule
    return None


def blamed_for_refusal(core: AgentCore, waiting: Outstanding, came: str | None) -> Rule | None:
    """The rung that was refused by, where the operation had to take effect."""
    operation = core.spec.operations.get(waiting.op)
    reply = waiting.reply
    takes_effect = reply is not None and PREPARE_INCOMPLETE in (reply.code, came)
    takes_effect = takes_effect or (reply is not None and reply.status == 200)
    if operation is None or reply is None or came is None or not takes_effect:
        return None
    rungs = [check.rule for check in operation.ladder]
    if came == PREPARE_INCOMPLETE or reply.rule in rungs:
        return None
    return next((check.rule for check in operation.ladder if check.answer == came), None)


def blamed_while_waiting(
    core: AgentCore, state: State, waiting: Outstanding, status: int | None
) -> Rule | None:
    """The rule by which a call that was answered has to wait."""
    if waiting.op == "run":
        execution = None if waiting.key is None else state.executions.get(waiting.key)
        return None if execution is None else execution.why
    operation = core.spec.operations.get(waiting.op)
    if waiting.op == "prepare" and status == 200:
        return blamed_for_view(view_of(core.spec, state))
    return None if operation is None else operation.effect


def nearer_rule(state: State, found: Mismatch) -> Rule | None:
    """The rule behind a status that shows something else."""
    fence = state.fence
    if found.key is not None:
        return PENDING if found.key in state.pending else state.history.refused.get(found.key)
    left_alone = fence.waiting and not fence.callers
    storing_alone = fence.storing is not None and not fence.storing.callers
    if left_alone or storing_alone:
        return ops.SHARED
    if found.expected == "state=preparing":
        return BY_ID["R-INV-22"].rule
    return BY_ID["R-LIV-3"].rule if found.expected == "state=accepting" else None
