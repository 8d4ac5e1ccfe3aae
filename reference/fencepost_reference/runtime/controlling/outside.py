"""What a running controller is given: participants, a finalizer, a disk, and time."""

from collections.abc import Coroutine, Mapping
from typing import Any, Protocol

import attrs

from fencepost_reference.receipts.controller.actions import Snapshot
from fencepost_reference.receipts.controller.said import Place
from fencepost_reference.receipts.controller.wire import Heard, JsonObject
from fencepost_spec.vocabulary import Key

Rows = tuple[tuple[Key, str], ...]


class NoAnswer(Exception):  # what happened, not a mistake
    """No answer came: the participant may have done what it was asked, or never hear of it."""


class NotStored(Exception):  # what happened, not a mistake
    """A step of writing a snapshot has failed, and nothing of it is visible."""


@attrs.frozen
class Written:
    """What a participant answered to its commit, and the lines of the index that it names."""

    body: JsonObject
    documents: tuple[JsonObject, ...] = ()


class Client(Protocol):
    """One participant. `mode` is its checkpoint mode."""

    @property
    def kind(self) -> str:
        """Agent, model or resources."""
        ...

    @property
    def instance(self) -> str:
        """Its name among those of its kind."""
        ...

    @property
    def mode(self) -> str:
        """Its checkpoint mode: export_restore, restart_only, stateless."""
        ...

    def call(self, op: str, request: JsonObject) -> Coroutine[Any, Any, Heard]:
        """Call an operation. It leaves at once; awaited, it raises `NoAnswer` if none comes."""
        ...

    async def read(self, reference: JsonObject) -> list[JsonObject]:
        """The lines of an index that this participant committed, by the reference in its reply."""
        ...


class Outside(Protocol):
    """Everything around one process of a controller. What is asked leaves at once."""

    def train(self, group_id: str, rows: Rows) -> Coroutine[Any, Any, str]:
        """Hand a group to the finalizer: committed, dropped, or unknown."""
        ...

    def directory(self, name: str, op: str) -> str:
        """Where participants commit to, or restore from, what the core calls by a name."""
        ...

    def believes(
        self, operation_id: str, restored: Mapping[Place, JsonObject], *, last: bool
    ) -> bool:
        """Whether the answers to a restore so far say that what was committed was restored.

        Asked before any of them counts; `last` says that nobody is left to answer.
        """
        ...

    def store(
        self, step: str, snapshot: Snapshot, written: Mapping[Place, Written]
    ) -> Coroutine[Any, Any, None]:
        """One step of writing a snapshot; raises `NotStored` when it has failed."""
        ...

    def ended(self, saved: bool, reason: str, *, over: bool) -> None:
        """An attempt at a snapshot is over; unless `over`, another one is still under way."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Wait until so much time has passed."""
        ...
