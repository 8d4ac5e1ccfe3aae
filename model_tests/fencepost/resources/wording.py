"""Lines and states of a resources server in few words: for verdicts and the shortest sequence."""

from collections.abc import Iterable, Sequence

from fencepost.mismatch import as_object
from fencepost.resources.comparing import came_text
from fencepost.trace import lines
from fencepost_reference.receipts import actions as shared
from fencepost_reference.receipts.resources.control_facts import control_facts
from fencepost_reference.receipts.resources.server import ResourcesCore
from fencepost_reference.receipts.resources.state import State
from fencepost_spec.receipts.resources import routes


def action_text(line: lines.Line) -> str | None:
    """What the harness did in a line; None for lines that only show something."""
    if isinstance(line, lines.Call):
        return _call_text(line)
    if isinstance(line, lines.Work):
        return _handled_text(line) if line.event == "handled" else None
    if isinstance(line, lines.Lost):
        return None if line.how == "disconnected" else f"caller of {line.id} goes away"
    if isinstance(line, lines.Fault):
        detail = line.detail
        named = [detail.get(name) for name in ("of", "step", "path", "to", "rollout_id")]
        return " ".join([line.name, *(str(one) for one in named if one)])
    if isinstance(line, lines.Tick):
        return f"{line.microseconds / 1_000_000:g} s pass"
    return None


def action_texts(read: Iterable[lines.Line]) -> list[str]:
    """What the harness did in some lines."""
    return [text for line in read if (text := action_text(line)) is not None]


def step_texts(read: Sequence[lines.Line]) -> list[str]:
    """The same, and the last line in any case."""
    texts = action_texts(read)
    if read and action_text(read[-1]) is None:
        texts.append(line_text(read[-1]))
    return texts


def _call_text(line: lines.Call) -> str:
    body = line.request or {}
    if line.op != "request":
        names = ("checkpoint_id", "rollout_id", "attempt_index", "checkpoint_dir")
        words = [line.op, *(str(body[name]) for name in names if body.get(name))]
        deadline = body.get("deadline_in")
        if isinstance(deadline, int | float) and deadline <= 0:
            words.append("whose deadline has passed")
        if line.auth is not None:
            words.append("without the right token")
        return " ".join(words)
    headers = as_object(body.get("headers"))
    words = [f"{line.id}:", str(body.get("path")), str(body.get("rollout") or "of nobody")]
    if routes.HEADER_REQUEST in headers:
        words.append(f"as {headers[routes.HEADER_REQUEST]}")
    if routes.HEADER_EXPECTED in headers:
        words.append(f"expecting {headers[routes.HEADER_EXPECTED]}")
    return " ".join(words)


def _handled_text(line: lines.Work) -> str:
    how = line.detail.get("outcome")
    ended = f"returns {line.detail.get('status')}" if how == "returned" else "breaks off"
    return f"handler of {line.detail.get('request')} {ended}"


def line_text(line: lines.Line) -> str:
    """Any line, in one line of text."""
    if isinstance(line, lines.Work) and line.event == "handler":
        return f"the handler of {line.detail.get('request')} starts"
    if isinstance(line, lines.Reply):
        return f"reply to {line.id}: {came_text(line.status, line.body, line.headers)}"
    if isinstance(line, lines.Lost):
        return f"reply to {line.id} lost: {line.how}"
    if isinstance(line, lines.Report):
        return "report" + (" while moving" if line.moving else " at rest")
    if isinstance(line, lines.Disk):
        return f"a look at {line.look.get('path')}"
    return action_text(line) or type(line).__name__.lower()


def state_text(state: State) -> str:
    """A state in one line: the fence, then every session, then what is served."""
    fence = state.fence
    active = "" if fence.active is None else f" ({fence.active})"
    parts = [f"fence {fence.phase}{active}", "open" if state.accepting else "closed"]
    if state.restore_awaited:
        parts.append("a restore is awaited")
    for key, session in sorted(state.sessions.items()):
        parts.append(f"{key.capture_key} {session.status} at revision {session.revision}")
    for name, request in sorted(state.requests.items()):
        whose = "nobody" if request.key is None else request.key.capture_key
        parts.append(f"{name} of {whose} {request.stage}")
    if state.untracked:
        parts.append("state of nobody")
    return " · ".join(parts)


def legal_texts(core: ResourcesCore, state: State) -> tuple[str, ...]:
    """Control calls that would take effect now."""
    found: list[str] = []
    named = state.fence.active or "a new id"
    for operation in core.spec.operations.values():
        request = shared.Request(state.fence.active or "\0new", directory="\0new")
        facts = control_facts(core.spec, state, operation, request)
        if operation.fenced and not any(check.when(facts) for check in operation.ladder):
            found.append(f"{operation.name} {named}")
    return tuple(found)
