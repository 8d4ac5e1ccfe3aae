"""What a check says when it is done: how much was tried, and what that is worth."""

import json
import os
from pathlib import Path

import attrs
import pytest

from fencepost.check_result import CheckResult, NotExercised, render_result, result_as_json
from fencepost.verdict import Verdict
from fencepost.xfail import KnownFailure, read_known_failures
from fencepost_spec.rule import Rule, Source

SNAPSHOTS = Path(__file__).parent / "verdicts"
RULE = Rule("R-INV-7", "parked work stays parked", Source("review", "what readers found"))
GOOD = CheckResult(
    verdict=Verdict("conforms", "bundled agent", rules_exercised=("R-EXE-1", "R-INV-7")),
    participant="bundled agent",
    seed=7,
    profile="quick",
    cases=412,
    actions=9876,
    seconds=12.34,
    must_total=60,
    must_exercised=58,
    not_exercised=(NotExercised("R-WAI-1", "the agent has no external waits"),),
)
BAD = attrs.evolve(
    GOOD,
    verdict=Verdict("violates", "bundled agent", line=4, rule=RULE, came="it moved"),
    known=(KnownFailure("R-INV-9", "reported as issue 12"),),
)
KNOWN = KnownFailure("R-INV-7", "a stale wake")


@pytest.mark.parametrize(("name", "result"), [("check_good", GOOD), ("check_bad", BAD)])
def test_the_text_of_a_check_is_kept(name: str, result: CheckResult) -> None:
    """A check reads as it did, for people and for programs. REWRITE=1 writes it again."""
    shown = {
        "txt": render_result(result) + "\n",
        "json": json.dumps(result_as_json(result), indent=2) + "\n",
    }
    for ending, text in shown.items():
        path = SNAPSHOTS / f"{name}.{ending}"
        if os.environ.get("REWRITE"):
            path.write_text(text, encoding="utf-8")
        assert path.read_text(encoding="utf-8") == text


def test_a_check_has_the_exit_code_of_its_verdict() -> None:
    """0 for a participant that conforms, 1 for one that does not."""
    assert GOOD.exit_code == 0
    assert BAD.exit_code == 1


def test_nothing_tried_is_no_success() -> None:
    """A run without a case is inconclusive, whatever its verdict says."""
    empty = attrs.evolve(GOOD, cases=0)

    assert empty.exit_code == 3
    assert "no case was tried" in render_result(empty)
    assert attrs.evolve(BAD, cases=0).exit_code == 1


def test_a_known_failure_that_passes_fails_the_run() -> None:
    """The list of known failures is strict: what is repaired must leave it."""
    repaired = attrs.evolve(GOOD, repaired=(KNOWN,))

    assert repaired.exit_code == 1
    assert "R-INV-7: take it off the list" in render_result(repaired)
    assert result_as_json(repaired)["exit_code"] == 1


def test_known_failures_are_read_with_their_reasons(tmp_path: Path) -> None:
    """Comments and blank lines are passed over; each other line is a rule and a reason."""
    path = tmp_path / "known"
    path.write_text("# reported\n\nR-INV-7   a stale wake\n")

    assert read_known_failures(path, {"R-INV-7"}) == (KNOWN,)
