"""Lines of a controller's trace, and what is known of it, in few words."""

from collections.abc import Sequence
from typing import Any

from fencepost.mismatch import as_object
from fencepost.trace import lines
from fencepost_reference.receipts.controller.watch.state import Watch


def _key_text(body: Any) -> str:
    one = as_object(body)
    rollout = one.get("_ng_rollout_id", one.get("rollout_id"))
    attempt = one.get("_ng_attempt_index", one.get("attempt_index"))
    return f"{rollout} attempt {attempt or 0}" if isinstance(rollout, str) else ""


def call_text(line: lines.Call) -> str:
    """A call: the operation, what it names, and where it goes."""
    body = as_object(line.request)
    words = [line.op, _key_text(body), str(body.get("checkpoint_id") or "")]
    rows = body.get("executions")
    if lines.is_list(rows):
        words.append(", ".join(_key_text(row) for row in rows))
    words.append(f"at {line.at.kind} {line.at.instance}" if line.at else "")
    return " ".join(word for word in words if word)


def _work_text(line: lines.Work) -> str:
    detail = line.detail
    words = [line.event]
    names: tuple[str, ...] = ("group_id", "checkpoint_id", "step", "train_step", "saved")
    if line.event == "start":
        names = ()  # Where the trainer stands then is given.
    words += [str(detail[name]) for name in names if name in detail]
    snapshot = detail.get("snapshot")
    number = as_object(snapshot).get("number", snapshot)
    if "snapshot" in detail:
        words.append(f"snapshot {number}" if number is not None else "from nothing")
    if line.outcome != "ok":
        words.append(str(as_object(line.outcome).get("code")))
    return " ".join(words)


def action_text(line: lines.Line) -> str | None:
    """What was done in a line; None for lines that only show something."""
    if isinstance(line, lines.Call):
        return call_text(line)
    if isinstance(line, lines.Work):
        return _work_text(line)
    if isinstance(line, lines.Fault):
        where = f" {line.at.kind} {line.at.instance}" if line.at else ""
        return f"{line.name}{where}"
    return None


def line_text(line: lines.Line) -> str:
    """Any line, in one line of text."""
    if isinstance(line, lines.Reply):
        code = as_object(as_object(line.body).get("error")).get("code")
        return f"reply to {line.id}: {line.status}" + (f" {code}" if code else "")
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


def state_text(watch: Watch) -> str:
    """What is known, in one line."""
    parts: list[str] = []
    for group in watch.ordered():
        keys = " ".join(_attempt_text(watch, key) for key in group.executions())
        phase = "" if group.admitted else " reserved"
        parts.append(f"{group.group_id} {group.granularity}{phase} {group.status} ({keys})")
    transaction = watch.transaction
    if transaction is not None and transaction.open_at:
        left = ", ".join(sorted(map(str, transaction.open_at)))
        stage = "restore" if transaction.restores else "checkpoint"
        stage = "release of" if transaction.releasing else stage
        parts.append(f"{stage} {transaction.checkpoint_id} open at {left}")
    else:
        parts.append("nothing is open")
    return " · ".join(parts)


def _attempt_text(watch: Watch, key: Any) -> str:
    known = watch.attempts.get(key)
    if known is None:
        return f"{key.attempt}:unsent"
    if known.held:
        status = "acknowledged" if known.released else "owed"
    elif known.failed:
        status = "ended"
    elif known.kept:
        status = "finished"
    else:
        status = "running" if known.open else "lost"
    return f"{key.attempt}:{status}"
