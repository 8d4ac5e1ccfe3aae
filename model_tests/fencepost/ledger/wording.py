"""Lines and states of a ledger in few words: for verdicts, and for the shortest sequence."""

from collections.abc import Sequence
from typing import Any

from fencepost.mismatch import as_object
from fencepost.trace import lines
from fencepost_reference.receipts.ledger.state import State


def call_text(line: lines.Call) -> str:
    """A call: the operation, and what it names."""
    body = line.request or {}
    words = [line.op]
    named = (body.get("group_id"), body.get("generation_index"), body.get("generation_indices"))
    words += [str(one) for one in named if one is not None]
    result = as_object(body.get("result")) or body
    gate = result.get("gate_rollout_id")
    words += [f"from {gate}"] if isinstance(gate, str) else []
    if isinstance(body.get("recovery_granularity"), str) and line.op == "reserve_group":
        words.append(body["recovery_granularity"])
    rows = body.get("acknowledgements")
    if lines.is_list(rows):
        words.append("one row" if len(rows) == 1 else f"{len(rows)} rows")
    if body.get("cut") == "not live":
        words.append("outside a cut")
    return " ".join(words)


def action_text(line: lines.Line) -> str | None:
    """What the harness did in a line; None for lines that only show something."""
    if isinstance(line, lines.Call):
        return call_text(line)
    if isinstance(line, lines.Work):
        return f"{line.event} {line.rollout_id} attempt {line.attempt}"
    if isinstance(line, lines.Fault):
        return line.name
    return None


def line_text(line: lines.Line) -> str:
    """Any line, in one line of text."""
    if isinstance(line, lines.Reply):
        outcome: Any = line.outcome
        if outcome == "ok":
            return f"reply to {line.id}: ok"
        error = as_object(as_object(outcome).get("error"))
        detail = error.get("detail") or error.get("code") or ""
        told = f"{error.get('type') or 'refused'}: {detail}" if error else str(outcome)
        return f"reply to {line.id}: {told if len(told) <= 100 else told[:97] + '...'}"
    if isinstance(line, lines.Lost):
        return f"reply to {line.id} lost: {line.how}"
    if isinstance(line, lines.Report):
        return "report"
    return action_text(line) or type(line).__name__.lower()


def step_texts(read: Sequence[lines.Line]) -> list[str]:
    """What was done in some lines; the last line always has a text."""
    texts = [text for line in read if (text := action_text(line)) is not None]
    if read and action_text(read[-1]) is None:
        texts.append(line_text(read[-1]))
    return texts


def state_text(state: State) -> str:
    """A ledger in one line."""
    parts: list[str] = []
    for group in state.ordered():
        siblings = " ".join(f"{len(one) - 1}:{one[-1].status}" for one in group.siblings)
        name = f"{group.group_id} {group.granularity} {group.phase} {group.status}"
        parts.append(f"{name} ({siblings})")
    owed = ", ".join(key.capture_key for key in sorted(state.owed))
    parts.append(f"owed {owed}" if owed else "nothing owed")
    return " · ".join(parts)
