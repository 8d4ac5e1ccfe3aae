"""Short cases that are played before anything is drawn: what chance comes to only now and then.

A story is actions alone; what must come of them is for the oracle to say. One that needs what a
participant cannot do is left out. Each ends like every world: at rest, with a last prepare.
"""

from collections.abc import Iterator
from itertools import count

from fencepost.driven import REST
from fencepost.generating.scene import LONG, control
from fencepost.generating.working import boundary_detail
from fencepost.trace.lines import Call, Fault, JsonObject, Line, Lost, Tick, Work

SECOND = 1_000_000

FROZEN_AND_REFUSED = """
    run r1; boundary r1 0; model_wait_begin r1; prepare c1 model; refusal r1; model_wait_end r1
    park r1; commit c1 d1; resume c1; run r2; boundary r2 0; external_wait_begin r2; prepare c2
    refusal r2; external_wait_end r2; park r2
"""
ABANDONED_IN_A_WAIT = """
    run r1; boundary r1 0; external_wait_begin r1; run r2; prepare c1 soon; gone r1; cancelled r1
    tick; prepare c1; boundary r2 0; commit c1 d1; resume c1; run r1
"""
ABANDONED_AND_RETIRED = """
    run r1; boundary r1 0; prepare c1; boundary r1 1; gone r1; cancelled r1; retire c1 r1; run r1
    commit c1 d1; resume c1
"""
SECOND_GENERATION = """
    run r1; boundary r1 0; run r2; boundary r2 0; prepare c1; boundary r1 1; boundary r2 1
    commit c1 d1; replace; restore c2 d1; restore c2 d1; restore c2 nowhere; run r1.1; resume c2
    restore c3 d1; prepare c4; commit c4 d2; resume c4; run r1.1; run r2.1; prepare c5; park r1.1
    boundary r2.1 3; commit c5 d3; resume c5; run r1.0; replace; restore c6 d3; resume c6; run r1.0
    run r1.2; boundary r1.2 2
"""
SUPERSEDED = """
    run r1; boundary r1 0; prepare c1; boundary r1 1; commit c1 d1; replace; restore c2 d1
    resume c2; run r1.2; run r1.1; completed r1.2; restore c3 d1; run r2.1; run r2.0
"""
REFUSED_BEFORE_ITS_RESTORE = """
    run r1; boundary r1 0; prepare c1; boundary r1 1; commit c1 d1; replace; retire c2 r1.1
    restore c3 d1
"""
STORAGE_FAILS = """
    run r1; boundary r1 0; prepare c1; boundary r1 1; fail records; commit c1 d1; commit c1 d1
    resume c1; prepare c2; boundary r1 2; fail after_manifest; commit c2 d2; commit c2 d2; resume c2
    prepare c3; boundary r1 3; commit c3 d2; fail manifest; commit c3 d3; replace; restore c4 d3
    fail read; restore c5 d2; restore c6 d2; resume c6
"""
STORIES = (
    SECOND_GENERATION,
    STORAGE_FAILS,
    SUPERSEDED,
    ABANDONED_IN_A_WAIT,
    ABANDONED_AND_RETIRED,
    FROZEN_AND_REFUSED,
    REFUSED_BEFORE_ITS_RESTORE,
)
"""Each is one case. A key is a rollout id with `.` and its attempt; 0 may be left out."""


def script_of(story: str) -> list[Line]:
    """The actions that a story tells, with a point of rest after each.

    >>> [type(line).__name__ for line in script_of("run r1; boundary r1 0")]
    ['Call', 'Report', 'Work', 'Report']
    """
    numbers = count(1)
    calls: dict[str, str] = {}
    lines: list[Line] = []
    for words in _sentences(story):
        lines += (_line(words, f"s{next(numbers)}", calls), REST)
    return lines


def _sentences(story: str) -> Iterator[list[str]]:
    for sentence in story.replace("\n", ";").split(";"):
        words = sentence.split()
        if words:
            yield words


def _line(words: list[str], call_id: str, calls: dict[str, str]) -> Line:
    verb, *rest = words
    match verb:
        case "run":
            calls[rest[0]] = call_id
            return Call(0, "run", call_id, _body(rest[0]))
        case "gone":
            return Lost(0, calls[rest[0]], "cancelled")
        case "tick":
            return Tick(0, SECOND)
        case "replace":
            return Fault(0, "replace", "kept", {})
        case "fail":
            return Fault(0, "fail", None, {"step": rest[0]})
        case "completed" | "cancelled" | "failed":
            result: JsonObject = {"id": f"told-{rest[0]}"}
            return _work(rest[0], "finish", {"outcome": verb, "result": result})
        case "prepare" | "commit" | "restore" | "resume" | "retire":
            return Call(0, verb, call_id, _request(verb, rest))
        case "boundary":
            rollout_id, attempt = _key(rest[0])
            return _work(rest[0], verb, boundary_detail(rollout_id, attempt, int(rest[1])))
        case _:
            return _work(rest[0], verb, {"code": "checkpoint_parked"} if verb == "refusal" else {})


def _request(verb: str, rest: list[str]) -> JsonObject:
    if verb == "prepare":
        request = control(rest[0], 1.0 if "soon" in rest else LONG)
        return request | ({"allow_model_wait_boundary": True} if "model" in rest else {})
    if verb == "retire":
        rollout_id, attempt = _key(rest[1])
        return control(rest[0], rollout_id=rollout_id, attempt_index=attempt)
    if verb == "resume":
        return control(rest[0])
    return control(rest[0], checkpoint_dir=rest[1])


def _key(name: str) -> tuple[str, int]:
    rollout_id, _, attempt = name.partition(".")
    return rollout_id, int(attempt or 0)


def _body(name: str) -> JsonObject:
    rollout_id, attempt = _key(name)
    return {"_ng_rollout_id": rollout_id, "_ng_attempt_index": attempt}


def _work(name: str, event: str, detail: JsonObject) -> Work:
    rollout_id, attempt = _key(name)
    return Work(0, event, rollout_id, attempt, detail, "ok")
