"""Everything that can happen in a world.

Somebody outside chooses the first group. Controller, participants, network and disk take the
second by themselves.
"""

from typing import Any

import attrs

from fencepost_reference.receipts.controller.said import Place
from fencepost_spec.vocabulary import Key

# From outside.


@attrs.frozen
class Give:
    """The controller is given work, or told that something has come about."""

    action: Any


@attrs.frozen
class Work:
    """A rollout goes on: "boundary", "ask" or "told" a policy model, "change", "finish", "fail"."""

    place: Place
    key: Key
    event: str


@attrs.frozen
class LoseRequest:
    """A call does not arrive, and nobody learns of it but by waiting in vain."""

    call: str


@attrs.frozen
class LoseAnswer:
    """Nobody waits for the answer of a call any more, though it has arrived."""

    call: str


@attrs.frozen
class Delay:
    """The controller has waited long enough for a call that is still on its way."""

    call: str


@attrs.frozen
class Repeat:
    """The network delivers a call once more; nobody waits for that answer."""

    call: str


@attrs.frozen
class Crash:
    """Processes are gone: the controller, some participants, or all."""

    controller: bool
    places: tuple[Place, ...] = ()


@attrs.frozen
class Start:
    """A controller starts, from the newest snapshot that can be read, or where none was published.

    Where snapshots were published and none can be read, it refuses.
    """


@attrs.frozen
class Clear:
    """Somebody takes away the snapshots that cannot be read, and with them what was in them."""


@attrs.frozen
class Damage:
    """A published snapshot cannot be read any more."""

    number: int


@attrs.frozen
class TimePasses:
    """A participant that waits with a deadline has waited long enough."""

    place: Place


@attrs.frozen
class BreakStorage:
    """The next storage step of that kind fails at a participant."""

    place: Place
    step: str


@attrs.frozen
class Finalize:
    """The finalizer answers: "committed", "dropped" or "unknown"."""

    group_id: str
    outcome: str


@attrs.frozen
class Write:
    """The disk does the step of writing a snapshot that it was asked for, or fails to."""

    ok: bool


# By themselves.


@attrs.frozen
class Decide:
    """The controller takes a step."""

    action: Any


@attrs.frozen
class Act:
    """A participant takes a step."""

    place: Place
    action: Any


@attrs.frozen
class Arrive:
    """A call arrives at its participant."""

    call: str


@attrs.frozen
class Return:
    """An answer, or the end of waiting for one, reaches the controller."""

    call: str


@attrs.frozen
class Tell:
    """The disk tells the controller how its step went."""


# What is seen, beside what the controller shows.


@attrs.frozen
class Returned:
    """What the controller gets for a call; None when it waited in vain."""

    call: str
    answer: Any


@attrs.frozen(eq=False)
class Inside:
    """A step that a participant took, for whoever asks the participant's own promises."""

    number: int
    before: Any
    action: Any
    step: Any
