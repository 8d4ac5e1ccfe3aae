"""The oracle is tested by what must fail: each participant that is wrong on purpose is refused.

One claim for every part that has mutants. `REWRITE=1` writes what is pinned and the pages again.
"""

import json
import os
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from fencepost import catalog
from fencepost.faults import UsageFault
from fencepost.kill_matrix import matrix
from fencepost.kill_matrix.matrix import Matrix
from fencepost.kill_matrix.parts import PARTS, all_parts, part_named
from fencepost.kill_matrix.row import SECONDS_MAX, Row, Status
from fencepost_spec.rule import Level

HERE = Path(__file__).parent
REFERENCE = HERE.parents[1] / "docs" / "reference"
ACTIONS_MAX = 12
MEDIAN_SECONDS_MAX = 1.0
LONG = {"existing without R-CUS-14"}
"""Mutants whose shortest way is longer than the others' may be; the part says why."""

Test = Callable[[str], None]


@cache
def whole(part: str) -> Matrix:
    """Return the whole matrix of a part, run once."""
    return matrix.run(part_named(part))


def for_every_part(test: Test) -> Test:
    """Mark a test of whole matrices: those of one part run in one process, after one run."""
    marks = (pytest.mark.slow, pytest.mark.timeout(900))
    parts = [pytest.param(part, marks=pytest.mark.xdist_group(f"{part}_mutants")) for part in PARTS]
    for mark in (*marks, pytest.mark.parametrize("part", parts)):
        test = mark(test)
    return test


@for_every_part
def test_every_mutant_is_killed_equivalent_or_argued(part: str) -> None:
    """No mutant that differs goes unnoticed, and each kill is by a rule of level must."""
    found = whole(part)
    failed = [f"{row.name}: {row.status.value} {row.why}" for row in found.rows if row.failed]

    assert failed == [], "\n".join(failed)
    assert found.exit_code == 0
    assert found.tally.count(Status.KILLED) == found.tally.differing > 0


@for_every_part
def test_every_kill_is_short_and_quick(part: str) -> None:
    """A handful of actions, under five seconds of one processor, and most of them far less.

    What nothing refuses is no kill, and takes as long as everything that is tried on it.
    """
    found = whole(part)
    killed = [row for row in found.rows if row.status is Status.KILLED]
    long = {row.name for row in killed if row.actions > ACTIONS_MAX}
    slow = [f"{row.name}: {row.seconds:.1f} s" for row in killed if row.seconds > SECONDS_MAX]

    assert long <= LONG
    assert slow == []
    assert found.median_seconds < MEDIAN_SECONDS_MAX


@for_every_part
def test_the_matrix_is_pinned(part: str) -> None:
    """Which rule finds a mutant, and in how many actions, changes only on purpose (REWRITE=1)."""
    lock, found = HERE / f"{part}_mutants.lock.json", whole(part).lock()
    if os.environ.get("REWRITE"):
        lock.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")
    pinned: dict[str, Any] = json.loads(lock.read_text(encoding="utf-8"))
    changed = [
        f"{name}: pinned {pinned.get(name)}, found {found.get(name)}"
        for name in {**pinned, **found}
        if pinned.get(name) != found.get(name)
    ]

    assert changed == [], "\n".join(changed)


@for_every_part
def test_the_page_of_the_matrix_is_not_stale(part: str) -> None:
    """The documentation shows the matrix as it is; REWRITE=1 writes it."""
    found = whole(part)
    page = REFERENCE / found.part.page
    if os.environ.get("REWRITE"):
        page.write_text(found.to_markdown(), encoding="utf-8")

    assert page.read_text(encoding="utf-8") == found.to_markdown()


@for_every_part
def test_every_rule_is_broken_by_a_mutant_or_it_is_said_why_not(part: str) -> None:
    """A rule that nothing breaks is named with its reason, and no reason outlives its need."""
    found = whole(part)
    silent = [rule for rule in found.tally.unbroken if rule not in found.part.unbroken]
    outlived = [rule for rule in found.part.unbroken if rule not in found.tally.unbroken]

    assert silent == [], f"no mutant breaks {silent}, and nobody says why"
    assert outlived == [], f"a mutant breaks {outlived}; take the reasons away"


@for_every_part
def test_every_argument_is_still_needed(part: str) -> None:
    """An argument for a mutant that is killed by now is taken away."""
    found = whole(part)

    assert {row.name for row in found.rows if row.status is Status.KILLED}.isdisjoint(
        found.part.arguments
    )
    assert set(found.part.arguments) <= set(found.part.mutants)


@pytest.mark.parametrize("part", PARTS)
def test_what_is_pinned_is_what_the_part_has(part: str) -> None:
    """The lock has each mutant of the part and no other, each killed by a rule that must hold."""
    pinned = json.loads((HERE / f"{part}_mutants.lock.json").read_text(encoding="utf-8"))
    rules = [*catalog.rules_of(part), *catalog.rules_of("world")]
    musts = {rule.id for rule in rules if rule.level is Level.MUST} | {"build"}

    assert list(pinned) == list(part_named(part).mutants)
    assert {entry["rule"] for entry in pinned.values() if "rule" in entry} <= musts


def test_a_part_is_one_of_the_kinds_that_have_rules() -> None:
    """Parts are called as the kinds of participants are, and each has a page of its own."""
    parts = all_parts()

    assert {*PARTS} <= {*catalog.PARTS}
    assert tuple(part.name for part in parts) == tuple(PARTS)
    assert len({part.page for part in parts}) == len(parts)


def test_mutants_are_chosen_by_name_part_or_bug() -> None:
    """`--only` takes a name, a part of names, or what mutants cite; anything else is bad usage."""
    agent = part_named("agent")
    by_bug = matrix.run(agent, ["A5"])

    assert [row.cites[0] for row in by_bug.rows] == ["A5", "P3", "R-EXE-12"]
    assert not by_bug.whole
    assert by_bug.exit_code == 0
    assert [row.name for row in matrix.run(agent, ["no watermark"]).rows] == ["no watermark"]
    with pytest.raises(UsageFault, match="no mutant"):
        matrix.run(agent, ["nothing of the kind"])


def test_the_matrix_prints_failures_first_and_loudly() -> None:
    """A survivor stands at the top of the text, in capitals, and makes the exit code 1."""
    survivor = Row("a fault", "it is wrong", ("A1",), "bugs", Status.SURVIVES)
    found = Matrix(part_named("agent"), (survivor,), whole=False, seconds=1.0)

    assert found.exit_code == 1
    assert found.to_text().startswith("SURVIVES")
    assert json.loads(json.dumps(found.to_json()))["counts"]["survives"] == 1
