"""What the tests of this folder share: the texts of a check that are kept."""

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from fencepost.check_result import CheckResult, render_result, result_as_json

SNAPSHOTS = Path(__file__).parent / "verdicts"
Kept = Callable[[str, CheckResult], None]


@pytest.fixture
def kept_texts() -> Kept:
    """Return what asserts that a result reads as it did, for people and for programs.

    REWRITE=1 writes both texts again.
    """

    def compare(name: str, result: CheckResult) -> None:
        shown = {
            "txt": render_result(result) + "\n",
            "json": json.dumps(result_as_json(result), indent=2) + "\n",
        }
        for ending, text in shown.items():
            path = SNAPSHOTS / f"{name}.{ending}"
            if os.environ.get("REWRITE"):
                path.write_text(text, encoding="utf-8")
            assert path.read_text(encoding="utf-8") == text

    return compare
