"""The bundled participant: the asyncio runtime of the reference, on real files, in virtual time."""

import asyncio
import errno
import logging
from collections import Counter
from collections.abc import Awaitable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from fencepost.participant import (
    CAPABILITIES,
    Answer,
    Disconnected,
    Execution,
    Handler,
    Participant,
    Refused,
    Wait,
)
from fencepost.trace.lines import Json, JsonObject
from fencepost_reference.receipts.agent import AgentCore
from fencepost_reference.runtime import errors, execution, participant
from fencepost_reference.storage import RealDisk
from fencepost_reference.storage.layout import MANIFEST_NAME
from fencepost_spec.receipts.saved import PendingModel, boundary_record
from fencepost_spec.vocabulary import Key

T = TypeVar("T")

# What goes wrong on purpose is no news for whoever reads the verdict.
logging.getLogger("fencepost_reference").addHandler(logging.NullHandler())

_TOKENS: Mapping[str | None, str | None] = {None: "the token", "none": None, "wrong": "another"}
_NOBODY = Key("unidentified", 0)


class FaultyDisk(RealDisk):
    """The file system of this machine, with steps that fail when they are told to, once each."""

    def __init__(self) -> None:
        self.failing: Counter[str] = Counter()
        self._published = False

    def read(self, path: Path) -> bytes:
        """The bytes of a file."""
        self._fail("read")
        return super().read(path)

    def write(self, final: Path, data: bytes) -> Path:
        """Write a temporary file."""
        self._fail("manifest" if final.name == MANIFEST_NAME else "records")
        return super().write(final, data)

    def publish(self, temporary: Path, final: Path) -> None:
        """Give a file its final name."""
        super().publish(temporary, final)
        self._published = True

    def sync_directory(self, path: Path) -> None:
        """Make the names in a directory durable."""
        published, self._published = self._published, False
        if published:
            self._fail("after_manifest")
        super().sync_directory(path)

    def _fail(self, step: str) -> None:
        if self.failing[step]:
            self.failing[step] -= 1
            raise OSError(errno.EIO, f"the harness lets {step} fail")


class RuntimeExecution(Execution):
    """What a handler of the runtime gets."""

    def __init__(self, own: execution.Execution) -> None:
        self._own = own

    @property
    def rollout_id(self) -> str | None:
        """The rollout, or None."""
        return self._own.rollout_id

    @property
    def attempt(self) -> int | None:
        """The attempt, or None."""
        return self._own.attempt

    @property
    def generation(self) -> int:
        """The generation of the execution."""
        return self._own.generation

    @property
    def continuation(self) -> JsonObject | None:
        """The restored record, or None."""
        return self._own.continuation

    async def boundary(self, record: JsonObject) -> None:
        """Record a boundary."""
        key = _NOBODY
        if record.get("rollout_id") is not None:
            key = Key(record["rollout_id"], record["attempt_index"])
        pending = record.get("pending_model")
        made = boundary_record(
            key,
            record["boundary_index"],
            created_at=0.0,
            turn_index=record.get("turn_index"),
            model_call_id=record.get("model_call_id"),
            output_items=record.get("output_items") or (),
            revisions=record.get("resource_state_revisions"),
            pending_model=None if pending is None else PendingModel.model_validate(pending),
        )
        await _told(self._own.boundary(made))

    async def park(self) -> None:
        """Park after a refusal."""
        await _told(self._own.park())

    async def refusal(self, code: str) -> None:
        """The call of the open wait was refused."""
        self._own.refused(code)

    async def begin_wait(self, wait: Wait) -> None:
        """Enter a wait."""
        own = self._own
        await _told(own.begin_model_wait() if wait == "model" else own.begin_external_wait())

    async def end_wait(self, wait: Wait) -> None:
        """Leave a wait."""
        own = self._own
        await _told(own.end_model_wait() if wait == "model" else own.end_external_wait())


async def _told(awaited: Awaitable[T]) -> T:
    try:
        return await awaited
    except errors.Refused as refused:
        raise Refused(refused.code) from None


class RuntimeAgent(Participant):
    """The runtime as a participant under test."""

    name = "fencepost-runtime"
    capabilities = CAPABILITIES - {"fail_prepare"}

    def __init__(self, core: AgentCore | None = None, *, park_in_place: bool = False) -> None:
        self._core = core
        self._park_in_place = park_in_place
        self._disk = FaultyDisk()
        self._agent: participant.AgentParticipant | None = None

    @property
    def agent(self) -> participant.AgentParticipant:
        """The process that runs."""
        assert self._agent is not None  # The harness starts it before anything else.
        return self._agent

    async def start(self, root: Path, instance: str | None, handler: Handler) -> None:
        """Start a process."""

        async def work(own: execution.Execution, body: Mapping[str, Any]) -> Json:
            return await handler(RuntimeExecution(own), dict(body))

        self._disk = FaultyDisk()
        self._agent = participant.AgentParticipant(
            handler=work,
            instance_name=instance,
            token=_TOKENS[None],
            core=self._core,
            disk=self._disk,
            checkpoint_root=root,
            clock=asyncio.get_running_loop().time,
            park_in_place=self._park_in_place,
        )

    async def crash(self) -> None:
        """End the process at once."""
        if self._agent is not None:
            self._agent.crash()

    async def run(self, body: JsonObject) -> Answer:
        """A client's run."""
        return await _answered(self.agent.run(body))

    async def control(self, op: str, request: JsonObject, auth: str | None) -> Answer:
        """A control call."""
        if "deadline_in" not in request:
            # No trace has the deadline of the wire, which the runtime would read as well.
            request = {name: value for name, value in request.items() if name != "deadline_ts"}
        return await _answered(self.agent.control(op, request, token=_TOKENS[auth]))

    async def report(self) -> JsonObject:
        """The body of a status."""
        return self.agent.status()

    async def settle(self) -> None:
        """Return when nothing can happen by itself."""
        await self.agent.settle()

    async def hold(self, op: str) -> None:
        """Hold the storage of an operation."""
        self.agent.hold(op)

    async def release(self, op: str) -> None:
        """Let it go on."""
        self.agent.release(op)

    async def fail(self, step: str) -> None:
        """Let the next storage step of that kind fail."""
        self._disk.failing[step] += 1


async def _answered(awaited: Awaitable[participant.Answer]) -> Answer:
    try:
        answer = await awaited
    except errors.Lost:
        raise Disconnected from None
    return Answer(answer.status, answer.body)


def make() -> Participant:
    """The bundled participant, as `fencepost check agent` runs it."""
    return RuntimeAgent()
