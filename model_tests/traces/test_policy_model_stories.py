"""Stories of a policy model are traces that conform; a line that lies is refused by its rule."""

from collections.abc import Callable, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

import attrs
import pytest

from fencepost.faults import TraceFault
from fencepost.judging import judge_file
from fencepost.policy_model.oracle import ModelOracle
from fencepost.policy_model.reading import EVENTS
from fencepost.policy_model.showing import look_line
from fencepost.policy_model.stories import STORIES
from fencepost.policy_model.telling import Story
from fencepost.policy_model.walking import header_of
from fencepost.trace import TraceReader, renumber, write_trace
from fencepost.trace.lines import Fault, Line, Note, Reply, Report, Tick, Work
from fencepost_spec.operation import Kind
from fencepost_spec.receipts.policy_model.properties import MODEL_PROPERTIES

BY_NAME = {story.says: story for story in STORIES}


@pytest.mark.parametrize("story", STORIES, ids=lambda story: story.says)
def test_a_story_conforms_and_uses_its_rules(story: Story, tmp_path: Path) -> None:
    """What a story leads to is a trace that reads back, conforms, and uses what it names."""
    walk = story.walk()
    path = tmp_path / "story.ndjson"
    with path.open("wb") as file:
        write_trace(file, header_of(story.role, story.ledger), walk.lines)

    verdict = judge_file(path)

    assert verdict.kind == "conforms", verdict
    assert set(story.rules) <= set(walk.rules)


def test_every_sometimes_has_a_story() -> None:
    """Each good thing that must be possible is shown to be."""
    wanted = {prop.id for prop in MODEL_PROPERTIES if prop.kind is Kind.SOMETIMES}

    assert {story.shows for story in STORIES} - {None} == wanted


def refusal_of(lines: Sequence[Line], **header: Any) -> tuple[str | None, bool]:
    """Return the rule that refuses the lines, and whether it is a stall."""
    oracle = ModelOracle(attrs.evolve(header_of(), **header))
    refusal = oracle.feed_all(renumber(lines))
    assert refusal is not None, "nothing was refused"
    rule = refusal.mismatch.rule
    return None if rule is None else rule.id, refusal.mismatch.stall


def told(story: str) -> list[Line]:
    """Return the lines of a story."""
    return list(BY_NAME[story].walk().lines)


def changed(lines: list[Line], place: Callable[[Line], bool], **changes: Any) -> list[Line]:
    """Return the lines up to the first that fits, which is changed."""
    at = next(index for index, line in enumerate(lines) if place(line))
    return [*lines[:at], attrs.evolve(lines[at], **changes)]


def is_parked(line: Line) -> bool:
    """Tell whether a line shows a call that was told to try again."""
    return isinstance(line, Work) and line.event == "admit" and line.outcome != "ok"


DRAINS = "drains, is written, goes on"


@pytest.mark.parametrize(
    ("outcome", "rule"),
    [
        ("ok", "R-GAT-4"),
        ({"code": "stale_attempt"}, "R-GAT-4"),
        ({"code": "checkpoint_parked"}, "R-GAT-7"),
        ({"code": "checkpoint_parked", "retry_after": True}, "R-GAT-7"),
        ({"code": "checkpoint_parked", "retry_after": 30}, "R-GAT-7"),
    ],
)
def test_a_closed_gate_says_so_in_full(outcome: Any, rule: str) -> None:
    """A call during the drain is parked, with the header that says when to try again."""
    assert refusal_of(changed(told(DRAINS), is_parked, outcome=outcome)) == (rule, False)


def test_an_older_version_may_leave_the_header_out() -> None:
    """At level 3349 only codes are compared."""
    lines = changed(told(DRAINS), is_parked, outcome={"code": "checkpoint_parked"})
    oracle = ModelOracle(attrs.evolve(header_of(), version="3349"))

    assert oracle.feed_all(lines) is None


@pytest.mark.parametrize("event", ["record", "release", "cancel"])
def test_a_call_that_has_ended_does_nothing_more(event: str) -> None:
    """A row, an end or a cancellation of a call without a ticket is refused."""
    lines = told(DRAINS)
    at = next(i for i, one in enumerate(lines) if isinstance(one, Work) and one.event == "release")
    release = lines[at]
    assert isinstance(release, Work)
    detail = {"ticket": "t1", "model_call_id": "m9", "failure_reason": None, "storage_key": None}
    ghost = attrs.evolve(release, event=event, detail=detail)

    assert refusal_of([*lines[: at + 1], ghost])[0] == "R-GAT-8"


def test_a_drain_that_has_ended_is_told_at_rest() -> None:
    """A report that says draining with no call in flight is refused by the drain's rule."""
    lines = told(DRAINS)
    ends = next(
        i for i, one in enumerate(lines) if isinstance(one, Work) and one.event == "release"
    )
    fits = (i for i, one in enumerate(lines) if i > ends and isinstance(one, Report))
    at = next(fits)
    report = lines[at]
    assert isinstance(report, Report)
    lines[at] = attrs.evolve(report, body=report.body | {"state": "draining"})

    assert refusal_of(lines[: at + 1])[0] == "R-ADM-3"


def test_an_answer_that_never_comes_is_a_stall() -> None:
    """Without the reply of the pause, the next point of rest shows the stall."""
    lines = [one for one in told(DRAINS) if not isinstance(one, Reply)]

    assert refusal_of(lines)[1]


def test_a_status_that_outwaits_its_deadline_is_a_stall() -> None:
    """When more time passes after the deadline and nothing was answered, that is shown."""
    lines = told("a status waits for its deadline")
    at = next(i for i, one in enumerate(lines) if isinstance(one, Tick))
    more = attrs.evolve(lines[at])

    assert refusal_of([*lines[: at + 1], more]) == ("R-PML-2", True)


@pytest.mark.parametrize(
    ("field", "value", "rule"),
    [
        ("rollouts", 2, "R-MOP-13"),
        ("excluded_inactive", 5, "R-MOP-13"),
        ("manifest_digest", "short", "R-MOP-21"),
    ],
)
def test_a_commit_counts_what_it_wrote(field: str, value: Any, rule: str) -> None:
    """Every number of a commit's answer is compared, and its shape."""
    lines = told("a restored lineage is written again")
    at = max(i for i, one in enumerate(lines) if isinstance(one, Reply))
    reply = lines[at]
    assert isinstance(reply, Reply)
    lines[at] = attrs.evolve(reply, body=reply.body | {field: value})

    assert refusal_of(lines[: at + 1])[0] == rule


def test_a_committed_directory_that_changed_is_seen() -> None:
    """A look that shows other rows than were written is refused."""
    walk = BY_NAME["a restored lineage is written again"].walk()
    look = look_line("d1", walk.state.disk["d1"])
    good = attrs.evolve(look, seq=len(walk.lines) + 1)
    bad = attrs.evolve(good, look={**look.look, "tombstones": [], "source_attempts": []})

    assert ModelOracle(header_of()).feed_all([*walk.lines, good]) is None
    assert refusal_of([*walk.lines, bad])[0] == "R-PMI-9"


@pytest.mark.parametrize(
    "line",
    [
        Work(1, "begin", "r1", 0, {}, "ok"),
        Work(1, "admit", "r1", 0, {"ticket": "t1"}, "ok"),
        Work(1, "admit", "r1", 0, {"ticket": "t1", "path": "/v1/responses", "headers": []}, "ok"),
        Work(1, "release", "r1", 0, {}, "ok"),
        Fault(1, "damage", None, {"path": "d1", "change": "colour"}),
    ],
)
def test_what_is_no_line_of_a_model_is_bad_input(line: Line) -> None:
    """An unknown event, a missing detail, a subject that its headers deny: bad input."""
    with pytest.raises(TraceFault):
        ModelOracle(header_of()).feed(line)


@pytest.mark.parametrize(
    "wrong",
    [
        {"version": "1999"},
        {"hidden": ("wakes",)},
        {"settings": {"role": "judge"}},
        {"settings": {"ledger": 3}},
    ],
)
def test_a_header_that_means_nothing_is_bad_input(wrong: dict[str, Any]) -> None:
    """Versions, hidden events and settings are known, or the trace cannot be judged."""
    with pytest.raises(TraceFault):
        ModelOracle(attrs.evolve(header_of(), **wrong))


def test_a_trace_in_which_nothing_happens_never_conforms() -> None:
    """A remark alone exercises nothing."""
    written = BytesIO()
    write_trace(written, header_of(), [Note(1, "nothing")])
    with TraceReader(BytesIO(written.getvalue())) as reader:
        lines = list(reader)

    assert ModelOracle(header_of()).feed_all(lines) is None
    assert ModelOracle(header_of()).rules == {}
    assert set(EVENTS) == {"admit", "record", "release", "cancel"}
