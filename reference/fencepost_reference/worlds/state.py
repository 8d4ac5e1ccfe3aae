"""What a world is: controller, participants, what runs in them, messages, and what lies on disk.

Invariant: nothing is kept twice. What a participant keeps is in the state of its core; here is
only what no core knows.
"""

from typing import Any

import attrs
from immutables import Map

from fencepost_reference.receipts.controller.actions import Request, Snapshot, Storing
from fencepost_reference.receipts.controller.said import Answer, Place
from fencepost_spec.vocabulary import Key

_EMPTY: Map[Any, Any] = Map()

Rows = frozenset[tuple[Key, str]]
"""What reaches the finalizer: for each sibling, which attempt made its result, and the result."""

GOING, THERE, COMING, LOST = "going", "there", "coming", "lost"
"""How far a call is: on its way, with the participant, its answer on its way, or nothing."""


@attrs.frozen(slots=False)
class Handler:
    """A rollout that runs in an agent.

    `index` is its last boundary, `held` the event that the agent has not answered. `asking` says
    that a call of a policy model is in flight; `calls` counts those of this attempt that were
    answered, `call` is the last of them, under its capture key. `revision` is that of its session
    at the resources server, `changes` counts what this attempt changed there. `marked` is the call
    and the revision at its last boundary.
    """

    index: int = -1
    held: str = ""
    cancelled: bool = False
    asking: bool = False
    calls: int = 0
    call: tuple[str, str] | None = None
    revision: int = 0
    changes: int = 0
    marked: tuple[tuple[str, str] | None, int] = (None, 0)

    @property
    def moved(self) -> bool:
        """Whether it has done something since its last boundary."""
        return self.marked != (self.call, self.revision)


@attrs.frozen(slots=False)
class Message:
    """A call of the controller. `awaited` says that the controller that sent it still waits."""

    call: str
    place: Place
    op: str
    request: Request
    stage: str = GOING
    answer: Answer | None = None
    awaited: bool = True


@attrs.frozen
class Published:
    """A snapshot that was renamed into place, with the groups that were trained by then."""

    snapshot: Snapshot
    damaged: bool = False
    trained: Map[str, Rows] = _EMPTY


@attrs.frozen
class Writing:
    """A step of writing a snapshot that the disk was asked for; `done` when it has answered."""

    storing: Storing
    done: bool | None = None


@attrs.frozen(slots=False)
class State:
    """A whole world. Participants and handlers stand in the order of the places.

    `controller` is None between the end of one process and the start of the next. `training` are
    the groups that the finalizer was handed, `trained` those whose rows are canonical, `captured`
    those that were so when the barrier of the open snapshot was taken.
    """

    controller: Any
    participants: tuple[Any, ...]
    handlers: tuple[Map[Key, Handler], ...]
    net: Map[str, Message] = _EMPTY
    training: tuple[tuple[str, Rows], ...] = ()
    writing: Writing | None = None
    disk: tuple[Published, ...] = ()
    trained: Map[str, Rows] = _EMPTY
    captured: Map[str, Rows] | None = None
