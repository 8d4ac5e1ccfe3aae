"""Traces in which the oracle was once wrong: silent where it should be loud, or loud where not.

Each shows one thing in few lines; what is expected of it, and by which rule, stands in one list.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from fencepost.faults import TraceFault
from fencepost.judging import judge_file

FOLDER = Path(__file__).parent / "found"
EXPECTED: dict[str, dict[str, Any]] = json.loads(
    (FOLDER / "expected.json").read_text(encoding="utf-8")
)


def found(path: Path) -> dict[str, Any]:
    """What the oracle says of a trace: the verdict, and of a refusal its rule and its line."""
    try:
        verdict = judge_file(path)
    except TraceFault as fault:
        return {"verdict": "bad_input", "at": fault.line_number}
    told: dict[str, Any] = {"verdict": verdict.kind}
    if verdict.rule is not None:
        told |= {"rule": verdict.rule.id, "at": verdict.line}
    return told


@pytest.mark.parametrize("name", EXPECTED)
def test_what_was_once_judged_wrong_is_judged_right(name: str) -> None:
    """The verdict, the rule and the line are those that were argued when the fault was found."""
    assert found(FOLDER / name) == EXPECTED[name]


def test_every_trace_of_the_folder_is_judged() -> None:
    """None lies there unread."""
    assert {path.name for path in FOLDER.glob("*.ndjson")} == set(EXPECTED)
