"""The recorded traces of public recovery ledgers get the verdicts of their manifests.

As for agents: the manifests bound each verdict, and a table beside this file pins line and rule.
"""

import json
import os
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from fencepost.judging import judge_file
from fencepost.verdict import Verdict

HERE = Path(__file__).parent
EXPECTED = HERE / "ledger_recorded.expectations.json"
SHARED = Path(os.environ.get("FENCEPOST_SHARED") or HERE.parents[2] / "shared")
RECORDED = SHARED / "traces" / "ledger"
FOLDERS = ("4265-reviewed", "4265-after-review")
COUNT = 24


@cache
def manifests() -> dict[str, dict[str, Any]]:
    """Return the entry of each recorded ledger trace, by folder and file; empty when absent."""
    found: dict[str, dict[str, Any]] = {}
    for folder in FOLDERS:
        path = RECORDED / folder / "manifest.json"
        if path.is_file():
            listed = json.loads(path.read_text(encoding="utf-8"))["traces"]
            found |= {f"{folder}/{entry['file']}": entry for entry in listed}
    return found


def expectations() -> dict[str, dict[str, Any]]:
    """Return our own table of expectations."""
    table: dict[str, dict[str, Any]] = json.loads(EXPECTED.read_text(encoding="utf-8"))
    return table


absent = pytest.mark.skipif(
    not manifests(), reason=f"RECORDED TRACES ABSENT: no manifests under {RECORDED}"
)


@cache
def verdict_on(name: str) -> Verdict:
    """Return the verdict on a recorded trace, as the command gives it."""
    return judge_file(RECORDED / name)


def pinned(verdict: Verdict) -> dict[str, Any]:
    """Return what the table holds of a verdict."""
    if verdict.rule is None:
        return {"verdict": verdict.kind}
    return {"verdict": verdict.kind, "at": verdict.line, "rule": verdict.rule.id}


@absent
def test_every_recorded_trace_is_here() -> None:
    """No recording has gone missing: the manifests list as many as we expect, and so do we."""
    assert len(manifests()) == COUNT
    assert all((RECORDED / name).is_file() for name in manifests())


@absent
@pytest.mark.parametrize("name", manifests(), ids=str)
def test_a_recorded_trace_gets_the_verdict_of_its_manifest(name: str) -> None:
    """Conforming stays silent; the rest is refused within the bounds, for the reason given."""
    entry, verdict = manifests()[name], verdict_on(name)

    assert verdict.kind == entry["verdict"], verdict
    if verdict.kind != "conforms":
        earliest = min(entry["at"], entry.get("at_earliest", entry["at"]))
        latest = max(entry["at"], entry.get("at_latest", entry["at"]))
        assert verdict.rule is not None
        assert verdict.line is not None
        assert earliest <= verdict.line <= latest, (verdict, entry["because"])
        cited = {fact.removeprefix("ledger:") for fact in verdict.rule.facts}
        assert cited & set(entry["rules_of_thumb"]), (cited, entry["because"])


@absent
@pytest.mark.parametrize("name", manifests(), ids=str)
def test_a_refusal_tells_what_came_before_and_what_would_have_been_right(name: str) -> None:
    """A verdict that refuses has every part that people need to believe it."""
    verdict = verdict_on(name)
    if verdict.kind == "conforms":
        assert len(verdict.rules_exercised) >= 2
        return
    assert all((verdict.expected, verdict.came, verdict.state_before, verdict.line_text))
    assert verdict.shortest


@absent
def test_our_verdicts_are_the_ones_we_expect() -> None:
    """Line and rule of each refusal are pinned; REWRITE=1 writes the table again."""
    found = {name: pinned(verdict_on(name)) for name in manifests()}
    if os.environ.get("REWRITE"):
        EXPECTED.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")

    assert found == expectations()
