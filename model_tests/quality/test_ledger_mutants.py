"""Ledgers that are wrong on purpose: what they cite, and how they are told from the reference."""

import pytest

from fencepost.catalog import rule
from fencepost.ledger.mutants.argued import EQUIVALENT
from fencepost.ledger.mutants.part import MUTANTS
from fencepost.ledger.mutants.search import Search
from fencepost.report.ledger_facts import LEDGER_FACTS


def test_a_mutant_cites_what_there_is() -> None:
    """Every citation is a rule or a numbered fact, and every mechanical mutant cites its rule."""
    facts = {fact.number.removeprefix("ledger:") for fact in LEDGER_FACTS}
    for mutant in MUTANTS.values():
        for cited in mutant.cites:
            assert cited in facts or rule(cited).id == cited, (mutant.name, cited)
        assert not mutant.mechanical or mutant.cites[0].startswith("R-L")


def test_the_bugs_that_a_ledger_alone_can_have_are_there() -> None:
    """Each numbered bug of the ledger that needs nothing but a ledger has its mutant."""
    cited = {cited for mutant in MUTANTS.values() for cited in mutant.cites}

    assert {"B1", "B5", "B6", "B10", "B12", "B15", "B16", "B18", "B22", "X7", "X9"} <= cited


def test_the_search_tells_a_mutant_from_a_reference() -> None:
    """A mutant that is known to differ is told apart, and one that is known not to is not."""
    search = Search()
    wrong = search.difference(MUTANTS["needs no cut"])
    right = search.difference(MUTANTS["discard_group without R-LOP-8"])

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
    found = Search().difference(MUTANTS[name])

    assert found.calls is None
    assert found.places > 20_000
