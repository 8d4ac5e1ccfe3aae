"""Scripts of few actions, each about one refusal, one kind of route, or one first event.

What the longer courses of events pass by: requests that are wrong in one thing, calls that overlap,
deadlines that have passed. Played on every mutant.
"""

from typing import Any

import attrs

from fencepost.driven import REST
from fencepost.resources.showing import line_of
from fencepost.resources.telling import R1, ask, control, served, written
from fencepost.trace.lines import Fault, Line
from fencepost_reference.receipts import actions as shared
from fencepost_reference.receipts.resources import actions as a
from fencepost_spec.receipts.resources.routes import MUTATION, START, UNGATED
from fencepost_spec.vocabulary import Key, digest_of

Script = tuple[Line, ...]
_INPUT, _OTHER = digest_of("an input"), digest_of("another input")


def _seed(**wrong: Any) -> Line:
    """A first start that is wrong in one thing."""
    right = a.Ask("q1", START, R1, request_id="m-q1", input=_INPUT)
    return line_of(attrs.evolve(right, **wrong))


def _nobody(call: str, kind: str) -> Line:
    """A request that names no attempt; of an ungated kind the number says which route it takes."""
    return line_of(a.Ask(call, kind, request_id=f"m-{call}", input=_INPUT))


_PREPARED = (control("p", "prepare", "c1"), REST)

# fmt: off
DOORS: dict[str, Script] = {
    "headers that do not name one attempt": (_seed(key=None, identity_holds=False), REST),
    "a header that is malformed": (_seed(headers_hold=False), REST),
    "a request without its id": (_seed(request_id=None), REST),
    "a revision that a start expects": (_seed(expected=7), REST),
    "a request without identity, prepared, and resumed":
        (*_PREPARED, _nobody("q1", MUTATION), REST, control("u", "resume", "c1"), REST),
    "a request without identity that is overtaken by a resume":
        (*_PREPARED, _nobody("q1", MUTATION), control("u", "resume", "c1"), REST),
    "routes without a door": (
        *_PREPARED,
        *(line for number in range(7) for line in (_nobody(f"q{number}", UNGATED), REST)),
    ),
    "prepare and resume of nothing": (*_PREPARED, control("u", "resume", "c1"), REST),
    "a first start that breaks off": (ask("q1", START), REST, served("q1", 0), REST),
    "two first starts": (ask("q1", START), REST, ask("q2", START), REST, served("q1"), REST),
    "a request id for two starts": (
        *(_seed(), REST, line_of(a.Ask("q2", START, R1, request_id="m-q1", input=_OTHER)), REST),
        *(served("q1"), REST),
    ),
    "retires of nobody, too late": tuple(
        line for name in ("r6", "r7", "r8", "r9")
        for line in (control(name, "retire", "c1", key=Key(name, 0), deadline=0), REST)
    ),
    "two directories at once for one commit":
        (*_PREPARED, control("w", "commit", "c1", "d1"), control("w2", "commit", "c1", "d2"), REST),
    "two directories at once for one restore":
        (*written(), Fault(0, "replace", "kept", {}),
         control("r", "restore", "c2", "d1"), control("r2", "restore", "c2", "d2"), REST),
    "a restore that is called again, too late":
        (line_of(shared.Hold("restore")), control("r", "restore", "c1", "d1"), REST,
         control("r2", "restore", "c1", "d1", deadline=0), REST),
    "a resume while a commit runs":
        (line_of(shared.Hold("commit")), *_PREPARED, control("w", "commit", "c1", "d1"), REST,
         control("u", "resume", "c1"), REST, line_of(shared.Release("commit")), REST),
}
# fmt: on
