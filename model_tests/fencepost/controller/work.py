"""The work of the rollouts in a deployment: turns, boundaries, model calls, ends.

Each step is a line that the harness decides. Not decided here: which comes next.
"""

import attrs

from fencepost.controller.agent_part import AgentPart
from fencepost.controller.deployment import Ground
from fencepost.controller.parts import ModelPart
from fencepost.controller.tools import Tools
from fencepost.trace.lines import Work
from fencepost_spec.vocabulary import Key

WORK = ("finish", "boundary", "turn", "model_call", "model_answer")
OUTCOMES = ("completed", "failed")


class Working:
    """Plays the work that the participants of a deployment do."""

    def __init__(self, ground: Ground) -> None:
        self._ground = ground
        self._tools = Tools(ground.parts, ground.record)

    async def perform(self, action: Work) -> bool:
        """Let one step of the work happen; False when it cannot, and then nothing has."""
        agent = self._ground.part(action.at)
        if not isinstance(agent, AgentPart) or action.rollout_id is None:
            return False
        key = Key(action.rollout_id, action.attempt or 0)
        in_flight = self.in_flight(key)
        answers = action.event == "model_answer"
        if agent.worker(key) is None or action.event not in WORK or bool(in_flight) != answers:
            return False
        if action.event == "model_call" and not self._ground.models:
            return False
        self._ground.record.emit(attrs.evolve(action, outcome="ok"))
        uses = tuple(action.detail.get("uses", ()))
        match action.event:
            case "finish":
                return await self._ended(agent, key, action.detail.get("outcome", "completed"))
            case "boundary":
                return await self._stands(agent, key, None, uses)
            case "model_answer":
                return await self._answered(agent, key, uses, *in_flight[0])
            case _:
                return await self._asked(agent, key, uses, answered=action.event == "turn")

    async def _ended(self, agent: AgentPart, key: Key, outcome: str) -> bool:
        """The work of a key ends; what completes is verified first."""
        if outcome == "completed" and not await self._tools.verified(agent, key):
            return True
        return agent.finish(key, outcome)

    async def _stands(
        self, agent: AgentPart, key: Key, call_id: str | None, uses: tuple[str, ...]
    ) -> bool:
        """The work of a key calls tools, and reaches a boundary that names where they stand."""
        if not await self._tools.used(agent, key, uses):
            return True
        return agent.boundary(key, call_id, dict(agent.revisions.get(key, {})))

    def in_flight(self, key: Key) -> list[tuple[ModelPart, str]]:
        """The calls of an attempt that a model has not answered."""
        return [
            (model, ticket)
            for model in self._ground.models
            for ticket, owner in model.tickets.items()
            if owner == key
        ]

    async def _asked(
        self, agent: AgentPart, key: Key, uses: tuple[str, ...], *, answered: bool
    ) -> bool:
        """The work of a key calls the policy model; refused there, it parks."""
        if not self._ground.models:
            return await self._stands(agent, key, None, uses)
        model = self._ground.models[0]
        ticket = await model.admit(key)
        if ticket is None:
            return agent.park(key)
        return not answered or await self._answered(agent, key, uses, model, ticket)

    async def _answered(
        self, agent: AgentPart, key: Key, uses: tuple[str, ...], model: ModelPart, ticket: str
    ) -> bool:
        """The model answers, and the work goes on to a boundary behind that."""
        call_id = f"m-{key.capture_key}-{agent.next_boundary(key)}"
        await model.answer(ticket, call_id)
        return await self._stands(agent, key, call_id, uses)
