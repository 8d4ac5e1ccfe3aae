"""Policies, dialects and faults of an agent: the lists of its specification."""

from collections.abc import Iterable

from fencepost.report.markdown import (
    bullets,
    code,
    codes,
    first_line,
    render_page,
    render_table,
    upper_first,
)
from fencepost_spec.receipts.agent import AGENT
from fencepost_spec.receipts.dialects import DIALECTS
from fencepost_spec.receipts.faults import FAULTS
from fencepost_spec.receipts.operation_rules import PREPARE_RAISED, SHAPE
from fencepost_spec.receipts.running import UNTRACKED
from fencepost_spec.rule import Rule


def _ruled(entries: Iterable[tuple[Rule, tuple[str, ...]]], *heads: str) -> str:
    """Entries that each add one thing to a rule."""
    rows = (
        (rule.id, *more, rule.says, rule.source.id, ", ".join(rule.facts)) for rule, more in entries
    )
    return render_table(("rule", *heads, "because", "source", "facts"), rows)


def render_policies() -> str:
    """The page of what counts, what is written, and what refuses a key."""
    blockers = (
        (each.rule, (f"{code(each.name)}: {first_line(each.count.__doc__)}",))
        for each in AGENT.blockers
    )
    return render_page(
        "Policies of the receipts agent",
        "Each entry is a rule with the one thing that it adds.",
        "## What blocks a checkpoint",
        "A checkpoint is ready when none of these is above zero.",
        _ruled(blockers, "counts"),
        "## What a commit writes",
        _ruled(((each.rule, (code(each.name),)) for each in AGENT.exports), "record"),
        "## What makes two receipts equal",
        _ruled(((each.rule, (code(each.name),)) for each in AGENT.receipt_fields), "field"),
        "## What refuses the exact key",
        _ruled(((each.rule, (code(each.cause),)) for each in AGENT.refuses), "cause"),
        "## What raises the watermark of a rollout",
        "Attempts below the watermark are refused.",
        _ruled(((each.rule, (code(each.cause),)) for each in AGENT.raises), "cause"),
        "## What no chart, ladder or list carries",
        _ruled((rule, ()) for rule in (UNTRACKED, SHAPE, PREPARE_RAISED)),
    )


def render_dialects() -> str:
    """The page of the levels of development that can be judged."""
    newest = list(DIALECTS.values())[-1]
    parts: list[str] = []
    for dialect in DIALECTS.values():
        lacking = sorted(newest.operations - dialect.operations)
        unseen = sorted(
            (newest.status_fields - dialect.status_fields)
            | (newest.entry_fields - dialect.entry_fields)
        )
        facts = [
            f"operations: {'all' if not lacking else 'all but ' + codes(lacking)}",
            f"fields of status: {'all' if not unseen else 'all but ' + codes(unseen)}",
            "operations that release a result: "
            + (codes(sorted(dialect.releases)) or "none, so one that blocks is a stall"),
            "commit and restore name a continuation index: "
            + ("yes" if dialect.continuation_index else "no"),
            "bodies are held to the wire models: " + ("yes" if dialect.shape else "no"),
        ]
        parts.append(f"## {dialect.version}\n\n{upper_first(dialect.says)}.\n\n{bullets(facts)}")
    return render_page(
        "Dialects of the receipts agent",
        "A recorded trace names the version of its participant in the header.\n"
        "A dialect lists the operations and fields of that level; rules are the same at each.\n"
        "An unknown version is bad input.",
        *parts,
    )


def render_faults() -> str:
    """The page of what the world may do."""
    return render_page(
        "Faults",
        "What the world may do to an agent participant. A participant has to keep its rules "
        "through every one of them, in any order.",
        render_table(("fault", "what happens"), ((fault.name, fault.says) for fault in FAULTS)),
    )
