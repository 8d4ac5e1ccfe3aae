"""Faults of reading a request and of taking its outcome, each as one small fault.

Which requests are the same is a list of the specification; leaving an entry out of it is a
mechanical mutant. Here stands what reads more, less, or otherwise.
"""

from collections.abc import Callable
from typing import Any

import attrs

from fencepost.resources.mutants.mutant import Faulty, Mutant, core_with
from fencepost_reference.model import Step
from fencepost_reference.receipts.changes import change
from fencepost_reference.receipts.resources import actions as a
from fencepost_reference.receipts.resources.server import ResourcesCore, Transition
from fencepost_reference.receipts.resources.state import State
from fencepost_spec.receipts.resources import routes as r
from fencepost_spec.receipts.resources.server import RESOURCES, ResourcesSpec
from fencepost_spec.vocabulary import Key

CUT = 8
"""So many characters of a name are compared by those that compare too few."""

_HEADERS = frozenset({"content type", "cookies"})


def _counted_as(taken: Callable[[int], int]) -> ResourcesCore:
    """A core that takes a status for another; the client is told the one that was returned."""

    def publish(right: Transition, s: ResourcesSpec, state: State, act: Any) -> Step:
        request = state.requests[act.request]
        outcome = request.outcome
        if outcome is None or outcome.status == 0:
            return right(s, state, act)
        seen = change(request, outcome=attrs.evolve(outcome, status=taken(outcome.status)))
        step = right(s, change(state, requests=state.requests.set(act.request, seen)), act)
        return _answered_with(step, act.request, outcome.status)

    return Faulty(RESOURCES, {a.Publish: publish})


def _answered_with(step: Step, call: str, status: int) -> Step:
    """The answer of a handler with another status; a refusal stays what it is."""
    waiting = step.state.calls.get(call)
    if waiting is None or waiting.reply is None or waiting.reply.code or waiting.reply.loose:
        return step
    told = change(waiting, reply=change(waiting.reply, status=status))
    return attrs.evolve(step, state=change(step.state, calls=step.state.calls.set(call, told)))


def _replays_as_200() -> ResourcesCore:
    def takes(right: Transition, s: ResourcesSpec, state: State, act: Any) -> Step:
        return _answered_with(right(s, state, act), act.request, 200)

    return Faulty(RESOURCES, {a.TakeLock: takes})


def _asks(changed: Callable[[a.Ask], a.Ask]) -> ResourcesCore:
    """A core that reads every request otherwise."""

    def asks(right: Transition, s: ResourcesSpec, state: State, act: Any) -> Step:
        return right(s, state, changed(act))

    return Faulty(RESOURCES, {a.Ask: asks})


def _with_id(changed: Callable[[str], str]) -> ResourcesCore:
    def renamed(ask: a.Ask) -> a.Ask:
        name = ask.request_id
        return ask if name is None else attrs.evolve(ask, request_id=changed(name))

    return _asks(renamed)


def _alike(cut: Callable[[Key], tuple[str, int]]) -> ResourcesCore:
    """A core that takes a key for one that it has refused, where a part of them is the same."""

    def asks(right: Transition, s: ResourcesSpec, state: State, act: Any) -> Step:
        key, refused = act.key, state.history.refused
        alike = key and next((one for one in refused if cut(one) == cut(key)), key)
        return right(s, state, attrs.evolve(act, key=alike))

    return Faulty(RESOURCES, {a.Ask: asks})


def _routes(name: str, when: Callable[[r.Asked], bool]) -> ResourcesCore:
    """A core in which another question tells one kind of route."""
    changed = (attrs.evolve(one, when=when) if one.name == name else one for one in r.ROUTES)
    return core_with(routes=tuple(changed))


def _compared(*more: r.Compared, without: frozenset[str] = frozenset()) -> ResourcesCore:
    kept = (one for one in r.COMPARED if one.name not in without)
    return core_with(compared=(*kept, *more))


def _as_written(name: str, header: str) -> ResourcesCore:
    """A core that compares the text of a header, and not what it means."""
    written = r.Compared(r.INPUT, name, lambda request: request.get("headers", {}).get(header))
    return _compared(written, without=frozenset({name}))


_EVERY_HEADER = r.Compared(r.INPUT, "headers", lambda request: request.get("headers"))


def _cut_id(key: Key) -> tuple[str, int]:
    return key.rollout_id[:CUT], key.attempt


def _cut_attempt(key: Key) -> tuple[str, int]:
    return key.rollout_id, int(str(key.attempt)[:1])


# fmt: off
REQUESTS: tuple[Mutant, ...] = (
    Mutant("only 200 is a success", "201 leaves no receipt and no revision.",
           ("4.5", "R-RRQ-24", "R-RIN-7"), lambda: _counted_as(lambda n: 404 if n == 201 else n)),
    Mutant("a redirection fails", "302 leaves no receipt and no revision.",
           ("4.5", "R-RRQ-24"), lambda: _counted_as(lambda n: 404 if 300 <= n < 400 else n)),
    Mutant("400 is a success", "400 raises the revision and leaves a receipt.",
           ("4.5", "R-RRQ-23"), lambda: _counted_as(lambda n: 200 if n == 400 else n)),
    Mutant("500 is a success", "A status from 500 on raises the revision.",
           ("4.5", "R-RRQ-23"), lambda: _counted_as(lambda n: 200 if n >= 500 else n)),
    Mutant("everything is answered again as 200", "The stored status is lost.",
           ("4.5", "I13", "R-RRQ-12"), _replays_as_200),
    Mutant("headers are not compared", "A request is the same whatever its headers say.",
           ("5.5", "4.5", "R-RRQ-13"), lambda: _compared(without=_HEADERS)),
    Mutant("every header is compared", "A request is another when a header that says nothing is.",
           ("5.5", "4.5", "R-RRQ-12"), lambda: _compared(_EVERY_HEADER)),
    Mutant("content types are compared as written", "Case and blanks of a media type count.",
           ("5.5", "R-RRT-10", "R-RRQ-12"),
           lambda: _as_written("content type", "content-type")),
    Mutant("cookies are compared as written", "The order of cookies counts.",
           ("5.5", "R-RRT-10", "R-RRQ-12"), lambda: _as_written("cookies", "cookie")),
    Mutant("a put changes the session", "PUT, PATCH and DELETE are taken for a mutation.",
           ("4.5", "R-RRT-1"),
           lambda: _routes("other methods", lambda one: one.method in ("GET", "OPTIONS"))),
    Mutant("ends like a verification", "A path that begins like the terminal one is terminal.",
           ("4.5", "R-RRT-6"), lambda: _routes("verify", lambda one: "/verif" in one.path)),
    Mutant("begins like a read", "A path that begins like a marked read is a read.",
           ("4.5", "R-RRT-7"),
           lambda: _routes("marked reads", lambda one: one.path.startswith(tuple(one.reads)))),
    Mutant("only one path of tools", "Only /mcp itself is free.",
           ("4.5", "R-RRT-4"), lambda: _routes("tool protocol", lambda one: one.path == "/mcp")),
    Mutant("request ids are cut", "Request ids are compared by their first characters.",
           ("4.5", "I13", "R-RRQ-13"), lambda: _with_id(lambda name: name[:CUT])),
    Mutant("request ids have no case", "Request ids are compared in lower case.",
           ("4.5", "I13", "R-RRQ-13"), lambda: _with_id(str.lower)),
    Mutant("rollout ids are cut", "Refused rollouts are told by the first characters of their ids.",
           ("1.1", "4.5", "I27"), lambda: _alike(_cut_id)),
    Mutant("attempts are cut", "Of a refused attempt only the first digit counts.",
           ("1.1", "4.5", "I4"), lambda: _alike(_cut_attempt)),
)
# fmt: on
"""Faults in what a request is, and in what a success is."""
