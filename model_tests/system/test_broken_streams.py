"""Where nobody reads, or nothing can be written, the exit code is right and the words are plain."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from fencepost.trace import write_trace
from fencepost.trace.examples import HEADER
from fencepost.trace.lines import Call, Header, Reply

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(os.name != "posix", reason="there is no such shell"),
]

COMMAND = [sys.executable, "-m", "fencepost.cli"]
HEAD = Header("receipts", "agent", "mine", "fencepost-1", "s", "", HEADER["settings"], ())
FULL = pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")


@pytest.fixture
def traces(tmp_path: Path) -> dict[int, str]:
    """A trace for each of several exit codes."""
    asked = Call(1, "run", "q1", {"_ng_rollout_id": "r1"})
    write_trace(tmp_path / "0.ndjson", HEAD, [asked])
    write_trace(tmp_path / "1.ndjson", HEAD, [asked, Reply(2, "q1", 200, {})])
    (tmp_path / "2.ndjson").write_bytes(b"")
    return {code: str(tmp_path / f"{code}.ndjson") for code in range(3)}


def redirected(how: str, *arguments: str, folder: Path | None = None) -> tuple[int, str, str]:
    """Exit code, standard output and standard error of a command whose streams a shell changed."""
    line = ["sh", "-c", f'exec "$@" {how}', "sh", *COMMAND, *arguments]
    left = subprocess.run(line, capture_output=True, text=True, timeout=120, cwd=folder)
    return left.returncode, left.stdout, left.stderr


@pytest.mark.parametrize("how", [">&-", "2>&-", ">&- 2>&-", "<&- >&- 2>&-", "<&-"])
@pytest.mark.parametrize("code", [0, 1, 2])
def test_the_code_is_that_of_the_verdict_whoever_hears_it(
    how: str, code: int, traces: dict[int, str]
) -> None:
    """A stream that was closed from the start takes the words, and nothing else."""
    left = redirected(how, "trace", traces[code])

    assert left[0] == code
    assert left[2] == ""


@pytest.mark.parametrize("how", [">&-", "2>&-", ">&- 2>&-", "<&- >&- 2>&-"])
@pytest.mark.parametrize("adapter", [(), ("--adapter", "fencepost.adapters.core:CoreAgent")])
def test_a_check_runs_with_closed_streams(how: str, adapter: tuple[str, ...]) -> None:
    """Also a participant in a process of its own is judged as ever."""
    left = redirected(how, "check", "agent", "--budget", "600", *adapter)

    assert left[0] == 0
    assert left[2] == ""


def test_no_file_gets_the_number_of_a_closed_stream(tmp_path: Path) -> None:
    """What an adapter prints into a closed stream does not end up in a file that was opened."""
    (tmp_path / "mine.py").write_text(
        "import os\nfrom fencepost.adapters.core import CoreAgent as make\n"
        "kept = open('kept', 'w')\nos.write(1, b'one')\nos.write(2, b'two')\n"
    )
    words = ("check", "agent", "--budget", "600", "--adapter", "mine:make")
    left = redirected(">&- 2>&- <&-", *words, folder=tmp_path)

    assert left[0] == 0
    assert (tmp_path / "kept").read_text() == ""


@pytest.mark.parametrize("how", ["<&-", "<&- 2>&-"])
def test_a_closed_input_is_bad_input(how: str) -> None:
    """A trace from nowhere is no trace, and is not taken for an empty one."""
    code, out, _ = redirected(how, "trace", "-")

    assert code == 2
    assert "standard input is closed" in out
    assert redirected("<&- >&- 2>&-", "trace", "-")[0] == 2


@FULL
@pytest.mark.parametrize("code", [0, 1])
def test_a_verdict_that_cannot_be_written_is_none(code: int, traces: dict[int, str]) -> None:
    """A full disk under standard output is said in words, and no verdict stands."""
    left = redirected(">/dev/full", "trace", traces[code])

    assert left == (
        4,
        "",
        "fencepost: cannot write to standard output: No space left on device\n",
    )
    assert redirected(">/dev/full 2>&1", "trace", traces[code])[0] == 4


@FULL
def test_other_words_that_cannot_be_written_are_no_mistake_of_ours() -> None:
    """Help, rules and checks say the same of a full disk."""
    check = ("check", "agent", "--budget", "20", "--adapter", "fencepost.adapters.core:CoreAgent")
    for words in (("--help",), ("rules",), check):
        code, _, err = redirected(">/dev/full", *words)
        assert code == 4
        assert "No space left on device" in err
        assert "mistake" not in err


@FULL
@pytest.mark.parametrize("how", ["2>/dev/full", "2>&-"])
def test_a_verdict_does_not_depend_on_standard_error(how: str, tmp_path: Path) -> None:
    """What goes to standard error may be lost; the verdict is on standard output."""
    (tmp_path / "mine.py").write_text("raise ValueError('no')\n")
    words = ("check", "agent", "--json", "--adapter", "mine:make")
    code, out, _ = redirected(how, *words, folder=tmp_path)

    assert code == 4
    assert json.loads(out)["verdict"] == "harness"


def test_a_folder_that_is_gone_is_no_mistake_of_ours(traces: dict[int, str]) -> None:
    """In a folder that was removed everything is done that does not need it."""

    def ran(*arguments: str) -> "subprocess.CompletedProcess[str]":
        go = 'mkdir "$0" && cd "$0" && rmdir "$0" && exec "$@"'
        line = ["sh", "-c", go, str(Path(traces[0]).parent / "gone"), *COMMAND, *arguments]
        return subprocess.run(line, capture_output=True, text=True, timeout=120)

    core = ("--adapter", "fencepost.adapters.core:CoreAgent")
    assert ran("trace", traces[1]).returncode == 1
    assert ran("check", "agent", "--budget", "600").returncode == 0
    assert ran("check", "agent", "--budget", "600", *core).returncode == 0
    missing = ran("check", "agent", "--adapter", "mine:make")
    assert missing.returncode == 2
    assert "there is no module mine" in missing.stderr
    unsaved = ran("check", "agent", "--adapter", "json:loads", "--save", "run.ndjson")
    assert unsaved.returncode == 4
    for left in (missing, unsaved):
        assert "mistake" not in left.stderr


def test_a_run_is_saved_where_it_was_asked_for(tmp_path: Path) -> None:
    """An adapter may go to another folder; names still count from where the command was typed."""
    (tmp_path / "mine.py").write_text(
        "import os\nfrom fencepost.adapters.core import CoreAgent\n"
        "class Mine(CoreAgent):\n"
        "    async def settle(self):\n"
        "        os.chdir('/')\n"
        "        raise ValueError('no')\n"
    )
    words = ("check", "agent", "--adapter", "mine:Mine", "--save", "run.ndjson")
    left = redirected("", *words, folder=tmp_path)

    assert left[0] == 4
    assert (tmp_path / "run.ndjson").exists()
