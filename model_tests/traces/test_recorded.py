"""The recorded traces of public implementations get the verdicts of their manifests.

The manifests bound each verdict; our own table of expectations, beside this file, holds the line
and the rule at which we refuse, so that no verdict changes unseen.
"""

import json
import os
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from fencepost.oracle import Oracle
from fencepost.trace import TraceReader

HERE = Path(__file__).parent
EXPECTED = HERE / "recorded.expectations.json"
SHARED = Path(os.environ.get("FENCEPOST_SHARED") or HERE.parents[2] / "shared")
RECORDED = SHARED / "traces" / "receipts"
FOLDERS = ("agent-2942", "agent-3349")
COUNT = 69


@cache
def manifests() -> dict[str, dict[str, Any]]:
    """Return the entry of each recorded agent trace, by folder and file; empty when absent."""
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


def judged(name: str) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Return the verdict on a recorded trace, and the facts that its rule states."""
    with TraceReader(RECORDED / name) as reader:
        refusal = Oracle(reader.header).feed_all(reader)
    if refusal is None:
        return {"verdict": "conforms"}, ()
    rule = refusal.mismatch.rule
    assert rule is not None, "a refusal names a rule"
    verdict = "stalls" if refusal.mismatch.stall else "violates"
    return {"verdict": verdict, "at": refusal.line.seq, "rule": rule.id}, rule.facts


@absent
def test_every_recorded_trace_is_here() -> None:
    """No recording has gone missing: the manifests list as many as we expect, and so do we."""
    assert len(manifests()) == COUNT
    assert all((RECORDED / name).is_file() for name in manifests())


@absent
@pytest.mark.parametrize("name", manifests(), ids=str)
def test_a_recorded_trace_gets_the_verdict_of_its_manifest(name: str) -> None:
    """Conforming stays silent; the rest is refused within the bounds, for the reason given."""
    entry = manifests()[name]
    found, facts = judged(name)

    assert (found["verdict"] == "conforms") == (entry["verdict"] == "conforms"), found
    if found["verdict"] != "conforms":
        earliest = min(entry["at"], entry.get("at_earliest", entry["at"]))
        latest = max(entry["at"], entry.get("at_latest", entry["at"]))
        assert earliest <= found["at"] <= latest, (found, entry["because"])
        assert set(facts) & set(entry["rules_of_thumb"]), (found, facts, entry["because"])


@absent
def test_our_verdicts_are_the_ones_we_expect() -> None:
    """Line and rule of each refusal are pinned; REWRITE=1 writes the table again."""
    found = {name: judged(name)[0] for name in manifests()}
    if os.environ.get("REWRITE"):
        EXPECTED.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")

    assert found == expectations()
