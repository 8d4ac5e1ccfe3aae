"""From the lines of a trace to the actions of the core: what a line says that happened.

The headers of requests are in lower case. Where a body is not what its model says the action says
so; a line of the harness that cannot be read is a `TraceFault`.
"""

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, ValidationError

from fencepost.faults import wrong_line
from fencepost.mismatch import as_object
from fencepost.trace import lines
from fencepost_reference.receipts import actions as shared
from fencepost_reference.receipts.resources import actions as a
from fencepost_reference.receipts.resources.state import (
    Directory,
    Outcome,
    Records,
    Settings,
    Snapshot,
)
from fencepost_spec.receipts.resources import routes as r
from fencepost_spec.receipts.resources.server import RESOURCES, ResourcesSpec
from fencepost_spec.receipts.resources.wire import REQUESTS
from fencepost_spec.rule import Rule
from fencepost_spec.vocabulary import Key, digest_of, microseconds


def settings_of(settings: dict[str, Any]) -> Settings:
    """What the header says of the server, or a ValueError for a mode that there is not."""
    for member, known in (("mode", RESOURCES.modes), ("contract", RESOURCES.contracts)):
        names = [one.name for one in known]
        if settings.get(member, names[0]) not in names:
            raise ValueError(f"no {member} is {settings[member]!r}; known: {', '.join(names)}")
    return Settings(
        str(settings.get("server_name", "resources")),
        settings.get("mode", "export_restore"),
        settings.get("contract", "serialized_per_session"),
        bool(settings.get("restore_expected", False)),
        int(settings.get("receipt_capacity", 1024)),
        frozenset(settings.get("reads", ())),
    )


def rules_of_reading(line: lines.Call, settings: Settings) -> tuple[Rule, ...]:
    """The rules by which a request of a client was read."""
    request = line.request or {}
    path = str(request["path"]).partition("?")[0]
    route = r.route_of(RESOURCES.routes, r.Asked(request["method"], path, settings.reads))
    found = () if route is None else (route.rule,)
    if request.get("rollout") is None:
        return found
    bare = r.HEADER_ROLLOUT not in as_object(request.get("headers"))
    return (*found, r.BARE_IDENTITY if bare else r.IDENTITY)


def ask_action(line: lines.Call, settings: Settings, spec: ResourcesSpec = RESOURCES) -> a.Ask:
    """The request of a client."""
    request = line.request or {}
    headers = as_object(request.get("headers"))
    path, _, _query = str(request["path"]).partition("?")
    route = r.route_of(spec.routes, r.Asked(request["method"], path, settings.reads))
    kind = r.MUTATION if route is None else route.kind
    key, identity_holds = None, True
    try:
        key = r.identity_of(request.get("rollout"), headers)
    except r.NoIdentity:
        identity_holds = False
    expected, request_id = None, headers.get(r.HEADER_REQUEST)
    headers_hold = request_id is None or (isinstance(request_id, str) and request_id != "")
    try:
        expected = r.revision_in(headers)
    except ValueError:
        headers_hold = False
    return a.Ask(
        line.id,
        kind,
        key,
        identity_holds,
        headers_hold,
        request_id if isinstance(request_id, str) and request_id else None,
        expected,
        digest_of(r.input_of(spec.compared, request)),
    )


def control_actions(line: lines.Call) -> list[shared.Call]:
    """The readings of a control call: one, and where only its JSON types are loose, a second.

    Strict types on the wire are asked for at level should, and a query may carry more than it was
    asked for.
    """
    action = control_action(line)
    if action.request.well_formed or line.request is None:
        return [action]
    model = REQUESTS[line.op]
    known = {name: value for name, value in line.request.items() if name in model.model_fields}
    try:
        raw = known if line.op in _QUERIES else line.request
        body = model.model_validate(raw, strict=False)
    except ValidationError:
        return [action]
    return [action, shared.Call(line.id, line.op, _request(body, action.request.authorised))]


_QUERIES = ("status", "capabilities")


def control_action(line: lines.Call) -> shared.Call:
    """The control call of a line; a body of another shape is marked, not dropped."""
    authorised = line.auth not in ("none", "wrong")
    model = REQUESTS.get(line.op)
    if model is None:
        known = f"known: request, {', '.join(REQUESTS)}"
        raise wrong_line(line.seq, f"no operation of a resources server is {line.op!r}", known)
    try:
        body = model.model_validate(line.request)
    except ValidationError:
        wanted = (line.request or {}).get("checkpoint_id")
        name = wanted if isinstance(wanted, str) else None
        request = shared.Request(name, authorised=authorised, well_formed=False)
        return shared.Call(line.id, line.op, request)
    return shared.Call(line.id, line.op, _request(body, authorised))


def _request(body: BaseModel, authorised: bool) -> shared.Request:
    fields: Mapping[str, Any] = body.__dict__
    deadline = fields.get("deadline_in")
    key = Key(fields["rollout_id"], fields["attempt_index"]) if "rollout_id" in fields else None
    return shared.Request(
        fields.get("checkpoint_id"),
        None if deadline is None else max(0, microseconds(deadline)),
        fields.get("checkpoint_dir"),
        key,
        authorised=authorised,
    )


def handled_action(line: lines.Work) -> a.Handled:
    """How a handler ended: it returned a whole answer, or it broke off."""
    detail = line.detail
    name, how = str(detail["request"]), detail["outcome"]
    if how not in ("returned", "broke"):
        raise wrong_line(line.seq, f"a handler has not {how!r}", "known: returned, broke")
    if how == "broke":
        return a.Handled(name, Outcome(0))
    return a.Handled(name, Outcome(int(detail["status"]), digest_of(detail.get("body"))))


def fault_action(line: lines.Fault, disk: Any) -> Any:
    """What the harness did to the server; `disk` is what lies there before."""
    detail = line.detail
    place = str(detail.get("path") or detail.get("to") or "")
    match line.name:
        case "replace":
            changed = detail.get("settings")
            return a.Replace(line.disk != "empty", settings_of(changed) if changed else None)
        case "hold" | "release" if detail.get("of") in ("prepare", "commit", "restore"):
            kind = shared.Hold if line.name == "hold" else shared.Release
            return kind(str(detail["of"]))
        case "fail":
            return shared.FailStorage(str(detail["step"]))
        case "evict":
            return a.Evict(Key.of(detail["rollout_id"], detail["attempt_index"]))
        case "remove":
            return a.SetDirectory(place, None)
        case "damage":
            here = disk.get(place)
            spoiled = here is not None and here.kind != "partial"
            return a.SetDirectory(place, Directory("damaged") if spoiled else here)
        case "copy":
            return a.SetDirectory(place, disk.get(str(detail.get("from"))))
        case "agents":
            named = tuple(sorted(_agent_entry(one) for one in detail["records"]))
            here = disk.get(place) or Directory("partial")
            left = Directory(here.kind, here.source, here.name, here.records, named)
            return a.SetDirectory(place, left)
        case _:
            known = "replace, hold, release, fail, evict, copy, damage, remove, agents"
            raise wrong_line(line.seq, f"nothing of a resources server is {line.name!r}", known)


def _agent_entry(entry: dict[str, Any]) -> tuple[Key, int]:
    return Key.of(entry["rollout_id"], entry["attempt_index"]), int(entry["revision"])


def look_records(look: dict[str, Any]) -> Records:
    """The sessions that a look at a committed directory shows; their receipts are only counted."""
    return tuple(
        sorted(
            (Key.of(one["rollout_id"], one["attempt_index"]), Snapshot(one["revision"]))
            for one in look.get("sessions") or ()
        )
    )
