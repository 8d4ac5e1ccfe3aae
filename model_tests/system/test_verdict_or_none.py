"""No path leads to exit code 0 but through a verdict that was printed."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import typer

from fencepost import cli
from fencepost.cli import run
from fencepost.commands.output import Conclusion
from fencepost.commands.typed import command
from fencepost.trace import write_trace
from fencepost.trace.examples import HEADER
from fencepost.trace.lines import Call, Header

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(os.name != "posix", reason="there is no fork"),
]

LEAVES = {
    "sys.exit(0)": "tried to end the process: SystemExit: 0",
    "sys.exit()": "tried to end the process: SystemExit",
    "sys.exit('no licence')": "tried to end the process: SystemExit: no licence",
    "unittest.main(argv=['mine'])": "tried to end the process: SystemExit",
    "raise KeyboardInterrupt": "failed: KeyboardInterrupt",
    "os.kill(os.getpid(), signal.SIGINT); time.sleep(9)": "failed: KeyboardInterrupt",
    "raise BaseException('x')": "failed: BaseException: x",
    "raise GeneratorExit": "failed: GeneratorExit",
    "raise typer.Exit(0)": "failed: Exit",
    "raise typer.Abort": "failed: Abort",
    "raise EOFError": "failed: EOFError",
    "raise BrokenPipeError(32, 'gone')": "failed: BrokenPipeError: [Errno 32] gone",
}
IMPORTS = "import os, signal, sys, time, unittest\nimport typer\n"


def fencepost(*arguments: str, **settings: Any) -> subprocess.CompletedProcess[str]:
    """Run the command line in a process of its own."""
    words = [sys.executable, "-m", "fencepost.cli", *arguments]
    return subprocess.run(words, capture_output=True, text=True, timeout=120, **settings)


@pytest.mark.parametrize("deed", LEAVES)
def test_a_module_that_leaves_while_it_is_imported_has_no_verdict(
    deed: str, tmp_path: Path
) -> None:
    """Whatever a module does while it is imported is told with its name, and the code is 4."""
    (tmp_path / "mine.py").write_text(f"{IMPORTS}{deed}\n")

    left = fencepost("check", "agent", "--adapter", "mine:make", cwd=tmp_path)

    assert (left.returncode, left.stdout) == (4, "")
    assert f"fencepost: importing mine {LEAVES[deed]}" in left.stderr
    assert "mistake of fencepost" not in left.stderr


@pytest.mark.parametrize("deed", ["sys.exit(0)", "raise KeyboardInterrupt", "raise SystemError"])
def test_a_module_that_leaves_while_it_is_looked_into_has_no_verdict(
    deed: str, tmp_path: Path
) -> None:
    """The names of a module may be made by a function of it, which may do the same."""
    (tmp_path / "mine.py").write_text(f"{IMPORTS}def __getattr__(name):\n    {deed}\n")

    left = fencepost("check", "agent", "--adapter", "mine:make", cwd=tmp_path)

    assert (left.returncode, left.stdout) == (4, "")
    assert left.stderr.startswith("fencepost: looking up mine:make ")


@pytest.mark.parametrize("ends", ["sys.exit(0)", "os._exit(0)", "raise ValueError"])
def test_a_program_is_told_in_json_that_there_is_no_verdict(ends: str, tmp_path: Path) -> None:
    """With --json there is one object on standard output, also when nothing could be run."""
    (tmp_path / "mine.py").write_text(f"{IMPORTS}{ends}\n")
    trace = tmp_path / "a.ndjson"
    header = Header("receipts", "agent", "mine", "fencepost-1", "s", "", HEADER["settings"], ())
    write_trace(trace, header, [Call(1, "run", "q1", {"_ng_rollout_id": "r1"})])

    for words in (("check", "agent"), ("replay", str(trace))):
        left = fencepost(*words, "--json", "--adapter", "mine:make", cwd=tmp_path)
        (told,) = map(json.loads, left.stdout.splitlines())
        assert left.returncode == told["exit_code"] == 4
        assert told["verdict"] == "harness"
        assert "importing mine" in told["reason"] or "ended the process" in told["reason"]
        assert told["where"] == ([] if "_exit" in ends else ["mine.py:3 in <module>"])


def test_bad_usage_is_told_in_json_too(tmp_path: Path) -> None:
    """An adapter that is not there is bad input for programs as well."""
    left = fencepost("check", "agent", "--json", "--adapter", "no_such:make", cwd=tmp_path)
    right = fencepost("check", "agent", "--json", "--budget", "1")
    told = json.loads(left.stdout)

    assert left.returncode == told["exit_code"] == 2
    assert told["verdict"] == "bad_input"
    assert told.keys() == json.loads(right.stdout).keys()


def test_a_verdict_that_is_lost_at_the_end_of_the_process_is_none(tmp_path: Path) -> None:
    """An adapter that ends the process in its exit handlers takes its verdict with it."""
    (tmp_path / "mine.py").write_text(
        "import atexit, os\nfrom fencepost.adapters.core import CoreAgent as make\n"
        "atexit.register(os._exit, 0)\n"
    )

    left = fencepost("check", "agent", "--budget", "600", "--adapter", "mine:make", cwd=tmp_path)

    assert (left.returncode, left.stdout) == (4, "")
    assert "ended the process (status 0)" in left.stderr


@pytest.mark.parametrize(
    "deed",
    [SystemExit(0), SystemExit(), typer.Exit(0), typer.Exit(), typer.Abort(), EOFError(), None],
    ids=repr,
)
def test_a_command_has_no_way_to_0_but_its_conclusion(
    deed: BaseException | None,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A command that raises to leave, or returns nothing, is a mistake, and the code is 4."""
    commands = typer.Typer()

    @commands.callback()
    def _root() -> None:
        """Have more commands than one."""

    @commands.command()
    @command()
    def leaves() -> Conclusion:
        if deed is not None:
            raise deed
        return None  # type: ignore[return-value]  # pyright: ignore[reportReturnType]

    monkeypatch.setattr(cli, "COMMANDS", commands)

    assert run(["leaves"]) == 4
    shown = capsys.readouterr()
    assert shown.out == ""
    assert "mistake of fencepost" in shown.err
