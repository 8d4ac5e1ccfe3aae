"""Controllers that are wrong about what resources servers keep for attempts."""

from collections.abc import Coroutine
from typing import Any

from fencepost.controller.core_adapter import CoreController
from fencepost.controller.leaving import Leaving
from fencepost.controller.mutants.deeds import Around, Reached
from fencepost.controller.mutants.making import deed
from fencepost.controller.participant import Answer, Client, Deployment
from fencepost.trace.lines import JsonObject, copied
from fencepost_reference.receipts.controller.said import RESOURCES
from fencepost_spec.receipts.ledger.sources import fact


class Ending(Reached):
    """A resources server whose sessions are ended before they are written."""

    async def _told(self, request: JsonObject) -> Answer:
        answer = await self.real.call("prepare", request)
        for one in answer.body.get("inventory", ()):
            key = {name: one[name] for name in ("rollout_id", "attempt_index")}
            await self.real.call("retire", request | key)
        return answer

    def call(self, op: str, request: JsonObject) -> Coroutine[Any, Any, Answer]:
        """Call, and end every session that a prepare has listed."""
        if op == "prepare" and self.kind == RESOURCES:
            return Leaving(lambda: self._told(copied(request)))
        return super().call(op, request)


class EndsSessions(Around):
    """It ends the sessions of everybody before a server writes them down."""

    @property
    def clients(self) -> tuple[Client, ...]:
        """The participants, reached in the faulty way."""
        return tuple(Ending(one, self) for one in self.real.clients)


class ForgetsServers(CoreController):
    """It goes on from a snapshot without the resources servers that have written it."""

    async def start(self, deployment: Deployment, snapshot: JsonObject | None) -> None:
        """Start as if no resources server had been saved."""
        body = None if snapshot is None else copied(snapshot)
        if body is not None:
            saved = body["participants"]
            body["participants"] = [one for one in saved if one["kind"] != RESOURCES]
        await super().start(deployment, body)


SESSIONS = (
    deed(
        "ends sessions that go on",
        EndsSessions,
        *fact("1.7"),
        "I25",
    ),
    deed(
        "leaves resources servers out of a restore",
        ForgetsServers,
        *fact("V14", "4.1"),
        "I25",
    ),
)
