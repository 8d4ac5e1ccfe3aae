"""What went wrong is shown with its place, can be saved, and says how to see it again."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from fencepost.adapters.core import CoreAgent
from fencepost.check_result import render_result
from fencepost.checking import check_agent
from fencepost.cli import run
from fencepost.explaining import Options
from fencepost.participant import Answer
from fencepost.trace import write_trace

pytestmark = pytest.mark.slow


# Others are like these two, but the tests below ask for the name of this file; and where an adapter
# raised, frames of `fencepost` are left out, so they cannot stand there.
class Raises(CoreAgent):
    """Raises in a control call."""

    async def control(self, *_call: Any, **_named: Any) -> Answer:
        """Raise."""
        raise ZeroDivisionError("no way\nto say more")


class UnknownVersion(CoreAgent):
    """Speaks a dialect that nobody knows."""

    version = "9999"


def test_a_factory_that_makes_nothing_usable_is_named() -> None:
    """What could not run is called by the name of its factory, as nothing else is known of it."""
    assert check_agent(UnknownVersion).participant.endswith("test_failing_runs:UnknownVersion")


def test_what_an_adapter_raised_is_shown_with_its_place_and_the_actions_before_it() -> None:
    """The adapter's own frames are named, the actions are counted, and the run can be saved."""
    result = check_agent(Raises, budget=3_000)
    text = render_result(result)

    assert "test_failing_runs.py:" in result.where[-1]
    assert result.where[-1].endswith(" in control")
    assert all("driver.py" not in frame for frame in result.where)
    assert 0 < len(result.last_actions) <= 8
    assert "raised at" in text
    assert result.cases == 1
    assert result.actions >= len(result.last_actions)
    assert result.counterexample is not None
    assert "ZeroDivisionError: no way" in result.traceback


def test_the_whole_traceback_is_printed_when_it_is_asked_for(tmp_path: Path) -> None:
    """--debug prints the traceback of the adapter; the saved run raises again at that place."""
    (tmp_path / "mine.py").write_text(
        "from fencepost.adapters.core import CoreAgent\n\n\n"
        "class Mine(CoreAgent):\n"
        "    async def control(self, op, request, auth):\n"
        "        raise KeyError('checkpoint_id')\n"
    )
    adapter = ("--adapter", "mine:Mine")

    def ran(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "fencepost.cli", *arguments, *adapter]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60)

    checked = ran("--debug", "check", "agent", "--save", "run.ndjson")
    again = ran("replay", "run.ndjson")

    assert (checked.returncode, again.returncode) == (4, 4)
    assert "Traceback" in checked.stderr
    assert "raised at           mine.py:6 in control" in checked.stdout
    assert "mine.py:6 in control" in again.stdout
    assert "Traceback" not in again.stderr


def test_a_saved_run_of_an_earlier_check_does_not_stay(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """When nothing failed, the file to save to holds no older failure; other files are kept."""
    other, stale = tmp_path / "notes", tmp_path / "run.ndjson"
    other.write_text("mine")
    result = check_agent(Raises, budget=100)
    assert result.counterexample is not None
    write_trace(stale, *result.counterexample)

    for path in (stale, other):
        assert run(["check", "agent", "--budget", "20", "--save", str(path)]) == 3
    told = capsys.readouterr().err

    assert not stale.exists()
    assert "of an earlier check, is removed" in told
    assert other.read_text() == "mine"
    assert "stays as it is" in told


def test_the_line_to_replay_a_failure_has_all_that_decides_it() -> None:
    """What was typed is typed again; a run that was saved needs no second check."""
    options = Options("mine:make", 7, "long", 50, "known failures")

    assert options.replay() == (
        "fencepost check agent --adapter mine:make --seed 7 --profile long --budget 50"
        " --xfail 'known failures' --save failing.ndjson;"
        " fencepost replay failing.ndjson --adapter mine:make"
    )
    assert Options("mine:make", save="mine.ndjson").replay() == (
        "fencepost replay mine.ndjson --adapter mine:make"
    )
