"""An adapter that never comes back is given up after a stated time, also when no thread can run."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from fencepost.faults import ParticipantFault
from fencepost.pulse import Pulse
from fencepost.vigil import PATIENCE_SECONDS, VARIABLE, Vigil, patience

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(os.name != "posix", reason="there is no fork"),
]

SECONDS = 4
FOR_EVER = "sum(range(10**12))"
"""One call that keeps every other thread from running."""

ADAPTER = """
import atexit, time
from fencepost.adapters.core import CoreAgent
class Mine(CoreAgent):
    pass
"""
HANGS = {
    "in a call under a limit": (
        f"async def settle(self): {FOR_EVER}\nMine.settle = settle",
        "no sign of life for 4 s; its last step was settle()",
    ),
    "in a call of its own": (
        f"async def control(self, *call): {FOR_EVER}\nMine.control = control",
        "no sign of life for 4 s; its last step was the call ",
    ),
    "in the factory": (
        f"def Mine(): {FOR_EVER}",
        "no sign of life for 4 s; its last step was the factory",
    ),
    # No sign of life, or not ended: which is noticed first depends on the machine.
    "at import, with the lock": (FOR_EVER, "importing mine"),
    "at import, turning": ("while True: pass", "importing mine has not ended within 4 s"),
    "at import, asleep": ("time.sleep(999)", "importing mine has not ended within 4 s"),
    "looked into": (
        "del Mine\ndef __getattr__(name): time.sleep(999)",
        "looking up mine:Mine has not ended within 4 s",
    ),
    "at the end": (
        "atexit.register(time.sleep, 999)",
        "what it registered for the end of the process has not ended within 4 s",
    ),
}


def started(folder: Path, text: str, *arguments: str, seconds: float = SECONDS) -> Any:
    """A check of an adapter of these lines."""
    (folder / "mine.py").write_text(f"{ADAPTER}{text}\n")
    command = [sys.executable, "-m", "fencepost.cli", "check", "agent", "--adapter", "mine:Mine"]
    return subprocess.Popen(
        [*command, *arguments],
        cwd=folder,
        env={**os.environ, VARIABLE: str(seconds)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.parametrize("where", HANGS)
def test_an_adapter_that_never_returns_could_not_run(where: str, tmp_path: Path) -> None:
    """The check ends with 4 and says what did not come back, to programs too."""
    text, words = HANGS[where]
    process = started(tmp_path, text, "--json", "--budget", "60")
    out, err = process.communicate(timeout=120)
    told = json.loads(out)

    assert process.returncode == told["exit_code"] == 4
    assert words in told["reason"]
    assert f"({VARIABLE} sets another limit)" in told["reason"]
    assert words in err


def test_an_adapter_that_is_slow_is_not_given_up(tmp_path: Path) -> None:
    """A check may last longer than the patience, while it lives."""
    text = "async def settle(self, sleep=time.sleep): sleep(2)\nMine.settle = settle"
    process = started(tmp_path, text, "--budget", "4", seconds=5)
    begun = time.monotonic()
    process.communicate(timeout=120)

    assert process.returncode == 3  # So few actions are no verdict.
    assert time.monotonic() - begun > 5


def test_a_child_that_no_thread_can_run_in_does_not_outlive_its_parent(tmp_path: Path) -> None:
    """When the parent is killed the system ends the child."""
    text = f"import os\nos.write(2, b'on')\n{FOR_EVER}"
    process = started(tmp_path, text)
    assert process.stderr.read(2) == "on"
    process.send_signal(signal.SIGKILL)
    # Standard error ends when the last process that holds it has ended.
    process.communicate(timeout=20)


def test_patience_counts_only_time_in_which_the_parent_could_look(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A parent that was stopped for an hour has not waited for an hour."""
    now = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    pulse = Pulse()
    pulse.do("settle()")
    vigil = Vigil(pulse, 2.0)
    for _ in range(5):  # The first look sees the beat before it.
        now[0] += 3_600
        vigil.look()
    now[0] += 3_600
    with pytest.raises(ParticipantFault, match=r"for 2 s; its last step was settle\(\)"):
        vigil.look()


def test_a_beat_begins_the_wait_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """One sign of life is enough, however late; a bounded step is not lengthened by it."""
    now = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    pulse = Pulse()
    vigil = Vigil(pulse, 2.0)
    for _ in range(100):
        now[0] += 0.4
        pulse.beat()
        vigil.look()
    pulse.do("importing mine")
    pulse.step()
    for _ in range(6):
        now[0] += 0.4
        pulse.beat()
        vigil.look()
    now[0] += 0.4
    pulse.beat()
    with pytest.raises(ParticipantFault, match="importing mine has not ended within 2 s"):
        vigil.look()


def test_how_long_is_waited_can_be_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """The environment sets the patience; what is no number of seconds is bad usage."""
    from fencepost.cli import run

    monkeypatch.delenv(VARIABLE, raising=False)
    assert patience() == PATIENCE_SECONDS
    monkeypatch.setenv(VARIABLE, "90.5")
    assert patience() == 90.5
    for wrong in ("soon", "0", "-1", "nan"):
        monkeypatch.setenv(VARIABLE, wrong)
        assert run(["check", "agent", "--adapter", "json:loads"]) == 2


def test_the_page_of_participants_says_how_long_is_waited() -> None:
    """The limit and its name stand there as they are."""
    page = Path(__file__).resolve().parents[2] / "docs" / "participants.md"
    text = page.read_text(encoding="utf-8")

    assert f"{PATIENCE_SECONDS:g} seconds" in text
    assert f"`{VARIABLE}`" in text
