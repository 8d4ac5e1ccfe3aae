"""A runtime agent on a stage: virtual time, a disk in memory, handlers that do as they are told.

For tests that follow one story through real tasks and storage steps. The oracle does not need it.
"""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from pathlib import Path
from typing import Any, TypeVar

import attrs

from fencepost_reference.runtime import AgentParticipant, Answer, Execution, VirtualLoop
from fencepost_reference.storage.disk import Disk
from fencepost_reference.storage.memory import MemoryDisk
from fencepost_spec.receipts.saved import AgentBoundaryRecord, boundary_record
from fencepost_spec.receipts.wire import ERRORS, WIRE_REPLIES
from fencepost_spec.vocabulary import Key

T = TypeVar("T")
ROOT = Path("/checkpoints")


def virtual(story: Coroutine[Any, Any, T]) -> T:
    """Play a story in virtual time."""
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.run(story)


Order = tuple[Callable[[Execution], Awaitable[Any]], "asyncio.Future[Any]"]


class Failed(Exception):
    """A handler was told to fail."""


@attrs.define(eq=False)
class Puppet:
    """The handler of one run: it does one thing at a time, when it is told to."""

    execution: Execution
    _orders: "asyncio.Queue[Order]" = attrs.Factory(asyncio.Queue["Order"])

    def start(self, order: Callable[[Execution], Awaitable[T]]) -> "asyncio.Future[T]":
        """Have something done; the future tells what came of it."""
        outcome: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._orders.put_nowait((order, outcome))
        return outcome

    def boundary(self, index: int, **more: Any) -> "asyncio.Future[None]":
        """Record a boundary."""
        record = record_of(self.execution, index, **more)
        return self.start(lambda execution: execution.boundary(record))

    def park(self) -> "asyncio.Future[None]":
        """Park after a refusal further down."""
        return self.start(lambda execution: execution.park())

    def finish(self, result: Any) -> None:
        """Return a result."""

        async def end(_execution: Execution) -> Any:
            raise StopAsyncIteration(result)

        self._orders.put_nowait((end, asyncio.get_running_loop().create_future()))

    async def live(self) -> Any:
        """Do what is ordered, until the order is to return."""
        while True:
            order, outcome = await self._orders.get()
            try:
                done = await order(self.execution)
            except StopAsyncIteration as end:
                return end.args[0]
            except asyncio.CancelledError:
                outcome.cancel()
                raise
            except Failed:
                raise
            except Exception as error:  # noqa: BLE001 - the test looks at whatever it is
                outcome.set_exception(error)
                # It may be looked at late, or not at all.
                outcome.exception()
            else:
                if not outcome.cancelled():
                    outcome.set_result(done)


def record_of(execution: Execution, index: int, **more: Any) -> AgentBoundaryRecord:
    """A record of the run that an execution stands for."""
    assert execution.key is not None  # A run without identity records nothing.
    return boundary_record(execution.key, index, created_at=0.0, **more)


Work = Callable[[Execution, Mapping[str, Any]], Awaitable[Any]]


class Stage:
    """One agent after the other on one disk, and the clients and controllers around it."""

    def __init__(self, disk: Disk | None = None, **settings: Any) -> None:
        self.disk = disk or MemoryDisk()
        self.settings: dict[str, Any] = {
            "instance_name": "agent-a",
            "checkpoint_root": ROOT,
        } | settings
        self.puppets: dict[Key | None, Puppet] = {}
        self.works: dict[Key | None, Work] = {}
        self.agent = self._agent()

    def _agent(self) -> AgentParticipant:
        return AgentParticipant(handler=self._work, disk=self.disk, **self.settings)

    async def _work(self, execution: Execution, body: Mapping[str, Any]) -> Any:
        if execution.key in self.works:
            return await self.works[execution.key](execution, body)
        self.puppets[execution.key] = puppet = Puppet(execution)
        return await puppet.live()

    def client(self, key: Key | None) -> "asyncio.Task[Answer]":
        """A client that calls `/run` and waits."""
        body: dict[str, Any] = {}
        if key is not None:
            body = {"_ng_rollout_id": key.rollout_id, "_ng_attempt_index": key.attempt}
        return asyncio.create_task(self.agent.run(body))

    async def begun(self, key: Key | None) -> "tuple[asyncio.Task[Answer], Puppet]":
        """A client whose run has started, and the handler of the run."""
        client = self.client(key)
        await self.settle()
        return client, self.puppets[key]

    async def parked(
        self, key: Key, checkpoint_id: str, index: int = 0
    ) -> "tuple[asyncio.Task[Answer], Puppet, asyncio.Future[None]]":
        """A run that a prepare has parked at a boundary, which is still held."""
        client, puppet = await self.begun(key)
        prepare = self.controller("prepare", checkpoint_id)
        await self.settle()
        held = puppet.boundary(index)
        assert (await prepare).status == 200
        return client, puppet, held

    def controller(self, op: str, checkpoint_id: str, **more: Any) -> "asyncio.Task[Answer]":
        """A controller that makes a call and waits."""
        return asyncio.create_task(self.call(op, checkpoint_id, **more))

    async def call(self, op: str, checkpoint_id: str, **more: Any) -> Answer:
        """A control call, whose answer has the shape that it must have."""
        request = {"checkpoint_id": checkpoint_id, "deadline_in": 5.0} | more
        if op == "status":
            del request["deadline_in"]
        return checked(op, await self.agent.control(op, request))

    async def retire(self, checkpoint_id: str, key: Key, **more: Any) -> Answer:
        """Retire a key."""
        name = {"rollout_id": key.rollout_id, "attempt_index": key.attempt}
        return await self.call("retire", checkpoint_id, **name, **more)

    async def acknowledge(self, receipt: Mapping[str, Any]) -> Answer:
        """Give a receipt back."""
        return checked("acknowledge", await self.agent.control("acknowledge", receipt))

    async def settle(self) -> None:
        """Let everything happen that happens by itself."""
        await self.agent.settle()

    async def replace(self) -> None:
        """The process dies, and another one starts on its disk."""
        await self.agent.aclose()
        self.puppets.clear()
        self.agent = self._agent()

    async def restored(self, directory: str, checkpoint_id: str = "again") -> Answer:
        """Restore a directory and resume; the answer of restore."""
        answer = await self.call("restore", checkpoint_id, checkpoint_dir=directory)
        assert (await self.call("resume", checkpoint_id)).status == 200
        return answer


def checked(op: str, answer: Answer) -> Answer:
    """The answer itself, once its body has been read by the model for it."""
    model = WIRE_REPLIES[op] if answer.status == 200 else ERRORS[answer.status]
    model.model_validate(answer.body)
    return answer


def code_of(answer: Answer) -> str:
    """The code of a refusal."""
    code: str = answer.body["error"]["code"]
    return code


def states_of(agent: AgentParticipant) -> dict[str, str]:
    """Where each run stands: its boundary state when it is parked, else its state."""
    return {
        entry["rollout_id"]: entry["parked_boundary_state"] or entry["state"]
        for entry in agent.status()["executions"]
    }
