"""What a check says when it is done: how much was tried, and what that is worth."""

from collections.abc import Callable
from pathlib import Path

import attrs
import pytest

from fencepost.check_result import CheckResult, NotExercised, render_result, result_as_json
from fencepost.verdict import Verdict
from fencepost.xfail import KnownFailure, read_known_failures
from fencepost_spec.rule import Rule, Source

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
def test_the_text_of_a_check_is_kept(
    name: str, result: CheckResult, kept_texts: Callable[[str, CheckResult], None]
) -> None:
    """A check reads as it did, for people and for programs. REWRITE=1 writes it again."""
    kept_texts(name, result)


def test_a_check_has_the_exit_code_of_its_verdict() -> None:
    """0 for a participant that conforms, 1 for one that does not."""
    assert GOOD.exit_code == 0
    assert BAD.exit_code == 1


def test_nothing_tried_is_no_success() -> None:
    """A run without a case is inconclusive, whatever its verdict says."""
    empty = attrs.evolve(GOOD, cases=0)

    assert empty.exit_code == 3
    assert "no case was tried" in render_result(empty)
    assert told(empty) == ("inconclusive", 3, "inconclusive")
    assert attrs.evolve(BAD, cases=0).exit_code == 1


def test_a_known_failure_that_passes_fails_the_run() -> None:
    """The list of known failures is strict: what is repaired must leave it."""
    repaired = attrs.evolve(GOOD, repaired=(KNOWN,))

    assert repaired.exit_code == 1
    assert "R-INV-7: take it off the list" in render_result(repaired)
    assert result_as_json(repaired)["exit_code"] == 1
    assert told(repaired) == ("out_of_date", 1, "list out of date")
    assert "R-INV-7" in result_as_json(repaired)["reason"]


def told(result: CheckResult) -> tuple[str, int, str]:
    """The verdict and the exit code for programs, and the first words for people."""
    shown = result_as_json(result)
    assert shown["exit_code"] == result.exit_code
    return shown["verdict"], shown["exit_code"], render_result(result)[:20].strip()


def test_text_json_and_exit_code_tell_the_same() -> None:
    """Whatever a list of known failures makes of a verdict, it makes of it everywhere."""
    few = Verdict("inconclusive", "bundled agent", reason="only 2 cases")

    assert told(GOOD) == ("conforms", 0, "conforms")
    assert told(attrs.evolve(GOOD, known=(KNOWN,)))[:2] == ("conforms", 0)
    assert told(BAD) == ("violates", 1, "does not conform")
    assert told(attrs.evolve(BAD, repaired=(KNOWN,)))[:2] == ("violates", 1)
    assert told(attrs.evolve(GOOD, verdict=few, repaired=(KNOWN,)))[:2] == ("inconclusive", 3)


def test_the_first_line_fits_the_exit_code_when_the_list_is_out_of_date() -> None:
    """A run that fails for its list of known failures does not begin with success."""
    repaired = attrs.evolve(GOOD, repaired=(KNOWN,))
    first, *rest = render_result(repaired).splitlines()

    assert first == "list out of date    bundled agent"
    assert "R-INV-7" in rest[0]


def test_known_failures_are_counted_in_the_first_line() -> None:
    """A run that conforms only because failures are known says so at once."""
    other = KnownFailure("R-INV-9", "reported as issue 12")
    one, two = (attrs.evolve(GOOD, known=known) for known in ((KNOWN,), (KNOWN, other)))

    assert render_result(one).startswith("conforms but for 1 known failure  bundled agent")
    assert render_result(two).startswith("conforms but for 2 known failures  bundled agent")
    assert (one.exit_code, two.exit_code) == (0, 0)


def test_a_run_that_the_time_ended_says_so() -> None:
    """A time limit that came first is told with both numbers, in text and in JSON."""
    cut = attrs.evolve(GOOD, stopped_by_time=True, actions=3_805, actions_most=6_000)

    assert "stopped by time     after 3,805 of 6,000 actions" in render_result(cut)
    assert result_as_json(cut)["stopped_by_time"] is True
    assert cut.exit_code == 0
    assert "stopped by time" not in render_result(GOOD)


def test_what_was_not_exercised_is_counted_by_reason() -> None:
    """A few lines tell what was missed; the whole list is for programs."""
    many = (
        *(NotExercised(f"R-STO-{number}", "needs files") for number in range(20, 30)),
        *(NotExercised(f"R-EXE-{number}", "no case came to it") for number in range(1, 10)),
        NotExercised("R-FEN-9", "an agent never stands where a restore failed closed"),
    )
    told = attrs.evolve(GOOD, not_exercised=many)
    text = render_result(told)

    assert "not exercised       needs what it cannot do: 10 rules (files 10)" in text
    assert "no case came to it: 9 rules (R-EXE-1, R-EXE-2, R-EXE-3, R-EXE-4, …)" in text
    assert "no case can come to it: 1 rule (R-FEN-9)" in text
    assert len(result_as_json(told)["not_exercised"]) == len(many)


def test_what_was_not_exercised_is_left_out_when_the_run_was_cut_short() -> None:
    """After a failure, or when it could not run, what no case came to says nothing."""
    harness = Verdict("harness", "mine", reason="it raised")

    assert "not exercised" not in render_result(BAD)
    assert "not exercised" not in render_result(attrs.evolve(GOOD, verdict=harness))
    assert "not exercised" not in render_result(attrs.evolve(GOOD, finished=False))


def test_known_failures_are_read_with_their_reasons(tmp_path: Path) -> None:
    """Comments and blank lines are passed over; each other line is a rule and a reason."""
    path = tmp_path / "known"
    path.write_text("# reported\n\nR-INV-7   a stale wake\n")

    assert read_known_failures(path, "agent") == (KNOWN,)
