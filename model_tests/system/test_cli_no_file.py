"""What is no file that can be read is bad input, for every command that reads one."""

import os
import sys
from pathlib import Path

import pytest

from fencepost.cli import run
from fencepost.report.trace_examples import agent_trace
from fencepost.trace import write_trace

NOBODY = 65534
"""The user that owns nothing."""


def test_what_is_no_file_is_bad_input(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A directory and a file that is not there are named in the verdict."""
    assert run(["trace", str(tmp_path)]) == 2
    assert "this is a directory" in capsys.readouterr().out
    assert run(["trace", str(tmp_path / "none.ndjson")]) == 2
    assert "there is no such file" in capsys.readouterr().out
    assert run(["trace", "a\0b"]) == 2
    assert "null" in "".join(capsys.readouterr())


def test_a_file_that_may_not_be_read_is_bad_input(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """A file without permission is bad input, also where the tests run as root."""
    path, good = tmp_path / "secret.ndjson", tmp_path / "good.ndjson"
    header, lines, _ = agent_trace()
    for one in (path, good):
        write_trace(one, header, lines)
    path.chmod(0)
    assert run(["trace", str(good)]) == 0  # Whatever the command imports is loaded now.
    capfd.readouterr()

    child = os.fork()
    if child == 0:  # Root may read everything, so the child gives that up.
        if os.geteuid() == 0:
            os.setuid(NOBODY)
        code = run(["trace", str(path)])
        sys.stdout.flush()
        os._exit(code)
    _, status = os.waitpid(child, 0)

    assert os.waitstatus_to_exitcode(status) == 2
    assert "cannot be opened" in capfd.readouterr().out
