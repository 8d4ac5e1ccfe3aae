"""What a handler of the core adapter gets: its key, and the events of its work."""

import asyncio
from typing import Protocol

import attrs

from fencepost.agent import reading
from fencepost.participant import Execution, Wait
from fencepost.trace.lines import Json, JsonObject, Work
from fencepost_reference.receipts import actions as a
from fencepost_spec.vocabulary import Key


class Told(Protocol):
    """Who is told of an event of the work."""

    async def event(self, key: Key, action: a.Work) -> None:
        """Return when the event is let go, or raise `Refused`."""
        ...


@attrs.define(eq=False)
class CoreExecution(Execution):
    """What a handler of the core gets."""

    agent: Told
    began: a.Began
    task: "asyncio.Task[Json] | None" = None
    told_to_stop: bool = False

    @property
    def key(self) -> Key | None:
        """The key, or None for a run without identity."""
        return self.began.key

    @property
    def call(self) -> str | None:
        """The call that it answers."""
        return self.began.call

    @property
    def name(self) -> Key | str:
        """What the adapter knows it by."""
        return self.key or self.call or ""

    @property
    def generation(self) -> int:
        """The generation of the execution."""
        return self.began.generation

    @property
    def continuation(self) -> JsonObject | None:
        """The restored record, as far as the core knows it, or None."""
        record = self.began.continuation
        if record is None:
            return None
        return {
            "attempt_index": record.attempt,
            "boundary_index": record.index,
            "resource_state_revisions": dict(record.revisions),
        }

    @property
    def rollout_id(self) -> str | None:
        """The rollout, or None."""
        return None if self.key is None else self.key.rollout_id

    @property
    def attempt(self) -> int | None:
        """The attempt, or None."""
        return None if self.key is None else self.key.attempt

    async def boundary(self, record: JsonObject) -> None:
        """Record a boundary."""
        own = {"rollout_id", "attempt_index"}
        detail = {name: value for name, value in record.items() if name not in own}
        detail["record"] = {name: record[name] for name in own}
        await self._event("boundary", detail)

    async def park(self) -> None:
        """Park after a refusal."""
        await self._event("park", {})

    async def refusal(self, code: str) -> None:
        """The call of the open wait was refused."""
        await self._event("refusal", {"code": code})

    async def begin_wait(self, wait: Wait) -> None:
        """Enter a wait."""
        await self._event(f"{wait}_wait_begin", {})

    async def end_wait(self, wait: Wait) -> None:
        """Leave a wait."""
        await self._event(f"{wait}_wait_end", {})

    async def _event(self, event: str, detail: JsonObject) -> None:
        if self.key is not None:
            line = Work(0, event, self.key.rollout_id, self.key.attempt, detail, "ok")
            await self.agent.event(self.key, reading.work_action(line))
