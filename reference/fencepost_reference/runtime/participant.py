"""An agent participant as a library: runs and control calls go in, handlers do the work.

    agent = AgentParticipant(handler=work, instance_name="agent-a", checkpoint_root=folder)
    answer = await agent.run({"_ng_rollout_id": "r1"})
    answer = await agent.control("prepare", {"checkpoint_id": "c1", "deadline_in": 5}, token=None)

All of it lives on one event loop. Everything it answers has been decided by the core.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from copy import deepcopy
from pathlib import Path
from typing import Any

import attrs

from fencepost_reference.receipts import actions as a
from fencepost_reference.receipts import rendering
from fencepost_reference.receipts.agent import AgentCore
from fencepost_reference.receipts.counting import view_of
from fencepost_reference.receipts.rendering import Known
from fencepost_reference.receipts.state import Reply, State
from fencepost_reference.runtime.asking import Asked, Reader, read_run
from fencepost_reference.runtime.engine import Engine
from fencepost_reference.runtime.execution import Execution
from fencepost_reference.runtime.handlers import Handlers
from fencepost_reference.runtime.records import Records
from fencepost_reference.runtime.storing import Storage
from fencepost_reference.storage import Disk, RealDisk
from fencepost_spec.vocabulary import Key, check_instance_name, microseconds, seconds_of

Handler = Callable[[Execution, Mapping[str, Any]], Awaitable[Any]]
"""The work of one run: it returns its result, or raises when it has failed."""

QUIET_TURNS = 16
"""So many turns of the event loop without an event are taken for rest."""


@attrs.frozen
class Answer:
    """The answer of a call: an HTTP status and a JSON body."""

    status: int
    body: Any


class AgentParticipant:
    """One process of an agent. After `crash` or `aclose` only a new one goes on."""

    def __init__(
        self,
        *,
        handler: Handler,
        instance_name: str | None = None,
        token: str | None = None,
        core: AgentCore | None = None,
        disk: Disk | None = None,
        checkpoint_root: str | Path | None = None,
        clock: Callable[[], float] = time.time,
        park_in_place: bool = False,
    ) -> None:
        """Make a participant that has seen nothing yet.

        Without a token every caller is let in. With a root, checkpoint directories are names below
        it, and without one they are absolute; any other is refused. `clock` is what absolute
        deadlines are about; everything else is in the loop's own time.
        """
        core = core or AgentCore()
        instance = check_instance_name(instance_name)
        self._handler = handler
        self._clock = clock
        self._reader = Reader(core.spec, token, checkpoint_root is not None)
        self._engine = Engine(core, instance, park_in_place=park_in_place)
        self._engine.surround(self)
        self._records = Records()
        self._handlers = Handlers(self._engine)
        disk = disk or RealDisk()
        self._storage = Storage(self._engine, self._records, disk, checkpoint_root, self.crash)
        self._calls = 0
        self._asked: dict[str, Asked] = {}
        self._bodies: dict[str, Mapping[str, Any]] = {}
        self._began: dict[Key, float] = {}
        self._recorded: dict[tuple[str | None, str], Any] = {}

    @property
    def state(self) -> State:
        """The state of the core, to be looked at."""
        return self._engine.state

    # What others call.

    async def run(self, body: Mapping[str, Any]) -> Answer:
        """A client's `/run`. Cancelling this call is the client going away.

        Raises Lost when the process ends before it is answered.
        """
        asked = read_run(self._new_call(), body)
        self._bodies[asked.action.id] = body
        try:
            return await self._ask(asked)
        except asyncio.CancelledError:
            self._engine.gone(asked.action.id)
            self._handlers.client_gone(asked.name, asked.action.id)
            raise
        finally:
            self._bodies.pop(asked.action.id, None)

    async def control(
        self, op: str, request: Mapping[str, Any], *, token: str | None = None
    ) -> Answer:
        """A control call. Cancelling it is its caller going away: the operation goes on.

        Raises Lost when the process ends before it is answered.
        """
        now = microseconds(self._clock())
        asked = self._reader.read(self._new_call(), op, request, token, now)
        try:
            return await self._ask(asked)
        except asyncio.CancelledError:
            self._engine.gone(asked.action.id)
            raise

    def status(self) -> dict[str, Any]:
        """The body of a status, whatever checkpoint is open."""
        view = view_of(self._engine.core.spec, self._engine.state)
        return rendering.status_body(view, self._ages())

    def fail(self, key: Key) -> None:
        """A run has failed, says somebody else than its handler; the handler is stopped."""
        token = self._engine.new_token()
        self._engine.apply(a.Work("finish", key, token, outcome="failed"))

    def hold(self, op: str) -> None:
        """Take no storage step of "commit" or "restore" from now on; for tests."""
        self._engine.apply(a.Hold(op))

    def release(self, op: str) -> None:
        """Let the storage steps of an operation go on."""
        self._engine.apply(a.Release(op))

    async def settle(self) -> None:
        """Return when nothing can happen by itself any more, unless time passes."""
        quiet = 0
        while quiet < QUIET_TURNS and self._engine.alive:
            turns = self._engine.turns
            await self._storage.wait()
            await asyncio.sleep(0)
            quiet = quiet + 1 if turns == self._engine.turns and not self._storage.busy else 0

    def crash(self) -> None:
        """End the process at once: memory is lost, nobody is answered, files stay as they are."""
        if self._engine.alive:
            self._engine.stop()
            self._storage.crash()
            for task in self._handlers.tasks():
                task.cancel()

    async def aclose(self) -> None:
        """End the process, and return when its handlers have had a chance to stop."""
        self.crash()
        for _ in range(QUIET_TURNS):
            await asyncio.sleep(0)

    # What the engine calls.

    def start(self, name: Key | str, call: str | None) -> None:
        """Start the handler of an admitted run, unless it has been; it asks to begin."""
        body = self._bodies.get(call or "", {})

        def work(began: a.Began) -> Awaitable[Any]:
            own = Execution(self._engine, self._handlers, self._records, began)
            return self._handler(own, body)

        if not isinstance(name, str):
            self._began.setdefault(name, asyncio.get_running_loop().time())
        self._handlers.start(name, call, work)

    def cancel(self, key: Key) -> None:
        """Cancel the handler of a key that is retired."""
        self._handlers.cancel(key, "retired")

    def ended(self, key: Key) -> None:
        """Forget what is kept of a key, and stop what is left of it."""
        self._began.pop(key, None)
        self._handlers.forget(key)

    def store(self) -> None:
        """Make sure that the running commit or restore goes on."""
        self._storage.go_on()

    def changed(self) -> None:
        """See whether something that waited for the core can go on."""
        self._handlers.changed()
        self._records.prune(self._engine.state)
        if self._engine.state.fence.active is None:
            self._recorded.clear()

    def answer(self, call: str, reply: Reply) -> Answer:
        """What the caller of a call is given."""
        asked = self._asked.pop(call)
        status, body = rendering.rendered(asked.op, reply, self._known(asked, reply))
        operation = self._engine.core.spec.operations.get(asked.op)
        if status == 200 and operation is not None and operation.recorded:
            # A recorded answer is given again to the letter, ages included.
            body = self._recorded.setdefault((asked.checkpoint_id, asked.op), body)
        return Answer(status, deepcopy(body))

    # Helpers.

    def _new_call(self) -> str:
        self._calls += 1
        return f"q{self._calls}"

    async def _ask(self, asked: Asked) -> Answer:
        self._asked[asked.action.id] = asked
        try:
            answer: Answer = await self._engine.call(asked.action)
        finally:
            self._asked.pop(asked.action.id, None)
        return answer

    def _ages(self) -> dict[Key, float]:
        now = asyncio.get_running_loop().time()
        return {key: max(0.0, now - began) for key, began in self._began.items()}

    def _known(self, asked: Asked, reply: Reply) -> Known:
        """What the answer of a call needs beyond what the core decided."""
        result, failure = None, rendering.STORAGE_FAILED
        if asked.op == "run":
            failure = self._handlers.failure(asked.action.id)
            if reply.status == 200:
                result = self._handlers.result(asked.name)
        return Known(
            checkpoint_id=asked.checkpoint_id,
            ages=self._ages(),
            result=result,
            stored=self._stored(asked.op),
            failure=failure,
            faults=asked.faults,
            name=self._engine.state.instance or "agent",
            deadline_ts=self._deadline(),
        )

    def _stored(self, op: str) -> dict[str, Any]:
        members = dict(self._storage.members)
        if op == "restore":
            members.pop("manifest_digest", None)
        return members

    def _deadline(self) -> float | None:
        left = self._engine.state.fence.deadline
        return None if left is None else self._clock() + seconds_of(left)
