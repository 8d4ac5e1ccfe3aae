"""The oracle is tested by what must fail: each participant that is wrong on purpose is refused."""

import io
import json
import os
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from fencepost.agent.oracle import Oracle
from fencepost.faults import UsageFault
from fencepost.mutants import matrix
from fencepost.mutants.argued import SURVIVORS, UNBROKEN
from fencepost.mutants.builds import BUILDS, Build, build
from fencepost.mutants.confirm import lines_of, stated
from fencepost.mutants.ground import FalseAlarm, Ground
from fencepost.mutants.judge import HEADER, Judge
from fencepost.mutants.lockstep import search
from fencepost.mutants.matrix import Matrix
from fencepost.mutants.mechanical import generated
from fencepost.mutants.mutant import Mutant, core_with
from fencepost.mutants.named import NAMED
from fencepost.mutants.row import SECONDS_MAX, Row, Status
from fencepost.mutants.scopes import Scope
from fencepost.mutants.workshop import GROUPS, MUTANTS
from fencepost.mutants.worlds import SCOPES
from fencepost.trace import TraceReader, write_trace
from fencepost_spec.receipts.agent import AGENT

ROOT = Path(__file__).resolve().parents[2]
LOCK = Path(__file__).with_name("mutants.lock.json")
PAGE = ROOT / "docs" / "reference" / "mutants.md"
BUGS = re.findall(r"\w+", "A2 A3 A4 A5 A6 A7 B7 C2 C3 C10 D1 D2 D3 D5 D6 D7 D8 D10 D11 D13 D14")
MEDIAN_SECONDS_MAX = 1.0
Test = Callable[[Matrix], None]


@pytest.fixture(scope="module")
def whole() -> Matrix:
    """The whole matrix, run once."""
    return matrix.run()


def of_the_matrix(test: Test) -> Test:
    """Mark a test that needs the whole matrix: all of them run in one process, after one run."""
    for mark in (pytest.mark.slow, pytest.mark.timeout(900), pytest.mark.xdist_group("mutants")):
        test = mark(test)
    return test


@of_the_matrix
def test_every_mutant_is_killed_equivalent_or_argued(whole: Matrix) -> None:
    """No mutant that differs goes unnoticed, and each kill is by a rule of level must."""
    failed = [f"{row.name}: {row.status.value} {row.why}" for row in whole.rows if row.failed]
    assert failed == [], "\n".join(failed)
    assert whole.exit_code == 0
    assert whole.tally.count(Status.KILLED) == whole.tally.differing > 0


@of_the_matrix
def test_every_kill_is_quick(whole: Matrix) -> None:
    """Each mutant takes under five seconds of one processor, and most of them far less."""
    slow = [f"{row.name}: {row.seconds:.1f} s" for row in whole.rows if row.seconds > SECONDS_MAX]
    assert slow == []
    assert whole.median_seconds < MEDIAN_SECONDS_MAX


@of_the_matrix
def test_the_matrix_is_pinned(whole: Matrix) -> None:
    """Which rule finds a mutant, and in how many actions, changes only on purpose (REWRITE=1)."""
    found = whole.lock()
    if os.environ.get("REWRITE"):
        LOCK.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")
    pinned = json.loads(LOCK.read_text(encoding="utf-8"))
    changed = [
        f"{name}: pinned {pinned.get(name)}, found {found.get(name)}"
        for name in {**pinned, **found}
        if pinned.get(name) != found.get(name)
    ]
    assert changed == [], "\n".join(changed)


@of_the_matrix
def test_the_page_of_the_matrix_is_not_stale(whole: Matrix) -> None:
    """The documentation shows the matrix as it is; REWRITE=1 writes it."""
    if os.environ.get("REWRITE"):
        PAGE.write_text(whole.to_markdown(), encoding="utf-8")
    assert PAGE.read_text(encoding="utf-8") == whole.to_markdown()


@of_the_matrix
def test_every_rule_is_broken_by_a_mutant_or_it_is_said_why_not(whole: Matrix) -> None:
    """A rule that nothing breaks is named with its reason, and no reason outlives its need."""
    silent = [rule for rule in whole.tally.unbroken if rule not in UNBROKEN]
    assert silent == [], f"no mutant breaks {silent}, and nobody says why"
    outlived = [rule for rule in UNBROKEN if rule not in whole.tally.unbroken]
    assert outlived == [], f"a mutant breaks {outlived}; take the reasons away"


@of_the_matrix
def test_every_argued_survivor_still_survives(whole: Matrix) -> None:
    """An argument for a mutant that is killed by now is taken away."""
    argued = {row.name for row in whole.rows if row.status is Status.ARGUED}
    assert argued == {*SURVIVORS}


@pytest.mark.parametrize("bug", BUGS)
def test_each_numbered_bug_has_a_mutant(bug: str) -> None:
    """Each bug of the lists that an agent can have is there as a mutant that cites it."""
    known: tuple[Mutant | Build, ...] = (*NAMED, *BUILDS)
    assert any(bug in mutant.cites for mutant in known)


def test_names_are_given_once() -> None:
    """A mutant is found by its name, so no two have the same."""
    names = Counter(mutant.name for mutants in GROUPS.values() for mutant in mutants)
    assert [name for name, times in names.items() if times > 1] == []
    assert set(names) == {*MUTANTS}


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


def test_mutants_are_chosen_by_name_part_or_bug() -> None:
    """`--only` takes a name, a part of names, or what mutants cite; anything else is bad usage."""
    by_bug = matrix.run(only=["A5"])
    assert [row.cites[0] for row in by_bug.rows] == ["A5", "P3", "R-EXE-12"]
    assert not by_bug.whole
    assert by_bug.exit_code == 0
    assert [row.name for row in matrix.run(only=["no watermark"]).rows] == ["no watermark"]
    with pytest.raises(UsageFault, match="no mutant"):
        matrix.run(only=["nothing of the kind"])


def test_the_matrix_prints_failures_first_and_loudly() -> None:
    """A survivor stands at the top of the text, in capitals, and makes the exit code 1."""
    survivor = Row("a fault", "it is wrong", ("A1",), "bugs", Status.SURVIVES)
    found = Matrix((survivor,), whole=False, seconds=1.0)
    assert found.exit_code == 1
    assert found.to_text().startswith("SURVIVES")
    assert json.loads(json.dumps(found.to_json()))["counts"]["survives"] == 1
