"""`fencepost check controller`: verdicts, exit codes, what is saved."""

import json
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from fencepost.catalog import must_rules
from fencepost.check_result import CheckResult, render_result
from fencepost.cli import run
from fencepost.controller.checking import check_controller
from fencepost.controller.core_adapter import CoreController
from fencepost.controller.evidence import NEEDS, UNREACHABLE
from fencepost.controller.mutants.named import NAMED
from fencepost.controller.participant import CAPABILITIES, Group
from fencepost.judging import judge_file
from fencepost.replay import replay_file
from fencepost.trace import write_trace
from fencepost.xfail import KnownFailure
from fencepost_spec.receipts.controller.referee import referee_rules
from fencepost_spec.receipts.controller.spec import faulty

pytestmark = pytest.mark.slow

BUDGET = 700
EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"


def hasty() -> CoreController:
    """Make a controller that runs the next attempt while nobody knows about the last."""
    return CoreController(faulty("reruns after a lost reply without retiring"))


def saved(result: CheckResult, folder: Path) -> Path:
    """Write the failing run of a result to a file."""
    path = folder / "failing.ndjson"
    assert result.counterexample is not None
    with path.open("wb") as stream:
        write_trace(stream, *result.counterexample)
    return path


def test_the_bundled_controller_conforms_and_most_rules_are_exercised() -> None:
    """Silent on what is right, and not because little was tried."""
    result = check_controller(budget=BUDGET)
    share = result.must_exercised / result.must_total

    assert result.exit_code == 0, render_result(result)
    assert result.cases >= 10
    assert share > 0.9
    assert f"{result.must_exercised} of {result.must_total} must rules" in render_result(result)


@pytest.mark.parametrize("seed", [1, 2])
def test_the_bundled_controller_conforms_whatever_is_drawn(seed: int) -> None:
    """Other seeds draw other cases, and none is refused."""
    result = check_controller(seed=seed, budget=2_000)

    assert result.exit_code == 0, render_result(result)


def test_steps_in_another_order_conform_as_well() -> None:
    """What the core may do by itself it may do in any order."""
    result = check_controller(partial(CoreController, seed=5), budget=BUDGET)

    assert result.exit_code == 0, render_result(result)


VERDICT = """\
does not conform    fencepost-controller-core fencepost-1, line 28
R-CTL-20  must      what has finished is adopted as the attempt it is, and no next one takes its
                    place
"""


def test_a_faulty_controller_is_refused_and_its_run_can_be_judged_and_played_again(
    tmp_path: Path,
) -> None:
    """The verdict names the rule; the saved run shows the same on the fault, and not without it."""
    result = check_controller(hasty, budget=BUDGET)
    path = saved(result, tmp_path)

    assert result.exit_code == 1
    assert result.verdict.rule is not None
    assert result.verdict.rule.id == "R-CTL-20"
    assert judge_file(path).rule == result.verdict.rule
    assert replay_file(path, hasty).rule == result.verdict.rule
    assert replay_file(path).kind in ("conforms", "inconclusive")


def test_the_text_of_a_verdict_says_what_was_done() -> None:
    """People live in that text: rule, sentence, source, what came, and the shortest run."""
    text = render_result(check_controller(hasty, budget=BUDGET))

    assert text.startswith(VERDICT)
    for row in ("expected ", "came ", "state before ", "legal here ", "shortest ", "replay "):
        assert f"\n{row}" in text
    assert "lose_reply agent a · finish" in text
    assert "fencepost replay failing.ndjson" in text


def test_the_command_line_saves_a_run_and_replays_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Check, save and replay, each with its exit code, for an adapter that is named."""
    adapter = tmp_path / "hasty_controller.py"
    adapter.write_text(
        "from fencepost.controller.core_adapter import CoreController\n"
        "from fencepost_spec.receipts.controller.spec import faulty\n"
        "def make():\n"
        '    return CoreController(faulty("lets a group go and forgets its attempts"))\n'
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    words = ["check", "controller", "--protocol", "receipts", "--adapter", "hasty_controller:make"]
    code = run([*words, "--json", "--budget", str(BUDGET), "--save", "failing.ndjson"])
    told = json.loads(capfd.readouterr().out)

    assert code == told["exit_code"] == 1
    assert told["rule"]["id"] == "R-CEV-8"
    assert run(["trace", "failing.ndjson"]) == 1
    assert run(["replay", "failing.ndjson", "--adapter", "hasty_controller:make"]) == 1
    assert run(["replay", "failing.ndjson"]) in (0, 3)


def test_a_known_failure_does_not_fail_the_check() -> None:
    """What is listed with a reason is told, and the rest is still tried."""
    known = KnownFailure("R-CIN-6", "groups are kept on purpose")
    keeps = next(one for one in NAMED if one.name == "keeps groups that were trained on")
    result = check_controller(keeps.make, budget=BUDGET, xfail=[known])

    assert result.exit_code == 0, render_result(result)
    assert result.known == (known,)


def test_the_example_of_the_page_conforms() -> None:
    """What the page offers to copy is a controller that conforms."""
    words = ["check", "controller", "--adapter", "controller:make", "--budget", "800"]
    done = subprocess.run(
        [sys.executable, "-m", "fencepost.cli", *words],
        capture_output=True,
        text=True,
        timeout=120,
        cwd=EXAMPLES,
    )

    assert done.returncode == 0, done.stdout + done.stderr
    assert "conforms" in done.stdout
    assert "needs what it cannot do" in done.stdout


def test_what_a_controller_cannot_do_is_never_asked_for() -> None:
    """Only groups of cohorts, no snapshots: the rest is listed as not exercised."""

    class Cohorts(CoreController):
        capabilities = frozenset({"prompt_group"})

        async def snapshot_due(self) -> None:
            raise AssertionError("it was told that it is asked for no snapshot")

        async def admit(self, group_id: str, target_step: int | None) -> None:
            raise AssertionError(f"{group_id} for {target_step}: nothing is reserved for it")

        async def submit(self, group: Group) -> None:
            assert group.granularity == "prompt_group"
            await super().submit(group)

    result = check_controller(Cohorts, budget=BUDGET)
    why = {each.rule_id: each.why for each in result.not_exercised}

    assert result.exit_code == 0, render_result(result)
    assert why["R-CTL-57"] == "needs snapshot_due"


def test_an_adapter_that_is_not_there_is_bad_usage() -> None:
    """A module that does not exist is the caller's fault: exit code 2."""
    assert run(["check", "controller", "--adapter", "no_such_module:make"]) == 2
    assert run(["check", "controller", "--protocol", "episodes"]) == 2


def test_the_evidence_names_rules_and_capabilities_that_exist() -> None:
    """Reasons for rules that were not exercised cannot go stale."""
    known = {rule.id for rule in referee_rules()}
    listed = {rule_id for _, some in NEEDS for rule_id in some.split()}

    assert {need for need, _ in NEEDS} <= CAPABILITIES
    assert set(UNREACHABLE) <= known
    assert {rule.id for rule in must_rules("controller")} <= known
    assert {one for one in listed if one.startswith(("R-CEV", "R-CIN", "R-CSO"))} <= known
