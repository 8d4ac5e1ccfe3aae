"""A whole adapter: the agent is the library's, with the harness as its work."""

import asyncio
from collections.abc import Awaitable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from fencepost.participant import Answer, Disconnected, Handler, Participant, Refused, Wait
from fencepost.trace.lines import Json, JsonObject
from fencepost_reference import runtime
from fencepost_spec.receipts.saved import PendingModel, boundary_record
from fencepost_spec.vocabulary import Key

T = TypeVar("T")


async def told(event: Awaitable[T]) -> T:
    """Say in the harness's words that the agent refuses an event of the work."""
    try:
        return await event
    except runtime.Refused as refused:
        raise Refused(refused.code) from None


class Run:
    """What the harness gets of one run. A call returns when the work may go on."""

    def __init__(self, own: runtime.Execution) -> None:
        self.own = own
        self.rollout_id, self.attempt = own.rollout_id, own.attempt
        self.generation, self.continuation = own.generation, own.continuation

    async def boundary(self, record: JsonObject) -> None:
        pending = record.get("pending_model")
        made = boundary_record(
            Key(record["rollout_id"], record["attempt_index"]),
            record["boundary_index"],
            created_at=0.0,
            turn_index=record.get("turn_index"),
            model_call_id=record.get("model_call_id"),
            output_items=record.get("output_items") or (),
            revisions=record.get("resource_state_revisions"),
            pending_model=None if pending is None else PendingModel.model_validate(pending),
        )
        await told(self.own.boundary(made))

    async def park(self) -> None:
        await told(self.own.park())

    async def refusal(self, code: str) -> None:
        raise NotImplementedError  # Not among the capabilities, so it is never called.

    async def begin_wait(self, wait: Wait) -> None:
        raise NotImplementedError

    async def end_wait(self, wait: Wait) -> None:
        raise NotImplementedError


class Mine(Participant):
    """An agent that can be prepared, committed, restored and resumed, and whose work can park."""

    name = "mine"
    capabilities = frozenset(
        {"prepare", "status", "commit", "restore", "resume", "boundary", "park"}
        | {"replace", "time"}
    )

    async def start(self, root: Path, instance: str | None, handler: Handler) -> None:
        """Begin a process that knows nothing but what lies below root."""

        async def work(own: runtime.Execution, body: Mapping[str, Any]) -> Json:
            return await handler(Run(own), dict(body))

        self.agent = runtime.AgentParticipant(
            handler=work,
            instance_name=instance,
            checkpoint_root=root,
            clock=asyncio.get_running_loop().time,
        )

    async def crash(self) -> None:
        self.agent.crash()

    async def run(self, body: JsonObject) -> Answer:
        return await self.answer(self.agent.run(body))

    async def control(self, op: str, request: JsonObject, auth: str | None) -> Answer:
        assert auth is None  # Only with "auth" among the capabilities is a token ever wrong.
        return await self.answer(self.agent.control(op, request))

    async def report(self) -> JsonObject:
        return self.agent.status()

    async def settle(self) -> None:
        await self.agent.settle()

    async def answer(self, call: Awaitable[runtime.Answer]) -> Answer:
        try:
            came = await call
        except runtime.Lost:
            raise Disconnected from None
        return Answer(came.status, came.body)


def make() -> Participant:
    return Mine()
