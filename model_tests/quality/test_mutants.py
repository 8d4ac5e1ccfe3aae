"""The oracle is tested by what must fail: each participant that is wrong on purpose is refused."""

import io
import re

import pytest

from fencepost.agent.oracle import Oracle
from fencepost.mutants.builds import BUILDS, Build, build
from fencepost.mutants.confirm import lines_of, stated
from fencepost.mutants.ground import FalseAlarm, Ground
from fencepost.mutants.judge import HEADER, Judge
from fencepost.mutants.lockstep import search
from fencepost.mutants.mechanical import generated
from fencepost.mutants.mutant import Mutant, core_with
from fencepost.mutants.named import NAMED
from fencepost.mutants.scopes import Scope
from fencepost.mutants.worlds import SCOPES
from fencepost.trace import TraceReader, write_trace
from fencepost_spec.receipts.agent import AGENT

BUGS = re.findall(r"\w+", "A2 A3 A4 A5 A6 A7 B7 C2 C3 C10 D1 D2 D3 D5 D6 D7 D8 D10 D11 D13 D14")


@pytest.mark.parametrize("bug", BUGS)
def test_each_numbered_bug_has_a_mutant(bug: str) -> None:
    """Each bug of the lists that an agent can have is there as a mutant that cites it."""
    known: tuple[Mutant | Build, ...] = (*NAMED, *BUILDS)
    assert any(bug in mutant.cites for mutant in known)


def test_everything_in_the_specification_is_deleted_once() -> None:
    """Each row, guard, check, entry and phase of the agent's specification has its mutant."""
    tables = (AGENT.fence, AGENT.execution)
    rows = sum(1 + len(row.guards) for table in tables for row in table.rows)
    checks = sum(len(one.ladder) for one in AGENT.operations.values())
    ladders = len(AGENT.run_ladder) + len(AGENT.receipt_ladder)
    entries = sum(
        len(part)
        for part in (
            AGENT.blockers,
            AGENT.exports,
            AGENT.receipt_fields,
            AGENT.refuses,
            AGENT.raises,
        )
    )
    phased = [one for one in AGENT.operations.values() if one.phases is not None]
    phases = len(phased) * len(AGENT.fence.states)
    assert len(generated()) == rows + checks + ladders + entries + phases


@pytest.mark.parametrize("edit", BUILDS, ids=lambda edit: edit.name)
def test_half_a_version_bump_does_not_build(edit: Build) -> None:
    """B7: the import of a specification with half of a bump fails, and says what is missing."""
    built = build(edit)
    assert built.refused, built.said


def small_scopes() -> list[Scope]:
    """Scopes that are walked in a second; the matrix walks the others."""
    return [one for one in SCOPES if one.name in ("parks", "external missed", "disconnects")]


@pytest.mark.parametrize("scope", small_scopes(), ids=lambda scope: scope.name)
def test_the_oracle_is_silent_on_the_intact_participant(scope: Scope) -> None:
    """Every sequence of a scope, played by the reference, is accepted in every order of steps."""
    places, transitions = Ground(scope, Judge()).whole()
    assert places > 100
    assert transitions > places


def test_a_false_alarm_would_be_seen() -> None:
    """A refusal on the ground that all mutants share stops the matrix, and is counted no kill."""
    ground = Ground(small_scopes()[0], Judge(), core_with(blockers=()))
    with pytest.raises(FalseAlarm, match="in scope parks"):
        ground.whole()


def test_a_kill_is_a_trace_that_anybody_can_judge() -> None:
    """The shortest sequence, written as a file and read again, is refused at its last line."""
    (mutant,) = (one for one in NAMED if "A3" in one.cites)
    grounds = [Ground(one, Judge()) for one in small_scopes()[:1]]
    found = search(mutant.make(), grounds, None, lambda one: (stated(one), True)).found
    assert found is not None
    written = io.BytesIO()
    write_trace(written, HEADER, lines_of(found))
    reader = TraceReader(io.BytesIO(written.getvalue()))
    refusal = Oracle(reader.header).feed_all(reader)
    assert refusal is not None
    assert refusal.line.seq == len(lines_of(found))
    assert refusal.mismatch.rule == found.mismatch.rule
    assert found.actions <= 10
