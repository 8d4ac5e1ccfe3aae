"""A trace that comes through a pipe is judged as a file is, and takes no more than it needs."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from fencepost.trace import write_trace
from fencepost.trace.examples import HEADER
from fencepost.trace.lines import Call, Header, Line, Note, Reply

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(os.name != "posix", reason="there is no such device"),
]

SETTINGS: dict[str, Any] = {**HEADER["settings"], "instance_name": "a"}
HEAD = Header("receipts", "agent", "mine", "fencepost-1", "s", "", SETTINGS, ())
TRACE = [sys.executable, "-m", "fencepost.cli", "trace"]


def trace_of(folder: Path, *lines: Line) -> Path:
    """A file with the lines."""
    path = folder / "a.ndjson"
    write_trace(path, HEAD, lines)
    return path


def judged(
    *arguments: str, keep_below: Path, stdin: Any = None, limit: int | None = None
) -> "subprocess.CompletedProcess[bytes]":
    """The command in a process of its own, whose temporary files go below a folder."""
    import resource

    def limited() -> None:
        if limit is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    return subprocess.run(
        [*TRACE, *arguments],
        stdin=stdin,
        capture_output=True,
        timeout=120,
        env={**os.environ, "TMPDIR": str(keep_below)},
        preexec_fn=limited,
    )


def refused() -> list[Line]:
    """Lines of which the third is refused."""
    asked = Call(1, "status", "q1", {"checkpoint_id": "c1"})
    return [asked, Note(2, "so"), Reply(3, "q1", 200, {})]


def test_a_flow_is_judged_as_the_file_that_it_came_from(tmp_path: Path) -> None:
    """Through a pipe, the verdict and every word of it are the same."""
    path = trace_of(tmp_path, *refused(), Note(4, "after"))
    with path.open("rb") as file:
        flow = judged("-", keep_below=tmp_path, stdin=file)
    whole = judged(str(path), keep_below=tmp_path)

    assert (flow.returncode, whole.returncode) == (1, 1)
    assert flow.stdout.replace(b" -,", b" " + str(path).encode() + b",") == whole.stdout


@pytest.mark.parametrize(
    ("device", "words"),
    [("/dev/zero", b"the line is longer than"), ("/dev/urandom", b"is not UTF-8")],
)
def test_a_flow_without_end_is_refused_where_it_is_no_trace(
    device: str, words: bytes, tmp_path: Path
) -> None:
    """A flow may not have a longer line than a file, nor is more of it read or kept than needed."""
    left = judged(device, keep_below=tmp_path, limit=100_000_000)

    assert left.returncode == 2
    assert words in left.stdout


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL, signal.SIGINT])
def test_nothing_is_left_of_a_flow_when_the_process_is_ended(number: int, tmp_path: Path) -> None:
    """What is kept of a flow has no name, so it goes with the process."""
    kept = tmp_path / "kept"
    kept.mkdir()
    text = trace_of(tmp_path, *(Note(n, "x" * 1_000) for n in range(1, 200))).read_bytes()
    process = subprocess.Popen(
        [*TRACE, "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "TMPDIR": str(kept)},
    )
    assert process.stdin is not None
    process.stdin.write(text[:150_000])  # More than a pipe holds: the process is reading.
    process.stdin.flush()
    time.sleep(0.2)
    process.send_signal(number)
    process.communicate(timeout=60)

    assert process.returncode in (-number, 128 + number)
    assert list(kept.iterdir()) == []


def test_a_refusal_is_told_before_the_flow_ends(tmp_path: Path) -> None:
    """Whoever writes a flow hears at once what is wrong with it."""
    text = trace_of(tmp_path, *refused()).read_bytes()
    lines = text.splitlines(keepends=True)
    process = subprocess.Popen([*TRACE, "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdin is not None
    process.stdin.write(b"".join(lines[:-1]))  # The footer never comes.
    process.stdin.flush()

    assert process.wait(timeout=60) == 1
    process.communicate()


def test_a_flow_that_cannot_be_kept_is_told_in_words(tmp_path: Path) -> None:
    """A full disk is no mistake of anybody's."""
    path = trace_of(tmp_path, *(Note(n, "x" * 1_000) for n in range(1, 200)))
    with path.open("rb") as file:
        left = judged("-", keep_below=tmp_path, stdin=file, limit=10_000)

    assert left.returncode == 4
    assert b"cannot be kept: File too large" in left.stdout
    assert b"unexpected" not in left.stdout


def test_a_list_of_known_failures_has_an_end() -> None:
    """A device without end is no list of known failures."""
    command = [sys.executable, "-m", "fencepost.cli", "check", "agent", "--xfail", "/dev/zero"]
    left = subprocess.run(command, capture_output=True, timeout=120)

    assert left.returncode == 2
    assert b"/dev/zero is longer than" in left.stderr
