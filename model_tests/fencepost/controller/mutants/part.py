"""The mutants of a controller, and of who judges it, for the kill matrix."""

from typing import Any

import attrs

from fencepost.controller.mutants import charts, mechanical
from fencepost.controller.mutants.argued import EQUIVALENT, UNBROKEN
from fencepost.controller.mutants.charts import Loose
from fencepost.controller.mutants.examining import examine
from fencepost.controller.mutants.named import NAMED
from fencepost.kill_matrix.part import MECHANICAL, Part
from fencepost.kill_matrix.row import Row
from fencepost_spec.receipts.controller.referee import REFEREE, RefereeSpec, referee_rules
from fencepost_spec.receipts.controller.spec import CONTROLLER, ControllerSpec


@attrs.frozen(eq=False)
class Both:
    """What a controller is, and what it is asked."""

    controller: ControllerSpec = CONTROLLER
    referee: RefereeSpec = REFEREE


INTACT = Both()


def _spec_of(mutant: Any) -> Both:
    if isinstance(mutant, Loose):
        return Both(controller=mutant.spec)
    return Both(referee=mutant.spec)


def _examine(group: str, mutant: Any) -> Row:
    if isinstance(mutant, Loose):
        return charts.examine(mutant)
    if group == MECHANICAL:
        return mechanical.examine(mutant)
    return examine(group, mutant)


PART = Part(
    name="controller",
    title="Mutants of the controller",
    says="An action is what the harness decides; what a controller does by itself is not counted. "
    "Of the mechanical mutants the first lack a row or a guard of a chart of the controller, and "
    "are refused in a case, or break a promise of a small world or a play. The others are "
    "referees that lack a check: the rule named is the one by which the intact referee refuses a "
    "told case, and the mutant does not.",
    page="controller-mutants.md",
    groups={
        "named": NAMED,
        MECHANICAL: (*charts.generated(), *mechanical.generated()),
    },
    examiner=lambda: _examine,
    rules=referee_rules,
    intact=INTACT,
    spec_of=_spec_of,
    arguments={**EQUIVALENT, **mechanical.REMARKS, **charts.ARGUED},
    unbroken=UNBROKEN,
)
"""The controller."""
