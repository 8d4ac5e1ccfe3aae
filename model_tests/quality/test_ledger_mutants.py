"""The kill matrix of the ledger: the oracle notices every ledger that is wrong on purpose.

Each mutant is refused by the rule and within the number of actions that the lock beside this file
holds; REWRITE=1 writes lock and page again.
"""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from fencepost.catalog import rule, rules_of
from fencepost.ledger.mutants.argued import EQUIVALENT, UNBROKEN
from fencepost.ledger.mutants.matrix import KILLED, Matrix, mutants, run
from fencepost.ledger.mutants.search import Search
from fencepost.report.ledger_facts import LEDGER_FACTS

HERE = Path(__file__).parent
LOCK = HERE / "ledger_mutants.lock.json"
PAGE = HERE.parents[1] / "docs" / "reference" / "ledger-mutants.md"


@pytest.fixture(scope="module")
def matrix() -> Matrix:
    """Examine every mutant once for all tests of this module."""
    return run()


def locked() -> dict[str, Any]:
    """Return what the lock holds."""
    table: dict[str, Any] = json.loads(LOCK.read_text(encoding="utf-8"))
    return table


@pytest.mark.slow
@pytest.mark.xdist_group("ledger_mutants")
def test_every_mutant_is_refused_or_does_nothing_otherwise(matrix: Matrix) -> None:
    """None survives, and each that is not refused is one that was argued by name."""
    assert matrix.exit_code == 0, matrix.render_text()
    assert {row.name for row in matrix.rows if row.status != KILLED} == set(EQUIVALENT)


@pytest.mark.slow
@pytest.mark.xdist_group("ledger_mutants")
def test_what_kills_each_mutant_is_what_the_lock_holds(matrix: Matrix) -> None:
    """Rule and number of actions are pinned; REWRITE=1 writes them and the page again."""
    if os.environ.get("REWRITE"):
        LOCK.write_text(json.dumps(matrix.lock(), indent=1) + "\n", encoding="utf-8")
        PAGE.write_text(matrix.to_markdown(), encoding="utf-8")

    assert matrix.lock() == locked()
    assert PAGE.read_text(encoding="utf-8") == matrix.to_markdown()


@pytest.mark.slow
@pytest.mark.xdist_group("ledger_mutants")
def test_every_rule_is_broken_by_a_mutant_or_says_why_not(matrix: Matrix) -> None:
    """A rule that nothing breaks would be a rule that nobody checks."""
    assert set(matrix.unbroken()) == set(UNBROKEN)


@pytest.mark.slow
@pytest.mark.xdist_group("ledger_mutants")
def test_a_refusal_is_short_and_tells_a_rule_of_the_ledger(matrix: Matrix) -> None:
    """The shortest sequences are a handful of actions, and rules are those of the ledger."""
    ids = {one.id for one in rules_of("ledger")}
    killed = [row for row in matrix.rows if row.status == KILLED]

    assert {row.rule for row in killed} <= ids
    assert max(row.actions for row in killed) <= 8
    assert all(len(row.sequence) == row.actions for row in killed)


def test_a_mutant_cites_what_there_is() -> None:
    """Every citation is a rule or a numbered fact, and every mechanical mutant cites its rule."""
    facts = {fact.number.removeprefix("ledger:") for fact in LEDGER_FACTS}
    for mutant in mutants().values():
        for cited in mutant.cites:
            assert cited in facts or rule(cited).id == cited, (mutant.name, cited)
        assert not mutant.mechanical or mutant.cites[0].startswith("R-L")


def test_the_bugs_that_a_ledger_alone_can_have_are_there() -> None:
    """Each numbered bug of the ledger that needs nothing but a ledger has its mutant."""
    cited = {cited for mutant in mutants().values() for cited in mutant.cites}

    assert {"B1", "B5", "B6", "B10", "B12", "B15", "B16", "B18", "B22", "X7", "X9"} <= cited


def test_the_search_tells_a_mutant_from_a_reference() -> None:
    """A mutant that is known to differ is told apart, and one that is known not to is not."""
    search = Search()
    wrong = search.difference(mutants()["needs no cut"])
    right = search.difference(mutants()["discard_group without R-LOP-8"])

    assert wrong.calls is not None
    assert right.calls is None
    assert right.places > 1_000


@pytest.mark.soak
@pytest.mark.parametrize("name", sorted(EQUIVALENT))
def test_what_does_nothing_otherwise_is_walked_further(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two calls after each beginning show no difference either."""
    monkeypatch.setattr("fencepost.ledger.mutants.search.DEPTH", 2)
    found = Search().difference(mutants()[name])

    assert found.calls is None
    assert found.places > 20_000
