"""What the command line can be asked for: rules, schemas, mutants, and its own help."""

import json
import re
from collections.abc import Sequence
from pathlib import Path

import pytest
import typer

from fencepost.cli import COMMANDS, run
from fencepost.commands.rules import KINDS
from fencepost.faults import UsageFault
from fencepost.kill_matrix import matrix
from fencepost.kill_matrix.part import Part
from fencepost.kill_matrix.parts import part_named
from fencepost.profiles import PROFILES


def test_rules_are_listed_and_explained(capsys: pytest.CaptureFixture[str]) -> None:
    """The rules can be read by people and by programs."""
    assert run(["rules", "--json"]) == 0
    listed = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert run(["rules", "r-inv-7", "--json"]) == 0
    explained = json.loads(capsys.readouterr().out)
    assert run(["rules"]) == 0

    assert {"id", "level", "says", "source", "facts"} == set(listed[0])
    assert explained["id"] == "R-INV-7"
    assert explained["places"]
    assert capsys.readouterr().out.count("must") >= len(listed) // 2


@pytest.mark.parametrize("empty", ["", " ", "\t"])
@pytest.mark.parametrize(
    "command",
    [
        "mutants --only",
        "mutants --only=",
        "mutants --part",
        "explore",
        "explore --mutant",
        "explore --mutants",
        "explore --picture",
        "check agent --adapter",
        "check agent --adapter=",
        "check ledger --save",
        "check model --xfail",
        "check controller --protocol",
        "rules",
        "rules --judging",
        "schemas",
        "schemas --write",
        "docs",
        "trace",
        "replay",
    ],
)
def test_an_empty_name_is_bad_usage_everywhere(
    command: str,
    empty: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A variable that is not set means neither everything nor the folder that we are in."""
    monkeypatch.chdir(tmp_path)
    typed = command.split()
    arguments = [*typed[:-1], typed[-1] + empty] if command.endswith("=") else [*typed, empty]
    assert run(arguments) == 2
    said = capsys.readouterr()
    assert "look whether a variable in its place is set" in said.err
    assert not said.out
    assert list(tmp_path.iterdir()) == []


def test_an_empty_name_is_no_mutant_to_a_program_either() -> None:
    """It stands in every name, and means none."""
    for empty in ("", " "):
        with pytest.raises(UsageFault, match="an empty name means no mutant"):
            matrix.chosen(part_named("agent"), (empty,))


def test_schemas_are_listed_printed_and_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every schema can be had without a checkout of the repository."""
    assert run(["schemas"]) == 0
    names = capsys.readouterr().out.split()
    assert run(["schemas", "trace.schema.json"]) == 0
    assert "$schema" in json.loads(capsys.readouterr().out)
    assert run(["schemas", "--write", str(tmp_path / "new")]) == 0
    assert sorted(path.name for path in (tmp_path / "new").iterdir()) == sorted(names)

    (tmp_path / "file").write_text("")
    assert run(["schemas", "--write", str(tmp_path / "file")]) == 2


def test_a_schema_is_found_without_the_ending_of_its_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A name may lack its ending, a near miss is answered, and one alone can be written."""
    assert run(["schemas", "trace.schema.json"]) == 0
    whole = capsys.readouterr().out
    assert run(["schemas", "trace"]) == 0
    assert capsys.readouterr().out == whole
    assert run(["schemas", "trce.schema"]) == 2
    assert "did you mean 'trace.schema.json'?" in capsys.readouterr().err
    assert run(["schemas", "trace", "--write", str(tmp_path)]) == 0
    assert [path.name for path in tmp_path.iterdir()] == ["trace.schema.json"]


def test_an_adapter_named_as_a_file_is_told_its_name(capsys: pytest.CaptureFixture[str]) -> None:
    """A file name is bad usage, and the name that is wanted is said."""
    assert run(["check", "agent", "--adapter", "mine.py:make"]) == 2
    assert "write mine:make, without .py" in capsys.readouterr().err


def test_mutants_are_found_by_the_rule_that_refuses_them(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A rule that no mutant cites stands for those that it refuses, once all have been run."""
    real, few = matrix.run, ("a stale wake moves work that a later prepare counted", "no watermark")

    def run_few(part: Part, only: Sequence[str], progress: matrix.Progress) -> matrix.Matrix:
        assert not only
        return real(part, few, progress)

    monkeypatch.setattr(matrix, "run", run_few)

    assert run(["mutants", "--only", "R-INV-7", "--json"]) == 0
    assert [row["name"] for row in json.loads(capsys.readouterr().out)["mutants"]] == [few[0]]
    assert run(["mutants", "--only", "R-SOM-1"]) == 2
    assert "refused by R-SOM-1" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("part", "name"),
    [
        ("ledger", "needs no cut"),
        ("model", "failed restore opens"),
        ("resources", "resume during prepare"),
    ],
)
def test_the_mutants_of_every_part_can_be_run(
    part: str, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """`--part` says whose mutants; one that is unknown is bad usage that lists the known ones."""
    assert run(["mutants", "--part", part, "--only", name, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["part"], [row["name"] for row in told["mutants"]]) == (part, [name])
    assert run(["mutants", "--part", part, "--only", name]) == 0
    assert "killed              1 of 1" in capsys.readouterr().out
    assert run(["mutants", "--part", "nobody"]) == 2
    assert "agent, ledger, model, resources" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--only", "nosuch"], "no mutant is called 'nosuch'"),
        (["--only", "needs no cuts"], "did you mean 'needs no cut' or"),
        (["--only", "R-WEV-1"], "R-WEV-1 is a rule of the world, which has no mutants"),
        (["--only", "R-LSV-44", "--part", "agent"], "some of the ledger: --part ledger"),
        (["--only", "needs no cut", "--part", "agent"], "some of the ledger: --part ledger"),
        (["--only", "needs no cut", "--only", "no watermark"], "no part has all of these"),
    ],
    ids=str,
)
def test_a_mutant_that_the_part_has_not_is_looked_for_in_the_others(
    arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing is run for a name that means nothing there, and who has it is named."""
    assert run(["mutants", *arguments]) == 2
    assert words in capsys.readouterr().err


def test_a_name_that_only_one_part_has_says_whose_mutants_are_meant(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Without `--part` the agent is only meant where it has such a mutant."""
    assert run(["mutants", "--only", "needs no cut", "--json"]) == 0
    shown = capsys.readouterr()
    assert json.loads(shown.out)["part"] == "ledger"
    assert "'needs no cut': mutants of the ledger" in shown.err


@pytest.mark.slow
def test_the_score_of_a_part_can_be_computed_again(capsys: pytest.CaptureFixture[str]) -> None:
    """`--score` counts what is noticed of all that can be deleted; it cannot be of some only."""
    assert run(["mutants", "--score", "--part", "model", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["generated"], told["killed"], told["equivalent"]) == (130, 124, 6)
    assert run(["mutants", "--score", "--only", "R-CUS-14"]) == 2
    assert "a score counts everything" in capsys.readouterr().err


CHECKS = tuple(f"check {kind}" for kind in KINDS)
CODES = {
    **dict.fromkeys(("", "check", "trace", "replay", "explore", *CHECKS), "01234"),
    **dict.fromkeys(("mutants", "docs"), "0124"),
    **dict.fromkeys(("rules", "schemas"), "024"),
}
"""The exit codes of each command."""


@pytest.mark.parametrize("command", CODES)
def test_every_command_tells_its_exit_codes(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whoever runs a command in CI finds in its help what its code means."""
    assert run([*command.split(), "--help"]) == 0
    said = " ".join(capsys.readouterr().out.split())
    _, _, codes = said.partition("Exit codes: ")
    told, _, _ = codes.partition(".")

    found: list[str] = re.findall(r"(?:^|[,;:] )(\d) ", told)
    assert "".join(found) == CODES[command]


def test_no_command_has_an_option_that_its_help_hides() -> None:
    """What can be typed is told."""
    left = [typer.main.get_command(COMMANDS)]
    while left:
        one = left.pop()
        hidden = [each.name for each in one.params if getattr(each, "hidden", False)]
        assert not hidden, one.name
        left += getattr(one, "commands", {}).values()


@pytest.mark.parametrize("command", CODES)
def test_help_is_not_cut(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Each sentence of a help text comes to its end."""
    assert run([*command.split(), "--help"]) == 0
    usage, _, told = capsys.readouterr().out.partition("\n")
    assert usage.startswith("Usage: fencepost")
    assert "..." not in told


def test_the_sizes_of_the_profiles_are_said(capsys: pytest.CaptureFixture[str]) -> None:
    """The help of a check names how many actions and how many seconds each profile has."""
    assert run(["check", "agent", "--help"]) == 0
    told = " ".join(capsys.readouterr().out.split())

    assert all(f"{name}: {profile}" in told for name, profile in PROFILES.items())
