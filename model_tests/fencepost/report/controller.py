"""The page of the controller: charts, decisions and their faults, target levels."""

from typing import cast

import attrs

from fencepost.report.charts import CONTROLLER_CHARTS, render_chart
from fencepost.report.markdown import code, render_page, render_table, upper_first
from fencepost_spec.receipts.controller.policy import DECISIONS, FAULTS, POLICY, Policy
from fencepost_spec.receipts.controller.target_level import LEVEL_RULES


def render_controller() -> str:
    """The page of what a controller of the receipts protocol is."""
    return render_page(
        "The controller",
        "What the reference builds: four charts, and a decision where no chart decides.\n"
        "What any controller may do, whatever it is built like, is asked of its calls and deeds; "
        "[what a controller may do](controller-calls.md) has the checks.",
        "## Charts",
        *(render_chart(chart).replace("## ", "### ", 1) for chart in CONTROLLER_CHARTS),
        "## Decisions",
        render_table(
            ("switch", "intended", "rule", "because", "facts"),
            (
                (
                    code(one.switch),
                    _shown(getattr(POLICY, one.switch)),
                    one.rule.id,
                    one.rule.says,
                    ", ".join(one.rule.facts),
                )
                for one in DECISIONS
            ),
        ),
        "## Faulty controllers",
        "Each is the same core with another policy.",
        render_table(
            ("a controller that", "has", "facts"),
            ((one.name, _turned(one.policy), ", ".join(one.facts)) for one in FAULTS),
        ),
        "## Target level",
        render_table(
            ("rule", "says", "facts"),
            ((one.id, upper_first(one.says), ", ".join(one.facts)) for one in LEVEL_RULES),
        ),
    )


def _shown(value: object) -> str:
    if isinstance(value, tuple):
        return ", ".join(cast("tuple[str, ...]", value))
    return code(str(value))


def _turned(policy: Policy) -> str:
    names = [field.name for field in attrs.fields(Policy)]
    changed = [name for name in names if getattr(policy, name) != getattr(POLICY, name)]
    return "; ".join(f"{code(name)}: {_shown(getattr(policy, name))}" for name in changed)
