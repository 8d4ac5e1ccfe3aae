"""What a command is to write is asked before its work: a wrong path costs a second, not the run."""

import os
from pathlib import Path

import pytest

from fencepost.cli import run
from fencepost.commands.files import must_be_writable, must_hold_files
from fencepost.faults import UsageFault

NEVER = "nothing may be done before the path is looked at"

WRITERS = {
    "check --save": (["check", "agent", "--save"], "fencepost.checking.check_agent"),
    "explore --picture": (
        ["explore", "agent-tiny", "--picture"],
        "fencepost.exploring.findings.explore",
    ),
}


def wrong_paths(folder: Path) -> dict[str, tuple[Path, str]]:
    """Paths at which no file can be written, and a word of the reason."""
    (folder / "file").write_text("")
    return {
        "a folder": (folder, "this is a directory"),
        "in no folder": (folder / "none" / "x", f"there is no folder {folder / 'none'}"),
        "under a file": (folder / "file" / "x", "Not a directory"),
        "too long": (folder / ("x" * 300), "File name too long"),
        "with a zero byte": (folder / "a\0b", "null"),
    }


@pytest.mark.parametrize("where", ["a folder", "in no folder", "under a file", "too long"])
@pytest.mark.parametrize("what", WRITERS)
def test_a_wrong_path_is_refused_before_anything_is_done(
    what: str,
    where: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Nothing runs whose result could not be kept."""
    arguments, engine = WRITERS[what]
    path, reason = wrong_paths(tmp_path)[where]

    def run_nothing(*_: object, **__: object) -> None:
        raise AssertionError(NEVER)

    monkeypatch.setattr(engine, run_nothing)

    assert run([*arguments, str(path)]) == 2
    said = capsys.readouterr().err
    assert f"cannot write {path}: " in said
    assert reason in said


@pytest.mark.parametrize("command", [["schemas", "--write"], ["docs"]], ids=" ".join)
def test_a_folder_that_takes_no_files_is_bad_usage(
    command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A file where the folder should be is named, and nothing is written."""
    (tmp_path / "reference").write_text("")
    target = tmp_path / "reference" if command[0] == "schemas" else tmp_path

    assert run([*command, str(target)]) == 2
    assert f"{tmp_path / 'reference'} is no folder" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["reference"]


def test_no_schema_is_written_where_one_cannot_be(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A folder in the place of one schema keeps all from being written."""
    (tmp_path / "trace.schema.json").mkdir()

    assert run(["schemas", "--write", str(tmp_path)]) == 2
    assert "trace.schema.json: this is a directory" in capsys.readouterr().err
    assert len(list(tmp_path.iterdir())) == 1


def test_every_path_is_told_apart(tmp_path: Path) -> None:
    """What can be written is let through and left as it is; all else has its reason."""
    for path, reason in wrong_paths(tmp_path).values():
        with pytest.raises(UsageFault, match=reason):
            must_be_writable(path)
    for right in (tmp_path / "new", tmp_path / "file", Path(os.devnull)):
        must_be_writable(right)
    (tmp_path / "link").symlink_to(tmp_path / "none" / "x")
    with pytest.raises(UsageFault, match="there is no folder"):
        must_be_writable(tmp_path / "link")
    must_hold_files(tmp_path / "new" / "newer")

    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "link"]


def test_what_may_not_be_written_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Permission is asked of the system; root, as whom tests may run, has every one."""

    def refused(_path: Path, _mode: int) -> bool:
        return False

    monkeypatch.setattr(os, "access", refused)
    (tmp_path / "file").write_text("")

    for path in (tmp_path / "file", tmp_path / "new"):
        with pytest.raises(UsageFault, match="permission denied"):
            must_be_writable(path)
    with pytest.raises(UsageFault, match="permission denied"):
        must_hold_files(tmp_path / "new")


def test_pages_of_somebody_else_are_neither_stale_nor_taken_away(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A folder without a page of ours cannot be compared, and its files stay."""
    assert run(["docs", "--check", str(tmp_path)]) == 2
    assert f"{tmp_path} holds no pages of ours" in capsys.readouterr().err

    theirs = tmp_path / "reference" / "api.md"
    theirs.parent.mkdir()
    theirs.write_text("# Ours alone\n")
    assert run(["docs", "--check", str(tmp_path)]) == 2
    assert run(["docs", str(tmp_path)]) == 2
    assert "holds files, and none is a page of ours" in capsys.readouterr().err
    assert theirs.read_text() == "# Ours alone\n"
