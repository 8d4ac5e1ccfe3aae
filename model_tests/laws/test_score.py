"""Everything in the specification is deleted once, and the score says how much of it is noticed."""

import json
import os
from collections import Counter
from itertools import product
from pathlib import Path

import attrs
import pytest

from fencepost.kill_matrix.deletable import EFFECT, KINDS, RECEIPT, VALIDATION, deleted, items
from fencepost.kill_matrix.part import MECHANICAL
from fencepost.kill_matrix.parts import PARTS, all_parts, part_named
from fencepost.kill_matrix.row import FAILURES
from fencepost.kill_matrix.score import Score, counts_of
from fencepost.mutants.argued import EQUIVALENT
from fencepost_spec.receipts.agent import AGENT
from fencepost_spec.receipts.guards import ExecutionFacts
from fencepost_spec.receipts.ledger.spec import LEDGER

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "reference" / "score.md"


def pinned(part: str) -> dict[str, str]:
    """Return what became of each mutant of a part, as the lock of the kill matrix holds it."""
    lock = ROOT / "model_tests" / "quality" / f"{part}_mutants.lock.json"
    entries = json.loads(lock.read_text(encoding="utf-8"))
    return {name: entry.get("status", "killed") for name, entry in entries.items()}


@pytest.mark.parametrize("part", PARTS)
def test_everything_that_can_be_deleted_is_deleted_once(part: str) -> None:
    """What the mutants lack, taken together, is everything that the specification holds."""
    whole = part_named(part)
    lacking = Counter(
        deleted(whole.intact, whole.spec_of(mutant)) for mutant in whole.groups[MECHANICAL]
    )
    effects = lacking.pop(None, 0)

    assert lacking == Counter(items(whole.intact))
    assert effects == (len(LEDGER.operations) - 1 if part == "ledger" else 0)


def test_what_is_deleted_is_found_in_the_specification() -> None:
    """Rows, guards, rungs, entries and phases are told apart, and a row takes its guards along."""
    (guarded, *_) = (row for row in AGENT.execution.rows if row.guards)
    table = AGENT.execution.without(guarded)
    row = deleted(AGENT, attrs.evolve(AGENT, execution=table))
    loose = AGENT.execution.without_guard(guarded, guarded.guards[0])
    guard = deleted(AGENT, attrs.evolve(AGENT, execution=loose))
    fewer = attrs.evolve(AGENT, receipt_ladder=(), receipt_fields=())

    assert row is not None
    assert guard is not None
    assert (row.kind, guard.kind) == ("row of a chart", "guard of a chart")
    assert row.holds(guard)
    assert deleted(AGENT, AGENT) is None
    assert deleted(AGENT, fewer) is None


def test_what_the_row_before_answers_is_answered_by_it() -> None:
    """A guard of an execution that is called equivalent for that reason changes no answer."""
    names = [field.name for field in attrs.fields(ExecutionFacts)]
    facts = [
        ExecutionFacts(**dict(zip(names, values, strict=True)))
        for values in product([False, True], repeat=len(names))
    ]
    part = part_named("agent")
    argued = [name for name in EQUIVALENT if " whatever " in name]

    for name in argued:
        without = part.spec_of(part.mutants[name][1])
        item = deleted(AGENT, without)
        assert item is not None
        event, source = item.where[2:4]
        for known in facts:
            intact = AGENT.execution.find(source, event, known)
            found = without.execution.find(source, event, known)
            assert (intact and intact.target) == (found and found.target), name
    assert len(argued) == 16


def test_every_kind_is_there() -> None:
    """Receipt-identity checks and restore validations are among what is deleted."""
    found = {item.kind for part in all_parts() for item in items(part.intact)}

    assert found == {*KINDS} - {EFFECT}
    assert Counter(item.kind for item in items(LEDGER))[VALIDATION] == len(LEDGER.loading.all())
    assert Counter(item.kind for item in items(AGENT))[RECEIPT] == len(
        (*AGENT.receipt_fields, *AGENT.receipt_ladder)
    )


def test_the_page_of_the_score_is_not_stale() -> None:
    """It shows what is pinned of each mutant; REWRITE=1 writes it. Nothing survives unargued."""
    counts = tuple(one for part in all_parts() for one in counts_of(part, pinned(part.name)))
    text = Score(counts).to_markdown()
    if os.environ.get("REWRITE"):
        PAGE.write_text(text, encoding="utf-8")

    assert PAGE.read_text(encoding="utf-8") == text
    assert all(each.why for one in counts for each in one.survivors)
    assert {each.status for one in counts for each in one.survivors}.isdisjoint(
        status.value for status in FAILURES
    )
