"""`fencepost check resources`: verdicts, exit codes, known failures, and what is saved."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from fencepost.adapters.resources import CoreResources
from fencepost.check_result import render_result, result_as_json
from fencepost.judging import judge_file
from fencepost.resources.checking import check_resources
from fencepost.resources.mutants.part import MUTANTS
from fencepost.resources.participant import Answer, ResourcesParticipant
from fencepost.trace import write_trace
from fencepost.trace.lines import JsonObject
from fencepost.xfail import KnownFailure

pytestmark = pytest.mark.slow

BUDGET = 700


def faulty() -> CoreResources:
    """A server that serves a request again that it has served."""
    return CoreResources(MUTANTS["under_lock without R-RRQ-12 request_is_known"].make())


def run_cli(words: list[str]) -> subprocess.CompletedProcess[str]:
    """Run the command line in a process of its own."""
    command = [sys.executable, "-m", "fencepost.cli", *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=120)


class Liar(CoreResources):
    """A server whose answers are none."""

    async def control(self, op: str, request: JsonObject, auth: str | None) -> Answer:
        """Say something else."""
        await super().control(op, request, auth)
        raise RuntimeError("the adapter is broken")


def test_the_bundled_server_conforms() -> None:
    """Enough is tried for a verdict, and nothing is refused."""
    result = check_resources(budget=BUDGET)

    assert result.exit_code == 0, render_result(result)
    assert result.cases >= 10
    assert result.must_exercised > 0.8 * result.must_total


def test_a_fault_is_found_and_its_run_is_short_and_can_be_judged_again(tmp_path: Path) -> None:
    """The saved run is a trace: judged from its file, it is refused by the same rule."""
    result = check_resources(faulty, budget=BUDGET)
    assert result.exit_code == 1
    assert result.counterexample is not None
    assert result.verdict.rule is not None
    assert "fencepost replay" in result_as_json(result)["replay"]
    assert len(result.verdict.shortest) < len(result.counterexample[1])

    path = tmp_path / "failing.ndjson"
    with path.open("wb") as file:
        write_trace(file, *result.counterexample)
    again = judge_file(path)

    assert again.kind == "violates"
    assert again.rule == result.verdict.rule
    assert again.rule is not None
    assert "I13" in again.rule.facts


def test_a_known_failure_is_no_news_and_one_that_passes_is() -> None:
    """Strict in both directions."""
    known = KnownFailure("R-RRQ-12", "to be repaired")

    assert check_resources(faulty, budget=BUDGET, xfail=[known]).known == (known,)
    repaired = check_resources(budget=BUDGET, xfail=[KnownFailure("R-RRQ-12", "was repaired")])
    assert repaired.exit_code == 1
    assert repaired.repaired


def test_an_adapter_that_raises_cannot_be_judged() -> None:
    """Exit code 4, with the adapter's own words."""
    result = check_resources(Liar, budget=BUDGET)

    assert result.exit_code == 4
    assert "the adapter is broken" in render_result(result)


def test_what_is_no_server_is_said() -> None:
    """A factory that makes something else is the adapter's fault."""
    result = check_resources(object, budget=BUDGET)

    assert result.exit_code == 4
    assert ResourcesParticipant.__name__ in render_result(result)


def test_a_server_that_can_do_little_is_not_called_conforming_for_nothing() -> None:
    """Without control operations little is exercised; what is missing is told."""

    class Small(CoreResources):
        capabilities = frozenset({"look"})

    result = check_resources(Small, budget=300)

    assert result.exit_code in (0, 3)
    assert any("needs" in each.why and "commit" in each.why for each in result.not_exercised)


def test_the_command_line(tmp_path: Path) -> None:
    """The same by hand: text, JSON, and the replay that is told."""
    run = run_cli(["check", "resources", "--budget", str(BUDGET), "--json"])
    assert run.returncode == 0, run.stderr
    assert json.loads(run.stdout)["verdict"] == "conforms"

    missing = tmp_path / "none.ndjson"
    assert run_cli(["trace", str(missing)]).returncode == 2


@pytest.mark.parametrize("seed", [1, 2])
def test_the_same_seed_draws_the_same_cases(seed: int) -> None:
    """What was found can be found again."""
    first, again = (check_resources(faulty, seed=seed, budget=400) for _ in range(2))

    assert first.verdict.line == again.verdict.line
    assert first.actions == again.actions
