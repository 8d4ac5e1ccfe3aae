"""Stories about requests: which are the same, which change a session, and what a success is.

Each varies every word of a rule that a drawn world varies seldom or never: statuses, methods,
paths, the parts of a request, names and numbers that look alike. Told like the other stories.
"""

from collections.abc import Iterable

from fencepost.driven import REST
from fencepost.resources.stories import Story
from fencepost.resources.telling import R1, R1_NEXT, ask, begun, control, served
from fencepost.trace.lines import Call, JsonObject, Line
from fencepost_spec.receipts.resources import routes as r
from fencepost_spec.receipts.resources.routes import MUTATION, START, TERMINAL
from fencepost_spec.vocabulary import Key

_PLAIN = {
    "content-type": "application/json; charset=utf-8",
    "cookie": "session=1; theme=2",
}
_MUTATES = frozenset({"prepare", "resume"})


def sent(
    call: str,
    path: str = "/step?page=1",
    key: Key | None = R1,
    named: str | None = None,
    method: str = "POST",
    body: object = None,
    **headers: str,
) -> Line:
    """A request of a client, with all that can be said of it; `named` is its request id."""
    told: dict[str, str] = {name.replace("_", "-"): text for name, text in headers.items()}
    if key is not None:
        told |= {r.HEADER_ROLLOUT: key.rollout_id, r.HEADER_ATTEMPT: str(key.attempt)}
    if named is not None:
        told[r.HEADER_REQUEST] = named
    request: JsonObject = {"method": method, "path": path, "headers": dict(told)}
    request |= {"rollout": None, "body": {"input": 1} if body is None else body}
    return Call(0, "request", call, request)


def _twin(call: str, path: str = "/step?page=1", body: object = None, **changes: str) -> Line:
    """The request m-q2 once more, with something changed; an empty text leaves a header out."""
    names = {name.replace("-", "_"): text for name, text in _PLAIN.items()} | changes
    kept = {name: text for name, text in names.items() if text}
    return sent(call, path, R1, "m-q2", body=body, **kept)


_SEEDED = (ask("q1", START), REST, served("q1"), REST)
_OTHERS: tuple[tuple[str, Line], ...] = (
    ("o1", _twin("o1", path="/step?page=2")),
    ("o2", _twin("o2", path="/step")),
    ("o3", _twin("o3", content_type="text/plain")),
    ("o4", _twin("o4", cookie="session=2; theme=2")),
    ("o5", _twin("o5", cookie="")),
    ("o6", _twin("o6", body={"input": 2})),
    ("o7", _twin("o7", path="/leap?page=1")),
)
_SAMES: tuple[tuple[str, Line], ...] = (
    ("t1", _twin("t1", content_type="Application/JSON; charset=utf-8")),
    ("t2", _twin("t2", content_type="application/json;Charset=utf-8")),
    ("t3", _twin("t3", cookie="theme=2; session=1")),
    ("t4", _twin("t4", user_agent="another", accept="text/plain")),
)
_STATUSES = (201, 202, 302, 399)
_FAILURES = (400, 404, 422, 500, 503)
_STEPS = ("/verify/again", "/verified", "/api/seed_session", "/observed", "/ng-controlled")
_FREE = ("/mcp", "/mcp/tools/call?n=1", "/aggregate_metrics?n=1", "/ng-control/v1/other?n=1")
_METHODS = ("PUT", "PATCH", "DELETE", "GET", "OPTIONS")
_LONG = "request-of-a-session-0123456789abcdef-"
_ROLLOUT = "rollout-0123456789abcdef0123456789abcdef-"
_ONE, _TWO = Key(f"{_ROLLOUT}1", 0), Key(f"{_ROLLOUT}2", 0)
_C1, _C2 = ("checkpoint-0123456789abcdef0123456789abcdef-" + end for end in "12")


def _rested(lines: Iterable[Line]) -> tuple[Line, ...]:
    return tuple(one for line in lines for one in (line, REST))


def _succeeds() -> tuple[Line, ...]:
    """Each success raises the revision and is answered again as it was."""
    found: list[Line] = []
    for revision, status in enumerate(_STATUSES, 1):
        name = f"s{status}"
        found += [ask(name, expected=revision), served(name, status)]
        found.append(ask(f"{name}-again", request_id=f"m-{name}", expected=revision))
    return _rested(found)


def _fails() -> tuple[Line, ...]:
    """What failed changes nothing, so that its id is served when it comes again."""
    found: list[Line] = []
    for status in _FAILURES:
        name = f"f{status}"
        found += [ask(name, expected=1), served(name, status)]
    first = f"f{_FAILURES[0]}"
    again = ask("again", request_id=f"m-{first}", expected=1)
    return _rested((*found, again, served("again")))


def _each(prefix: str, paths: Iterable[str], *, named: bool, method: str = "POST") -> list[Line]:
    """A request for each path, served as it comes."""
    found: list[Line] = []
    for number, path in enumerate(paths):
        call = f"{prefix}{number}"
        found.append(sent(call, path, named=f"m-{call}" if named else None, method=method))
        found.append(served(call))
    return found


def _methods() -> tuple[Line, ...]:
    found: list[Line] = []
    for method in _METHODS:
        paths = ("/step", "/verify", "/seed_session")
        found += _each(f"{method}-", paths, named=False, method=method)
    return _rested((*found, ask("q3", expected=1), served("q3")))


def _counted() -> tuple[Line, ...]:
    """A session is served so often that its revision has two digits."""
    found: list[Line] = []
    for revision in range(2, 12):
        found += [ask(f"n{revision}", expected=revision), served(f"n{revision}")]
    return _rested(found)


_ALL_OTHERS = tuple((name, 409, "resource_request_receipt_error") for name, _ in _OTHERS)
_ALL_SAMES = tuple((name, 200, None) for name, _ in _SAMES)

REQUESTS: tuple[Story, ...] = (
    Story(
        "R-RRT-10",
        "each part of a request tells it from another, and how a part is written does not",
        (
            *_SEEDED,
            *_rested((_twin("q2"), served("q2"), *(line for _, line in _OTHERS))),
            *_rested(line for _, line in _SAMES),
        ),
        (("q2", 200, None), *_ALL_OTHERS, *_ALL_SAMES),
    ),
    Story(
        "R-RRQ-24",
        "every status below 400 is a success",
        (
            *_rested((ask("q1", START), served("q1", 201))),
            *_succeeds(),
            *_rested((ask("end", TERMINAL, expected=5), served("end", 302))),
            *_rested((ask("late", request_id="m-late"),)),
        ),
        (
            *((f"s{status}", status, None) for status in _STATUSES),
            *((f"s{status}-again", status, None) for status in _STATUSES),
            ("end", 302, None),
            ("late", 409, "resources_session_unbound"),
        ),
    ),
    Story(
        "R-RRQ-23",
        "no status from 400 on is a success",
        (*_SEEDED, *_fails()),
        (*((f"f{status}", status, None) for status in _FAILURES), ("again", 200, None)),
    ),
    Story(
        "R-RRQ-22",
        "only a success of nobody is remembered",
        (
            *_rested((sent("n1", key=None, named="m-n1"), served("n1", 400))),
            *_rested((control("p1", "prepare", "c1"), control("u1", "resume", "c1"))),
            *_rested((sent("n2", key=None, named="m-n2"), served("n2", 302))),
            *_rested((control("p2", "prepare", "c2"),)),
        ),
        (("p1", 200, None), ("p2", 409, "resources_checkpoint_error")),
        needs=_MUTATES,
    ),
    Story(
        "R-RRT-1",
        "only a post changes a session",
        (*_SEEDED, *_methods()),
        (("PUT-0", 200, None), ("DELETE-1", 200, None), ("q3", 200, None)),
    ),
    Story(
        "R-RRT-8",
        "a path that is like another is not the other",
        (
            *_SEEDED,
            *_rested(_each("s", _STEPS, named=True)),
            *_rested(_each("f", _FREE, named=False)),
            *_rested(_each("r", ("/observe?full=1",), named=False)),
            *_rested((ask("q3", expected=6), served("q3"))),
            *_rested((sent("v", "/verify?n=1", named="m-v"), served("v"), ask("q4"))),
        ),
        (("q3", 200, None), ("v", 200, None), ("q4", 409, "resources_session_unbound")),
    ),
    Story(
        "R-RRQ-13",
        "request ids that begin alike, or differ in case only, are two",
        (
            *_SEEDED,
            *_rested((sent("q2", named=f"{_LONG}a"), served("q2"))),
            *_rested((sent("q3", named=f"{_LONG}b"), served("q3"))),
            *_rested((sent("q4", named=f"{_LONG}B"), served("q4"))),
            *_rested((sent("q5", named=f"{_LONG}b"),)),
        ),
        (("q3", 200, None), ("q4", 200, None), ("q5", 200, None)),
    ),
    Story(
        "R-RRT-9",
        "rollouts and checkpoints whose names begin alike are two",
        (
            *_rested((ask("q1", START, _ONE), served("q1"), ask("q2", START, _TWO), served("q2"))),
            *_rested((ask("q3", MUTATION, _ONE), served("q3"))),
            *_rested((control("p1", "prepare", _C1), control("t1", "retire", _C1, key=_TWO))),
            *_rested((control("u1", "resume", _C1), ask("q4", MUTATION, _TWO))),
            *_rested((ask("q5", MUTATION, _ONE, expected=2), served("q5"))),
            *_rested((control("p2", "prepare", _C2), control("u2", "resume", _C1))),
        ),
        (("q4", 409, "stale_attempt"), ("q5", 200, None), ("p2", 200, None), ("u2", 200, None)),
        needs=_MUTATES | {"retire"},
    ),
    Story(
        "R-RRQ-4",
        "attempts are numbers",
        (
            *_rested((ask("q1", START, Key("r1", 9)), served("q1"))),
            *_rested((ask("q2", START, Key("r1", 10)), served("q2"))),
            *_rested((ask("q3", MUTATION, Key("r1", 9)), ask("q4", START, R1_NEXT))),
            *_rested((ask("q5", MUTATION, Key("r1", 10), expected=1), served("q5"))),
        ),
        (
            ("q2", 200, None),
            ("q3", 409, "stale_attempt"),
            ("q4", 409, "stale_attempt"),
            ("q5", 200, None),
        ),
    ),
    Story(
        "R-RRQ-3",
        "attempts whose numbers begin alike are two",
        (
            *_rested((control("p1", "prepare", "c1"), control("t1", "retire", "c1", key=R1_NEXT))),
            *_rested((control("u1", "resume", "c1"),)),
            *_rested((ask("q1", START, Key("r1", 10)), served("q1"))),
        ),
        (("t1", 200, None), ("q1", 200, None)),
        needs=_MUTATES | {"retire"},
    ),
    Story("R-RRQ-15", "revisions are numbers", (*begun(), *_counted()), (("n11", 200, None),)),
)
"""Each is kept for the rule whose words it varies."""
