"""The lines of a trace as values: one class for each kind of line.

A line says what was seen, never what it means: bodies stay plain JSON values, and the protocols
give them their meaning. Lines are frozen and have slots, because a long recording has many of them.
Imports attrs only.
"""

from typing import Any, Literal, TypeAlias, TypeGuard

import attrs

Json: TypeAlias = Any
"""A JSON value: null, a bool, a number, a string, a list, or an object with string keys."""

JsonObject: TypeAlias = dict[str, Any]


def is_object(value: Json) -> TypeGuard[JsonObject]:
    """Whether a JSON value is an object."""
    return type(value) is dict


def is_list(value: Json) -> TypeGuard[list[Json]]:
    """Whether a JSON value is a list."""
    return type(value) is list


def copied(value: Json) -> Json:
    """A JSON value that shares nothing with the given one, for somebody who may change it."""
    whole: list[Json] = [value]
    shallow: list[Json] = [whole]

    def copy(one: Json) -> Json:
        if is_object(one) or is_list(one):
            one = one.copy()
            shallow.append(one)
        return one

    while shallow:
        holder = shallow.pop()
        if is_object(holder):
            holder.update({name: copy(each) for name, each in holder.items()})
        elif is_list(holder):
            holder[:] = map(copy, holder)
    return whole[0]


Protocol: TypeAlias = Literal["receipts", "episodes"]

FORMAT_VERSION = 1

KINDS: dict[str, tuple[str, ...]] = {
    "receipts": ("agent", "model", "resources", "ledger", "controller"),
    "episodes": ("environment", "agent", "model", "resources", "deployment", "controller"),
}
"""Which kinds of participant a trace of each protocol can show."""

WITH_PLACES = ("deployment", "controller")
"""The kinds of which each line says which of several participants it belongs to."""

LOST = ("cancelled", "timeout", "disconnected")
"""How a reply can be indefinite: its caller went away, or no answer came."""


@attrs.frozen
class At:
    """Which participant of a deployment a line belongs to."""

    kind: str
    instance: str


@attrs.frozen
class Header:
    """The first line: which protocol, which participant, and what the recording does not show."""

    protocol: Protocol
    kind: str
    name: str
    version: str
    scenario: str
    about: str
    settings: JsonObject
    hidden: tuple[str, ...]


@attrs.frozen
class Call:
    """A request reaches the participant.

    `text` is a body that is no JSON object; `request` is None exactly then.
    """

    seq: int
    op: str
    id: str
    request: JsonObject | None
    auth: str | None = None
    text: str | None = None
    at: At | None = None


@attrs.frozen
class Reply:
    """The definite answer of a call: it proves that the operation did or did not happen.

    An HTTP answer has `status`; the answer of a method has `outcome` instead: "ok" with a body, or
    an object that holds the error.
    """

    seq: int
    id: str
    status: int | None
    body: Json
    outcome: str | JsonObject | None = None
    headers: dict[str, str] | None = None


@attrs.frozen
class Lost:
    """The indefinite answer of a call: the operation may have happened or not."""

    seq: int
    id: str
    how: str


@attrs.frozen
class Work:
    """The work inside moves.

    `outcome` is "ok", "waits" (a `Returned` follows when its caller is let go), or an object with
    the code of the refusal. Both ids are None for work that concerns no rollout; with `anonymous`
    it is a rollout that gave no identity.
    """

    seq: int
    event: str
    rollout_id: str | None
    attempt: int | None
    detail: JsonObject
    outcome: str | JsonObject
    at: At | None = None
    anonymous: bool = False


@attrs.frozen
class Returned:
    """The waiting event of line `of` is let go."""

    seq: int
    of: int
    outcome: str | JsonObject


@attrs.frozen
class Report:
    """A status report, at rest unless `moving`; no verdict may need `internal`."""

    seq: int
    body: JsonObject
    internal: JsonObject | None = None
    moving: bool = False
    at: At | None = None


@attrs.frozen
class Fault:
    """The harness breaks something; `disk` is set exactly when the process is replaced."""

    seq: int
    name: str
    disk: str | None
    detail: JsonObject
    at: At | None = None


@attrs.frozen
class Disk:
    """What lies on disk, looked at now."""

    seq: int
    look: JsonObject


@attrs.frozen
class Tick:
    """Time passes, in whole microseconds."""

    seq: int
    microseconds: int


@attrs.frozen
class Note:
    """A remark; it means nothing."""

    seq: int
    text: str


@attrs.frozen
class Footer:
    """The last line: how many lines stand between the header and it."""

    lines: int


Line: TypeAlias = Call | Reply | Lost | Work | Returned | Report | Fault | Disk | Tick | Note
"""What stands between header and footer; each has `seq`, counted from 1."""

AnyLine: TypeAlias = Header | Line | Footer
