"""A small controller to copy: it runs prompt groups sibling by sibling, and takes no snapshots.

What matters is in `_Sibling.run`: no attempt is followed by another before the agent has let go of
it, and no result is forgotten that the agent still keeps.
"""

import asyncio
from typing import Any

from fencepost.controller.participant import Client, Controller, Deployment, Group, Lost, Row
from fencepost.trace.lines import JsonObject
from fencepost_spec.vocabulary import digest_of

AGAIN_SECONDS = 0.1


class SiblingController(Controller):
    """Runs every sibling until it has a result, and trains the group."""

    name = "example-controller"
    capabilities = frozenset({"sibling", "several_agents"})

    async def start(self, deployment: Deployment, snapshot: JsonObject | None) -> None:
        """Begin with nothing: it never writes a snapshot."""
        assert snapshot is None
        self.deployment = deployment
        self.tasks: set[asyncio.Task[None]] = set()
        self.groups: dict[str, list[Sibling]] = {}
        self.outbox: dict[tuple[str, int], JsonObject] = {}
        self.over = False

    async def crash(self) -> None:
        """Every task ends where it stands."""
        for task in self.tasks:
            task.cancel()

    async def submit(self, group: Group) -> None:
        """Run a group in a task of its own, unless this process is over."""
        if self.over:
            return
        (agent,) = (
            c for c in self.deployment.clients if (c.kind, c.instance) == ("agent", group.agent)
        )
        siblings = [Sibling(self, agent, f"{group.group_id}_g{i}") for i in range(group.siblings)]
        self.groups[group.group_id] = siblings
        task = asyncio.create_task(self._run(group.group_id, siblings))
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def _run(self, group_id: str, siblings: list["Sibling"]) -> None:
        await asyncio.gather(*(sibling.run() for sibling in siblings))
        rows = tuple(Row(one.rollout, one.attempt, one.digest or "") for one in siblings)
        if await self.deployment.train(group_id, rows) == "unknown":
            await self._stop()  # Nobody knows what was trained on: only a new process goes on.
        del self.groups[group_id]

    async def _stop(self) -> None:
        self.over = True
        for task in self.tasks - {asyncio.current_task()}:
            task.cancel()

    async def report(self) -> JsonObject:
        """How it stands."""
        groups = [
            {"group_id": name, "attempts": [one.named for one in siblings]}
            for name, siblings in self.groups.items()
        ]
        every = [one for siblings in self.groups.values() for one in siblings]
        running = [one.named for one in every if one.status == "dispatched"]
        return {
            "gate": "open",
            "active_checkpoint_id": None,
            "outbox": list(self.outbox.values()),
            "groups": groups,
            "running": running,
        }


class Sibling:
    """One sibling: its current attempt, and what became of it."""

    def __init__(self, controller: SiblingController, agent: Client, rollout: str) -> None:
        self.controller, self.agent, self.rollout = controller, agent, rollout
        self.attempt, self.status = 0, "reserved"
        self.digest: str | None = None

    @property
    def named(self) -> JsonObject:
        """The current attempt, as bodies name it."""
        return {"rollout_id": self.rollout, "attempt_index": self.attempt}

    async def run(self) -> None:
        """Run attempts until one of them has given a result that the agent has let go of."""
        while self.digest is None:
            self.status = "dispatched"
            body = {"_ng_rollout_id": self.rollout, "_ng_attempt_index": self.attempt}
            try:
                answer = await self.agent.call("run", body)
            except Lost:
                self.status = "lost"
                if await self._is_over():
                    self.attempt += 1
                continue  # Else it has finished: the same key again gives the stored result.
            self.status = "answered"
            if answer.status != 200:
                self.attempt += 1  # A run that has failed is refused by its agent from now on.
            elif not await self._sealed(answer.body):
                self.attempt += await self._is_over()

    async def _is_over(self) -> bool:
        """Whether the agent has given the attempt up; without an answer, ask again."""
        body = {
            "checkpoint_id": f"retire-{self.rollout}-{self.attempt}",
            "deadline_in": 5.0,
            **self.named,
        }
        answer = await self._until_answered("retire", body)
        return not answer.body.get("completed_unacknowledged", False)

    async def _sealed(self, result: Any) -> bool:
        """Fetch the receipt, keep the result, and give the receipt back until that is confirmed."""
        answer = await self._until_answered("completion-receipt", self.named)
        if answer.status != 200:
            return False
        self.digest, self.status = digest_of(result), "sealed"
        outbox, key = self.controller.outbox, (self.rollout, self.attempt)
        outbox[key] = answer.body
        await self._until_answered("acknowledge-completed", {"executions": [answer.body]})
        del outbox[key]
        return True

    async def _until_answered(self, op: str, body: JsonObject) -> Any:
        while True:
            try:
                return await self.agent.call(op, body)
            except Lost:
                await self.controller.deployment.sleep(AGAIN_SECONDS)


def make() -> SiblingController:
    """A new controller."""
    return SiblingController()
