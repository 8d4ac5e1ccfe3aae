"""The page of a world: what a controller and its participants promise together."""

from fencepost.report.markdown import render_page
from fencepost.report.participant import property_section, rule_table
from fencepost_spec.operation import Kind
from fencepost_spec.receipts.world import CARRIES, DISK_ANSWERS, PROPERTIES


def render_world() -> str:
    """The page of what no process can promise alone."""
    return render_page(
        "A controller and its participants together",
        "What no process can keep alone, asked of a whole world: agents, models, resources, "
        "controller, network and disk.",
        *(property_section(PROPERTIES, kind) for kind in Kind),
        "## What is assumed of network and disk",
        rule_table((CARRIES, DISK_ANSWERS)),
    )
