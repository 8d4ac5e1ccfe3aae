"""A whole adapter: the resources server is the library's, with the harness as its handlers.

The library decides (`ResourcesCore`); what is here keeps its state, brings requests and control
calls to it, starts handlers when it says so, and lets those wait who have no answer yet.
"""

import asyncio
from collections.abc import Awaitable
from contextlib import suppress
from pathlib import Path
from typing import Any

from fencepost.resources import reading
from fencepost.resources.participant import (
    OPERATIONS,
    Answer,
    Handler,
    ResourcesParticipant,
    Settings,
)
from fencepost.trace import lines
from fencepost.trace.lines import JsonObject
from fencepost_reference.receipts.actions import Answered, Gone, Tick
from fencepost_reference.receipts.resources import state as server
from fencepost_reference.receipts.resources.actions import Began, Handled, Replace
from fencepost_reference.receipts.resources.control import view_of
from fencepost_reference.receipts.resources.rendering import Known, rendered, status_body
from fencepost_reference.receipts.resources.server import ResourcesCore
from fencepost_reference.receipts.state import Reply
from fencepost_spec.vocabulary import digest_of, microseconds


class Mine(ResourcesParticipant):
    name, version = "mine", "fencepost-1"
    capabilities = frozenset({*OPERATIONS, "gone", "replace", "auth", "time"})

    def __init__(self) -> None:
        self.core = ResourcesCore()
        self.state: Any = None
        self.waiting: dict[str, asyncio.Future[Reply]] = {}
        self.requests: dict[str, JsonObject] = {}
        self.bodies: dict[str, Any] = {}
        self.tasks: set[asyncio.Task[None]] = set()
        self.calls = 0

    async def start(self, root: Path, settings: Settings, handler: Handler) -> None:
        del root  # The library's core keeps its directories in memory.
        self.handler = handler
        asked = server.Settings(
            settings.server_name,
            settings.mode,
            settings.contract,
            settings.restore_expected,
            settings.receipt_capacity,
            frozenset(settings.reads),
        )
        first = self.state is None
        replaced = Replace(True, asked)
        self.state = (
            self.core.initial(asked) if first else self.core.step(self.state, replaced).state
        )

    async def crash(self, disk_kept: bool) -> None:
        for task in tuple(self.tasks):
            task.cancel()
        self.waiting.clear()
        self.state = self.core.step(self.state, Replace(disk_kept)).state

    async def request(self, request: JsonObject) -> Answer:
        line = lines.Call(0, "request", self.next_call(), request)
        self.requests[line.id] = request
        action = reading.ask_action(line, self.state.settings, self.core.spec)
        return await self.asked(line, action, Known(self.bodies))

    async def control(self, op: str, request: JsonObject, auth: str | None) -> Answer:
        line = lines.Call(0, op, self.next_call(), request, auth)
        action = reading.control_action(line)
        return await self.asked(line, action, Known(self.bodies, action.request.checkpoint_id))

    async def report(self) -> JsonObject:
        return status_body(view_of(self.core.spec, self.state))

    async def advance(self, seconds: float) -> None:
        self.do(Tick(microseconds(seconds)))

    def next_call(self) -> str:
        self.calls += 1
        return f"call{self.calls}"

    async def asked(self, line: lines.Call, action: Any, known: Known) -> Answer:
        waiting = self.waiting[line.id] = asyncio.get_running_loop().create_future()
        self.do(action)
        try:
            return Answer(*rendered(line.op, await waiting, known))
        except asyncio.CancelledError:  # Whoever asked has gone away.
            if self.waiting.pop(line.id, None) is not None and line.id in self.state.calls:
                self.do(Gone(line.id))
            raise

    def do(self, action: Any) -> None:
        """Take an action, and all that the server does by itself after it."""
        left = [action]
        while left:
            step = self.core.step(self.state, left.pop())
            self.state = step.state
            for output in step.outputs:
                if isinstance(output, Began):
                    self.begin(output)
                elif isinstance(output, Answered) and output.call in self.waiting:
                    self.waiting.pop(output.call).set_result(output.reply)
            left += [own.action for own in self.core.own(self.state) if own.must][:1]

    def begin(self, began: Began) -> None:
        key = began.key
        attempt = (None, None) if key is None else (key.rollout_id, key.attempt)
        answer = self.handler(self.requests[began.request], *attempt)
        task = asyncio.get_running_loop().create_task(self.handle(began.request, answer))
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def handle(self, name: str, answer: Awaitable[Answer]) -> None:
        outcome = server.Outcome(0)
        with suppress(Exception):  # A handler that raises has broken off.
            given = await answer
            digest = digest_of(given.body)
            self.bodies[digest] = given.body
            outcome = server.Outcome(given.status, digest)
        if name in self.state.requests:
            self.do(Handled(name, outcome))


def make() -> Mine:
    return Mine()
