"""Lines and states of a policy model in few words: for verdicts, and for the shortest sequence."""

from typing import Any

from fencepost.agent.comparing import came_text
from fencepost.policy_model.comparing import view_text
from fencepost.trace import lines
from fencepost_reference.receipts.policy_model import actions as a
from fencepost_reference.receipts.policy_model.control import control_facts
from fencepost_reference.receipts.policy_model.core import ModelCore
from fencepost_reference.receipts.policy_model.state import State, view_of


def action_text(line: lines.Line) -> str | None:
    """What the harness did in a line, in few words; None for lines that only show something."""
    match line:
        case lines.Call():
            return _call_text(line)
        case lines.Work(event="cancel"):
            return None
        case lines.Work():
            return _work_text(line)
        case lines.Lost():
            return None if line.how == "disconnected" else f"caller of {line.id} goes away"
        case lines.Fault():
            named = " ".join(str(one) for one in line.detail.values() if isinstance(one, str))
            ledger = f" disk {line.disk}" if line.disk else ""
            return f"{line.name}{ledger} {named}".strip()
        case lines.Tick():
            return f"{line.microseconds / 1_000_000:g} s pass"
        case _:
            return None


def _call_text(line: lines.Call) -> str:
    body: dict[str, Any] = line.request or {}
    named = [body.get("checkpoint_id"), body.get("rollout_id"), body.get("checkpoint_dir")]
    if body.get("attempt_index"):
        named.insert(2, f"attempt {body['attempt_index']}")
    words = [line.op, *(str(one) for one in named if one is not None)]
    if body.get("wait_state"):
        words.append("waiting")
    if line.auth is not None:
        words.append("with wrong token" if line.auth == "wrong" else "without a token")
    return " ".join(words)


def _work_text(line: lines.Work) -> str:
    subject = "" if line.rollout_id is None else f" of {line.rollout_id}"
    attempt = f" attempt {line.attempt}" if line.attempt else ""
    row = f" row {line.detail.get('model_call_id')}" if line.event == "record" else ""
    return f"{line.event} {line.detail.get('ticket')}{subject}{attempt}{row}"


def line_text(line: lines.Line) -> str:
    """Any line, in one line of text."""
    match line:
        case lines.Work():
            code = line.outcome if isinstance(line.outcome, str) else line.outcome.get("code")
            return f"{_work_text(line)}: {code}"
        case lines.Reply():
            return f"reply to {line.id}: {came_text(line.status, line.body)}"
        case lines.Lost():
            return f"reply to {line.id} lost: {line.how}"
        case lines.Report():
            return "report" + (" while moving" if line.moving else " at rest")
        case lines.Disk():
            return f"a look at {line.look.get('path')}"
        case _:
            return action_text(line) or type(line).__name__.lower()


def state_text(state: State) -> str:
    """A state in one line."""
    fence = state.fence
    active = "" if fence.active is None else f" ({fence.active})"
    parts = [f"fence {fence.phase}{active}", view_text(view_of(state))]
    parts += [
        f"{name} {ticket.status.replace('_', ' ')}"
        for name, ticket in sorted(state.tickets.items())
    ]
    return " · ".join(parts)


def legal_texts(core: ModelCore, state: State) -> tuple[str, ...]:
    """Control calls that would take effect now."""
    named = state.fence.active or "a new id"
    found: list[str] = []
    for operation in core.spec.operations.values():
        if not operation.fenced:
            continue
        request = a.Request(state.fence.active or "\0new", directory="\0new")
        facts = control_facts(core.spec, state, operation, request)
        if not any(check.when(facts) for check in operation.ladder):
            found.append(f"{operation.name} {named}")
    return tuple(found)
