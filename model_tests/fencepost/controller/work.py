"""The work of the rollouts in a deployment: turns, boundaries, model calls, ends.

Each step is a line that the harness decides. Not decided here: which comes next.
"""

import attrs

from fencepost.controller.agent_part import AgentPart
from fencepost.controller.deployment import Ground
from fencepost.controller.parts import ModelPart
from fencepost.trace.lines import JsonObject, Work
from fencepost_spec.vocabulary import Key

WORK = ("finish", "boundary", "turn", "model_call", "model_answer")
OUTCOMES = ("completed", "failed")


class Working:
    """Plays the work that the participants of a deployment do."""

    def __init__(self, ground: Ground) -> None:
        self._ground = ground

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
        uses = {one: agent.next_boundary(key) for one in action.detail.get("uses", ())}
        match action.event:
            case "finish":
                return agent.finish(key, action.detail.get("outcome", "completed"))
            case "boundary":
                return agent.boundary(key, None, uses)
            case "model_answer":
                return await self._answered(agent, key, uses, *in_flight[0])
            case _:
                return await self._asked(agent, key, uses, answered=action.event == "turn")

    def in_flight(self, key: Key) -> list[tuple[ModelPart, str]]:
        """The calls of an attempt that a model has not answered."""
        return [
            (model, ticket)
            for model in self._ground.models
            for ticket, owner in model.tickets.items()
            if owner == key
        ]

    async def _asked(self, agent: AgentPart, key: Key, uses: JsonObject, *, answered: bool) -> bool:
        """The work of a key calls the policy model; refused there, it parks."""
        if not self._ground.models:
            return agent.boundary(key, None, uses)
        model = self._ground.models[0]
        ticket = await model.admit(key)
        if ticket is None:
            return agent.park(key)
        return not answered or await self._answered(agent, key, uses, model, ticket)

    async def _answered(
        self, agent: AgentPart, key: Key, uses: JsonObject, model: ModelPart, ticket: str
    ) -> bool:
        """The model answers, and the work reaches a boundary behind that."""
        call_id = f"m-{key.capture_key}-{agent.next_boundary(key)}"
        await model.answer(ticket, call_id)
        return agent.boundary(key, call_id, uses)
