"""The charts as pictures and as tables, rendered from their compiled rows."""

from fencepost.report.markdown import (
    bullets,
    code,
    first_line,
    render_page,
    render_table,
)
from fencepost_spec.chart import Chart, compile_chart
from fencepost_spec.receipts.controller.dispatch import DispatchedAttempt
from fencepost_spec.receipts.controller.fence import DispatchFence
from fencepost_spec.receipts.controller.publication import SnapshotPublication
from fencepost_spec.receipts.controller.transaction import CheckpointTransaction
from fencepost_spec.receipts.execution import AgentExecution
from fencepost_spec.receipts.fence import CheckpointFence
from fencepost_spec.receipts.ledger.attempt import RolloutAttempt
from fencepost_spec.receipts.ledger.group import GroupAdmission, PromptGroup
from fencepost_spec.receipts.ledger.obligation import AcknowledgementObligation
from fencepost_spec.receipts.resources.session import ResourcesSession
from fencepost_spec.table import Guard, Row, Table

AGENT_CHARTS: tuple[type[Chart], ...] = (CheckpointFence, AgentExecution)
LEDGER_CHARTS: tuple[type[Chart], ...] = (
    RolloutAttempt,
    GroupAdmission,
    PromptGroup,
    AcknowledgementObligation,
)
CONTROLLER_CHARTS: tuple[type[Chart], ...] = (
    DispatchFence,
    CheckpointTransaction,
    SnapshotPublication,
    DispatchedAttempt,
)
CHARTS: tuple[type[Chart], ...] = (
    *AGENT_CHARTS,
    *LEDGER_CHARTS,
    ResourcesSession,
    *CONTROLLER_CHARTS,
)


def render_charts() -> str:
    """The page of all charts of the agent."""
    return render_page(
        "Charts of the receipts protocol",
        "Two machines make an agent participant: the fence of the one checkpoint that may be open, "
        "and the life of one key.\n"
        "A resources server has the same fence, and a life of its own for each session.\n"
        "A picture shows what moves; rows that stay where they are stand in the table only.\n"
        "An event without a row in a state is refused there.",
        *(render_chart(chart) for chart in AGENT_CHARTS),
    )


def render_chart(chart: type[Chart]) -> str:
    """One chart: a picture, its rows, its guards."""
    table = compile_chart(chart)
    guards = dict.fromkeys(guard for row in table.rows for guard in row.guards)
    parts = [
        f"## {chart.__name__}",
        first_line(chart.__doc__) + ".",
        f"```mermaid\n{render_mermaid(table)}\n```",
        render_rows(table),
    ]
    if guards:
        parts += ["Guards:", bullets(_guard(guard) for guard in guards)]
    return "\n\n".join(parts)


def _guard(guard: Guard) -> str:
    return f"`{guard.__name__}`: {_lower_first(first_line(guard.__doc__))}"


def _lower_first(text: str) -> str:
    return text[:1].lower() + text[1:]


def render_mermaid(table: Table) -> str:
    """The moves of a table as a Mermaid state diagram, one arrow for each pair of states."""
    lines = ["stateDiagram-v2", f"    [*] --> {table.initial}"]
    moves: dict[tuple[str, str], dict[str, None]] = {}
    for row in table.rows:
        if row.source != row.target:
            moves.setdefault((row.source, row.target), {})[row.event] = None
    for state in table.states:
        for (source, target), events in moves.items():
            if source == state:
                lines.append(f"    {source} --> {target} : {', '.join(events)}")
    return "\n".join(lines)


def render_rows(table: Table) -> str:
    """The rows of a table, in the order in which they are tried."""
    head = ("rule", "from", "event", "when", "to", "because", "source", "facts")
    return render_table(head, (_row(row) for row in table.rows))


def _row(row: Row) -> tuple[str, ...]:
    stays = row.source == row.target
    return (
        row.rule.id,
        code(row.source),
        code(row.event),
        " and ".join(code(guard.__name__) for guard in row.guards),
        "stays" if stays else code(row.target),
        row.rule.says,
        row.rule.source.id,
        ", ".join(row.rule.facts),
    )
