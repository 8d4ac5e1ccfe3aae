"""What a request of a client is: which kind its route has, and which attempt it belongs to.

Decided here: the kinds, the order in which they are found, how headers and path name a key, and
which requests are the same. Not decided here: who is admitted (`handling.py`). May import: rule,
sources, vocabulary.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

import attrs

from fencepost_spec.receipts.sources import DECISION, GYM_2940, GYM_3349
from fencepost_spec.rule import Rule
from fencepost_spec.vocabulary import Key, check_attempt, check_rollout_id

UNGATED: Final = "ungated"
START: Final = "start"
READ: Final = "read"
MUTATION: Final = "mutation"
TERMINAL: Final = "terminal"

HEADER_ROLLOUT: Final = "x-nemo-gym-rollout-id"
HEADER_ATTEMPT: Final = "x-nemo-gym-attempt-index"
HEADER_REQUEST: Final = "x-nemo-gym-resource-request-id"
HEADER_EXPECTED: Final = "x-nemo-gym-expected-resource-state-revision"
HEADER_REVISION: Final = "x-nemo-gym-resource-state-revision"

_ATTEMPT_SUFFIX: Final = re.compile(r"(?P<rollout>.+)-a(?P<attempt>[1-9][0-9]*)")
_NUMBER: Final = re.compile(r"0|[1-9][0-9]*")


class NoIdentity(ValueError):
    """Headers and path do not name one attempt."""


@attrs.frozen
class Asked:
    """The line of a request without its prefix, and the paths that the server marked as reads."""

    method: str
    path: str
    reads: frozenset[str] = frozenset()


@attrs.frozen
class Route:
    """A kind of route, and which requests have it; the first that says yes is meant."""

    rule: Rule
    name: str
    kind: str
    when: Callable[[Asked], bool]


def is_no_post(asked: Asked) -> bool:
    """The method is not POST."""
    return asked.method != "POST"


def is_control(asked: Asked) -> bool:
    """The path is one of the control plane."""
    return asked.path.startswith("/ng-control/")


def is_aggregate(asked: Asked) -> bool:
    """The path asks for metrics over all rollouts."""
    return asked.path == "/aggregate_metrics"


def is_protocol_of_tools(asked: Asked) -> bool:
    """The path belongs to the tool protocol that has a session of its own."""
    return asked.path.startswith("/mcp")


def is_start(asked: Asked) -> bool:
    """The path seeds a session."""
    return asked.path == "/seed_session"


def is_terminal(asked: Asked) -> bool:
    """The path verifies and ends a session."""
    return asked.path == "/verify"


def is_marked_read(asked: Asked) -> bool:
    """The server says that the path only reads."""
    return asked.path in asked.reads


def is_anything(asked: Asked) -> bool:
    """Whatever the path is."""
    return bool(asked.path)


def _rule(number: int, says: str, *facts: str) -> Rule:
    return Rule(f"R-RRT-{number}", says, GYM_2940, facts)


ROUTES: tuple[Route, ...] = (
    Route(
        _rule(1, "what is not posted changes nothing and is never held", "4.5"),
        *("other methods", UNGATED, is_no_post),
    ),
    Route(
        _rule(2, "control calls are never held by the admission of requests", "4.5", "P7"),
        *("control", UNGATED, is_control),
    ),
    Route(
        _rule(3, "metrics over all rollouts belong to no session", "4.5"),
        *("metrics", UNGATED, is_aggregate),
    ),
    Route(
        _rule(4, "the tool protocol is not gated", "4.5"),
        *("tool protocol", UNGATED, is_protocol_of_tools),
    ),
    Route(_rule(5, "a seed starts a session", "4.5"), "seed", START, is_start),
    Route(_rule(6, "a verification ends a session", "4.5"), "verify", TERMINAL, is_terminal),
    Route(
        _rule(7, "a path that the server marks as a read changes nothing", "4.5"),
        *("marked reads", READ, is_marked_read),
    ),
    Route(
        _rule(8, "any other request is taken to change the session", "4.5"),
        *("all others", MUTATION, is_anything),
    ),
)

IDENTITY: Final = Rule(
    "R-RRT-9",
    "headers name the attempt, and a path that names one as well names the same",
    GYM_2940,
    ("1.1", "4.5", "I27"),
)
INPUT: Final = Rule(
    "R-RRT-10",
    "two requests are the same when method, path, query, body, and what content type and cookies "
    "mean are",
    GYM_3349,
    ("5.5", "4.5"),
)
BARE_IDENTITY: Final = Rule(
    "R-RRT-11",
    "a path alone names the attempt by its last suffix, where there are no headers",
    DECISION,
    ("1.1", "I27"),
)
ROUTE_RULES: tuple[Rule, ...] = (IDENTITY, INPUT, BARE_IDENTITY)


@attrs.frozen
class Compared:
    """A part of a request by which it is told from another."""

    rule: Rule
    name: str
    of: Callable[[Mapping[str, Any]], Any]


def content_type_of(text: str) -> list[str]:
    """A content type in one form: the media type, then its parameters in order.

    Neither has a case here, and blanks around them say nothing.

    >>> content_type_of("Application/JSON ;Charset=UTF-8; a=1")
    ['application/json', 'a=1', 'charset=utf-8']
    """
    media_type, *parameters = (part.strip().lower() for part in text.split(";"))
    return [media_type, *sorted(part for part in parameters if part)]


def cookies_of(text: str) -> list[str]:
    """Cookies in one form: the set of them, whose order and blanks say nothing.

    >>> cookies_of("b=2;a=1; b=2")
    ['a=1', 'b=2']
    """
    return sorted({cookie.strip() for cookie in text.split(";")} - {""})


def _header(name: str, form: Callable[[str], list[str]]) -> Callable[[Mapping[str, Any]], Any]:
    """A header in one form; one that is blank says as little as one that is not there."""

    def of(request: Mapping[str, Any]) -> Any:
        headers: Mapping[str, Any] = request.get("headers") or {}
        text = headers.get(name)
        if not isinstance(text, str):
            return text
        return form(text) if text.strip() else None

    return of


COMPARED: tuple[Compared, ...] = (
    Compared(INPUT, "method", lambda request: request["method"]),
    Compared(INPUT, "path", lambda request: str(request["path"]).partition("?")[0]),
    Compared(INPUT, "query", lambda request: str(request["path"]).partition("?")[2]),
    Compared(INPUT, "content type", _header("content-type", content_type_of)),
    Compared(INPUT, "cookies", _header("cookie", cookies_of)),
    Compared(INPUT, "body", lambda request: request.get("body")),
)
"""All by which two requests are told apart; other headers are not among it."""


def input_of(compared: tuple[Compared, ...], request: Mapping[str, Any]) -> list[Any]:
    """What of a request is compared.

    >>> input_of(COMPARED, {"method": "POST", "path": "/step?n=1", "headers": {"accept": "*/*"}})
    ['POST', '/step', 'n=1', None, None, None]
    """
    return [part.of(request) for part in compared]


def route_of(routes: tuple[Route, ...], asked: Asked) -> Route | None:
    """The first route that a request has, or None where no route is left that says yes.

    >>> [route_of(ROUTES, Asked("POST", path)).kind for path in ("/verify", "/tool", "/mcp/x")]
    ['terminal', 'mutation', 'ungated']
    """
    return next((route for route in routes if route.when(asked)), None)


def identity_of(prefix: str | None, headers: Mapping[str, Any]) -> Key | None:
    """The key that a request belongs to, None without one, or NoIdentity.

    `prefix` is the capture key of the path. Header names are in lower case.

    >>> identity_of("r1-a2", {})
    Key(rollout_id='r1', attempt=2)
    >>> identity_of(None, {}) is None
    True
    """
    rollout, attempt = headers.get(HEADER_ROLLOUT), headers.get(HEADER_ATTEMPT)
    if rollout is None and attempt is None:
        return None if prefix is None else _key_in(prefix)
    if not isinstance(attempt, str) or _NUMBER.fullmatch(attempt) is None:
        raise NoIdentity(f"not an attempt beside {rollout!r}: {attempt!r}")
    key = _checked(rollout, int(attempt))
    if prefix is not None and prefix != key.capture_key:
        raise NoIdentity(f"the path says {prefix!r} and the headers {key.capture_key!r}")
    return key


def _key_in(prefix: str) -> Key:
    found = _ATTEMPT_SUFFIX.fullmatch(prefix)
    return _checked(prefix, 0) if found is None else _checked(found[1], int(found[2]))


def _checked(rollout: object, attempt: int) -> Key:
    try:
        return Key(check_rollout_id(rollout), check_attempt(attempt))
    except ValueError as error:
        raise NoIdentity(str(error)) from error


def revision_in(headers: Mapping[str, Any]) -> int | None:
    """The revision that a request expects, None without one, or ValueError."""
    text = headers.get(HEADER_EXPECTED)
    if text is None:
        return None
    if not isinstance(text, str) or _NUMBER.fullmatch(text) is None:
        raise ValueError(f"not a revision: {text!r}")
    return int(text)
