"""Every numbered bug of the facts has a mutant that a rule finds, or a reason why none can have it.

Goal: no bug is passed over in silence. Method: the numbering is written down here once more, the
mutants say themselves what they stand for, and the rules are those that are pinned.
"""

import json
import os
from pathlib import Path

import pytest

from fencepost.kill_matrix.bugs import REASONS, TWINS, Bug, bugs, numbered, to_markdown
from fencepost.kill_matrix.parts import PARTS, all_parts
from fencepost.report.fact_list import BY_NUMBER

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "reference" / "bugs.md"


def pinned(part: str) -> dict[str, str]:
    """Return the rule that refuses each mutant of a part, as its lock holds it."""
    lock = ROOT / "model_tests" / "quality" / f"{part}_mutants.lock.json"
    entries = json.loads(lock.read_text(encoding="utf-8"))
    return {name: entry["rule"] for name, entry in entries.items() if "rule" in entry}


@pytest.fixture(scope="module")
def table() -> tuple[Bug, ...]:
    """The whole table."""
    return bugs(all_parts(), {part: pinned(part) for part in PARTS})


def test_no_number_is_left_out() -> None:
    """A1 to A7, B1 to B14, C1 to C13, D1 to D18; of the ledger B1 to B23, X1, X3, X5, X7, X9."""
    wanted = [
        *(f"{letter}{number + 1}" for letter, most in zip("ABCD", (7, 14, 13, 18), strict=True)
          for number in range(most)),
        *(f"ledger:B{number + 1}" for number in range(23)),
        *(f"ledger:X{number}" for number in (1, 3, 5, 7, 9)),
    ]  # fmt: skip

    assert sorted(numbered()) == sorted(wanted)
    assert set(TWINS) | {*TWINS.values()} <= set(wanted)


def test_every_bug_has_a_mutant_or_a_reason(table: tuple[Bug, ...]) -> None:
    """A rule finds some mutant that has it, or a sentence says why none has."""
    silent = [bug.number for bug in table if not (bug.shown or bug.why)]

    assert silent == []


def test_no_reason_outlives_its_need(table: tuple[Bug, ...]) -> None:
    """A reason that is given here is for a bug that a rule states and no mutant has."""
    known = {bug.number: bug for bug in table}

    for number in REASONS:
        assert known[number].shown == ()
        assert BY_NUMBER[number].without == ""


@pytest.mark.parametrize("number", ["ledger:B18", "ledger:B19", "ledger:B22", "ledger:X7", "D17"])
def test_a_bug_that_was_passed_over_once_has_its_mutant(
    table: tuple[Bug, ...], number: str
) -> None:
    """These were found late; each has a mutant of a controller, a ledger or a server now."""
    (bug,) = (bug for bug in table if bug.number == number)

    assert bug.shown


def test_the_page_of_the_bugs_is_not_stale(table: tuple[Bug, ...]) -> None:
    """It shows what the locks hold; REWRITE=1 writes it."""
    text = to_markdown(table)
    if os.environ.get("REWRITE"):
        PAGE.write_text(text, encoding="utf-8")

    assert PAGE.read_text(encoding="utf-8") == text
