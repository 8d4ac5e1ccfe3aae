"""The traces in `model/` and `resources/`: what is told of each, and the verdict that it gets.

REWRITE=1 in the environment tells all of them again, the wrong ones by looking for the shortest
way into each named bug.
"""

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from fencepost import catalog
from fencepost.adapters.resources import CoreResources
from fencepost.judging import judge_file
from fencepost.keeping import kept, model, resources
from fencepost.policy_model.core_adapter import CoreModel
from fencepost.policy_model.mutants.named import NAMED as MODELS
from fencepost.replay import replay_file
from fencepost.resources.mutants.named import NAMED as SERVERS
from fencepost.resources.stories import STORIES, unanswered
from fencepost.trace import TraceReader
from fencepost.trace.lines import Fault, Line, Lost, Tick
from fencepost_spec.operation import Kind
from fencepost_spec.receipts.policy_model.properties import MODEL_PROPERTIES
from fencepost_spec.receipts.resources.properties import PROPERTIES

HERE = Path(__file__).parent
TOLD: Mapping[str, Any] = {"model": model, "resources": resources}
PARTS = tuple(TOLD)


def entries(part: str) -> list[dict[str, Any]]:
    """Return the manifest of a folder."""
    text = (HERE / part / kept.MANIFEST).read_text(encoding="utf-8")
    listed: list[dict[str, Any]] = json.loads(text)["traces"]
    return listed


def lines_of(path: Path) -> list[Line]:
    """Return the lines of a trace, without header and footer."""
    with TraceReader(path) as reader:
        return list(reader)


def wrong_of(part: str) -> dict[str, Callable[[], Any]]:
    """Return a maker of each wrong participant, by the file of its trace."""
    if part == "model":
        return {f"{kept.slug(one.name)}.ndjson": _model(one.make) for one in MODELS}
    return {f"{kept.slug(one.name)}.ndjson": _server(one.make) for one in SERVERS}


def _model(make: Callable[[], Any]) -> Callable[[], Any]:
    return lambda: CoreModel(make())


def _server(make: Callable[[], Any]) -> Callable[[], Any]:
    return lambda: CoreResources(make())


ENTRIES = [
    (part, entry)
    for part in PARTS
    if (HERE / part / kept.MANIFEST).exists()
    for entry in entries(part)
]
WRONG = [(part, entry) for part, entry in ENTRIES if entry["verdict"] != "conforms"]


def named(value: Any) -> str:
    """Return the name by which a case is told apart."""
    return value if isinstance(value, str) else str(value["file"])


OF_THE_ORDER = {
    "copies_before_it_checks.ndjson",
    "leaves_copies.ndjson",
    "restore_opens.ndjson",
    "no_check_again_under_the_lock.ndjson",
}
"""Faults that show only in an order of own steps which a replay does not choose."""

WORLD = {
    "model": {
        "replace kept", "replace empty", "replace with ledger", "copy", "remove", "index", "tick",
        "hold commit", "release commit", "hold restore", "release restore", "lost timeout",
        *(f"fail {step}" for step in ("records", "manifest", "after_manifest", "read", "copy")),
        "damage", *(f"damage {change}" for change in ("lineage", "manifest", "version")),
    },
    "resources": {
        "replace kept", "replace empty", "replace with settings", "copy", "remove", "damage",
        "agents", "evict", "tick", "lost cancelled",
        *(f"hold {op}" for op in ("prepare", "commit", "restore")),
        *(f"release {op}" for op in ("prepare", "commit", "restore")),
        *(f"fail {step}" for step in ("records", "manifest", "after_manifest", "read", "export",
                                      "install", "retire_hook")),
    },
}  # fmt: skip
"""Everything that the world may do to a server beside calls and work."""


@pytest.mark.slow
@pytest.mark.parametrize("part", PARTS)
def test_a_folder_holds_what_is_told_and_nothing_else(part: str) -> None:
    """Every trace is told again; REWRITE=1 writes what has changed."""
    wanted = kept.files([*TOLD[part].good(), *TOLD[part].wrong()])
    if os.environ.get("REWRITE"):
        kept.write(HERE / part, wanted)

    assert kept.stale(HERE / part, wanted) == []


@pytest.mark.parametrize("part", PARTS)
def test_the_good_traces_are_what_their_stories_tell(part: str) -> None:
    """What the reference would now tell otherwise is stale; the manifest names every file."""
    for one in TOLD[part].good():
        assert (HERE / part / one.file).read_bytes() == one.content, one.file
        assert one.entry in entries(part)
    listed = {entry["file"] for entry in entries(part)}

    assert listed == {path.name for path in (HERE / part).glob("*.ndjson")}


@pytest.mark.parametrize(("part", "entry"), ENTRIES, ids=named)
def test_a_trace_gets_its_verdict(part: str, entry: dict[str, Any]) -> None:
    """The oracle finds what the manifest says, at the line and by the rule that it says."""
    verdict = judge_file(HERE / part / entry["file"])

    assert verdict.kind == entry["verdict"], verdict
    assert entry["because"]
    if verdict.kind == "conforms":
        prop = entry["rule"] in {one.id for one in (*MODEL_PROPERTIES, *PROPERTIES)}
        assert prop or entry["rule"] in verdict.rules_exercised
        return
    assert verdict.rule is not None
    assert (verdict.rule.id, verdict.line) == (entry["rule"], entry["at"])
    assert verdict.came
    assert verdict.state_before
    assert verdict.shortest


@pytest.mark.parametrize(("part", "entry"), ENTRIES, ids=named)
def test_the_reference_conforms_when_a_trace_is_replayed(part: str, entry: dict[str, Any]) -> None:
    """What the world does in a trace, right or wrong, it does to the bundled participant."""
    verdict = replay_file(HERE / part / entry["file"])

    assert verdict.kind == "conforms", verdict.reason


@pytest.mark.parametrize(("part", "entry"), WRONG, ids=named)
def test_the_participant_that_made_a_trace_is_refused_again(
    part: str, entry: dict[str, Any]
) -> None:
    """A wrong trace, sent to the participant with that fault, ends with its rule."""
    verdict = replay_file(HERE / part / entry["file"], wrong_of(part)[entry["file"]])

    if entry["file"] in OF_THE_ORDER:
        assert verdict.rule is None or verdict.rule.id != entry["rule"]
        return
    assert verdict.rule is not None, verdict.reason
    assert (verdict.kind, verdict.rule.id) == (entry["verdict"], entry["rule"])


@pytest.mark.parametrize("part", PARTS)
def test_every_named_bug_has_its_trace(part: str) -> None:
    """One wrong trace for each bug that somebody has thought of, and each for a rule that is."""
    wrong = [entry for entry in entries(part) if entry["verdict"] != "conforms"]

    assert {entry["file"] for entry in wrong} == set(wrong_of(part))
    assert {entry["verdict"] for entry in wrong} == {"violates", "stalls"}
    assert all(catalog.rule(entry["rule"]) for entry in wrong)


@pytest.mark.parametrize(
    ("part", "properties"), [("model", MODEL_PROPERTIES), ("resources", PROPERTIES)]
)
def test_every_sometimes_has_a_witness(part: str, properties: Iterable[Any]) -> None:
    """Each good thing that must be possible is in a trace that conforms."""
    wanted = {prop.id for prop in properties if prop.kind is Kind.SOMETIMES}
    kept_for = {entry["rule"] for entry in entries(part) if entry["verdict"] == "conforms"}

    assert wanted <= kept_for


@pytest.mark.parametrize("story", STORIES, ids=lambda story: story.property_id)
def test_a_witness_of_a_server_has_the_answers_of_its_story(story: Any) -> None:
    """A trace that conforms shows nothing good by that alone: the answers are asked for."""
    assert unanswered(story, lines_of(HERE / "resources" / f"{kept.slug(story.name)}.ndjson")) == []


def faults_in(lines: Iterable[Line]) -> Iterator[str]:
    """Yield what the world did beside calls and work, in words."""
    for line in lines:
        match line:
            case Fault(name="replace", disk=disk, detail=detail):
                yield f"replace {disk}"
                yield from (f"replace with {name}" for name in detail)
            case Fault(name=name, detail=detail):
                more = detail.get("of") or detail.get("step") or detail.get("change")
                yield name if more is None else f"{name} {more}"
            case Lost(how=how):
                yield f"lost {how}"
            case Tick():
                yield "tick"
            case _:
                pass


@pytest.mark.parametrize("part", PARTS)
def test_everything_that_the_world_does_is_in_a_trace_that_conforms(part: str) -> None:
    """Each fault of the world, each step of the disk that can fail, each way to damage a file."""
    done = {
        word
        for entry in entries(part)
        if entry["verdict"] == "conforms"
        for word in faults_in(lines_of(HERE / part / entry["file"]))
    }

    assert done >= WORLD[part]
    assert {word.partition(" ")[0] for word in done} == {
        word.partition(" ")[0] for word in WORLD[part]
    }
