"""Events of the work as moves: boundaries, parks, waits, refusals, and how a handler ends."""

import json
from typing import Any

import attrs

from fencepost.agent import reading
from fencepost.mutants.doings import Worked, work_action
from fencepost.mutants.moves import Begun, receipt_for
from fencepost.mutants.told import RESULTS
from fencepost.mutants.world import Handler, World
from fencepost_spec.vocabulary import Key


@attrs.frozen(eq=False)
class BoundaryMove:
    """A handler records a boundary.

    `kind` is next, same, other (the same index, another record), foreign (another key's), or
    foreign same (the same record under another key's name).
    """

    name: str
    key: Key
    kind: str = "next"
    index_max: int = 1
    model_call: str | None = None
    tags: frozenset[str] = frozenset({"boundary"})

    def ready(self, world: World) -> bool:
        """The handler is free, and the index stays within the scope."""
        handler = world.handler(self.key)
        if handler is None or handler.held or handler.wait:
            return False
        if self.kind in ("same", "foreign same"):
            return handler.variant != ""
        if self.kind == "other":
            return handler.index >= 0 and handler.variant != "other"
        return handler.index < self.index_max

    def begin(self, world: World) -> Begun:
        """Record it."""
        handler = world.handler(self.key)
        assert handler is not None  # It was ready.
        detail: dict[str, Any] = {"boundary_index": handler.index}
        if self.kind in ("next", "foreign"):
            detail["boundary_index"] += 1
        if self.model_call is not None:
            detail["model_call_id"] = self.model_call
        other = self.kind == "other" or (self.kind.endswith("same") and handler.variant == "other")
        if other:
            detail["agent_state"] = {"other": True}
        foreign = self.kind.startswith("foreign")
        if foreign:
            detail["record"] = {"rollout_id": "r9", "attempt_index": 0}
        worked = Worked("boundary", self.key, json.dumps(detail), world.fresh_token())
        after = handler
        if not foreign:
            index = int(detail["boundary_index"])
            kept = handler.variant if self.kind == "same" else self.kind
            after = attrs.evolve(handler, index=index, variant=kept, model_call=self.model_call)
        action = work_action(worked, None)
        return Begun(action, world, work=worked, handler=handler, after=after)


@attrs.frozen(eq=False)
class EventMove:
    """A handler parks after a refusal, begins or ends a wait, or hears a refusal in a wait."""

    name: str
    key: Key
    event: str
    tags: frozenset[str]

    def ready(self, world: World) -> bool:
        """The handler is free, and stands in the wait that ends, or in none."""
        handler = world.handler(self.key)
        if handler is None or handler.held:
            return False
        if self.event == "park":
            return True
        if self.event == "refusal":
            return handler.wait is not None and not handler.refused
        name, _, which = self.event.rpartition("_")
        return handler.wait == (None if which == "begin" else name.removesuffix("_wait"))

    def begin(self, world: World) -> Begun:
        """Do it."""
        handler = world.handler(self.key)
        assert handler is not None  # It was ready.
        after = handler
        if self.event == "refusal":
            after = attrs.evolve(handler, refused=True)
        elif self.event.endswith("_begin"):
            after = attrs.evolve(handler, wait=self.event.removesuffix("_wait_begin"))
        elif self.event.endswith("_end"):
            after = attrs.evolve(handler, wait=None, refused=False)
        worked = Worked(self.event, self.key, "{}", world.fresh_token())
        return Begun(work_action(worked, None), world, work=worked, handler=handler, after=after)


@attrs.frozen(eq=False)
class FinishMove:
    """A handler ends; a failure may be told by somebody else while an event waits."""

    name: str
    key: Key | None
    outcome: str
    result: str = ""
    tags: frozenset[str] = frozenset({"finish"})

    def ready(self, world: World) -> bool:
        """The handler runs; only a free one ends with a result."""
        handler = world.handler(self.key)
        return handler is not None and not (self.outcome == "completed" and handler.held)

    def begin(self, world: World) -> Begun:
        """End it."""
        handler = world.handler(self.key)
        assert handler is not None  # It was ready.
        detail: dict[str, Any] = {"outcome": self.outcome}
        if self.outcome == "completed":
            detail["result"] = RESULTS[self.result]
            world = self._finished(world, handler, detail["result"])
        worked = Worked("finish", self.key, json.dumps(detail), world.fresh_token())
        after = attrs.evolve(handler, ended=True) if handler.held else None
        call = handler.call if self.key is None else None
        return Begun(work_action(worked, call), world, work=worked, handler=handler, after=after)

    def _finished(self, world: World, handler: Handler, result: object) -> World:
        if self.key is None:
            return world
        digest, identity = reading.result_of(result)
        receipt = receipt_for(self.key, handler, digest, identity)
        others = tuple(one for one in world.done if one[0] != self.key)
        return attrs.evolve(world, done=(*others, (self.key, receipt)))
