"""The traces of controllers in `controller/` get the verdicts that their manifest says.

Each file is one case or one story of `fencepost.controller`; a test holds file and tale equal, and
with REWRITE=1 in the environment writes both files and manifest.
"""

import os
from pathlib import Path

import attrs
import pytest

from fencepost import catalog
from fencepost.controller.all_cases import CASES
from fencepost.controller.good_tales import GOOD
from fencepost.controller.tales import Tale
from fencepost.judging import judge_file
from fencepost.keeping.kept import Kept, files, slug, stale, write
from fencepost_spec.operation import Kind
from fencepost_spec.receipts.controller.properties import PROPERTIES
from fencepost_spec.rule import Level

FOLDER = Path(__file__).parent / "controller"


def tales() -> dict[str, Kept]:
    """Return every tale by the name of its file: the first case of each rule, and the stories."""
    found: list[Kept] = []
    shown: set[str] = set()
    for case in CASES:
        rule = catalog.rule(case.rule)
        if rule.id in shown:
            continue
        shown.add(rule.id)
        verdict = "stalls" if rule.id.startswith("R-CEV") else "violates"
        if rule.level is Level.SHOULD:
            verdict = "conforms"
        name = f"{slug(rule.id[2:])}_{slug(case.says)}"
        found.append(as_kept(case.told(case.wrong), name, verdict, rule.id, rule.says))
    for rule_id, story in GOOD.items():
        because = (story.__doc__ or "").strip()
        found.append(as_kept(story(), story.__name__, "conforms", rule_id, because))
    return {one.file: one for one in found}


def as_kept(tale: Tale, name: str, verdict: str, rule: str, about: str) -> Kept:
    """Return a tale as a trace that is kept."""
    header = attrs.evolve(tale.header, scenario=name, about=about)
    return Kept(header, tale.lines, verdict, rule)


TALES = tales()


@pytest.mark.parametrize("name", TALES)
def test_a_trace_is_the_tale_and_gets_its_verdict(name: str) -> None:
    """The file holds what the tale tells, and the oracle finds what the manifest says."""
    path, told = FOLDER / name, TALES[name]
    if os.environ.get("REWRITE"):
        path.write_bytes(told.content)

    verdict = judge_file(path)

    assert path.read_bytes() == told.content
    assert verdict.kind == told.verdict, verdict
    if verdict.kind != "conforms":
        assert verdict.rule is not None
        assert verdict.rule.id == told.rule
        assert verdict.came
        assert verdict.state_before
        assert verdict.shortest


def test_the_manifest_lists_the_tales() -> None:
    """No trace lies there that nobody expects, and none is missing."""
    wanted = files(TALES.values())
    if os.environ.get("REWRITE"):
        write(FOLDER, wanted)

    assert stale(FOLDER, wanted) == []


def test_every_sometimes_has_a_story_without_a_remark() -> None:
    """Each good thing that must be possible is shown to be, by a trace without a fault."""
    wanted = {prop.id for prop in PROPERTIES if prop.kind is Kind.SOMETIMES}

    assert set(GOOD) == wanted
    for story in GOOD.values():
        assert judge_file(FOLDER / f"{story.__name__}.ndjson").notes == ()
