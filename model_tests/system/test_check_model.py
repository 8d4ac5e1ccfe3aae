"""`check_model` end to end: what it says of models that conform, and of those that do not."""

import json
from pathlib import Path
from typing import Any

import attrs
import pytest

from fencepost.catalog import must_rules
from fencepost.check_result import CheckResult, render_result
from fencepost.cli import run
from fencepost.judging import judge_file
from fencepost.policy_model.checking import check_model
from fencepost.policy_model.core_adapter import CoreModel
from fencepost.policy_model.evidence import GUARDS, NEEDS, UNREACHABLE
from fencepost.policy_model.participant import (
    CAPABILITIES,
    Answer,
    DataCall,
    GateAnswer,
    ModelParticipant,
)
from fencepost.replay import replay_file
from fencepost.trace import write_trace
from fencepost.trace.lines import JsonObject
from fencepost.xfail import KnownFailure
from fencepost_reference.receipts.policy_model.core import ModelCore
from fencepost_spec.receipts.policy_model.spec import MODEL, model_rules

pytestmark = pytest.mark.slow

BUDGET = 1_200


def forgetful() -> CoreModel:
    """Make a model that aborts and refuses nothing."""
    refuses = tuple(one for one in MODEL.refuses if one.cause != "aborted")
    return CoreModel(ModelCore(attrs.evolve(MODEL, refuses=refuses)))


class Curt(CoreModel):
    """A model that never says when to try again."""

    async def admit(self, call: DataCall) -> GateAnswer:
        """Leave the header out."""
        return attrs.evolve(await super().admit(call), retry_after=None)


class Raising(CoreModel):
    """An adapter whose control calls raise."""

    async def control(self, op: str, request: JsonObject, auth: str | None) -> Answer:
        """Fail as an adapter may not."""
        raise RuntimeError(f"no {op} of {request} with {auth} today")


class Teapot(CoreModel):
    """A model whose status means nothing."""

    async def control(self, op: str, request: JsonObject, auth: str | None) -> Answer:
        """Answer every status with something else."""
        answer = await super().control(op, request, auth)
        return Answer(418, {"short": "stout"}) if op == "status" else answer


class Lying(CoreModel):
    """A model that reports rest while it drains."""

    async def report(self) -> JsonObject:
        """Say that it accepts, whatever is so."""
        return await super().report() | {"state": "accepting"}


class Small(CoreModel):
    """A model that can be paused and resumed, and nothing else."""

    capabilities = frozenset({"pause", "resume", "status", "time"})


@pytest.fixture(scope="module")
def bundled() -> CheckResult:
    """Check the bundled model once for several tests."""
    return check_model(budget=BUDGET)


def test_the_bundled_model_conforms(bundled: CheckResult) -> None:
    """The core behind an adapter conforms, and every must rule within reach is exercised."""
    missed = {each.rule_id for each in bundled.not_exercised}

    assert bundled.verdict.kind == "conforms", render_result(bundled)
    assert bundled.exit_code == 0
    assert bundled.must_total == len(must_rules("model"))
    assert missed == set(UNREACHABLE)


@pytest.mark.parametrize("seed", range(3))
def test_other_orders_of_its_own_steps_conform_too(seed: int) -> None:
    """What a participant does by itself it may do in any order."""
    result = check_model(lambda: CoreModel(seed=seed), seed=seed, budget=BUDGET)

    assert result.verdict.kind == "conforms", render_result(result)


@pytest.mark.parametrize(
    ("factory", "rule"),
    [(forgetful, "R-MRF-1"), (Curt, "R-GAT-7"), (Teapot, "R-MOP-11"), (Lying, "R-PMI-6")],
)
def test_a_model_that_is_wrong_is_told_by_its_rule(factory: Any, rule: str) -> None:
    """The verdict names the rule and shows a short run; the exit code is 1."""
    result = check_model(factory, budget=BUDGET)

    assert result.verdict.kind in ("violates", "stalls"), render_result(result)
    assert result.exit_code == 1
    assert result.verdict.rule is not None
    assert result.verdict.rule.id == rule
    assert result.verdict.shortest


def test_a_failing_run_is_kept_and_plays_again(tmp_path: Path) -> None:
    """The saved run is a trace that is refused, fails again on the same model, and not on ours."""
    result = check_model(forgetful, budget=BUDGET)
    path = tmp_path / "failing.ndjson"
    assert result.counterexample is not None
    with path.open("wb") as file:
        write_trace(file, *result.counterexample)

    assert judge_file(path).rule == result.verdict.rule
    assert replay_file(path, forgetful).rule == result.verdict.rule
    assert replay_file(path).kind == "conforms"
    assert result.verdict.replay is not None
    assert "check model" in result.verdict.replay


def test_an_adapter_that_raises_is_to_blame() -> None:
    """The harness could not run: exit code 4, with what was raised and what was done before."""
    result = check_model(Raising, budget=BUDGET)

    assert result.exit_code == 4
    assert "no " in result.verdict.reason
    assert result.last_actions


@pytest.mark.parametrize("made", [lambda: 7, lambda: attrs.evolve(MODEL)])
def test_what_is_no_model_cannot_be_run(made: Any) -> None:
    """A factory that makes something else is the adapter's fault."""
    assert check_model(made, budget=BUDGET).exit_code == 4


def test_what_a_model_cannot_do_is_never_asked_for() -> None:
    """A model of few capabilities is checked on those, and the rest has reasons."""
    result = check_model(Small, budget=BUDGET)
    reasons = {each.rule_id: each.why for each in result.not_exercised}

    assert result.exit_code == 0, render_result(result)
    assert reasons["R-CUS-20"] == "needs restore"
    assert reasons["R-OPS-1"] == "needs auth"


def test_a_known_failure_is_strict() -> None:
    """One that fails is counted; one that does not fail any more fails the run."""
    known = KnownFailure("R-MRF-1", "it never refuses")
    failing = check_model(forgetful, budget=400, xfail=(known,))
    repaired = check_model(budget=400, xfail=(known,))

    assert failing.known == (known,), render_result(failing)
    assert repaired.exit_code == 1
    assert repaired.repaired == (known,)


def test_too_few_cases_are_no_verdict() -> None:
    """A handful of actions is inconclusive, not a success."""
    assert check_model(budget=12).exit_code == 3


def test_the_tables_of_evidence_name_what_there_is() -> None:
    """No id is misspelt, and every need is a capability."""
    ids = {rule.id for rule in model_rules()}
    named = {*UNREACHABLE, *GUARDS, *(one for guards in GUARDS.values() for one in guards)}
    named |= {one for _, listed in NEEDS for one in listed.split()}

    assert named <= ids
    assert {need for need, _ in NEEDS} <= CAPABILITIES
    assert ModelParticipant.capabilities == CAPABILITIES


def test_the_command_line_checks_a_model(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`fencepost check model` prints a verdict, with --json one object; --xfail is read."""
    known = tmp_path / "known.xfail"
    known.write_text("R-MRF-1 it never refuses\n", encoding="utf-8")

    assert run(["check", "model", "--budget", "600", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["verdict"] == "conforms"
    assert run(["check", "model", "--budget", "600", "--xfail", str(known)]) == 1
    assert "no failure any more" in capsys.readouterr().out
