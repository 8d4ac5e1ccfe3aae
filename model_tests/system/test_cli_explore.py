"""`fencepost explore`: lists, verdicts, budgets, pictures, and what it refuses."""

import json
from pathlib import Path

import pytest

from fencepost.cli import run as run_command
from fencepost.exploring.picture import STATES_MAX
from fencepost.kill_matrix.parts import part_named

MUTANT = "a null result can never be released"


def test_the_scopes_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    """Each scope has a line, for people or for programs."""
    assert run_command(["explore", "--list"]) == 0
    listing = capsys.readouterr().out
    assert any(line.startswith("agent-tiny ") for line in listing.splitlines())
    starts = {len(line) - len(line.split("  ")[-1].lstrip()) for line in listing.splitlines()}
    assert len(starts) == 1, "every description begins in one column"
    assert run_command(["explore", "--list", "--json"]) == 0
    listed = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {one["size"] for one in listed} == {"tiny", "small", "medium", "large"}
    assert {one["name"].split("-")[1] for one in listed} == {one["size"] for one in listed}


def test_the_intended_agent_conforms(capsys: pytest.CaptureFixture[str]) -> None:
    """Numbers, promises and what was left out are printed, as text and as JSON."""
    assert run_command(["explore", "agent-tiny-results"]) == 0
    said = capsys.readouterr().out
    assert said.startswith("conforms")
    assert "cut off" in said
    assert run_command(["explore", "agent-tiny-results", "--json", "--no-symmetry"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["verdict"], told["states"]) == ("conforms", told["states_told_apart"])


def test_a_plain_walk_tells_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing is remembered, and everything is found, but for the time it takes."""
    told: list[dict[str, object]] = []
    for how in ((), ("--plain",)):
        assert run_command(["explore", "agent-tiny-results", "--json", *how]) == 0
        told.append(json.loads(capsys.readouterr().out))
    seconds = [one.pop("seconds") for one in told]
    assert len(seconds) == 2
    assert told[0] == told[1]


def test_a_mutant_does_not_conform(capsys: pytest.CaptureFixture[str]) -> None:
    """The lasso is printed: what was done first, and what is then done for ever."""
    assert run_command(["explore", "agent-tiny-results", "--mutant", MUTANT]) == 1
    said = capsys.readouterr().out
    assert said.startswith("does not conform")
    assert "then for ever       acknowledge r1.0" in said


def test_a_world_is_walked_and_a_faulty_controller_comes_to_no_end(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The same command for a controller; its faults have names of their own."""
    assert run_command(["explore", "world-tiny"]) == 0
    assert capsys.readouterr().out.startswith("conforms")
    fault = "reruns after a lost reply without retiring"
    assert run_command(["explore", "world-tiny-lost", "--mutant", fault]) == 1
    said = capsys.readouterr().out
    assert "R-WEV-1  must       no finished result that is not acknowledged blocks for ever" in said
    assert "then for ever       a snapshot is due" in said


@pytest.mark.parametrize("budget", [("--max-seconds", "0.001"), ("--max-memory", "1")])
def test_a_budget_makes_it_inconclusive(
    budget: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    """A walk that was stopped proves nothing, and says what stopped it."""
    assert run_command(["explore", "agent-small", *budget]) == 3
    said = capsys.readouterr().out
    assert said.startswith("inconclusive")
    assert "stopped" in said


def test_a_picture_is_drawn_of_a_graph_that_is_small(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The file holds a Mermaid chart; of a graph that is too large there is none."""
    path = tmp_path / "graph.mmd"
    assert run_command(["explore", "agent-tiny-results", "--picture", str(path)]) == 0
    assert path.read_text(encoding="utf-8").startswith("flowchart TD\n")
    assert run_command(["explore", "agent-tiny", "--picture", str(tmp_path / "large.mmd")]) == 2
    assert not (tmp_path / "large.mmd").exists()
    told = capsys.readouterr().err
    assert f"agent-tiny has more than {STATES_MAX} states, too many for a picture" in told


def test_what_cannot_be_drawn_is_not_walked_to_its_end(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The help tells the limit; a scope that nobody has walked to its end is refused at once."""
    path = tmp_path / "large.mmd"
    assert run_command(["explore", "world-large", "--picture", str(path)]) == 2
    assert not path.exists()
    assert not capsys.readouterr().out
    assert run_command(["explore", "--help"]) == 0
    assert f"{STATES_MAX} states" in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize(
    ("scope", "mutant", "words"),
    [
        ("world-tiny", MUTANT, "is a mutant of the agent, not of the world (name a scope of the"),
        ("agent-tiny", "needs no cut", "name a scope of the ledger; see docs/reference/ledger-mut"),
        ("agent-tiny", "reruns after a lost reply without retiring", "name a scope of the world"),
        ("agent-tiny", "a null result can never", f"did you mean {MUTANT!r}?"),
        ("agent-tiny", "nosuch", "(docs/reference/mutants.md lists them all)"),
    ],
)
def test_a_mutant_of_another_part_is_told_from_one_that_nobody_has(
    scope: str, mutant: str, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """The part that has it is named, with its page; else the names like it."""
    assert run_command(["explore", scope, "--mutant", mutant]) == 2
    assert words in capsys.readouterr().err


def test_a_mutant_of_what_is_not_explored_is_told_so(capsys: pytest.CaptureFixture[str]) -> None:
    """Some parts have mutants and no scopes."""
    mutant = next(iter(part_named("snapshot").mutants))
    assert run_command(["explore", "--mutant", mutant]) == 2
    said = capsys.readouterr().err
    assert "a mutant of the snapshot, not of the agent (no scope has it; see docs/refe" in said


def test_a_scope_that_nobody_has_is_answered_in_one_short_line(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The names like it, and the command that lists all."""
    assert run_command(["explore", "agent-tny"]) == 2
    said = capsys.readouterr().err
    assert "no scope is called 'agent-tny' (did you mean 'agent-tiny'" in said
    assert "`fencepost explore --list` lists them all" in said
    assert len(said) < 200


@pytest.mark.parametrize(
    "arguments",
    [
        ("agent-huge",),
        ("--mutant", "no such mutant"),
        ("--mutants", "no such part"),
        ("agent-tiny", "agent-small", "--picture", "x.mmd"),
        ("--list", "nosuch"),
        ("--list", "agent-tiny"),
        ("--list", "--mutants"),
        ("--list", "--max-seconds", "1"),
        ("model", "--mutants", "--mutant", "nosuch"),
        ("model", "--mutants", "--max-seconds", "0.001", "--picture", "x.mmd"),
        ("model", "--mutants", "--max-memory", "1"),
        ("model", "--mutants", "--plain"),
        ("model", "--mutants", "--no-symmetry"),
    ],
    ids=" ".join,
)
def test_what_cannot_be_done_is_bad_usage(
    arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    """A name that nothing has, or options that would do nothing, are refused before the walk."""
    assert run_command(["explore", *arguments]) == 2
    assert not capsys.readouterr().out
