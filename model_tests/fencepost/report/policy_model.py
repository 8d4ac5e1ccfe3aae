"""The page of the policy model: charts, the gate, operations, custody, promises."""

from fencepost.report.charts import render_chart
from fencepost.report.markdown import code, render_page
from fencepost.report.participant import (
    ladder_table,
    named_table,
    operation_section,
    property_section,
    refusal_table,
    rule_table,
)
from fencepost.report.phases import phase_section
from fencepost_spec.chart import Chart
from fencepost_spec.operation import Kind
from fencepost_spec.receipts.policy_model.charts import ModelAdmission, ModelTicket
from fencepost_spec.receipts.policy_model.phase_table import MODEL_PHASES
from fencepost_spec.receipts.policy_model.properties import MODEL_PROPERTIES
from fencepost_spec.receipts.policy_model.refusals import BY_CODE, MODEL_REFUSALS
from fencepost_spec.receipts.policy_model.rules import OTHER_RULES
from fencepost_spec.receipts.policy_model.spec import MODEL

MODEL_CHARTS: tuple[type[Chart], ...] = (ModelAdmission, ModelTicket)


def render_policy_model() -> str:
    """The page of everything that a policy model has beside the fence."""
    return render_page(
        "The policy model of the receipts protocol",
        "Its fence is [the agent's](charts.md). An event without a row changes nothing here.",
        *(render_chart(chart) for chart in MODEL_CHARTS),
        "## The gate",
        "Asked when a call arrives on a gated route: " + _routes() + ".",
        ladder_table(MODEL.gate, BY_CODE),
        "## Why a commit is refused",
        ladder_table(MODEL.roots, BY_CODE),
        "When the directory holds a manifest already:",
        ladder_table(MODEL.existing, BY_CODE),
        "## Why a restore is refused",
        ladder_table(MODEL.source, BY_CODE),
        "## What refuses an attempt",
        named_table(((one.rule, code(one.cause)) for one in MODEL.refuses), "cause"),
        "What raises the mark below which attempts are refused:",
        named_table(((one.rule, code(one.cause)) for one in MODEL.raises), "cause"),
        "## Steps and answers",
        rule_table(OTHER_RULES),
        phase_section(MODEL_PHASES),
        *(operation_section(operation, BY_CODE) for operation in MODEL.operations.values()),
        "## Refusals of its own",
        refusal_table(MODEL_REFUSALS),
        *(property_section(MODEL_PROPERTIES, kind) for kind in Kind),
    )


def _routes() -> str:
    return ", ".join(f"`…{each.name}` ({each.rule.id})" for each in MODEL.gated)
