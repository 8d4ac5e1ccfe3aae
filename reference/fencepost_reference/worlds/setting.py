"""Who is there: participants by their places, and the cores that play them and the controller."""

from functools import cached_property
from typing import Any, Protocol

import attrs

from fencepost_reference.model import Own, Step
from fencepost_reference.receipts.agent import AgentCore
from fencepost_reference.receipts.controller.said import AGENT, MODEL, RESOURCES, Place
from fencepost_reference.receipts.policy_model.core import ModelCore
from fencepost_reference.receipts.resources.server import ResourcesCore


class Controller(Protocol):
    """Whoever decides what participants are called for: a core, intended or faulty."""

    def initial(self) -> Any:
        """A process that has just started."""
        ...

    def step(self, state: Any, action: Any) -> Step:
        """Apply one action; one that is not enabled raises NotEnabled."""
        ...

    def own(self, state: Any) -> tuple[Own, ...]:
        """What the controller may do by itself now."""
        ...


@attrs.frozen(eq=False)
class Cores:
    """What plays each part."""

    controller: Controller
    agent: AgentCore = attrs.field(factory=AgentCore)
    model: ModelCore = attrs.field(factory=ModelCore)
    resources: ResourcesCore = attrs.field(factory=ResourcesCore)

    def of(self, kind: str) -> Any:
        """The core of a kind of participant."""
        return {AGENT: self.agent, MODEL: self.model, RESOURCES: self.resources}[kind]


@attrs.frozen(eq=False, slots=False)
class Setting:
    """The participants of a world, and how many published snapshots the disk keeps.

    `boundaries` is how many an attempt records that is not asked to park. With `model_calls` or
    `changes` a rollout makes that many calls of the policy model, or changes that many times what
    the resources server keeps, before it can finish.
    """

    agents: tuple[str, ...] = ("a1",)
    models: tuple[str, ...] = ()
    resources: tuple[str, ...] = ()
    keep: int = 1
    boundaries: int = 1
    model_calls: int = 0
    changes: int = 0

    @cached_property
    def places(self) -> tuple[Place, ...]:
        """Every participant, agents first."""
        return (
            *(Place(AGENT, name) for name in self.agents),
            *(Place(MODEL, name) for name in self.models),
            *(Place(RESOURCES, name) for name in self.resources),
        )

    @cached_property
    def number(self) -> dict[Place, int]:
        """Where a participant stands among the places."""
        return {place: number for number, place in enumerate(self.places)}

    def of_kind(self, kind: str) -> tuple[int, ...]:
        """The numbers of the places of one kind."""
        return tuple(number for number, place in enumerate(self.places) if place.kind == kind)
