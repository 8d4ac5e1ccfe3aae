"""The mutants of a resources server, for the kill matrix."""

from fencepost.kill_matrix.part import MECHANICAL, Part
from fencepost.resources.mutants.argued import SURVIVORS, UNBROKEN
from fencepost.resources.mutants.examining import examine
from fencepost.resources.mutants.mechanical import generated
from fencepost.resources.mutants.mutant import Mutant
from fencepost.resources.mutants.named import NAMED
from fencepost_spec.receipts.resources.server import RESOURCES, resources_rules

PART = Part(
    name="resources",
    title="Mutants of the resources server",
    says="The shortest sequence is what the world does; what a server does by itself is not told.",
    page="resources-mutants.md",
    groups={"named": NAMED, MECHANICAL: generated()},
    examiner=lambda: examine,
    rules=resources_rules,
    intact=RESOURCES,
    spec_of=lambda mutant: mutant.make().spec,
    arguments=SURVIVORS,
    unbroken=UNBROKEN,
)
"""The resources server."""

MUTANTS: dict[str, Mutant] = {one.name: one for one in (*NAMED, *generated())}
"""Every mutant, by its name."""
