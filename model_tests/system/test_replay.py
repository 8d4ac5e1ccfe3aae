"""`fencepost replay`: what was sent is judged, and what could not be sent is said."""

import json
from pathlib import Path

import pytest

from fencepost.adapters.core import CoreAgent
from fencepost.cli import run
from fencepost.generating.stories import script_of
from fencepost.making import Factory
from fencepost.playing import header_of, play_script
from fencepost.replay import replay_file
from fencepost.replayed import PLAYED_MIN
from fencepost.trace import write_trace
from fencepost.trace.lines import JsonObject, Line
from fencepost.verdict import exit_code
from fencepost.verdict_text import render_text
from fencepost.watch import Watch

ROOT = Path(__file__).parents[2]
TRACES = sorted((ROOT / "model_tests" / "traces").glob("*.ndjson"))
HEADER: JsonObject = {
    "fencepost": 1,
    "protocol": "receipts",
    "kind": "agent",
    "participant": {"name": "another", "version": "fencepost-1"},
    "scenario": "by hand",
    "about": "",
    "settings": {},
    "hidden": [],
}


class Little(CoreAgent):
    """An agent whose results nobody can release, and that cannot be retired."""

    capabilities = frozenset({"prepare", "resume", "status", "boundary", "time"})


def told(folder: Path, story: str) -> Path:
    """What an agent that can do everything does in a story, as a trace."""
    script: list[Line] = script_of(story)
    played = play_script(CoreAgent, header_of(CoreAgent(), "told", "a story"), script, Watch())
    assert played.refusal is None
    path = folder / "told.ndjson"
    write_trace(path, played.header, played.lines)
    return path


def written(folder: Path, *lines: JsonObject) -> Path:
    """A trace that another program wrote, without points of rest."""
    numbered = [{"seq": seq, **line} for seq, line in enumerate(lines, start=1)]
    path = folder / "written.ndjson"
    rows = [HEADER, *numbered, {"end": {"lines": len(lines)}}]
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return path


def work(event: str, detail: JsonObject) -> JsonObject:
    """A line about the work of r1."""
    subject = {"rollout_id": "r1", "attempt": 0}
    return {"work": event, "subject": subject, "detail": detail, "outcome": "ok"}


RUN = {"call": "run", "id": "1", "request": {"_ng_rollout_id": "r1"}}
BEGIN = work("begin", {"generation": 1, "continuation": None})
RETIRE = "run r1; boundary r1 0; prepare c1; resume c1; retire c2 r1"


def test_a_last_action_that_cannot_be_sent_is_inconclusive(tmp_path: Path) -> None:
    """The action that a trace was kept for was not sent, so nothing can be said."""
    verdict = replay_file(told(tmp_path, RETIRE), Little)

    assert verdict.kind == "inconclusive"
    assert exit_code(verdict) == 3
    assert verdict.reason == "the last of 5 actions was not sent"
    (unsent,) = verdict.not_sent
    assert "retire c2 r1" in unsent
    assert "it has no retire" in unsent
    assert "not sent            retire c2 r1" in render_text(verdict)


def test_what_was_not_sent_stands_beside_a_verdict(tmp_path: Path) -> None:
    """Most was sent and the last too: there is a verdict, and what is missing is said."""
    verdict = replay_file(told(tmp_path, f"{RETIRE}; cancelled r1; run r2; prepare c3"), Little)

    assert verdict.kind == "conforms"
    assert len(verdict.not_sent) == 1
    assert "it has no retire" in render_text(verdict)


def test_a_replay_of_which_little_could_be_sent_is_inconclusive(tmp_path: Path) -> None:
    """Below the share that the documentation states there is no verdict."""
    story = "run r1; retire c1 r1; cancelled r1; " + "retire c2 r1; " * 3 + "run r2"

    verdict = replay_file(told(tmp_path, story), Little)

    assert verdict.kind == "inconclusive"
    assert verdict.reason == "only 3 of 7 actions could be sent"
    assert len(verdict.not_sent) == 4


def test_what_the_participant_does_not_let_happen_is_said(tmp_path: Path) -> None:
    """An action that has no place in what it does is not sent, and not passed over in silence."""

    class Keeps(CoreAgent):
        """An agent that is never prepared, so that nobody parks."""

        capabilities = CoreAgent.capabilities - {"prepare"}

    story = "run r1; boundary r1 0; completed r1; run r2; boundary r2 0; completed r2; run r1"
    path = written(
        tmp_path,
        RUN,
        BEGIN,
        work("finish", {"outcome": "completed", "result": 1}),
        work("boundary", {"boundary_index": 3}),
    )

    assert replay_file(told(tmp_path, story), Keeps).not_sent == ()
    verdict = replay_file(path, Keeps)
    assert verdict.kind == "inconclusive"
    assert verdict.not_sent == ("boundary 3 (line 4, it could not happen here)",)


def test_every_action_of_a_trace_of_others_is_sent(tmp_path: Path) -> None:
    """Lines that follow each other closely are sent one after the other; none is lost."""
    path = written(
        tmp_path,
        RUN,
        BEGIN,
        work("boundary", {"boundary_index": 0}),
        work("boundary", {"boundary_index": 1}),
        work("finish", {"outcome": "completed", "result": {"a": 1}}),
        {"reply": "1", "status": 200, "body": {"a": 1}},
    )

    verdict = replay_file(path)

    assert verdict.kind == "conforms"
    assert verdict.not_sent == ()
    assert "R-EXE-34" in verdict.rules_exercised  # The work has finished.


@pytest.mark.parametrize("factory", [None, CoreAgent])
@pytest.mark.parametrize("path", TRACES, ids=lambda path: path.stem)
def test_the_traces_of_the_repository_can_be_replayed(path: Path, factory: Factory | None) -> None:
    """Sent to an agent that is right, each of them is sent in full and conforms."""
    verdict = replay_file(path, factory)
    without_files = {line for line in verdict.not_sent if "it has no files" in line}

    assert verdict.kind == "conforms", render_text(verdict)
    assert set(verdict.not_sent) == (set() if factory is None else without_files)


def test_a_deadline_of_the_wire_is_no_deadline_of_a_trace(tmp_path: Path) -> None:
    """The bundled agent is not blamed for a body that a trace cannot have."""
    request = {"checkpoint_id": "c1", "deadline_ts": 4102444800.0}
    path = written(tmp_path, {"call": "prepare", "id": "1", "request": request})

    assert replay_file(path).kind == "conforms"


def test_the_command_says_what_was_not_sent(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The exit code is 3, and programs get the list of what was left out."""
    path = told(tmp_path, RETIRE)
    monkeypatch.chdir(ROOT / "docs" / "examples")

    assert run(["replay", str(path), "--adapter", "adapter:make", "--json"]) == 3
    shown = json.loads(capsys.readouterr().out)
    assert shown["verdict"] == "inconclusive"
    assert len(shown["not_sent"]) == 1


def test_the_share_that_has_to_be_sent_is_documented() -> None:
    """The page about participants states it."""
    page = (ROOT / "docs" / "participants.md").read_text()

    assert PLAYED_MIN == 0.5
    assert "fewer than half of the actions" in page
