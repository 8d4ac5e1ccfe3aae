"""The scopes that have a name, by what is explored in them, and how the world of each is made.

Whoever adds a part, a participant or a whole world of them, adds it to `PARTS`; neither the
explorer nor its command knows anything else of it.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any

import attrs

from fencepost.exploring.agent.scopes import AGENT_SCOPES
from fencepost.exploring.agent.world import AgentWorld
from fencepost.exploring.core_world import Scope
from fencepost.exploring.ledger.scopes import LEDGER_SCOPES
from fencepost.exploring.ledger.world import LedgerWorld
from fencepost.exploring.policy_model.scopes import MODEL_SCOPES
from fencepost.exploring.policy_model.world import ModelWorld
from fencepost.exploring.resources.scopes import RESOURCES_SCOPES
from fencepost.exploring.resources.world import ResourcesWorld
from fencepost.exploring.small_world import SmallWorld
from fencepost.exploring.world.scopes import WORLD_SCOPES
from fencepost.exploring.world.world import WorldOfControllers
from fencepost.faults import UsageFault
from fencepost.naming import unknown
from fencepost_reference.receipts.agent import AgentCore
from fencepost_reference.receipts.ledger.core import LedgerCore
from fencepost_reference.receipts.policy_model.core import ModelCore
from fencepost_reference.receipts.resources.server import ResourcesCore

DEFAULT = "agent-tiny"

SIZES = ("tiny", "small", "medium", "large")
"""The second word of a scope's name: seconds, some minutes, many, or longer than anybody waited.

A tiny one is walked with and without every reduction. The first three are walked to their end by
tests, and their sizes are pinned; of a large one only a part, and its answer is `inconclusive`.
"""

LARGE = SIZES[-1]

Makers = Mapping[str, Callable[[], Any] | None]
"""Makes a mutant's core; None where a fault is one of a runtime, and no core can have it."""


@attrs.frozen(eq=False)
class Part:
    """What is explored: its scopes, the world around a core (None: the intended one), mutants.

    `intended` makes the intended core, where one core is all that a mutant differs in.
    """

    name: str
    scopes: Iterable[Scope]
    world: Callable[[Any, Any], SmallWorld]
    mutants: Callable[[], Makers]
    intended: Callable[[], Any] | None = None

    def core_of(self, mutant: str) -> Any:
        """The core of the mutant of that name, or a `UsageFault`."""
        makers = self.mutants()
        if mutant not in makers:
            raise _no_mutant(self, mutant, makers)
        make = makers[mutant]
        if make is None:
            raise UsageFault(f"{mutant!r} is a fault of a runtime, and a core cannot have it")
        return make()


def _no_mutant(part: Part, mutant: str, known: Iterable[str]) -> UsageFault:
    """The fault of a mutant that a part does not have: whose it is, or the names like it."""
    from fencepost.kill_matrix.parts import owners, page_of

    whose = owners(mutant)
    if not whose:
        page = page_of("controller" if part.name == "world" else part.name)
        return unknown(f"mutant of the {part.name}", mutant, known, page)
    homes = [other.name for other in PARTS.values() if mutant in other.mutants()]
    hint = f"name a scope of the {' or the '.join(homes)}" if homes else "no scope has it"
    return UsageFault(
        f"{mutant!r} is a mutant of the {' and of the '.join(whose)}, not of the {part.name}",
        f"{hint}; see {' and '.join(map(page_of, whose))}",
    )


@attrs.frozen(eq=False)
class Named:
    """A scope by name: its size, its part, and the world around a core (None: the intended one)."""

    name: str
    says: str
    size: str
    part: Part
    world: Callable[[Any], SmallWorld]


def _mutants_of(part: str) -> Makers:
    """The mutants of a part of the kill matrix."""
    from fencepost.kill_matrix.parts import part_named

    return {name: _maker(known) for name, (_, known) in part_named(part).mutants.items()}


def _maker(mutant: Any) -> Callable[[], Any] | None:
    if hasattr(mutant, "core"):
        return partial(getattr, mutant, "core")
    make: Callable[[], Any] | None = getattr(mutant, "make", None)
    return make


def _controllers() -> Makers:
    from fencepost_spec.receipts.controller.policy import FAULTS
    from fencepost_spec.receipts.controller.spec import faulty

    return {fault.name: partial(faulty, fault.name) for fault in FAULTS}


PARTS: dict[str, Part] = {
    part.name: part
    for part in (
        Part("agent", AGENT_SCOPES, AgentWorld, partial(_mutants_of, "agent"), AgentCore),
        Part("ledger", LEDGER_SCOPES, LedgerWorld, partial(_mutants_of, "ledger"), LedgerCore),
        Part(
            "resources",
            RESOURCES_SCOPES,
            ResourcesWorld,
            partial(_mutants_of, "resources"),
            ResourcesCore,
        ),
        Part("model", MODEL_SCOPES, ModelWorld, partial(_mutants_of, "model"), ModelCore),
        Part("world", WORLD_SCOPES, WorldOfControllers, _controllers),
    )
}
"""Everything that is explored."""

SCOPES: dict[str, Named] = {
    scope.name: Named(
        scope.name, scope.says, scope.name.split("-")[1], part, partial(part.world, scope)
    )
    for part in PARTS.values()
    for scope in part.scopes
}


def scope_named(name: str) -> Named:
    """The scope of that name, or a `UsageFault` that lists them."""
    found = SCOPES.get(name)
    if found is None:
        names = (*SCOPES, *SIZES, *PARTS)
        raise unknown("scope", name, names, "`fencepost explore --list`")
    return found


def scopes_named(name: str) -> tuple[Named, ...]:
    """The scope of that name, or all of a size or of a part, or a `UsageFault`.

    A part is named without its large scopes, or a walk of it would come to no end.
    """
    if name not in SCOPES:
        several = tuple(
            one
            for one in SCOPES.values()
            if name == one.size or (name == one.part.name and one.size != LARGE)
        )
        if several:
            return several
    return (scope_named(name),)


def core_of(mutant: str, part: str = "agent") -> Any:
    """The core of the mutant of that name, or a `UsageFault`."""
    return PARTS[part].core_of(mutant)
