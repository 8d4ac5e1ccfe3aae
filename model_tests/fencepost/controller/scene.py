"""Which participants stand in a deployment, and what is asked of the controller beside them.

A scene is what the settings of a trace's header say. Not decided here: what happens in it.
"""

from collections.abc import Iterator
from itertools import product
from typing import Any

import attrs

from fencepost.trace.lines import At, Header, JsonObject
from fencepost_reference.receipts.controller.said import AGENT, MODEL, RESOURCES

CONTROLLER = At("controller", "controller")
EXPORTS, RESTARTS, STATELESS = "export_restore", "restart_only", "stateless"
LEVELS = ("turn", "sibling", "prompt_group")


@attrs.frozen
class Standing:
    """One participant of a deployment: its kind, its name, and its checkpoint mode."""

    kind: str
    instance: str
    mode: str = EXPORTS

    @property
    def at(self) -> At:
        """The place, as a line names it."""
        return At(self.kind, self.instance)


@attrs.frozen
class Scene:
    """A deployment, and the settings of its controller."""

    participants: tuple[Standing, ...]
    target_level: str = "turn"
    keep_latest_k: int = 2

    @property
    def agents(self) -> tuple[str, ...]:
        """The names of the agents."""
        return tuple(one.instance for one in self.participants if one.kind == AGENT)

    @property
    def resources(self) -> tuple[Standing, ...]:
        """The resources servers."""
        return tuple(one for one in self.participants if one.kind == RESOURCES)

    @property
    def has_model(self) -> bool:
        """Whether a policy model stands there."""
        return any(one.kind == MODEL for one in self.participants)

    def settings(self) -> JsonObject:
        """What the header of a trace says of it."""
        return {
            "participants": [attrs.asdict(one) for one in self.participants],
            "target_level": self.target_level,
            "keep_latest_k": self.keep_latest_k,
        }


def scene_of(header: Header) -> Scene:
    """The scene that a header describes; KeyError or TypeError when it describes none."""
    given: dict[str, Any] = header.settings
    standing = tuple(Standing(**one) for one in given["participants"])
    return Scene(standing, given["target_level"], given["keep_latest_k"])


SMALLEST = Scene((Standing(AGENT, "a"),))


def scenes(capabilities: frozenset[str]) -> Iterator[Scene]:
    """The scenes that a controller with these capabilities can stand in, each once."""
    agents = [1, 2] if "several_agents" in capabilities else [1]
    models = [False, True] if "model" in capabilities else [False]
    modes: list[str | None] = [None]
    if "resources" in capabilities:
        modes += [EXPORTS, RESTARTS, STATELESS]
    for count, model, mode, level in product(agents, models, modes, LEVELS):
        standing = [Standing(AGENT, name) for name in "ab"[:count]]
        standing += [Standing(MODEL, "policy")] if model else []
        standing += [Standing(RESOURCES, "tools", mode)] if mode is not None else []
        yield Scene(tuple(standing), level)
