"""The mutants of a controller, for the kill matrix."""

from fencepost.controller.mutants.argued import EQUIVALENT, UNBROKEN
from fencepost.controller.mutants.examining import examine
from fencepost.controller.mutants.named import NAMED
from fencepost.kill_matrix.part import Part
from fencepost_spec.receipts.controller.referee import referee_rules
from fencepost_spec.receipts.controller.spec import CONTROLLER

PART = Part(
    name="controller",
    title="Mutants of the controller",
    says="An action is what the harness decides; what a controller does by itself is not counted.",
    page="controller-mutants.md",
    groups={"named": NAMED},
    examiner=lambda: examine,
    rules=referee_rules,
    intact=CONTROLLER,
    spec_of=lambda _mutant: CONTROLLER,
    arguments=EQUIVALENT,
    unbroken=UNBROKEN,
)
"""The controller."""
