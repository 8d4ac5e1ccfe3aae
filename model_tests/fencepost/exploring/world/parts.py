"""A world as parts of a state: each field of each core on its own, so that few are hashed anew."""

from typing import Any

import attrs

from fencepost.exploring.small_world import Parts
from fencepost.exploring.world.scope import Left
from fencepost_reference.worlds.ghost import Ghost
from fencepost_reference.worlds.state import State


@attrs.frozen
class Standing:
    """What a state of a small world stands for."""

    world: State
    left: Left
    ghost: Ghost


class Layout:
    """Which places of a state belong to which value. All states of one world have one layout."""

    def __init__(self, first: Standing) -> None:
        self._participants = len(first.world.participants)
        self._kinds: list[tuple[type[Any], tuple[str, ...]]] = []
        self._slices: list[slice] = []
        self.fields: tuple[str, ...] = ()
        for label, value in self._values(first):
            kind = _kind(value)
            names = tuple(field.name for field in attrs.fields(kind))
            start = len(self.fields)
            self._kinds.append((kind, names))
            self.fields += tuple(f"{label}.{name}" for name in names)
            self._slices.append(slice(start, len(self.fields)))

    def _values(self, standing: Standing) -> list[tuple[str, Any]]:
        world = standing.world
        outside = _Outside(
            world.handlers,
            world.net,
            world.training,
            world.writing,
            world.disk,
            world.trained,
            world.captured,
        )
        parts = [(f"participant{i}", one) for i, one in enumerate(world.participants)]
        rest = [("world", outside), ("left", standing.left), ("ghost", standing.ghost)]
        return [("controller", world.controller), *parts, *rest]

    def parts(self, standing: Standing) -> Parts:
        """The state as its parts."""
        found: list[Any] = []
        for _, value in self._values(standing):
            found += value.__dict__.values()
        return tuple(found)

    def standing(self, parts: Parts) -> Standing:
        """The state that the parts were taken from."""
        made: list[Any] = []
        for (kind, names), where in zip(self._kinds, self._slices, strict=True):
            value = object.__new__(kind)
            value.__dict__.update(zip(names, parts[where], strict=True))
            made.append(value)
        controller, *participants, outside, left, ghost = made
        world = State(controller, tuple(participants), *outside.__dict__.values())
        return Standing(world, left, ghost)


def _kind(value: object) -> type[Any]:
    return type(value)


@attrs.frozen(slots=False)
class _Outside:
    """What belongs to no process, in the order of the fields of a world."""

    handlers: Any
    net: Any
    training: Any
    writing: Any
    disk: Any
    trained: Any
    captured: Any
