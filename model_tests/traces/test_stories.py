"""Our own traces: kept as files, judged as the manifest says, and each promise has its witness."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from fencepost.keeping.kept import MANIFEST
from fencepost.oracle import Oracle
from fencepost.stories.book import STORIES, stale, write
from fencepost.stories.sometimes import HAPPENED, Seen
from fencepost.trace import Line, TraceReader
from fencepost_spec.operation import Kind
from fencepost_spec.receipts.properties import PROPERTIES

HERE = Path(__file__).parent
ENTRIES: list[dict[str, Any]] = json.loads((HERE / MANIFEST).read_text(encoding="utf-8"))["traces"]
WITNESSES = {entry["rule"]: entry["file"] for entry in ENTRIES if entry["verdict"] == "conforms"}


def lines_of(file: str) -> list[Line]:
    """Return the lines of a kept trace, without header and footer."""
    with TraceReader(HERE / file) as reader:
        return list(reader)


def test_the_kept_traces_are_what_their_stories_tell() -> None:
    """A story that the reference would now tell otherwise is stale; REWRITE=1 writes it again."""
    if os.environ.get("REWRITE"):
        write(HERE)

    assert stale(HERE) == []


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry["file"])
def test_a_story_gets_its_verdict(entry: dict[str, Any]) -> None:
    """A witness conforms; a story that goes wrong is refused at its line, by its rule."""
    with TraceReader(HERE / entry["file"]) as reader:
        refusal = Oracle(reader.header).feed_all(reader)

    if entry["verdict"] == "conforms":
        assert refusal is None
        return
    assert refusal is not None
    rule = refusal.mismatch.rule
    assert (refusal.line.seq, rule and rule.id) == (entry["at"], entry["rule"])
    assert refusal.mismatch.stall == (entry["verdict"] == "stalls")


@pytest.mark.parametrize(
    "prop", [p for p in PROPERTIES if p.kind is Kind.SOMETIMES], ids=lambda prop: prop.id
)
def test_what_is_possible_has_a_witness(prop: Any) -> None:
    """Each good thing that the specification promises can happen did happen in a kept trace."""
    happened = HAPPENED[prop.id]
    lines = lines_of(WITNESSES[prop.id])

    assert happened(Seen(lines)), prop.name


@pytest.mark.parametrize("rule", HAPPENED, ids=str)
def test_a_witness_is_needed_to_its_end(rule: str) -> None:
    """A question is not answered yes by nothing, by half of its witness, or by a wrong story."""
    happened = HAPPENED[rule]
    lines = lines_of(WITNESSES[rule])

    assert not happened(Seen([]))
    assert not happened(Seen(lines[: len(lines) // 2]))
    for entry in ENTRIES:
        if entry["verdict"] != "conforms":
            assert not happened(Seen(lines_of(entry["file"]))), entry["file"]


def test_the_manifest_and_the_questions_name_the_same_promises() -> None:
    """No promise without witness, no witness without promise, no story that is told twice."""
    promised = {prop.id for prop in PROPERTIES if prop.kind is Kind.SOMETIMES}

    assert set(WITNESSES) == promised
    assert set(HAPPENED) == promised
    assert len({entry.file for entry in STORIES}) == len(STORIES)
