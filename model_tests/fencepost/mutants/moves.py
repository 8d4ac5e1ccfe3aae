"""What the world may do in a scope: a call, an event of the work, a fault, the passing of time.

A move is one action. It is ready by what the harness knows, says the line that shows it, and the
action of the core is read from that very line, as the oracle reads it.
"""

import json
from typing import Any, Protocol

import attrs

from fencepost.agent import reading
from fencepost.mutants.doings import Called, Faulted, Ticked, Worked, call_action
from fencepost.mutants.told import Look, NoAnswer, Told, look_of
from fencepost.mutants.world import Handler, Open, World
from fencepost_reference.receipts import actions as a
from fencepost_reference.receipts.state import Directory, Receipt
from fencepost_spec.vocabulary import Key

OPEN_MAX = 4
"""How many calls may be open at once."""


@attrs.frozen
class Begun:
    """A move as it begins: the action, what is visible before its effects, and the world then.

    An event of the work is shown when its outcome is known; `work` and `handler` tell how.
    """

    action: Any
    world: World
    told: tuple[Told, ...] = ()
    work: Worked | None = None
    handler: Handler | None = None
    after: Handler | None = None


class Move(Protocol):
    """One thing that the world may do."""

    @property
    def name(self) -> str:
        """What a person calls it."""
        ...

    @property
    def tags(self) -> frozenset[str]:
        """What it exercises."""
        ...

    def ready(self, world: World) -> bool:
        """Whether a sensible harness would do it now."""
        ...

    def begin(self, world: World) -> Begun:
        """Do it."""
        ...


@attrs.frozen(eq=False)
class CallMove:
    """A control call, or a run. At most `limit` of one operation and checkpoint are open."""

    name: str
    op: str
    request: str
    tags: frozenset[str]
    auth: str | None = None
    key: Key | None = None
    checkpoint: str | None = None
    limit: int = 1

    def ready(self, world: World) -> bool:
        """There is room for another call of this kind."""
        alike = [
            one
            for one in world.open
            if (one.op, one.key, one.checkpoint) == (self.op, self.key, self.checkpoint)
        ]
        return len(alike) < self.limit and len(world.open) < OPEN_MAX

    def begin(self, world: World) -> Begun:
        """Send it under a fresh id."""
        called = Called(world.fresh_call(), self.op, self.request, self.auth)
        opened = world.called(Open(called.id, self.op, self.key, self.checkpoint))
        return Begun(call_action(called), opened, (called,))


@attrs.frozen(eq=False)
class ReceiptMove:
    """An acknowledgement of finished runs. `wrong` names the field that is not as it was told."""

    name: str
    op: str
    keys: tuple[Key, ...]
    tags: frozenset[str]
    wrong: str | None = None

    def ready(self, world: World) -> bool:
        """Every run has finished, its receipt has the field, and there is room for a call."""
        receipts = [world.receipt(key) for key in self.keys]
        paired = self.wrong in ("manifest_capture_key", "terminal_model_call_id")
        return len(world.open) < OPEN_MAX and all(
            receipt is not None and not (paired and receipt.terminal_model_call_id is None)
            for receipt in receipts
        )

    def begin(self, world: World) -> Begun:
        """Send the receipts, one field of the last one changed."""
        bodies: list[dict[str, Any]] = []
        for key in self.keys:
            receipt = world.receipt(key)
            assert receipt is not None  # It was ready.
            bodies.append(
                {"rollout_id": key.rollout_id, "attempt_index": key.attempt} | attrs.asdict(receipt)
            )
        if self.wrong is not None:
            bodies[-1][self.wrong] = _WRONG[self.wrong]
        batch = self.op == "acknowledge-completed"
        request = json.dumps({"executions": bodies} if batch else bodies[0])
        called = Called(world.fresh_call(), self.op, request)
        opened = world.called(Open(called.id, self.op))
        return Begun(call_action(called), opened, (called,))


_WRONG: dict[str, Any] = {
    "execution_generation": 2,
    "result_identity": "somebody-else",
    "result_digest": "f" * 64,
    "manifest_capture_key": "r9",
    "terminal_model_call_id": "m9",
}


@attrs.frozen(eq=False)
class GoneMove:
    """The caller of an open call goes away."""

    name: str
    op: str
    tags: frozenset[str] = frozenset({"gone"})

    def ready(self, world: World) -> bool:
        """Such a call is open."""
        return any(one.op == self.op for one in world.open)

    def begin(self, world: World) -> Begun:
        """The first such caller goes."""
        call = next(one for one in world.open if one.op == self.op)
        gone = NoAnswer(call.id, "cancelled")
        return Begun(a.Gone(call.id), world.answered(call.id), (gone,))


@attrs.frozen(eq=False)
class TickMove:
    """Time passes while somebody waits for a deadline."""

    name: str
    microseconds: int
    tags: frozenset[str] = frozenset({"tick"})

    def ready(self, world: World) -> bool:
        """A call with a deadline is open."""
        return any(one.op in ("prepare", "retire") for one in world.open)

    def begin(self, world: World) -> Begun:
        """Let it pass."""
        return Begun(a.Tick(self.microseconds), world, (Ticked(self.microseconds),))


@attrs.frozen(eq=False)
class ReplaceMove:
    """The process is replaced; the disk is kept."""

    name: str = "replace"
    tags: frozenset[str] = frozenset({"replace"})
    limit: int = 1

    def ready(self, world: World) -> bool:
        """A scope allows so many process lives."""
        return world.crashes < self.limit

    def begin(self, world: World) -> Begun:
        """Every open call is lost with the process."""
        lost = tuple(NoAnswer(call.id, "disconnected") for call in world.open)
        return Begun(a.Replace(), world.replaced(), (Faulted("replace", disk="kept"), *lost))


@attrs.frozen(eq=False)
class DirectoryMove:
    """A committed directory is copied in, or one that is there is damaged (no content)."""

    name: str
    path: str
    content: Directory | None
    tags: frozenset[str] = frozenset({"directory"})

    def ready(self, world: World) -> bool:
        """A copy is made once; what is damaged has been seen, and is the only fault."""
        if self.content is None:
            return self.path in world.directories and not world.faults
        return self.name not in world.faults

    def begin(self, world: World) -> Begun:
        """Put it there, and look at it."""
        world = attrs.evolve(
            world,
            faults=world.faults | {self.name},
            directories=world.directories | {self.path},
        )
        if self.content is None:
            fault = Faulted("damage", json.dumps({"path": self.path}))
            return Begun(a.SetDirectory(self.path, Directory("damaged")), world, (fault,))
        fault = Faulted("copy", json.dumps({"to": self.path}))
        look = Look(self.path, self.content)
        content = reading.directory_of(look_of(self.path, self.content))
        return Begun(a.SetDirectory(self.path, content), world, (fault, look))


@attrs.frozen(eq=False)
class FailMove:
    """The next storage step of a kind, or the next closing of admission, will fail.

    `shown` is how the line calls the step where the core calls it otherwise.
    """

    name: str
    step: str
    shown: str = ""
    tags: frozenset[str] = frozenset({"fail"})

    def ready(self, world: World) -> bool:
        """One fault is enough for a sequence."""
        return not world.faults

    def begin(self, world: World) -> Begun:
        """Arm it."""
        world = attrs.evolve(world, faults=world.faults | {self.name})
        fault = Faulted("fail", json.dumps({"step": self.shown or self.step}))
        return Begun(a.FailStorage(self.step), world, (fault,))


def receipt_for(key: Key, handler: Handler, digest: str, identity: str) -> Receipt:
    """The receipt of a result, as a client works it out from the boundaries it was shown."""
    call = handler.model_call
    return Receipt(1, identity, digest, key.capture_key if call else None, call)
