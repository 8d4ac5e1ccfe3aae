"""Words in which a course of events is told: requests, calls, whole stretches.

Each gives a line of the harness, or several with points of rest between them.
"""

from fencepost.driven import REST
from fencepost.resources.showing import line_of
from fencepost.trace.lines import Fault, Line
from fencepost_reference.receipts import actions as shared
from fencepost_reference.receipts.resources import actions as a
from fencepost_reference.receipts.resources.state import Outcome
from fencepost_spec.receipts.resources.routes import MUTATION, START
from fencepost_spec.vocabulary import Key, digest_of

DEADLINE = 5_000_000
R1, R1_NEXT = Key("r1", 0), Key("r1", 1)


def ask(
    call: str,
    kind: str = MUTATION,
    key: Key = R1,
    *,
    request_id: str | None = None,
    expected: int | None = None,
) -> Line:
    """A request of a client; what it asks depends on its request id only."""
    named = request_id or f"m-{call}"
    digest = digest_of([kind, named])
    return line_of(a.Ask(call, kind, key, request_id=named, expected=expected, input=digest))


def served(call: str, status: int = 200) -> Line:
    """The handler of a request returns, or breaks off with status 0."""
    return line_of(a.Handled(call, Outcome(status, f"answer to {call}")))


def control(
    call: str,
    op: str,
    checkpoint: str,
    directory: str | None = None,
    key: Key | None = None,
    deadline: int = DEADLINE,
) -> Line:
    """A control call."""
    request = shared.Request(checkpoint, deadline, directory, key)
    return line_of(shared.Call(call, op, request))


def written(checkpoint: str = "c1", directory: str = "d1") -> tuple[Line, ...]:
    """A checkpoint is prepared and committed."""
    return (
        *(control(f"p-{checkpoint}", "prepare", checkpoint), REST),
        *(control(f"w-{checkpoint}", "commit", checkpoint, directory), REST),
    )


def begun() -> tuple[Line, ...]:
    """A session of r1 with a start and one mutation."""
    return (ask("q1", START), REST, served("q1"), REST, ask("q2"), REST, served("q2"), REST)


def restored(checkpoint: str = "c2", directory: str = "d1") -> tuple[Line, ...]:
    """A new process restores a directory and is resumed."""
    return (
        *(Fault(0, "replace", "kept", {}), REST),
        *(control(f"r-{checkpoint}", "restore", checkpoint, directory), REST),
        *(control(f"u-{checkpoint}", "resume", checkpoint), REST),
    )
