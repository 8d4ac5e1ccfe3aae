"""Whatever the command line is given, it answers in words, with the right exit code."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from fencepost.cli import run
from fencepost.trace.examples import HEADER

TICK = {"seq": 1, "tick": 1.0}
END = {"end": {"lines": 1}}


def text_of(*lines: Any) -> bytes:
    """Lines as the text of a trace."""
    return b"".join(
        (line if isinstance(line, bytes) else json.dumps(line).encode()) + b"\n" for line in lines
    )


GOOD_HEADER: dict[str, Any] = {
    **HEADER,
    "settings": {"instance_name": "a", "acknowledgements": True},
    "hidden": [],
}
RUN = {"seq": 1, "call": "run", "id": "q1", "request": {"_ng_rollout_id": "r1"}}
BEGIN = {
    "seq": 2,
    "work": "begin",
    "subject": {"rollout_id": "r1", "attempt": 0},
    "detail": {"generation": 1, "continuation": None},
    "outcome": "ok",
}
GOOD = text_of(GOOD_HEADER, RUN, BEGIN, {"end": {"lines": 2}})
BAD = {
    "empty": (b"", "the file is empty"),
    "binary": (b"\x7fELF\xff\xfe" + bytes(range(256)), "not UTF-8"),
    "zero bytes": (b"\0" * 64, "binary file"),
    "no header": (text_of(TICK, END), "the header is missing"),
    "wrong version": (text_of({**GOOD_HEADER, "fencepost": 2}, TICK, END), "format version 2"),
    "unknown protocol": (text_of({**GOOD_HEADER, "protocol": "x"}, TICK, END), "'receipts'"),
    "malformed line": (text_of(GOOD_HEADER, b'{"seq": 1,', END), "file line 2"),
    "repeated key": (text_of(GOOD_HEADER, b'{"seq": 1, "tick": 1, "tick": 2}', END), "'tick'"),
    "not a number": (text_of(GOOD_HEADER, b'{"seq": 1, "tick": NaN}', END), "NaN is not JSON"),
    "unknown field": (text_of(GOOD_HEADER, {**TICK, "colour": 1}, END), "unknown field 'colour'"),
    "unknown line": (text_of(GOOD_HEADER, {"seq": 1, "colour": 1}, END), "no known kind"),
    "lost line": (text_of(GOOD_HEADER, {**TICK, "seq": 2}, END), "seq is 2, not 1"),
    "missing footer": (text_of(GOOD_HEADER, TICK), "the footer is missing"),
    "cut footer": (text_of(GOOD_HEADER, TICK, b'{"end": {"li'), "file line 3"),
    "wrong footer": (text_of(GOOD_HEADER, END), "the footer counts 1 line,"),
    "stray reply": (text_of(GOOD_HEADER, {"seq": 1, "reply": "q", "lost": "timeout"}), "'q'"),
    "byte order mark": (b"\xef\xbb\xbf" + GOOD, "byte-order mark"),
    "blank line": (text_of(GOOD_HEADER, b"", END), "the line is blank"),
    "unknown event": (text_of(GOOD_HEADER, RUN, {**BEGIN, "work": "beginn"}, END), "'beginn'"),
    "unknown operation": (text_of(GOOD_HEADER, {**RUN, "call": "prepair"}, END), "'prepair'"),
    "unknown kind": (
        text_of({**GOOD_HEADER, "protocol": "episodes", "kind": "environment"}, TICK, END),
        "no model for environment",
    ),
    "unknown level": (
        text_of({**GOOD_HEADER, "participant": {"name": "a", "version": "v9"}}, TICK, END),
        "'v9'",
    ),
    "unknown hidden": (text_of({**GOOD_HEADER, "hidden": ["x"]}, TICK, END), "hidden names"),
    "a number too long": (
        text_of(GOOD_HEADER, b'{"seq": 1, "tick": ' + b"1" * 5000 + b"}", END),
        "a whole number has more than 4300 digits",
    ),
    "a number out of range": (
        text_of(GOOD_HEADER, b'{"seq": 1, "tick": ' + b"1" * 400 + b".0}", END),
        f"the number {'1' * 30}… is out of range",
    ),
    "two traces": (GOOD + GOOD, "something follows the footer"),
}


def fencepost(*arguments: str, **settings: Any) -> subprocess.CompletedProcess[str]:
    """Run the command line in a process of its own."""
    command = [sys.executable, "-m", "fencepost.cli", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, **settings)


@pytest.mark.parametrize("command", ["trace", "replay"])
@pytest.mark.parametrize("name", BAD)
def test_a_bad_trace_is_bad_input(
    name: str, command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A trace that cannot be read ends with code 2 and a sentence, never with a verdict.

    It is the same whether it is to be judged or to be played again.
    """
    content, words = BAD[name]
    path = tmp_path / "a.ndjson"
    path.write_bytes(content)

    code = run([command, str(path)])
    shown = capsys.readouterr()

    assert code == 2
    assert shown.out.startswith("bad input ")
    assert words in " ".join(shown.out.split())
    assert "Traceback" not in shown.out + shown.err


def test_one_bad_file_does_not_hide_the_others(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every file is judged, and the worst code counts."""
    good, bad = tmp_path / "good.ndjson", tmp_path / "bad.ndjson"
    good.write_bytes(GOOD)
    bad.write_bytes(b"")

    code = run(["trace", "--json", str(bad), str(good)])
    verdicts = [json.loads(line) for line in capsys.readouterr().out.splitlines()]

    assert code == 2
    assert [verdict["exit_code"] for verdict in verdicts] == [2, 0]
    assert [verdict["verdict"] for verdict in verdicts] == ["bad_input", "conforms"]
    assert run(["trace", "--quiet", str(bad), str(good)]) == 2
    assert "2 traces  bad input: 1 · conforms: 1" in capsys.readouterr().out


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["trace"],
        ["replay"],
        ["check"],
        ["bogus"],
        ["trace", "--bogus", "a"],
        ["check", "agent", "--seed", "minus one"],
        ["check", "agent", "--budget", "0"],
        ["check", "agent", "--profile", "endless"],
        ["check", "agent", "--adapter", "nonsense"],
        ["check", "agent", "--adapter", "no.such.module:factory"],
        ["check", "agent", "--adapter", "json:no_such_name"],
        ["check", "agent", "--adapter", "json:__doc__"],
        ["check", "agent", "--xfail", "no-such-file"],
        ["replay", "a.ndjson", "--adapter", ":"],
        ["rules", "R-NONE-1"],
        ["schemas", "none.json"],
        ["rules", "--judging", "nobody"],
        ["rules", "R-INV-7", "--judging", "agent"],
        ["docs", "no-such-folder"],
        ["docs", "/dev/null"],
    ],
    ids=" ".join,
)
def test_bad_usage_ends_with_code_2(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """A command that makes no sense is answered with what would make sense."""
    code = run(arguments)
    shown = capsys.readouterr()

    assert code == 2
    assert shown.out + shown.err != ""
    assert "Traceback" not in shown.out + shown.err


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (b"R-NONE-1 because", "line 1: no rule has the id 'R-NONE-1'"),
        (b"# fine\n\nR-INV-7\n", "line 3: R-INV-7 has no reason"),
        (b"R-INV-7 a\nR-INV-7 b", "line 2: R-INV-7 is listed already"),
        (b"R-LSV-44 b", "line 1: R-LSV-44 is a rule of the ledger: a check of the agent does not"),
        (b"R-LSV-44 b", "`fencepost rules --judging agent` lists those that it judges by"),
        (b"R-INV-77 b", "did you mean R-INV-7 or R-INV-17"),
        (b"R-RET-1 b", "line 1: R-RET-1 is of level should, which fails no run"),
        (b"R-SOM-1 b", "line 1: R-SOM-1 is of level info, which fails no run"),
        (b"\xff\xfe", "not UTF-8"),
    ],
)
def test_a_bad_list_of_known_failures_is_bad_input(
    text: bytes, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each known failure names a rule and gives a reason, once."""
    path = tmp_path / "xfail"
    path.write_bytes(text)

    assert run(["check", "agent", "--xfail", str(path)]) == 2
    assert words in capsys.readouterr().err


def test_an_adapter_that_raises_on_import_could_not_run(tmp_path: Path) -> None:
    """A participant's module that fails is its own fault: code 4, and the error in one line."""
    (tmp_path / "broken.py").write_text("raise KeyError('configuration')\n")
    (tmp_path / "needy.py").write_text("import no_such_library\n")
    arguments = ("check", "agent", "--adapter", "broken:make")

    left = fencepost(*arguments, cwd=tmp_path)
    traced = fencepost("--debug", *arguments, cwd=tmp_path)
    needy = fencepost("check", "agent", "--adapter", "needy:make", cwd=tmp_path)

    assert (left.returncode, traced.returncode, needy.returncode) == (4, 4, 4)
    assert left.stderr == ("fencepost: importing broken failed: KeyError: 'configuration'\n")
    assert "Traceback" in traced.stderr
    assert "no module no_such_library" in needy.stderr


def test_a_mistake_of_ours_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """An unexpected exception ends with code 4; the traceback comes only when asked for."""

    def broken() -> None:
        raise ZeroDivisionError("of ours")

    monkeypatch.setattr("fencepost.catalog.rules", broken)

    assert run(["rules"]) == 4
    quiet = capsys.readouterr().err
    assert run(["--debug", "rules"]) == 4
    loud = capsys.readouterr().err

    assert "an unexpected error: ZeroDivisionError: of ours" in quiet
    assert "--debug" in quiet
    assert "Traceback" not in quiet
    assert "Traceback" in loud


def test_an_interrupt_ends_with_code_130(monkeypatch: pytest.MonkeyPatch) -> None:
    """A run that is interrupted says so in its exit code."""

    def interrupted() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("fencepost.catalog.rules", interrupted)

    assert run(["rules"]) == 130


def test_a_reader_that_goes_away_ends_the_run_quietly() -> None:
    """Output into a closed pipe is no error worth a word, and no verdict either."""
    command = [sys.executable, "-m", "fencepost.cli", "rules"]
    reading, writing = os.pipe()
    os.close(reading)
    try:
        left = subprocess.run(
            command, stdout=writing, stderr=subprocess.PIPE, text=True, timeout=60, check=False
        )
    finally:
        os.close(writing)

    assert left.returncode == 141
    assert left.stderr == ""


def test_a_poor_terminal_gets_escapes() -> None:
    """An output that knows only ASCII gets every character it can show, and escapes for others."""
    left = fencepost("rules", "R-INV-7", env={**os.environ, "PYTHONIOENCODING": "ascii"})

    assert left.returncode == 0
    assert "R-INV-7" in left.stdout
    assert left.stdout.isascii()


def test_the_version_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    """The command line names its version."""
    assert run(["--version"]) == 0
    assert capsys.readouterr().out.startswith("fencepost ")
