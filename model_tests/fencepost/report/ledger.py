"""The page of the recovery ledger: charts, operations, validations, properties, dialects."""

from collections.abc import Iterable

from fencepost.report.charts import LEDGER_CHARTS, render_chart
from fencepost.report.ledger_requests import render_parameters, render_values
from fencepost.report.markdown import (
    bullets,
    code,
    codes,
    first_line,
    render_page,
    render_table,
    upper_first,
)
from fencepost_spec.operation import Check, Kind
from fencepost_spec.receipts.ledger.dialects import DIALECTS
from fencepost_spec.receipts.ledger.operations import LedgerOperation
from fencepost_spec.receipts.ledger.properties import PROPERTIES
from fencepost_spec.receipts.ledger.refusals import REFUSALS
from fencepost_spec.receipts.ledger.spec import LEDGER

_LEVELS = ("shape", "attempt", "sibling", "group", "ledger")


def render_ledger() -> str:
    """The page of the recovery ledger of the receipts protocol."""
    return render_page(
        "The recovery ledger",
        "What a training controller owns while its rollouts are generated, and what it owes to the "
        "participants that finished them.\n"
        "A sibling has no chart of its own: its current attempt is the last one.",
        "## Charts",
        *(render_chart(chart).replace("## ", "### ", 1) for chart in LEDGER_CHARTS),
        "## Operations",
        "The first check that holds refuses the call, and nothing changes. "
        "Checks of a result are asked of each result that is given, before the checks "
        "that stand after the line of dots.",
        "A request is a mapping of these parameters by name. One without a default is needed, also "
        "where it may be null; one that has a default may be left out. Any other is refused.",
        *(_operation(each) for each in LEDGER.operations.values()),
        "### What a result is asked",
        _checks(LEDGER.results),
        "### Values of parameters",
        "Each member is needed where no default stands.",
        *render_values(),
        "## What a load is asked",
        "First the shape of the whole file, then each attempt, sibling and group in their order, "
        "then the whole. A state that one check refuses is not loaded at all.",
        *(_level(name) for name in _LEVELS),
        "## Refusals",
        "Every refusal is definite: it proves that nothing changed.",
        render_table(("code", "meaning"), ((code(one.code), one.says) for one in REFUSALS)),
        "## Properties",
        *(_properties(kind) for kind in Kind),
        "## Dialects",
        *(_dialect(version) for version in DIALECTS),
    )


def _checks(ladder: Iterable[Check]) -> str:
    rows = (
        (
            check.rule.id,
            code(check.when.__name__),
            first_line(check.when.__doc__),
            code(check.answer),
            check.rule.says,
            ", ".join(check.rule.facts),
        )
        for check in ladder
    )
    return render_table(("rule", "when", "that is", "answer", "because", "facts"), rows)


def _operation(operation: LedgerOperation) -> str:
    cut = "Needs a live mutation cut." if operation.cut else "Needs no cut."
    facts = ", ".join(operation.effect.facts)
    effect = f"{operation.effect.id}: {operation.effect.says} ({facts})."
    about = f"{upper_first(operation.says)}. {cut}\n{effect}"
    asked = render_parameters(operation.name)
    parts = [f"### {operation.name}", about, asked, _checks(operation.ladder)]
    if operation.then:
        parts += ["⋯", _checks(operation.then)]
    return "\n\n".join(parts)


def _level(name: str) -> str:
    return f"### {upper_first(name)}\n\n{_checks(getattr(LEDGER.loading, name))}"


def _properties(kind: Kind) -> str:
    rows = [
        (one.id, one.rule.level.value, one.name, ", ".join(one.rule.facts), one.fairness)
        for one in PROPERTIES
        if one.kind is kind
    ]
    table = render_table(("rule", "level", "promise", "facts", "assumes"), rows)
    return f"### {upper_first(kind.value)}\n\n{table}"


def _dialect(version: str) -> str:
    dialect = DIALECTS[version]
    newest = list(DIALECTS.values())[-1]
    lacking = sorted(newest.operations - dialect.operations)
    more = codes(sorted(dialect.attempt_fields))
    return f"### {version}\n\n{upper_first(dialect.says)}.\n\n" + bullets(
        [
            f"operations: {'all' if not lacking else 'all but ' + codes(lacking)}",
            f"more fields of a saved attempt: {more or 'none'}",
            f"an obligation is one flat mapping: {'yes' if dialect.flat_obligations else 'no'}",
        ]
    )
