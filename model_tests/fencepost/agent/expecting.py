"""What the model expected, in words, and the rule behind it."""

from typing import Any

from fencepost_reference.receipts.state import FROZEN, MOVING, Reply, State, View
from fencepost_spec.receipts.policy import BLOCKERS, Counts
from fencepost_spec.rule import Rule

_WORDS = {
    "parked_with_boundary": "parked",
    "parked_without_boundary": "parked without a boundary",
    "park_requested": "asked to park",
    "external_wait_frozen": "frozen in an external wait",
    "model_wait_frozen": "frozen in a model wait",
    "completed_unacknowledged": "completed, unacknowledged",
}


def expected_text(reply: Reply) -> str:
    """A decided answer in few words."""
    if reply.loose:
        return "anything but a success"
    if reply.code is not None:
        also = "".join(f" or {other}" for other in reply.others)
        return f"{reply.status} {reply.code}{also}"
    if isinstance(reply.body, View):
        return f"{reply.status} ready_to_commit={reply.body.ready}"
    return f"{reply.status} {_body_text(reply.body)}".rstrip()


def _body_text(body: Any) -> str:
    if body is None:
        return ""
    if body[0] == "result":
        return "the stored result"
    if body[0] == "receipts":
        return "the receipts"
    pairs = body[1] if body[0] == "stored" else body
    return " ".join(f"{name}={value}" for name, value in pairs if value is not None)


def counts_of_view(view: View) -> Counts:
    """The counters of a view."""
    statuses = [execution.status for execution in view.executions.values()]
    return Counts(
        sum(status in MOVING for status in statuses),
        sum(status == "parked_with_boundary" or status in FROZEN for status in statuses),
        statuses.count("parked_without_boundary"),
        statuses.count("completed_unacknowledged"),
        statuses.count("retiring"),
        view.untracked,
    )


def blamed_for_view(view: View) -> Rule | None:
    """The rule that makes a view ready or not, where a participant says otherwise."""
    if not view.ready:
        counts = counts_of_view(view)
        return next(blocker.rule for blocker in BLOCKERS if blocker.count(counts))
    for execution in view.executions.values():
        parked = execution.status == "parked_with_boundary" or execution.status in FROZEN
        if parked and execution.boundary is None and execution.why is not None:
            return execution.why
    return None


def state_text(state: State) -> str:
    """A state in one line: the fence, then every key that is live or retained."""
    fence = state.fence
    active = "" if fence.active is None else f" ({fence.active})"
    parts = [f"fence {fence.phase}{active}", "open" if state.accepting else "closed"]
    for key, execution in sorted(state.executions.items()):
        text = f"{key.rollout_id} attempt {key.attempt} "
        text += _WORDS.get(execution.status, execution.status)
        record = execution.record
        if record is not None:
            text += " at boundary " if execution.boundary is not None else " at its continuation "
            text += str(record.index)
        parts.append(text + (" (held)" if execution.held is not None else ""))
    parts += [f"{key.rollout_id} attempt {key.attempt} restored" for key in sorted(state.pending)]
    if state.untracked:
        parts.append(f"{len(state.untracked)} without identity")
    return " · ".join(parts)
