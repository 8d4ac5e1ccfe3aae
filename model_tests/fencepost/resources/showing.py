"""From the actions of the core to the lines of a trace, for whoever draws actions to be played."""

from typing import Any

from fencepost.trace import lines
from fencepost.trace.lines import JsonObject
from fencepost_reference.receipts import actions as shared
from fencepost_reference.receipts.resources import actions as a
from fencepost_reference.receipts.resources.state import Directory, Settings
from fencepost_spec.receipts.resources import routes as r
from fencepost_spec.vocabulary import seconds_of

PATHS = {
    r.START: "/seed_session",
    r.MUTATION: "/step",
    r.READ: "/observe",
    r.TERMINAL: "/verify",
    r.UNGATED: "/aggregate_metrics",
}
_UNGATED = (
    ("POST", "/aggregate_metrics"),
    ("GET", "/step"),
    ("POST", "/mcp/tools"),
    ("POST", "/ng-control/v1/other"),
    ("PUT", "/step"),
    ("DELETE", "/verify"),
    ("PATCH", "/seed_session"),
)
OTHERWISE = ("path", "query", "content-type", "cookie", "body", "accept")
"""In what a request differs from another whose input is the same up to a plus sign.

The last is no part of the input: with another `accept` it is the same request.
"""
_HEADERS = {"content-type": "text/plain", "cookie": "session=2", "accept": "text/plain"}
_BARE_EVERY = 4
"""So often a request names its attempt by its path alone."""

READS = ("/observe",)


def line_of(action: Any) -> lines.Line:
    """The line that stands for an action of the world; its number is given when it is written."""
    match action:
        case a.Ask():
            return lines.Call(0, "request", action.id, _request(action))
        case a.Handled(request, outcome):
            detail: JsonObject = {"request": request, "outcome": "broke"}
            if outcome.status:
                detail |= {"outcome": "returned", "status": outcome.status}
                detail["body"] = {"answer": outcome.body}
            return lines.Work(0, "handled", None, None, detail, "ok")
        case shared.Call():
            auth = None if action.request.authorised else "wrong"
            return lines.Call(0, action.op, action.id, _control(action), auth)
        case shared.Gone(name):
            return lines.Lost(0, name, "cancelled")
        case shared.Tick(microseconds):
            return lines.Tick(0, microseconds)
        case _:
            return _fault(action)


def _request(ask: a.Ask) -> JsonObject:
    headers: JsonObject = {}
    prefix = None
    if ask.key is not None:
        prefix = ask.key.capture_key
        headers = {
            r.HEADER_ROLLOUT: ask.key.rollout_id,
            r.HEADER_ATTEMPT: str(ask.key.attempt),
        }
    if not ask.identity_holds:
        headers[r.HEADER_ROLLOUT] = "r1"
    if ask.request_id is not None:
        headers[r.HEADER_REQUEST] = ask.request_id
    if ask.expected is not None:
        headers[r.HEADER_EXPECTED] = str(ask.expected)
    if not ask.headers_hold:
        headers[r.HEADER_EXPECTED] = "soon"
    number = int(ask.id.lstrip("q") or "0") if ask.id.lstrip("q").isdecimal() else 1
    if prefix is not None and number % _BARE_EVERY == 0:
        del headers[r.HEADER_ROLLOUT], headers[r.HEADER_ATTEMPT]
    method, path = "POST", PATHS[ask.kind]
    if ask.kind == r.UNGATED:
        method, path = _UNGATED[number % len(_UNGATED)]
    made: JsonObject = {"method": method, "path": path, "rollout": prefix, "headers": headers}
    said, _, otherwise = ask.input.partition("+")
    return _otherwise(made | {"body": {"input": said}}, otherwise)


def _otherwise(request: JsonObject, part: str) -> JsonObject:
    """A request that differs in one part; a route that has no other path keeps it."""
    if part == "path" and request["path"] == PATHS[r.MUTATION]:
        return request | {"path": "/leap"}
    if part == "query":
        return request | {"path": request["path"] + "?page=2"}
    if part == "body":
        return request | {"body": {"input": "another input"}}
    if part in _HEADERS:
        return request | {"headers": request["headers"] | {part: _HEADERS[part]}}
    return request


def _control(call: shared.Call) -> JsonObject:
    request = call.request
    if call.op == "capabilities":
        return {}
    body: JsonObject = {"checkpoint_id": request.checkpoint_id}
    if not request.well_formed:
        return body | {"more": True}
    if request.deadline is not None:
        body["deadline_in"] = seconds_of(request.deadline)
    if request.directory is not None:
        body["checkpoint_dir"] = request.directory
    if request.key is not None:
        body |= {"rollout_id": request.key.rollout_id, "attempt_index": request.key.attempt}
    return body


def _fault(action: Any) -> lines.Fault:
    match action:
        case a.Replace(disk_kept, settings):
            detail = {} if settings is None else {"settings": settings_body(settings)}
            return lines.Fault(0, "replace", "kept" if disk_kept else "empty", detail)
        case shared.Hold(op):
            return lines.Fault(0, "hold", None, {"of": op})
        case shared.Release(op):
            return lines.Fault(0, "release", None, {"of": op})
        case shared.FailStorage(step):
            return lines.Fault(0, "fail", None, {"step": step})
        case a.Evict(key):
            named = {"rollout_id": key.rollout_id, "attempt_index": key.attempt}
            return lines.Fault(0, "evict", None, named)
        case a.SetDirectory(path, None):
            return lines.Fault(0, "remove", None, {"path": path})
        case a.SetDirectory(path, Directory(kind="damaged")):
            return lines.Fault(0, "damage", None, {"path": path})
        case a.SetDirectory(path, Directory(agents=agents)) if agents is not None:
            records = [
                {"rollout_id": k.rollout_id, "attempt_index": k.attempt, "revision": revision}
                for k, revision in agents
            ]
            return lines.Fault(0, "agents", None, {"path": path, "records": records})
        case _:
            raise TypeError(f"not a line of the harness: {action!r}")


def settings_body(settings: Settings) -> JsonObject:
    """How a trace tells what a server was started with."""
    return {
        "server_name": settings.name,
        "mode": settings.mode,
        "contract": settings.contract,
        "restore_expected": settings.restore_expected,
        "receipt_capacity": settings.capacity,
        "reads": sorted(settings.reads),
    }


def handler_line(request: str, rollout_id: str | None, attempt: int | None) -> lines.Work:
    """A handler that starts."""
    anonymous = rollout_id is None
    detail = {"request": request}
    return lines.Work(0, "handler", rollout_id, attempt, detail, "ok", anonymous=anonymous)


def look_of(path: str, here: Directory | None) -> JsonObject:
    """How a look shows what lies in a directory."""
    if here is None or here.kind != "committed":
        return {"path": path, "files": [], "manifest": False}
    return {
        "path": path,
        "files": ["manifest.json"],
        "manifest": True,
        "checkpoint_id": here.source,
        "server_name": here.name,
        "sessions": [
            {"rollout_id": k.rollout_id, "attempt_index": k.attempt, "revision": one.revision}
            for k, one in here.records
        ],
    }
