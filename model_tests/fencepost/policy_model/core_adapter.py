"""A policy model that is nothing but the core and a scheduler: no files, no threads, no clock.

What the core may do by itself it does one step at a time, in an order drawn from a seed, so one
adapter shows many participants that conform. Given another core it is a mutant.
"""

import asyncio
import itertools
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

from fencepost.policy_model import reading, showing
from fencepost.policy_model.files import index_of, look_of, row_of
from fencepost.policy_model.participant import (
    Answer,
    Change,
    DataCall,
    GateAnswer,
    ModelParticipant,
    Settings,
)
from fencepost.trace.lines import Call, Fault, JsonObject
from fencepost_reference.receipts.changes import change
from fencepost_reference.receipts.policy_model import actions as a
from fencepost_reference.receipts.policy_model.core import ModelCore
from fencepost_reference.receipts.policy_model.rendering import rendered, status_body
from fencepost_reference.receipts.policy_model.state import State, view_of
from fencepost_spec.receipts.policy_model.identity import identity_of_call
from fencepost_spec.receipts.policy_model.refusals import CHECKPOINT_PARKED, RETRY_AFTER_SECONDS
from fencepost_spec.vocabulary import microseconds

TURNS_MAX = 10_000


class CoreModel(ModelParticipant):
    """A policy model made of the core alone."""

    name = "fencepost-model-core"

    def __init__(self, core: ModelCore | None = None, seed: int = 0) -> None:
        self.core = core or ModelCore()
        self.state: State = self.core.initial()
        self._random = Random(seed)  # noqa: S311  # an order of steps, no secret
        self._numbers = itertools.count(1)
        self._callers: dict[str, asyncio.Future[Answer]] = {}
        self._asked: dict[str, a.Call] = {}
        self._cancelled: Callable[[str], None] = lambda _ticket: None
        self._pump: asyncio.Task[None] | None = None
        self._root: Path | None = None

    async def start(
        self, root: Path, settings: Settings, cancelled: Callable[[str], None], *, fresh: bool
    ) -> None:
        """Start a process; an emptied folder has lost its checkpoints."""
        kept = self._root is not None and (root / ".kept").exists()
        (root / ".kept").touch()
        has_ledger = settings.ledger == "file"
        begun = self.core.initial(settings.server_name, settings.role, has_ledger=has_ledger)
        if kept:
            lineages = begun.lineages if fresh else self.state.lineages
            before = self.state
            begun = change(begun, disk=before.disk, indexes=before.indexes, lineages=lineages)
        self.state, self._root, self._cancelled = begun, root, cancelled

    async def crash(self) -> None:
        """Forget everything but the files."""
        if self._pump is not None:
            self._pump.cancel()
            self._pump = None
        self._callers.clear()
        self._asked.clear()

    async def admit(self, call: DataCall) -> GateAnswer:
        """A call reaches the gate."""
        try:
            key, agrees = identity_of_call(call.path, call.headers), True
        except ValueError:
            key, agrees = None, False
        step = self._apply(a.Admit(call.ticket, key, call.path, agrees))
        passed = next(one for one in step if isinstance(one, a.Passed))
        parked = passed.code == CHECKPOINT_PARKED
        return GateAnswer(passed.code, RETRY_AFTER_SECONDS if parked else None)

    async def record(self, ticket: str, row: JsonObject) -> None:
        """A call in flight writes a row."""
        self._apply(a.Record(ticket, row_of(row)))

    async def release(self, ticket: str) -> None:
        """The task of a call has ended."""
        self._apply(a.Release(ticket))

    async def control(self, op: str, request: JsonObject, auth: str | None) -> Answer:
        """A control call."""
        name = f"q{next(self._numbers)}"
        action = reading.call_action(Call(0, op, name, request, auth))
        caller: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._callers[name], self._asked[name] = caller, action
        self._apply(action)
        try:
            return await caller
        except asyncio.CancelledError:
            if self._callers.pop(name, None) is not None and name in self.state.calls:
                self._apply(a.Gone(name))
            raise

    async def report(self) -> JsonObject:
        """The body of a status."""
        return status_body(view_of(self.state))

    async def settle(self) -> None:
        """Return when the core can do nothing by itself."""
        for _ in range(TURNS_MAX):
            if self._pump is None:
                return
            await asyncio.sleep(0)

    async def advance(self, seconds: float) -> None:
        """Tell the core that time has passed."""
        self._apply(a.Tick(microseconds(seconds)))

    async def index(self, path: str, documents: list[JsonObject] | None) -> None:
        """An agent writes an index."""
        written = None if documents is None else index_of(path, list(documents))
        self._apply(a.SetIndex(path, written))

    async def hold(self, op: str) -> None:
        """Hold the storage of an operation."""
        self._apply(a.HoldStorage(op))

    async def free(self, op: str) -> None:
        """Let held storage go on."""
        self._apply(a.FreeStorage(op))

    async def fail(self, step: str) -> None:
        """The next storage step of that kind fails."""
        self._apply(a.FailStorage(step))

    async def damage(self, path: str, change: Change) -> None:
        """Damage a committed directory."""
        self._fault("damage", path=path, change=change)

    async def damage_lineage(self, capture_key: str) -> None:
        """Damage a lineage file of the live ledger."""
        self._fault("damage", lineage=capture_key)

    async def copy(self, source: str, target: str, server: str | None) -> None:
        """Copy a directory."""
        claimed = {} if server is None else {"server": server}
        self._fault("copy", **{"from": source, "to": target, **claimed})

    async def remove(self, path: str) -> None:
        """Take a directory away."""
        self._fault("remove", to=path)

    async def look(self, path: str) -> JsonObject:
        """What lies in a directory."""
        return look_of(path, self.state.disk.get(path))

    def _fault(self, name: str, **detail: Any) -> None:
        action = reading.fault_action(Fault(0, name, None, detail), self.state)
        if action is not None:
            self._apply(action)

    def _apply(self, action: Any) -> tuple[Any, ...]:
        """Take an action, and give out what becomes visible."""
        before = self.state
        step = self.core.step(before, action)
        self.state = step.state
        for output in step.outputs:
            if isinstance(output, a.Answered):
                self._answer(output)
            elif isinstance(output, a.Cancelled):
                self._cancelled(output.ticket)
        if self._pump is None and self.core.own(self.state):
            self._pump = asyncio.get_running_loop().create_task(self._run())
        return step.outputs

    def _answer(self, output: a.Answered) -> None:
        caller, asked = self._callers.pop(output.call, None), self._asked.pop(output.call)
        checkpoint = asked.request.checkpoint_id
        known = showing.known_of(output.reply, checkpoint)
        if caller is not None and not caller.done():
            caller.set_result(Answer(*rendered(asked.op, output.reply, known)))

    async def _run(self) -> None:
        """Do what the core may do by itself, a step in a turn, until there is nothing more."""
        await asyncio.sleep(0)
        while steps := self.core.own(self.state):
            self._apply(self._random.choice(steps).action)
            await asyncio.sleep(0)
        self._pump = None


def make() -> CoreModel:
    """A policy model that conforms."""
    return CoreModel()
