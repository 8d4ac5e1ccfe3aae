"""Everything that can happen to a resources server beyond what can happen to every participant.

Control calls, callers that go away, time, storage and answers: see `receipts.actions`.
The first group here is chosen by the world, the second taken by the participant itself, the last
becomes visible.
"""

import attrs

from fencepost_reference.receipts.resources.state import Directory, Outcome, Settings
from fencepost_spec.vocabulary import Key

# The world.


@attrs.frozen
class Ask:
    """A request of a client reaches the server, with its route found and its identity read."""

    id: str
    kind: str
    key: Key | None = None
    identity_holds: bool = True
    headers_hold: bool = True
    request_id: str | None = None
    expected: int | None = None
    input: str = ""


@attrs.frozen
class Handled:
    """The handler of a request ends."""

    request: str
    outcome: Outcome


@attrs.frozen
class Replace:
    """The process is replaced by a new one, which may be started otherwise; memory is lost."""

    disk_kept: bool = True
    settings: Settings | None = None


@attrs.frozen
class Evict:
    """The receipts of a session are taken away, for want of memory."""

    key: Key


@attrs.frozen
class SetDirectory:
    """A directory is copied, damaged, written into, or removed by somebody else (None)."""

    directory: str
    content: Directory | None


# The participant.


@attrs.frozen
class TakeLock:
    """A request that waits gets the lock of its session; everything is asked again."""

    request: str


@attrs.frozen
class Publish:
    """What a handler returned takes effect, and its answer is decided."""

    request: str


@attrs.frozen
class Export:
    """The waiting prepare takes the snapshot of a session, under its lock."""

    key: Key


@attrs.frozen
class Miss:
    """The waiting prepare ends unprepared: by what is in the way, or at its deadline."""


@attrs.frozen
class Drop:
    """A retired session gets its lock, is handed to the environment's hook, and goes."""

    key: Key


@attrs.frozen
class MissRetire:
    """A retire answers at its deadline that the lock was not free."""

    call: str


# What is seen.


@attrs.frozen
class Began:
    """The handler of a request starts."""

    request: str
    key: Key | None
