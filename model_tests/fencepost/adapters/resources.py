"""The core of the reference as a resources server under test, with nothing in between."""

import asyncio
from collections.abc import Awaitable
from contextlib import suppress
from pathlib import Path
from typing import Any

from fencepost.resources import reading
from fencepost.resources.participant import Answer, Handler, ResourcesParticipant, Settings
from fencepost.resources.showing import look_of
from fencepost.trace import lines
from fencepost.trace.lines import JsonObject
from fencepost_reference.receipts import actions as shared
from fencepost_reference.receipts.resources import actions as a
from fencepost_reference.receipts.resources import state as core_state
from fencepost_reference.receipts.resources.control import view_of
from fencepost_reference.receipts.resources.rendering import Known, rendered, status_body
from fencepost_reference.receipts.resources.server import ResourcesCore
from fencepost_reference.receipts.state import Reply
from fencepost_spec.vocabulary import digest_of, microseconds

_FAULTS = ({"loc": ["body"], "type": "invalid"},)


class CoreResources(ResourcesParticipant):
    """One core, and the futures of those who wait for its answers."""

    modes = (
        ("export_restore", "serialized_per_session"),
        ("export_restore", "transactional_parallel"),
        ("restart_only", "serialized_per_session"),
        ("stateless", "stateless"),
    )

    def __init__(self, core: ResourcesCore | None = None) -> None:
        self.core = core or ResourcesCore()
        self.state: core_state.State | None = None
        self._waiting: dict[str, asyncio.Future[Reply]] = {}
        self._requests: dict[str, JsonObject] = {}
        self._bodies: dict[str, Any] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._names = self._process = 0
        self._pumping = False
        self._handler: Handler | None = None

    @property
    def now(self) -> core_state.State:
        """The state of the process that runs."""
        assert self.state is not None  # Nothing is asked before the start.
        return self.state

    async def start(self, root: Path, settings: Settings, handler: Handler) -> None:
        """Start a process; the directories are kept in memory."""
        del root
        self._handler = handler
        started = core_state.Settings(
            settings.server_name,
            settings.mode,
            settings.contract,
            settings.restore_expected,
            settings.receipt_capacity,
            frozenset(settings.reads),
        )
        if self.state is None:
            self.state = self.core.initial(started)
        else:
            self.state = self.core.step(self.now, a.Replace(True, started)).state

    async def crash(self, disk_kept: bool) -> None:
        """End the process."""
        for task in tuple(self._tasks):
            task.cancel()
        self._waiting.clear()
        self._process += 1
        self.state = self.core.step(self.now, a.Replace(disk_kept)).state

    async def request(self, request: JsonObject) -> Answer:
        """A request of a client."""
        line = lines.Call(0, "request", self._name(), request)
        self._requests[line.id] = request
        action = reading.ask_action(line, self.now.settings, self.core.spec)
        return await self._asked(line.id, "request", action, Known(self._bodies))

    async def control(self, op: str, request: JsonObject, auth: str | None) -> Answer:
        """A control call."""
        line = lines.Call(0, op, self._name(), request, auth)
        action = reading.control_action(line)
        known = Known(self._bodies, action.request.checkpoint_id, _FAULTS)
        return await self._asked(line.id, op, action, known)

    async def _asked(self, name: str, op: str, action: Any, known: Known) -> Answer:
        waiting: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        self._waiting[name] = waiting
        self._do(action)
        try:
            reply = await waiting
        except asyncio.CancelledError:
            if self._waiting.pop(name, None) is not None and name in self.now.calls:
                self._do(shared.Gone(name))
            raise
        return Answer(*rendered(op, reply, known))

    async def report(self) -> JsonObject:
        """A status body."""
        return status_body(view_of(self.core.spec, self.now))

    async def settle(self) -> None:
        """Turn the loop until nothing is left to be taken."""
        for _ in range(200):
            await asyncio.sleep(0)
            if not self._pumping and not any(own.must for own in self.core.own(self.now)):
                break
        await super().settle()

    async def advance(self, seconds: float) -> None:
        """Let time pass."""
        self._do(shared.Tick(microseconds(seconds)))

    async def hold(self, op: str) -> None:
        """Hold the steps of an operation."""
        self._do(shared.Hold(op))

    async def release(self, op: str) -> None:
        """Let the steps of an operation go on."""
        self._do(shared.Release(op))

    async def fail(self, step: str) -> None:
        """Let the next step of that kind fail."""
        self._do(shared.FailStorage(step))

    async def evict(self, rollout_id: str, attempt: int) -> None:
        """Take the receipts of a session away."""
        detail = {"rollout_id": rollout_id, "attempt_index": attempt}
        self._do(reading.fault_action(lines.Fault(0, "evict", None, detail), self.now.disk))

    async def damage(self, directory: str, change: str, records: list[JsonObject]) -> None:
        """Spoil a directory."""
        detail = {"path": directory, "records": records}
        self._do(reading.fault_action(lines.Fault(0, change, None, detail), self.now.disk))

    async def look(self, directory: str) -> JsonObject:
        """What lies in a directory."""
        return look_of(directory, self.now.disk.get(directory))

    # The core at work.

    def _name(self) -> str:
        self._names += 1
        return f"n{self._names}"

    def _do(self, action: Any) -> None:
        """Take one action, and let the loop take what follows from it."""
        step = self.core.step(self.now, action)
        self.state = step.state
        for output in step.outputs:
            if isinstance(output, a.Began):
                self._begin(output)
            elif isinstance(output, shared.Answered):
                waiting = self._waiting.pop(output.call, None)
                if waiting is not None and not waiting.done():
                    waiting.set_result(output.reply)
        if not self._pumping:
            self._pumping = True
            asyncio.get_running_loop().call_soon(self._pump)

    def _pump(self) -> None:
        """Take the next step that the core owes."""
        self._pumping = False
        owed = next((own for own in self.core.own(self.now) if own.must), None)
        if owed is not None:
            self._do(owed.action)

    def _begin(self, began: a.Began) -> None:
        assert self._handler is not None  # Requests come after the start.
        key = began.key
        named = (None, None) if key is None else (key.rollout_id, key.attempt)
        answer = self._handler(self._requests[began.request], *named)
        handled = self._handle(began, answer, self._process)
        task = asyncio.get_running_loop().create_task(handled)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _handle(self, began: a.Began, awaited: Awaitable[Answer], process: int) -> None:
        """Await the handler of a request, and tell the core how it ended."""
        outcome = core_state.Outcome(0)
        with suppress(Exception):  # A handler that raises has broken off.
            answer = await awaited
            digest = digest_of(answer.body)
            self._bodies[digest] = answer.body
            outcome = core_state.Outcome(answer.status, digest)
        if self._process == process and began.request in self.now.requests:
            self._do(a.Handled(began.request, outcome))


def make() -> CoreResources:
    """The reference core, intact."""
    return CoreResources()
