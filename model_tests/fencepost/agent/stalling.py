"""How a finite trace shows a stall: what has to have happened, and has not or never can."""

from typing import Any

from fencepost.agent.comparing import code_in
from fencepost.agent.expecting import expected_text
from fencepost.mismatch import Mismatch
from fencepost_reference.receipts import actions as a
from fencepost_reference.receipts.agent import AgentCore
from fencepost_reference.receipts.state import State
from fencepost_spec.receipts.dialects import Dialect
from fencepost_spec.receipts.properties import BY_ID, RETIRE_WAITS
from fencepost_spec.receipts.refusals import PREPARE_INCOMPLETE
from fencepost_spec.vocabulary import Key

NO_BLOCKER_FOREVER = BY_ID["R-LIV-1"].rule


def never_released(state: State, op: str, body: object, dialect: Dialect) -> Mismatch | None:
    """A blocker that no operation of the version can release is a stall."""
    if op != "prepare" or dialect.releases or code_in(body) != PREPARE_INCOMPLETE:
        return None
    stuck = [
        f"{key.rollout_id} attempt {key.attempt}"
        for key, execution in state.executions.items()
        if execution.status == "completed_unacknowledged"
    ]
    if not stuck:
        return None
    came = f"refused for {', '.join(stuck)}, which nothing in this version can release"
    return Mismatch("a way to release it", came, NO_BLOCKER_FOREVER, 9, stall=True)


def outstanding_at_rest(core: AgentCore, state: State, hidden: frozenset[str]) -> Mismatch | None:
    """What must have happened before a point of rest, and has not."""
    for own in core.own(state):
        if not own.must:
            continue
        begin_hidden = type(own.action) is a.Begin and "begins" in hidden
        if begin_hidden or own.rule is RETIRE_WAITS:
            continue
        waiting = state.calls.get(own.subject) if isinstance(own.subject, str) else None
        reply = None if waiting is None else waiting.reply
        wanted = _subject_text(own.subject) if reply is None else expected_text(reply)
        came = f"still outstanding at rest: {own_text(own.action)}"
        weight = 5 if own.hidden else 4
        return Mismatch(wanted, came, own.rule, weight, stall=True)
    return None


def _subject_text(subject: object) -> str:
    """What has to happen about a subject."""
    if isinstance(subject, Key):
        return f"{subject.rollout_id} attempt {subject.attempt} moves on"
    if isinstance(subject, int):
        return f"the event of line {subject} returns"
    return {"prepare": "the prepare ends", "storage": "the storage goes on"}.get(
        str(subject), f"an answer to {subject}"
    )


def own_text(action: Any) -> str:
    """A step of the participant, in words."""
    name = type(action).__name__
    return {
        "Leave": "an answer that is decided",
        "LetGo": "a held event that resume let go",
        "ReturnOrphan": "a held event of work that has ended",
        "Conclude": "the end of a prepare",
        "Store": "a storage step",
        "Begin": "a handler that was admitted",
    }.get(name, name)
