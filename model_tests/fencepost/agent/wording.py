"""Lines and states in few words: for verdicts, and for the shortest sequence."""

from collections.abc import Iterable
from typing import Any

from fencepost.agent.reading import record_of
from fencepost.mismatch import as_object
from fencepost.trace import lines
from fencepost_reference.receipts import actions as a
from fencepost_reference.receipts.agent import AgentCore
from fencepost_reference.receipts.control import control_facts
from fencepost_reference.receipts.state import LIVE, Outstanding, State
from fencepost_spec.receipts.dialects import Dialect
from fencepost_spec.vocabulary import identity_of_run


def action_text(line: lines.Line) -> str | None:
    """What the harness did in a line, in few words; None for lines that only show something."""
    if isinstance(line, lines.Call):
        return _call_text(line)
    if isinstance(line, lines.Work):
        return None if line.event == "begin" else work_text(line)
    if isinstance(line, lines.Lost):
        return None if line.how == "disconnected" else f"caller of {line.id} goes away"
    if isinstance(line, lines.Fault):
        named = line.detail.get("of") or line.detail.get("to") or line.detail.get("path") or ""
        return f"{line.name} {named}".strip()
    if isinstance(line, lines.Tick):
        return f"{line.microseconds / 1_000_000:g} s pass"
    return None


def action_texts(read: Iterable[lines.Line]) -> list[str]:
    """What the harness did in some lines; a boundary that repeats an index says so."""
    texts: list[str] = []
    last: dict[tuple[str | None, int | None], dict[str, Any]] = {}
    for line in read:
        text = action_text(line)
        if text is None:
            continue
        if isinstance(line, lines.Work) and line.event == "boundary":
            key = (line.rollout_id, line.attempt)
            before = last.get(key, {})
            if before.get("boundary_index") == line.detail.get("boundary_index"):
                same = record_of(before) == record_of(line.detail)
                text += " again" if same else " with other content"
            last[key] = line.detail
        texts.append(text)
    return texts


def _call_text(line: lines.Call) -> str:
    body = line.request or {}
    if line.op == "run":
        return f"run {_run_name(body)}"
    named = [body.get("checkpoint_id"), body.get("rollout_id"), body.get("checkpoint_dir")]
    if body.get("attempt_index"):
        named.insert(2, f"attempt {body['attempt_index']}")
    words = [line.op, *(str(one) for one in named if one is not None)]
    if body.get("allow_model_wait_boundary"):
        words.append("allowing model waits")
    deadline = body.get("deadline_in")
    if line.op in _WITH_DEADLINE and deadline is None:
        words.append("without a deadline")
    elif isinstance(deadline, int | float) and deadline <= 0:
        words.append("whose deadline has passed")
    if line.auth is not None:
        words.append(f"with {line.auth} token" if line.auth == "wrong" else "without a token")
    return " ".join(words)


_WITH_DEADLINE = frozenset(
    {"prepare", "commit", "restore", "resume", "retire", "discard-restored-continuation"}
)


def _run_name(body: dict[str, Any]) -> str:
    """The key that a run body names."""
    try:
        key = identity_of_run(body)
    except ValueError:
        return "with an identity that is none"
    if key is None:
        return "without identity"
    return key.rollout_id + (f" attempt {key.attempt}" if key.attempt else "")


def work_text(line: lines.Work) -> str:
    """An event of the work, with what it names."""
    detail = line.detail
    other = as_object(detail.get("record"))
    names = f" that names {other.get('rollout_id')}" if other else ""
    outcome = detail.get("outcome", "completed")
    null = " with null" if outcome == "completed" and detail.get("result") is None else ""
    what = {
        "boundary": f"boundary {detail.get('boundary_index')}{names}",
        "finish": f"finish {outcome}{null}",
        "refusal": f"refused with {detail.get('code')}",
    }.get(line.event, line.event.replace("_", " "))
    return f"{what} waits" if line.outcome == "waits" else what


def line_text(line: lines.Line, waiting: Outstanding | None = None) -> str:
    """Any line, in one line of text; `waiting` is the call that a reply answers."""
    if isinstance(line, lines.Work):
        subject = "" if line.rollout_id is None else f" of {line.rollout_id} attempt {line.attempt}"
        outcome = line.outcome if isinstance(line.outcome, str) else line.outcome.get("code")
        event = line.event if line.event == "begin" else work_text(line).removesuffix(" waits")
        return f"{event}{subject}: {outcome}"
    if isinstance(line, lines.Reply):
        return f"reply to {_call_name(line.id, waiting)}: {_answer_text(line)}"
    if isinstance(line, lines.Lost):
        return f"reply to {_call_name(line.id, waiting)} lost: {line.how}"
    if isinstance(line, lines.Returned):
        outcome = line.outcome if isinstance(line.outcome, str) else line.outcome.get("code")
        return f"the event of line {line.of} returns: {outcome}"
    if isinstance(line, lines.Report):
        return "report" + (" while moving" if line.moving else " at rest")
    if isinstance(line, lines.Disk):
        return f"a look at {line.look.get('path')}"
    return action_text(line) or type(line).__name__.lower()


def _call_name(call: str, waiting: Outstanding | None) -> str:
    """Which call it is: what it asked for and of whom, and its id."""
    if waiting is None:
        return call
    key = waiting.key
    of = (
        ""
        if key is None
        else f" {key.rollout_id}" + (f" attempt {key.attempt}" * bool(key.attempt))
    )
    return f"{waiting.op}{of} ({call})"


def _answer_text(line: lines.Reply) -> str:
    body: Any = line.body
    error = as_object(as_object(body).get("error"))
    if error:
        return f"{line.status} {error.get('code')}"
    if "ready_to_commit" in as_object(body):
        return f"{line.status} ready_to_commit={as_object(body)['ready_to_commit']}"
    text = str(body)
    return f"{line.status} {text if len(text) <= 100 else text[:97] + '...'}"


def legal_texts(core: AgentCore, state: State, dialect: Dialect) -> tuple[str, ...]:
    """Control calls that would take effect now, and what the participant may do by itself."""
    found: list[str] = []
    named = state.fence.active or "a new id"
    for operation in core.spec.operations.values():
        if not operation.fenced or operation.name not in dialect.operations:
            continue
        if operation.name == "retire":
            continue
        request = a.Request(state.fence.active or "\0new", directory="\0new")
        facts = control_facts(core.spec, state, operation, request)
        if not any(check.when(facts) for check in operation.ladder):
            found.append(f"{operation.name} {named}")
    phases = core.spec.operations["retire"].phases or ()
    if state.fence.phase in phases:
        live = [key for key, e in sorted(state.executions.items()) if e.status in LIVE]
        found += [f"retire {key.rollout_id}" for key in live[:3]]
    return tuple(found)
