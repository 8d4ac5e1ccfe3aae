"""One line of each kind, right in every detail: where pages and tests start from.

Each line is right by itself; together they are no trace.
"""

from fencepost.trace.lines import JsonObject

R1: JsonObject = {"rollout_id": "r1", "attempt": 0}
AT: JsonObject = {"kind": "agent", "instance": "a"}
HEADER: JsonObject = {
    "fencepost": 1,
    "protocol": "receipts",
    "kind": "agent",
    "participant": {"name": "mine", "version": "3349"},
    "scenario": "example",
    "about": "one line of each kind",
    "settings": {"instance_name": None},
    "hidden": ["wakes"],
}
EXAMPLES: list[JsonObject] = [
    HEADER,
    {"seq": 1, "call": "run", "id": "q1", "request": {"_ng_rollout_id": "r1"}},
    {"seq": 2, "call": "status", "id": "q2", "request": {}, "auth": "wrong", "at": AT},
    {"seq": 3, "call": "prepare", "id": "q3", "request": None, "text": "[1, NaN"},
    {"seq": 4, "reply": "q1", "status": 200, "body": {"state": "é: ok", "n": 2**70}},
    {"seq": 5, "reply": "q2", "status": 401, "body": None, "headers": {"x-ng-verify": "wait"}},
    {"seq": 6, "reply": "q4", "outcome": "ok", "body": [1, 2.5]},
    {"seq": 7, "reply": "q5", "outcome": {"error": {"type": "ValueError", "detail": "no"}}},
    {"seq": 8, "reply": "q6", "outcome": {"error": "CoordinationError", "failures": []}},
    {"seq": 9, "reply": "q3", "lost": "timeout"},
    {"seq": 10, "work": "boundary", "subject": R1, "detail": {"boundary": 1}, "outcome": "waits"},
    {"seq": 11, "work": "begin", "subject": R1, "detail": {}, "outcome": {"code": "stale"}},
    {"seq": 12, "work": "export_hook", "subject": None, "detail": {}, "outcome": "ok", "at": AT},
    {"seq": 13, "returned": 10, "outcome": "ok"},
    {"seq": 14, "returned": 10, "outcome": {"code": "cancelled"}},
    {"seq": 15, "report": {"state": "idle"}},
    {"seq": 16, "report": {"state": "idle"}, "internal": {}, "moving": True, "at": AT},
    {"seq": 17, "fault": "replace", "disk": "kept", "detail": {"settings": {}}},
    {"seq": 18, "fault": "damage", "detail": {"path": "manifest.json"}},
    {"seq": 19, "disk": {"path": "c1", "files": []}},
    {"seq": 20, "tick": 0.25},
    {"seq": 21, "note": "nothing"},
    {"end": {"lines": 21}},
]
