"""The traces of controllers in `controller/` get the verdicts that their manifest says.

Each file is one case or one story of `fencepost.controller`; a test holds file and tale equal, and
with REWRITE=1 in the environment writes both files and manifest.
"""

import json
import os
from io import BytesIO
from pathlib import Path
from typing import Any

import attrs
import pytest

from fencepost import catalog
from fencepost.controller.all_cases import CASES
from fencepost.controller.good_tales import GOOD
from fencepost.controller.tales import Tale
from fencepost.judging import judge_file
from fencepost.trace import write_trace
from fencepost_spec.operation import Kind
from fencepost_spec.receipts.controller.properties import PROPERTIES
from fencepost_spec.rule import Level

FOLDER = Path(__file__).parent / "controller"
MANIFEST = FOLDER / "manifest.json"


def slug(text: str) -> str:
    """Return a text as a part of a file name."""
    return "_".join("".join(c if c.isalnum() else " " for c in text.lower()).split())


def tales() -> dict[str, tuple[dict[str, Any], Tale]]:
    """Return every tale by the name of its file: the first case of each rule, and the stories."""
    found: dict[str, tuple[dict[str, Any], Tale]] = {}
    shown: set[str] = set()
    for case in CASES:
        rule = catalog.rule(case.rule)
        if rule.id in shown:
            continue
        shown.add(rule.id)
        verdict = "stalls" if rule.id.startswith("R-CEV") else "violates"
        if rule.level is Level.SHOULD:
            verdict = "conforms"
        tale = case.told(case.wrong)
        name = f"{slug(rule.id[2:])}_{slug(case.says)}.ndjson"
        entry = {"file": name, "verdict": verdict, "rule": rule.id}
        if verdict != "conforms":
            entry["because"] = rule.says
        found[name] = entry, tale
    for rule_id, story in GOOD.items():
        name = f"{story.__name__}.ndjson"
        because = (story.__doc__ or "").strip()
        found[name] = (
            {"file": name, "verdict": "conforms", "rule": rule_id, "because": because},
            story(),
        )
    return found


TALES = tales()


def written(name: str) -> bytes:
    """Return the file that a tale makes."""
    entry, tale = TALES[name]
    about = entry.get("because", catalog.rule(entry["rule"]).says)
    header = attrs.evolve(tale.header, scenario=name.removesuffix(".ndjson"), about=about)
    stream = BytesIO()
    write_trace(stream, header, tale.lines)
    return stream.getvalue()


@pytest.mark.parametrize("name", TALES)
def test_a_trace_is_the_tale_and_gets_its_verdict(name: str) -> None:
    """The file holds what the tale tells, and the oracle finds what the manifest says."""
    path, (entry, _) = FOLDER / name, TALES[name]
    if os.environ.get("REWRITE"):
        path.write_bytes(written(name))

    verdict = judge_file(path)

    assert path.read_bytes() == written(name)
    assert verdict.kind == entry["verdict"], verdict
    if verdict.kind != "conforms":
        assert verdict.rule is not None
        assert verdict.rule.id == entry["rule"]
        assert verdict.came
        assert verdict.state_before
        assert verdict.shortest


def test_the_manifest_lists_the_tales() -> None:
    """No trace lies there that nobody expects, and none is missing."""
    listed = {"format": 1, "traces": [entry for entry, _ in TALES.values()]}
    if os.environ.get("REWRITE"):
        MANIFEST.write_text(json.dumps(listed, indent=1, ensure_ascii=False) + "\n")

    assert json.loads(MANIFEST.read_text()) == listed
    assert {path.name for path in FOLDER.glob("*.ndjson")} == set(TALES)


def test_every_sometimes_has_a_story_without_a_remark() -> None:
    """Each good thing that must be possible is shown to be, by a trace without a fault."""
    wanted = {prop.id for prop in PROPERTIES if prop.kind is Kind.SOMETIMES}

    assert set(GOOD) == wanted
    for story in GOOD.values():
        assert judge_file(FOLDER / f"{story.__name__}.ndjson").notes == ()
