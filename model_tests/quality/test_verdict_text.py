"""The text of verdicts, kept as snapshots: people live in it. REWRITE=1 writes them again."""

import json
import os
from pathlib import Path
from typing import get_args

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fencepost.faults import HarnessFault, ParticipantFault, TraceFault, UsageFault
from fencepost.layout import clean, render_list, render_row
from fencepost.verdict import (
    EXIT_CODES,
    Finding,
    Kind,
    Verdict,
    combine,
    exit_code,
    render_json,
    verdict_of_fault,
)
from fencepost.verdict_text import render_text
from fencepost_spec.rule import Level, Rule, Source

SNAPSHOTS = Path(__file__).parent / "verdicts"
REVIEW = Source("review of Gym #2942", "what careful readers found in the agent participant")
COUNTED = Rule(
    "R-INV-7",
    "nothing that was counted as parked moves before a later resume",
    REVIEW,
    ("I7", "A3"),
)
TIDY = Rule("R-TDY-2", "a report lists executions in a stable order", REVIEW, level=Level.SHOULD)

STALE_WAKE = Verdict(
    kind="violates",
    file="stale_wake.ndjson",
    line=17,
    rule=COUNTED,
    line_text="boundary 2 of r1 attempt 0: ok",
    expected="held: prepare c2 counted r1 as parked at line 13",
    came="let go at once",
    state_before="fence prepared (c2) · r1 attempt 0 parked at boundary 1",
    legal_here=("resume c2", "commit c2", "retire r1", "status", *(f"run r{n}" for n in range(12))),
    shortest=(
        *("run r1", "boundary 1", "prepare c1", "boundary 2 waits", "resume c1", "prepare c2"),
        *("boundary 3",),
    ),
    replay="fencepost replay stale_wake.min.ndjson --adapter yours:factory",
    notes=(Finding(TIDY, 9, "r2 stands before r1"),),
    rules_exercised=("R-EXE-1", "R-EXE-5", "R-INV-7"),
)
STALL = Verdict(
    kind="stalls",
    file="lost_wake.ndjson",
    line=21,
    rule=COUNTED,
    line_text="report at rest",
    expected="r1 attempt 0 has moved on since resume c1 let it go at line 18",
    state_before="fence idle · r1 attempt 0 woken",
)
VERDICTS: dict[str, Verdict] = {
    "violates": STALE_WAKE,
    "stalls": STALL,
    "conforms": Verdict("conforms", "happy_path.ndjson", rules_exercised=("R-EXE-1", "R-EXE-5")),
    "inconclusive": Verdict(
        "inconclusive",
        "crowd.ndjson",
        line=803,
        reason="more than 4096 states explain the recording up to here; its hidden steps are many",
    ),
    "out_of_date": Verdict("out_of_date", "mine 3349", reason="the list still has R-INV-7"),
    "bad_input": verdict_of_fault(TraceFault(3, "seq is 9, not 2", "it counts from 1"), "a.ndjson"),
    "empty": verdict_of_fault(TraceFault(None, "the file is empty"), "empty.ndjson"),
    "usage": verdict_of_fault(UsageFault("no file was named"), "-"),
    "harness": verdict_of_fault(ParticipantFault("the adapter raised KeyError: 'x'"), "yours:make"),
    "hostile": attrs.evolve(
        STALL,
        file="a\x1b[2J.ndjson",
        line_text="note \ud800\n\x07" + "x" * 120,
        legal_here=("\x1b]0;title\x07",),
    ),
}


def kept(name: str, text: str) -> str:
    """The snapshot of that name, written first when REWRITE is set."""
    path = SNAPSHOTS / name
    if os.environ.get("REWRITE"):
        path.write_text(text, encoding="utf-8")
    return path.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", VERDICTS)
def test_the_text_of_a_verdict_is_kept(name: str) -> None:
    """Each kind of verdict reads as it did."""
    text = render_text(VERDICTS[name]) + "\n"

    assert kept(f"{name}.txt", text) == text


@pytest.mark.parametrize("name", VERDICTS)
def test_the_json_of_a_verdict_is_kept(name: str) -> None:
    """Programs find the same keys in the same order."""
    text = json.dumps(json.loads(render_json(VERDICTS[name])), indent=2) + "\n"

    assert kept(f"{name}.json", text) == text
    assert "\n" not in render_json(VERDICTS[name])


def test_there_is_a_snapshot_for_every_kind() -> None:
    """No kind of verdict goes without a snapshot."""
    assert {verdict.kind for verdict in VERDICTS.values()} == set(get_args(Kind))


def test_colour_changes_no_character() -> None:
    """Colour only wraps the first words; without it the text is the same."""
    coloured = render_text(STALE_WAKE, colour=True)

    assert coloured.startswith("\x1b[31mdoes not conform\x1b[0m ")
    assert coloured.replace("\x1b[31m", "").replace("\x1b[0m", "") == render_text(STALE_WAKE)


def test_each_kind_has_its_exit_code() -> None:
    """0 conforms, 1 does not conform, 2 bad input, 3 inconclusive, 4 could not run."""
    codes = {name: exit_code(verdict) for name, verdict in VERDICTS.items()}

    assert [codes[name] for name in ("conforms", "violates", "stalls")] == [0, 1, 1]
    assert [codes[name] for name in ("bad_input", "usage", "inconclusive", "harness")] == [
        2,
        2,
        3,
        4,
    ]
    assert EXIT_CODES.keys() == set(get_args(Kind))


@given(st.lists(st.sampled_from([0, 1, 2, 3, 4])))
def test_the_worst_code_wins(codes: list[int]) -> None:
    """Of several codes 4 wins over 2, over 1, over 3, over 0; none at all is inconclusive."""
    order = [4, 2, 1, 3, 0]
    expected = min(codes, key=order.index) if codes else 3

    assert combine(codes) == expected


@pytest.mark.parametrize(
    "arguments",
    [
        {"kind": "violates", "file": "a", "line": 3},
        {"kind": "stalls", "file": "a", "rule": COUNTED},
        {"kind": "inconclusive", "file": "a"},
        {"kind": "bad_input", "file": "a"},
        {"kind": "harness", "file": "a"},
    ],
    ids=lambda arguments: str(arguments["kind"]),
)
def test_an_empty_verdict_cannot_be_made(arguments: dict[str, object]) -> None:
    """A refusal names its rule and line, and whatever decides nothing gives its reason."""
    with pytest.raises(ValueError, match="a verdict"):
        Verdict(**arguments)  # type: ignore[arg-type]  # each case leaves something out


def test_faults_of_ours_and_theirs_are_told_apart_from_bad_input() -> None:
    """Whoever wrote the file is to blame for bad input, and nobody else."""
    assert exit_code(verdict_of_fault(HarnessFault("broken"), "a")) == 4
    assert exit_code(verdict_of_fault(ParticipantFault("hangs"), "a")) == 4
    assert exit_code(verdict_of_fault(TraceFault(1, "torn"), "a")) == 2


@given(st.text())
def test_no_control_character_reaches_a_terminal(text: str) -> None:
    """Whatever a trace holds, its text is printable and on one line."""
    assert clean(text).isprintable()


@given(st.lists(st.lists(st.text("ab-", max_size=20), max_size=40).map(" ".join), max_size=5),
       st.integers(60, 140))  # fmt: skip
def test_an_item_of_many_words_is_wrapped_between_them(items: list[str], width: int) -> None:
    """The whole text of a reply stays within the width, and all of it is there."""
    rows = render_list("shortest", items, width)

    assert max(map(len, rows.split("\n"))) <= width
    assert "".join("".join(items).split()) in "".join(rows.replace("·", "").split())


@given(st.text(), st.lists(st.text(max_size=60), max_size=20), st.integers(60, 140))
def test_rows_stay_within_their_width(text: str, items: list[str], width: int) -> None:
    """A row is as wide as asked, unless a single word is wider."""
    words = [*clean(text).split(), *map(clean, items)]
    rows = f"{render_row('label', text, width)}\n{render_list('list', items, width)}"

    widest = max(map(len, rows.split("\n")))

    assert widest <= max(width, 20 + max(map(len, words), default=0) + 2)
