"""The page of a resources server: its chart, requests, operations, lists and promises."""

from fencepost.report.charts import render_chart
from fencepost.report.markdown import code, first_line, render_page
from fencepost.report.participant import (
    ladder_table,
    named_table,
    operation_section,
    property_section,
    refusal_table,
    rule_table,
)
from fencepost.report.phases import phase_section
from fencepost_spec.operation import Kind
from fencepost_spec.receipts.resources.handling import HANDLING_RULES
from fencepost_spec.receipts.resources.operations import EFFECT_RULES
from fencepost_spec.receipts.resources.phase_table import RESOURCES_PHASES
from fencepost_spec.receipts.resources.properties import PROPERTIES
from fencepost_spec.receipts.resources.refusals import BY_CODE, REFUSALS
from fencepost_spec.receipts.resources.routes import ROUTE_RULES
from fencepost_spec.receipts.resources.server import RESOURCES
from fencepost_spec.receipts.resources.session import ResourcesSession


def render_resources() -> str:
    """The page of everything that a resources server has beside the fence."""
    return render_page(
        "The resources server of the receipts protocol",
        "Its fence is [the agent's](charts.md), and each session has a life of its own.",
        render_chart(ResourcesSession),
        "## How a request is read",
        "The first route that says yes is meant.",
        named_table(
            ((one.rule, f"{code(one.name)}: {first_line(one.when.__doc__)}")
             for one in RESOURCES.routes), "route",
        ),
        rule_table(ROUTE_RULES),
        "## What is asked when a request arrives",
        ladder_table(RESOURCES.arrival, BY_CODE),
        "## What is asked under the lock of the session",
        ladder_table(RESOURCES.under_lock, BY_CODE),
        "## What becomes of a request",
        rule_table(HANDLING_RULES),
        *_lists(),
        phase_section(RESOURCES_PHASES),
        *(operation_section(operation, BY_CODE) for operation in RESOURCES.operations.values()),
        "## How operations end",
        rule_table(EFFECT_RULES),
        "What holds for its directories stands [with the others](storage.md).",
        "## Refusals",
        refusal_table(REFUSALS),
        *(property_section(PROPERTIES, kind) for kind in Kind),
    )  # fmt: skip


def _lists() -> tuple[str, ...]:
    """The lists of the specification: one thing for each rule."""
    blockers = (
        (one.rule, f"{code(one.name)}: {first_line(one.holds.__doc__)}")
        for one in RESOURCES.blockers
    )
    return (
        "## Modes and contracts",
        named_table(((one.rule, code(one.name)) for one in RESOURCES.modes), "mode"),
        named_table(((one.rule, code(one.name)) for one in RESOURCES.contracts), "contract"),
        "## What blocks a prepare",
        named_table(blockers, "holds while"),
        "## What a snapshot keeps, and what is written down",
        named_table(((one.rule, code(one.name)) for one in RESOURCES.snapshot), "kept"),
        named_table(((one.rule, code(one.status)) for one in RESOURCES.exported), "session"),
        "## What refuses a session",
        named_table(((one.rule, code(one.cause)) for one in RESOURCES.refuses), "cause"),
        "What raises the watermark below which attempts are refused:",
        named_table(((one.rule, code(one.cause)) for one in RESOURCES.raises), "cause"),
    )
