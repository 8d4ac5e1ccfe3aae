"""The page of the policy model: charts, the gate, operations, custody, promises."""

from fencepost.report.charts import render_mermaid, render_rows
from fencepost.report.markdown import bullets, code, first_line, render_page, render_table
from fencepost_spec.chart import Chart, compile_chart
from fencepost_spec.operation import REPLAY, SHARE, Check, Kind, Operation
from fencepost_spec.receipts.policy_model.charts import ModelAdmission, ModelTicket
from fencepost_spec.receipts.policy_model.properties import MODEL_PROPERTIES
from fencepost_spec.receipts.policy_model.refusals import BY_CODE, MODEL_REFUSALS
from fencepost_spec.receipts.policy_model.spec import MODEL

_ANSWERS = {REPLAY: "the recorded answer", SHARE: "the answer of the call under way"}
MODEL_CHARTS: tuple[type[Chart], ...] = (ModelAdmission, ModelTicket)


def render_policy_model() -> str:
    """The page of everything that a policy model has beside the fence."""
    return render_page(
        "The policy model of the receipts protocol",
        "Its fence is [the agent's](charts.md). An event without a row changes nothing here.",
        *(_chart(chart) for chart in MODEL_CHARTS),
        "## The gate",
        "Asked when a call arrives on a gated route: " + _routes() + ".",
        _ladder(MODEL.gate),
        "## Why a commit is refused",
        _ladder(MODEL.roots),
        "When the directory holds a manifest already:",
        _ladder(MODEL.existing),
        "## Why a restore is refused",
        _ladder(MODEL.source),
        "## What refuses an attempt",
        render_table(
            ("rule", "cause", "because"),
            ((one.rule.id, code(one.cause), one.rule.says) for one in MODEL.refuses),
        ),
        *(_operation(operation) for operation in MODEL.operations.values()),
        "## Refusals of its own",
        render_table(
            ("code", "status", "meaning"),
            ((code(one.code), str(one.status), one.says) for one in MODEL_REFUSALS),
        ),
        *(_of_kind(kind) for kind in Kind),
    )


def _chart(chart: type[Chart]) -> str:
    table = compile_chart(chart)
    picture = f"```mermaid\n{render_mermaid(table)}\n```"
    heads = (f"## {chart.__name__}", first_line(chart.__doc__) + ".", picture, render_rows(table))
    return "\n\n".join(heads)


def _routes() -> str:
    return ", ".join(f"`…{each.name}` ({each.rule.id})" for each in MODEL.gated)


def _ladder(ladder: tuple[Check, ...]) -> str:
    rows = (
        (
            str(place),
            first_line(check.when.__doc__),
            _answer(check),
            check.rule.id,
            check.rule.says,
            ", ".join(check.rule.facts),
        )
        for place, check in enumerate(ladder, start=1)
    )
    return render_table(("", "when", "answer", "rule", "because", "facts"), rows)


def _answer(check: Check) -> str:
    known = _ANSWERS.get(check.answer)
    return known or f"{BY_CODE[check.answer].status} `{check.answer}`"


def _operation(operation: Operation) -> str:
    facts = [f"`{operation.method} {operation.path}`"]
    if operation.event is not None:
        facts.append(f"moves the fence by `{operation.event}`")
    if operation.phases is not None:
        facts.append(f"acts in {', '.join(code(phase) for phase in operation.phases)}")
    effect = f"When no check answers: {operation.effect.says} ({operation.effect.id})."
    says = operation.says[:1].upper() + operation.says[1:] + "."
    parts = (f"## {operation.name}", says, bullets(facts), _ladder(operation.ladder), effect)
    return "\n\n".join(parts)


def _of_kind(kind: Kind) -> str:
    rows = (
        (prop.id, prop.name, prop.fairness, ", ".join(prop.rule.facts))
        for prop in MODEL_PROPERTIES
        if prop.kind is kind
    )
    table = render_table(("rule", "promise", "assumes", "facts"), rows)
    return f"## {kind.value.capitalize()}\n\n{table}"
