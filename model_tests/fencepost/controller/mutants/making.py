"""Makes mutants of a controller: from other decisions of its core, and from faulty deeds."""

from collections.abc import Callable
from functools import partial
from typing import Any

import attrs

from fencepost.controller.core_adapter import CoreController
from fencepost.controller.mutants.deeds import Around, Misusing
from fencepost.controller.mutants.mutant import Mutant
from fencepost_spec.receipts.controller.policy import DECISIONS, FAULTS, POLICY, Policy
from fencepost_spec.receipts.controller.spec import CONTROLLER


def decided(policy: Policy) -> Callable[[], CoreController]:
    """A controller that decides otherwise."""
    return partial(CoreController, attrs.evolve(CONTROLLER, policy=policy))


def says(policy: Policy) -> str:
    """The decisions that are otherwise than they should be."""
    wrong = [
        f"not so: {one.rule.says}"
        for one in DECISIONS
        if getattr(policy, one.switch) != getattr(POLICY, one.switch)
    ]
    return "; ".join(wrong)


def of_policies() -> tuple[Mutant, ...]:
    """Every faulty decision that the specification names."""
    return tuple(
        Mutant(one.name, says(one.policy), one.facts, decided(one.policy)) for one in FAULTS
    )


def deed(name: str, fault: type, *cites: str) -> Mutant:
    """A controller whose core is right, with one faulty class around it."""
    made: Callable[[], CoreController] = fault
    if issubclass(fault, Around):
        made = type(name, (Misusing,), {"around": fault})
    return Mutant(name, (fault.__doc__ or "").strip().split("\n", maxsplit=1)[0], cites, made)


def ordered(name: str, *cites: str, **orders: Any) -> Mutant:
    """A controller that goes to its participants in another order."""
    policy = attrs.evolve(POLICY, **orders)
    return Mutant(name, says(policy), cites, decided(policy))
