"""What befalls any participant that keeps checkpoints: time, storage that is held or fails, a disk.

The agent, the policy model and the resources server have these fields in common, and these steps.
"""

from typing import Any, Protocol

from immutables import Map

from fencepost_reference.model import Step
from fencepost_reference.receipts.changes import change


class Befallen(Protocol):
    """A participant: its disk, the operations whose storage is held, the steps that will fail."""

    @property
    def disk(self) -> Map[str, Any]:
        """Each directory by its name."""
        ...

    @property
    def holds(self) -> frozenset[str]:
        """The operations whose storage is held."""
        ...

    @property
    def failing(self) -> tuple[str, ...]:
        """The kinds of storage steps that will fail, each once, the next first."""
        ...


class OfOperation(Protocol):
    """An action on the storage of one operation."""

    @property
    def op(self) -> str:
        """The operation."""
        ...


class OfStep(Protocol):
    """An action on one kind of storage step."""

    @property
    def step(self) -> str:
        """The kind of step."""
        ...


class OfDirectory(Protocol):
    """An action on a directory: its new content, or None when it goes."""

    @property
    def directory(self) -> str:
        """The directory's name."""
        ...

    @property
    def content(self) -> Any:
        """What lies in it now."""
        ...


def hold(_spec: object, state: Befallen, action: OfOperation) -> Step:
    """The storage steps of an operation are held from now on."""
    return Step(change(state, holds=state.holds | {action.op}))


def release(_spec: object, state: Befallen, action: OfOperation) -> Step:
    """What was held goes on."""
    return Step(change(state, holds=state.holds - {action.op}))


def fail_storage(_spec: object, state: Befallen, action: OfStep) -> Step:
    """The next storage step of that kind will fail."""
    return Step(change(state, failing=(*state.failing, action.step)))


def set_directory(_spec: object, state: Befallen, action: OfDirectory) -> Step:
    """A directory is changed by somebody else."""
    disk = state.disk
    if action.content is not None:
        disk = disk.set(action.directory, action.content)
    elif action.directory in disk:
        disk = disk.delete(action.directory)
    return Step(change(state, disk=disk))
