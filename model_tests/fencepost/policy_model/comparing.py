"""Whether an answer or a report of a model is what was expected, and if not, what differs."""

from collections import Counter
from typing import Any, cast

from pydantic import ValidationError

from fencepost.agent.comparing import came_text, code_in
from fencepost.mismatch import Mismatch, as_object
from fencepost.policy_model.files import keys_of
from fencepost_reference.receipts.policy_model.state import State, View
from fencepost_reference.receipts.state import Reply
from fencepost_spec.operation import Operation
from fencepost_spec.receipts.policy_model import rules as r
from fencepost_spec.receipts.policy_model.properties import BY_ID
from fencepost_spec.receipts.policy_model.spec import MODEL
from fencepost_spec.receipts.policy_model.wire import MODEL_REPLIES, TracedModelStatus
from fencepost_spec.rule import Rule
from fencepost_spec.vocabulary import Key

_DRAIN_ENDED = next(row.rule for row in MODEL.admission.rows if row.event == "drain_ended")
_HOLDS = {row.source: row.rule for row in MODEL.ticket.rows if row.event == "task_ended"}


def expected_text(reply: Reply) -> str:
    """A decided answer in few words."""
    if reply.loose:
        return "anything but a success"
    if reply.code is not None:
        return f"{reply.status} {reply.code}"
    if isinstance(reply.body, View):
        return f"{reply.status} {view_text(reply.body)}"
    pairs = reply.body or ()
    return f"{reply.status} {' '.join(f'{n}={_shown(v)}' for n, v in pairs)}".rstrip()


def _shown(value: object) -> str:
    if not isinstance(value, tuple):
        return str(value)
    return str([key.capture_key for key in cast("tuple[Key, ...]", value)])


def view_text(view: View) -> str:
    """A view in few words."""
    refused = ", ".join(key.capture_key for key in view.refused)
    text = f"{view.admission}, {len(view.tickets)} in flight"
    return f"{text}, refused: {refused}" if refused else text


def reply_mismatch(
    state: State, operation: Operation, reply: Reply, status: int | None, body: Any, shape: bool
) -> Mismatch | None:
    """Compare an answer with the one that was decided."""
    if reply.loose:
        failed = status is not None and status >= 400
        return None if failed else _differs(operation, reply, status, body)
    if status != reply.status or (reply.code is not None and not _code_fits(reply, body)):
        return _differs(operation, reply, status, body)
    if reply.status != 200:
        return None
    rule = reply.rule or operation.effect
    found = _body_mismatch(state, reply, body, rule)
    if found is None and shape:
        found = shape_mismatch(MODEL_REPLIES[operation.name], body)
    return found


def shape_mismatch(model: Any, body: Any) -> Mismatch | None:
    """What is wrong with the shape of a body, if anything is."""
    try:
        model.model_validate(body)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        return Mismatch("a body of the declared shape", f"{where}: {first['msg']}", r.SHAPE, 2)
    return None


def _code_fits(reply: Reply, body: Any) -> bool:
    return reply.status in (401, 422) or code_in(body) == reply.code


def _differs(operation: Operation, reply: Reply, status: int | None, body: Any) -> Mismatch:
    """The answers differ; a refusal that should not have come is blamed on the rung it is from."""
    rule = reply.rule or operation.effect
    came = code_in(body)
    rungs = [check.rule for check in operation.ladder]
    kept = (*rungs, *MODEL.fence.rules)
    if reply.status == 200 and came is not None and rule not in kept:
        rule = next((c.rule for c in operation.ladder if c.answer == came), rule)
    return Mismatch(expected_text(reply), came_text(status, body), rule, 3)


def _body_mismatch(state: State, reply: Reply, body: Any, rule: Rule) -> Mismatch | None:
    if isinstance(reply.body, View):
        return view_mismatch(state, reply.body, body, rule)
    members = as_object(body)
    pairs: dict[str, Any] = dict(reply.body or ())
    for name, wanted in pairs.items():
        found: Any = members.get(name)
        if name == "references":
            found = as_object(members.get("storage_reference_index")).get("records")
        elif name in ("tombstones", "source_attempts"):
            found = keys_of(found)
        if found != wanted or isinstance(found, bool):
            return Mismatch(f"{name}={_shown(wanted)}", f"{name}={_shown(found)}", rule, 4)
    for name in ("waiters_total", "released_waiters"):
        if members.get(name, 0) != 0:
            return Mismatch(f"{name}=0", f"{name}={members[name]!r}", r.CLOSED, 4)
    return None


def view_mismatch(state: State, view: View, body: Any, rule: Rule) -> Mismatch | None:
    """Compare a status body with what there is to see."""
    members = as_object(body)
    came_state, came_total = members["state"], members["inflight_total"]
    if came_total != len(view.tickets):
        wanted = f"inflight_total={len(view.tickets)}"
        cancelled = any(ticket.status == "cancelled" for ticket in state.tickets.values())
        holds = _HOLDS["cancelled" if cancelled else "in_flight"]
        return Mismatch(wanted, f"inflight_total={came_total}", holds, 4)
    if came_state != view.admission:
        blamed = _blamed_state(view.admission, came_state, rule)
        return Mismatch(f"state={view.admission}", f"state={came_state}", blamed, 4)
    calls = Counter(key for _, key in view.tickets)
    seen = Counter(_entry_key(entry) for entry in members["inflight"])
    if calls != seen:
        return Mismatch(view_text(view), f"in flight: {sorted(map(str, seen))}", rule, 4)
    return _refused_mismatch(state, view, keys_of(members["tombstones"]), rule)


def _entry_key(entry: Any) -> Key | None:
    if entry["rollout_id"] is None:
        return None
    return Key.of(entry["rollout_id"], entry["attempt_index"])


def _blamed_state(wanted: str, came: str, rule: Rule) -> Rule:
    if (wanted, came) == ("paused", "draining"):
        return _DRAIN_ENDED
    if (wanted, came) == ("draining", "paused"):
        return BY_ID["R-PMI-4"].rule
    return BY_ID["R-PMI-6"].rule if "accepting" in (wanted, came) else rule


def _refused_mismatch(
    state: State, view: View, came: tuple[Key, ...], rule: Rule
) -> Mismatch | None:
    differs = sorted(set(view.refused) ^ set(came))
    if not differs:
        return None
    history = state.history
    why = history.refused.get(differs[0]) or history.sources.get(differs[0]) or rule
    wanted = f"tombstones={[key.capture_key for key in view.refused]}"
    return Mismatch(wanted, f"tombstones={[key.capture_key for key in came]}", why, 4)


def report_mismatch(state: State, view: View, body: Any, shape: bool) -> Mismatch | None:
    """Compare a report with what there is to see."""
    found = view_mismatch(state, view, body, r.STATUS_EFFECT)
    if found is None and shape:
        found = shape_mismatch(TracedModelStatus, body)
    return found
