"""The mutants of a controller, and of who judges it, for the kill matrix."""

from typing import Any

from fencepost.controller.mutants import mechanical
from fencepost.controller.mutants.argued import EQUIVALENT, UNBROKEN
from fencepost.controller.mutants.examining import examine
from fencepost.controller.mutants.named import NAMED
from fencepost.kill_matrix.part import MECHANICAL, Part
from fencepost.kill_matrix.row import Row
from fencepost_spec.receipts.controller.referee import REFEREE, referee_rules


def _examine(group: str, mutant: Any) -> Row:
    if group == MECHANICAL:
        return mechanical.examine(mutant)
    return examine(group, mutant)


PART = Part(
    name="controller",
    title="Mutants of the controller",
    says="An action is what the harness decides; what a controller does by itself is not counted. "
    "A mechanical mutant is a referee that lacks a check: the rule named is the one by which the "
    "intact referee refuses a told case, and the mutant does not.",
    page="controller-mutants.md",
    groups={"named": NAMED, MECHANICAL: mechanical.generated()},
    examiner=lambda: _examine,
    rules=referee_rules,
    intact=REFEREE,
    spec_of=lambda mutant: mutant.spec,
    arguments={**EQUIVALENT, **mechanical.REMARKS},
    unbroken=UNBROKEN,
)
"""The controller."""
