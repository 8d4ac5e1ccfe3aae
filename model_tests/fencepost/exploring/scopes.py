"""The scopes that have a name, and how the world of each is made.

Whoever adds a participant adds its scopes here; the explorer knows nothing else of it.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

import attrs

from fencepost.exploring.agent.scopes import AGENT_SCOPES
from fencepost.exploring.agent.world import AgentWorld
from fencepost.exploring.small_world import SmallWorld
from fencepost.exploring.world.controllers import spec_named
from fencepost.exploring.world.scopes import WORLD_SCOPES
from fencepost.exploring.world.world import WorldOfControllers
from fencepost.faults import UsageFault
from fencepost_reference.receipts.agent import AgentCore

DEFAULT = "agent-tiny"


@attrs.frozen(eq=False)
class Named:
    """A scope by name: its size, the world around a core (None: the intended one), its mutants."""

    name: str
    says: str
    size: str
    world: Callable[[Any], SmallWorld]
    core_of: Callable[[str], Any]


def _of_agent() -> dict[str, Named]:
    return {
        scope.name: Named(
            scope.name,
            scope.says,
            scope.name.split("-")[1],
            partial(AgentWorld, scope),
            core_of,
        )
        for scope in AGENT_SCOPES
    }


def _of_world() -> dict[str, Named]:
    return {
        scope.name: Named(
            scope.name,
            scope.says,
            scope.name.split("-")[1],
            partial(WorldOfControllers, scope),
            spec_named,
        )
        for scope in WORLD_SCOPES
    }


def scope_named(name: str) -> Named:
    """The scope of that name, or a `UsageFault` that lists them."""
    found = SCOPES.get(name)
    if found is None:
        raise UsageFault(f"no scope is called {name}", f"there are: {', '.join(SCOPES)}")
    return found


def core_of(mutant: str) -> AgentCore:
    """The core of the mutant of that name, or a `UsageFault`."""
    from fencepost.mutants.mutant import Mutant
    from fencepost.mutants.part import PART

    if mutant not in PART.mutants:
        near = [name for name in PART.mutants if mutant.lower() in name.lower()]
        raise UsageFault(
            f"no mutant is called {mutant!r}",
            f"there are: {'; '.join(near)}" if near else "`fencepost mutants` lists them",
        )
    known = PART.mutants[mutant][1]
    if not isinstance(known, Mutant):
        raise UsageFault(f"{mutant!r} is a fault of a runtime, and a core cannot have it")
    return known.make()


SCOPES: dict[str, Named] = _of_agent() | _of_world()
