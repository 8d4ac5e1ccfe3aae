"""Walks are loud: a core with one entry of its specification left out breaks a promise in one.

The promises alone find these, with no oracle; what only an oracle can see is in the kill matrix.
"""

from collections.abc import Callable
from random import Random
from typing import Any

import attrs
import pytest

from fencepost.enabled import TURNS
from fencepost.generations import lead_through
from fencepost.walking import Walk, WentWrong
from fencepost.winding import wind_down
from fencepost_reference.receipts.agent import AgentCore
from fencepost_spec.receipts.agent import AGENT, AgentSpec

pytestmark = pytest.mark.slow

WALKS, STEPS = 300, 100
"""At most so many; most of what is left out is noticed in the first few."""


def _without(field: str, rule_id: str) -> AgentSpec:
    """The specification without the entry of one of its lists that has the rule."""
    kept = tuple(one for one in getattr(AGENT, field) if one.rule.id != rule_id)
    assert len(kept) + 1 == len(getattr(AGENT, field))
    changes: dict[str, Any] = {field: kept}
    return attrs.evolve(AGENT, **changes)


def _without_row(table: str, rule_id: str) -> AgentSpec:
    """The specification without the rows of a chart that have the rule."""
    rows = getattr(AGENT, table)
    for row in rows.rows:
        if row.rule.id == rule_id:
            rows = rows.without(row)
    changes: dict[str, Any] = {table: rows}
    return attrs.evolve(AGENT, **changes)


def _without_check(op: str, rule_id: str) -> AgentSpec:
    """The specification in which an operation lacks a check."""
    operation = AGENT.operations[op]
    for check in operation.ladder:
        if check.rule.id == rule_id:
            operation = operation.without(check)
    return attrs.evolve(AGENT, operations={**AGENT.operations, op: operation})


WRONG: tuple[tuple[str, str, Callable[[], AgentSpec]], ...] = (
    ("R-RUN-3", "R-INV-2", lambda: _without("run_ladder", "R-RUN-3")),
    ("R-RUN-4", "R-INV-4", lambda: _without("run_ladder", "R-RUN-4")),
    ("R-RUN-5", "R-INV-9", lambda: _without("run_ladder", "R-RUN-5")),
    ("R-RUN-6", "R-INV-1", lambda: _without("run_ladder", "R-RUN-6")),
    ("R-RUN-7", "R-INV-5", lambda: _without("run_ladder", "R-RUN-7")),
    ("R-RUN-8", "R-INV-29", lambda: _without("run_ladder", "R-RUN-8")),
    ("R-REC-3", "R-INV-10", lambda: _without("receipt_fields", "R-REC-3")),
    ("R-RDY-1", "R-INV-6", lambda: _without("blockers", "R-RDY-1")),
    ("R-RDY-2", "R-INV-6", lambda: _without("blockers", "R-RDY-2")),
    ("R-EXP-2", "R-INV-21", lambda: _without("exports", "R-EXP-2")),
    ("R-EXP-3", "R-INV-21", lambda: _without("exports", "R-EXP-3")),
    ("R-REF-4", "R-INV-3", lambda: _without("refuses", "R-REF-4")),
    ("R-WAT-2", "R-INV-4", lambda: _without("raises", "R-WAT-2")),
    ("R-OPS-4", "R-INV-15", lambda: _without_check("prepare", "R-OPS-4")),
    ("R-OPS-9", "R-INV-22", lambda: _without_check("commit", "R-OPS-9")),
    ("R-OPS-11", "R-INV-20", lambda: _without_check("restore", "R-OPS-11")),
    ("R-FEN-6", "R-INV-17", lambda: _without_row("fence", "R-FEN-6")),
    ("R-FEN-14", "R-LIV-6", lambda: _without_row("fence", "R-FEN-14")),
    ("R-EXE-2", "R-LIV-8", lambda: _without_row("execution", "R-EXE-2")),
    ("R-EXE-31", "R-LIV-4", lambda: _without_row("execution", "R-EXE-31")),
    ("R-EXE-45", "R-LIV-1", lambda: _without_row("execution", "R-EXE-45")),
)


def first_wrong(spec: AgentSpec, walks: int = WALKS) -> str:
    """What the first walk that meets anything wrong says."""
    for seed in range(walks):
        random = Random(seed)
        walk = Walk(AgentCore(spec))
        try:
            lead_through(walk, seed % 3, claims=bool(seed % 2))
            for _ in range(STEPS):
                walk.go(random.randrange(TURNS << 10))
            wind_down(walk)
        except WentWrong as wrong:
            return str(wrong).splitlines()[0]
    return "nothing"


@pytest.mark.parametrize(
    ("promise", "made"), [pytest.param(lost, made, id=left) for left, lost, made in WRONG]
)
def test_a_walk_notices_what_is_left_out(promise: str, made: Callable[[], AgentSpec]) -> None:
    """Without the rule some walk breaks the promise that the rule is there to keep."""
    assert promise in first_wrong(made()).split()


def test_walks_of_the_whole_specification_notice_nothing() -> None:
    """The same walks of the specification as it is keep every promise."""
    assert first_wrong(AGENT, WALKS // 4) == "nothing"
