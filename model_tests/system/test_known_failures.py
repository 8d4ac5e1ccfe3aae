"""Known failures: what is listed is no failure, and a list that is not true any more is one."""

import pytest

from fencepost.adapters.core import CoreAgent
from fencepost.catalog import kinds_of
from fencepost.check_result import render_result
from fencepost.checking import check_agent
from fencepost.commands.rules import KINDS
from fencepost.evidence import UNREACHABLE
from fencepost.faults import UsageFault
from fencepost.participant import Answer
from fencepost.trace.lines import JsonObject
from fencepost.xfail import KnownFailure, must_fail_runs


class Forgetful(CoreAgent):
    """An agent that takes every id for a finished one when it is asked for its status."""

    async def control(self, op: str, request: JsonObject, auth: str | None) -> Answer:
        """Answer a call, one of them wrongly."""
        if op == "status":
            return Answer(409, {"error": {"code": "stale_checkpoint"}})
        return await super().control(op, request, auth)


class Idle(CoreAgent):
    """An agent whose capabilities say that nothing is ever open."""

    async def control(self, op: str, request: JsonObject, auth: str | None) -> Answer:
        """Answer a call, the phase of capabilities left as it is at the start."""
        answer = await super().control(op, request, auth)
        if op == "capabilities" and answer.status == 200:
            return Answer(200, answer.body | {"phase": "idle", "active_checkpoint_id": None})
        return answer


KNOWN = KnownFailure("R-OPS-30", "the phase is told from the next release on")


def test_a_known_failure_that_happens_is_no_failure() -> None:
    """A listed rule may be broken; everything else is still held to."""
    result = check_agent(Idle, budget=1_500, xfail=(KNOWN,))

    assert result.exit_code == 0, render_result(result)
    assert result.known == (KNOWN,)
    assert result.repaired == ()


def test_a_failure_that_is_not_listed_fails_the_run() -> None:
    """A list of known failures excuses nothing but what it names."""
    result = check_agent(Forgetful, budget=1_500, xfail=(KNOWN,))

    assert result.exit_code == 1
    assert result.verdict.kind == "violates"


def test_a_known_failure_that_does_not_happen_fails_the_run() -> None:
    """A listed rule that passes makes the list wrong, and the run with it."""
    result = check_agent(CoreAgent, budget=1_500, xfail=(KNOWN,))

    assert result.verdict.kind == "conforms"
    assert result.repaired == (KNOWN,)
    assert result.exit_code == 1


def test_a_known_failure_that_was_not_tried_is_inconclusive() -> None:
    """Nobody can say that a listed rule passes when nothing came to it."""
    known = KnownFailure("R-FEN-12", "a policy model's")
    result = check_agent(CoreAgent, budget=800, xfail=(known,))

    assert result.exit_code == 3
    assert f"R-FEN-12 ({UNREACHABLE['R-FEN-12']})" in result.verdict.reason


@pytest.mark.parametrize("kind", KINDS)
def test_a_rule_of_somebody_else_cannot_be_a_known_failure(kind: str) -> None:
    """By it no such check judges, so the list is wrong, and nothing is tried."""
    foreign = "R-SNW-1" if kind != "ledger" else "R-INV-7"
    assert kind not in kinds_of(foreign)
    with pytest.raises(UsageFault, match=f"{foreign} is a rule of the (snapshot|agent): a check"):
        must_fail_runs(foreign, kind)


def test_a_list_with_a_rule_of_somebody_else_is_bad_usage() -> None:
    """Also for whoever calls the library."""
    result = check_agent(CoreAgent, budget=800, xfail=(KnownFailure("R-LSV-44", "a ledger's"),))

    assert (result.exit_code, result.actions) == (2, 0)
    assert "R-LSV-44 is a rule of the ledger" in result.verdict.reason


def test_a_known_failure_that_nothing_can_try_names_what_it_takes() -> None:
    """Whoever lists a rule is told which capability would have tried it."""
    result = check_agent(CoreAgent, budget=800, xfail=(KnownFailure("R-STO-26", "later"),))

    assert result.exit_code == 3
    assert "R-STO-26 (needs files)" in result.verdict.reason
