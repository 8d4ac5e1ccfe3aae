"""From the lines of a trace to the actions of a policy model's core."""

from typing import Any

import attrs
from pydantic import ValidationError

from fencepost.faults import wrong_line
from fencepost.mismatch import Inconclusive
from fencepost.policy_model.files import fingerprint, index_of, row_of
from fencepost.trace import lines
from fencepost_reference.receipts.policy_model import actions as a
from fencepost_reference.receipts.policy_model.state import Checkpoint, State
from fencepost_spec.receipts.policy_model.identity import identity_of_call
from fencepost_spec.receipts.policy_model.wire import MODEL_REQUESTS
from fencepost_spec.vocabulary import Key, microseconds

EVENTS = ("admit", "record", "release", "cancel")
STEPS = ("records", "manifest", "after_manifest", "read", "copy")
OPERATIONS = ("commit", "restore")
CHANGES = ("lineage", "manifest", "version")


def call_action(line: lines.Call) -> a.Call:
    """The control call of a line; a body of another shape is marked, not dropped."""
    authorised = line.auth not in ("none", "wrong")
    model = MODEL_REQUESTS.get(line.op)
    if model is None:
        known = ", ".join(MODEL_REQUESTS)
        raise wrong_line(line.seq, f"no operation of a model is called {line.op!r}", known)
    try:
        body: Any = model.model_validate(line.request)
    except ValidationError:
        wanted = (line.request or {}).get("checkpoint_id")
        name = wanted if isinstance(wanted, str) else None
        malformed = a.Request(name, authorised=authorised, well_formed=False)
        return a.Call(line.id, line.op, malformed)
    return a.Call(line.id, line.op, _request(body, authorised))


def _request(body: Any, authorised: bool) -> a.Request:
    fields: dict[str, Any] = body.__dict__
    references = [one.model_dump() for one in fields.get("continuation_indexes", ())]
    return a.Request(
        fields.get("checkpoint_id"),
        _left(fields.get("deadline_in")),
        fields.get("checkpoint_dir"),
        tuple((one["relative_path"], fingerprint(one)) for one in references),
        body.key if "rollout_id" in fields else None,
        fields.get("wait_state") == "paused",
        _left(fields.get("timeout_s")),
        authorised,
    )


def _left(seconds: float | None) -> int | None:
    return None if seconds is None else max(0, microseconds(seconds))


def admit_action(line: lines.Work) -> a.Admit:
    """A call of the data plane; its headers, where they are shown, have to give its subject."""
    key = None
    if line.rollout_id is not None and line.attempt is not None:
        key = Key(line.rollout_id, line.attempt)
    path, headers = str(line.detail["path"]), line.detail.get("headers")
    if headers is None:
        return a.Admit(ticket_of(line), key, path)
    pairs = [(str(name), str(value)) for name, value in headers]
    try:
        named = identity_of_call(path, pairs)
    except ValueError:
        return a.Admit(ticket_of(line), None, path, agrees=False)
    if named != key:
        raise wrong_line(line.seq, f"headers and path name {named}, the subject {key}")
    return a.Admit(ticket_of(line), key, path)


def ticket_of(line: lines.Work) -> str:
    """The name by which a trace knows a call of the data plane."""
    ticket = line.detail["ticket"]
    if not isinstance(ticket, str) or not ticket:
        raise ValueError(f"a ticket is a name, not {ticket!r}")
    return ticket


def work_action(line: lines.Work) -> a.Record | a.Release | a.CancelTask:
    """What a call that was let in does, or what is done to it."""
    ticket = ticket_of(line)
    if line.event == "record":
        return a.Record(ticket, row_of(line.detail))
    return a.Release(ticket) if line.event == "release" else a.CancelTask(ticket)


def fault_action(line: lines.Fault, state: State) -> Any:
    """The fault of a line, or None when it changes nothing."""
    detail, of = line.detail, str(line.detail.get("of", ""))
    match line.name:
        case "replace":
            return a.Replace(line.disk != "empty", detail.get("ledger") != "fresh")
        case "hold" | "release" if of in OPERATIONS:
            return a.HoldStorage(of) if line.name == "hold" else a.FreeStorage(of)
        case "fail" if detail.get("step") in STEPS:
            return a.FailStorage(detail["step"])
        case "index":
            path = str(detail["path"])
            return a.SetIndex(path, index_of(path, list(detail["roots"])))
        case "remove" if "index" in detail:
            return a.SetIndex(str(detail["index"]), None)
        case "remove":
            return a.SetDirectory(str(detail["to"]), None)
        case "damage" if "lineage" in detail:
            named = str(detail["lineage"])
            return a.DamageLineage(named) if named in state.lineages else None
        case "damage":
            return _damage(str(detail["path"]), str(detail.get("change")), state)
        case "copy":
            return _copy(detail, state)
        case _:
            text = f"line {line.seq}: the fault {line.name!r} is not known for a model"
            raise Inconclusive(text)


def _damage(path: str, change: str, state: State) -> a.SetDirectory | None:
    if change not in CHANGES:
        raise ValueError(f"a change is one of {', '.join(CHANGES)}, not {change!r}")
    here = state.disk.get(path)
    if here is None or here.kind != "committed":
        return None
    kinds = {"manifest": Checkpoint("garbled"), "version": Checkpoint("newer")}
    return a.SetDirectory(path, kinds.get(change, attrs.evolve(here, damaged=True)))


def _copy(detail: dict[str, Any], state: State) -> a.SetDirectory | None:
    here = state.disk.get(str(detail["from"]))
    if here is None:
        return None
    if "server" in detail and here.kind == "committed":
        here = attrs.evolve(here, server=str(detail["server"]))
    return a.SetDirectory(str(detail["to"]), here)
