"""What all watchers of a participant share: one step as a moment, and which operations succeeded.

Not decided here: what is remembered of a run (each participant's `Ghost`), and what is promised.
"""

from collections.abc import Mapping
from typing import Any, Generic, Protocol, TypeVar

import attrs
from immutables import Map

from fencepost_reference.model import Step

S = TypeVar("S")
G = TypeVar("G")

STORED = {
    ("committing", "committed_paused"): "commit",
    ("restoring", "restored_paused"): "restore",
}
"""The change of phase by which a storage operation succeeds."""

SUCCEEDED = {
    ("preparing", "prepared"): "prepare",
    **STORED,
}
"""The same, with the prepare of a participant that drains by itself."""


@attrs.frozen(eq=False)
class Moment(Generic[S, G]):
    """One step: what was before it, what was done, what came of it, and what was remembered."""

    before: S
    action: Any
    step: Step
    ghost: G

    @property
    def after(self) -> S:
        """The state that the step led to."""
        state: S = self.step.state
        return state


class _Fence(Protocol):
    @property
    def phase(self) -> str: ...

    @property
    def active(self) -> str | None: ...


class _History(Protocol):
    @property
    def finished(self) -> Map[str, Any]: ...


class Fenced(Protocol):
    """A participant that takes part in checkpoints: its fence, and what it remembers of them."""

    @property
    def fence(self) -> _Fence:
        """The phase, and the id of the checkpoint that is open."""
        ...

    @property
    def history(self) -> _History:
        """The checkpoint ids that were resumed."""
        ...


def successes(
    before: Fenced, after: Fenced, succeeded: Mapping[tuple[str, str], str] = SUCCEEDED
) -> tuple[tuple[str | None, str], ...]:
    """The operations that succeeded in a step, each with its checkpoint id."""
    found: list[tuple[str | None, str]] = []
    if before.fence is not after.fence:
        op = succeeded.get((before.fence.phase, after.fence.phase))
        if op is not None:
            found.append((before.fence.active, op))
    known, finished = before.history.finished, after.history.finished
    if known is not finished:
        found += [(one, "resume") for one, how in finished.items() if known.get(one) is not how]
    return tuple(found)
