"""`check_agent` end to end: what it says of participants that conform, and of those that do not."""

from pathlib import Path
from typing import Any

import attrs
import pytest

from fencepost.adapters.core import CoreAgent
from fencepost.adapters.runtime import RuntimeAgent
from fencepost.catalog import must_rules
from fencepost.check_result import CheckResult, render_result
from fencepost.checking import check_agent
from fencepost.evidence import UNREACHABLE
from fencepost.judging import judge_file
from fencepost.making import Factory
from fencepost.participant import CAPABILITIES, OPERATIONS, Answer
from fencepost.profiles import CASES_MIN, PROFILES, Profile
from fencepost.replay import replay_file
from fencepost.trace import write_trace
from fencepost.trace.lines import JsonObject
from fencepost_reference.receipts.agent import AgentCore
from fencepost_spec.receipts.agent import AGENT, AgentSpec

FORGIVING = attrs.evolve(
    AGENT, receipt_ladder=tuple(c for c in AGENT.receipt_ladder if c.rule.id != "R-ACK-3")
)
"""An agent that releases a result by a receipt that is not its own."""


def forgiving() -> CoreAgent:
    """Make an agent that accepts a wrong receipt."""
    return CoreAgent(AgentCore(FORGIVING))


@pytest.fixture(scope="module")
def bundled() -> CheckResult:
    """Check the bundled agent once for several tests."""
    return check_agent(budget=2_000)


def test_the_bundled_agent_conforms(bundled: CheckResult) -> None:
    """The reference runtime conforms, and no rule is found broken."""
    assert bundled.verdict.kind == "conforms", render_result(bundled)
    assert bundled.exit_code == 0


def test_almost_every_must_rule_is_exercised_in_time(bundled: CheckResult) -> None:
    """At least 95 of 100 must rules of the agent are exercised within 30 seconds."""
    assert bundled.must_total == len(must_rules("agent"))
    assert bundled.must_exercised >= 0.95 * bundled.must_total, render_result(bundled)
    assert bundled.seconds < 30


def test_each_rule_that_was_not_exercised_has_a_reason(bundled: CheckResult) -> None:
    """Rules that no agent can come to are listed with why that is so."""
    listed = {each.rule_id: each.why for each in bundled.not_exercised}

    assert {rule_id: listed[rule_id] for rule_id in UNREACHABLE} == UNREACHABLE
    assert all(listed.values())
    assert len(listed) == bundled.must_total - bundled.must_exercised


class Nothing(CoreAgent):
    """An agent that claims to be able to do nothing."""

    capabilities = frozenset[str]()


class OnlyAsks(CoreAgent):
    """An agent of which only the state can be asked."""

    capabilities = frozenset({"status", "capabilities"})


def test_a_check_within_a_budget_of_a_few_actions_is_inconclusive() -> None:
    """A handful of actions proves nothing, whatever came of them."""
    result = check_agent(CoreAgent, budget=5)

    assert result.verdict.kind == "inconclusive"
    assert result.exit_code == 3


def test_few_cases_are_no_verdict() -> None:
    """Fewer than ten cases are inconclusive, however much of the rules they came to."""
    result = check_agent(CoreAgent, budget=250)

    assert 0 < result.cases < CASES_MIN
    assert result.exit_code == 3
    assert f"of the {CASES_MIN} cases" in result.verdict.reason


@pytest.mark.parametrize("budget", [1, 20, 60, 777])
def test_the_budget_is_kept_exactly(budget: int) -> None:
    """Not one action more happens than was allowed."""
    assert check_agent(CoreAgent, budget=budget).actions == budget


def test_a_time_limit_that_comes_first_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """A run that the time ended is not taken for one that did all it was asked for."""
    monkeypatch.setitem(PROFILES, "quick", Profile(6_000, 0.2))
    result = check_agent(CoreAgent)

    assert result.stopped_by_time
    assert result.actions < result.actions_most == 6_000


def test_rules_that_need_what_a_participant_lacks_name_it() -> None:
    """What cannot be tried is not tried, and is listed with the capability that it needs."""
    result = check_agent(OnlyAsks, budget=200)
    listed = {each.rule_id: each.why for each in result.not_exercised}

    assert result.exit_code in (0, 3)
    assert listed["R-FEN-5"] == "needs commit"
    assert listed["R-STO-26"] == "needs files"


def test_an_agent_without_capabilities_is_asked_for_nothing_but_runs() -> None:
    """Nothing that was not claimed is ever called."""
    asked: list[str] = []

    class Listens(Nothing):
        async def control(self, op: str, request: JsonObject, auth: str | None) -> Answer:
            asked.append(op)
            return await super().control(op, request, auth)

    check_agent(Listens, budget=200)

    assert asked == []


@pytest.fixture(scope="module")
def wrong() -> CheckResult:
    """Check an agent that is known to be wrong once for several tests."""
    return check_agent(forgiving, budget=3_000)


def test_a_failure_names_the_rule_and_the_shortest_way_to_it(wrong: CheckResult) -> None:
    """The verdict has the broken rule, and a sequence in which nothing can be left out."""
    assert wrong.exit_code == 1
    assert wrong.verdict.rule is not None
    assert wrong.verdict.rule.id == "R-ACK-3"
    assert [step.split()[0] for step in wrong.verdict.shortest] == [
        "run",
        "finish",
        "acknowledge",
        "reply",
    ]


def saved(result: CheckResult, folder: Path) -> Path:
    """Write the counterexample to a file."""
    assert result.counterexample is not None
    path = folder / "failing.ndjson"
    write_trace(path, *result.counterexample)
    return path


def test_the_saved_run_is_refused_as_a_trace_too(wrong: CheckResult, tmp_path: Path) -> None:
    """The oracle says of the file what the check said."""
    verdict = judge_file(saved(wrong, tmp_path))

    assert verdict.kind == "violates"
    assert verdict.rule == wrong.verdict.rule
    assert verdict.line == wrong.verdict.line


def test_the_saved_run_shows_the_failure_again(wrong: CheckResult, tmp_path: Path) -> None:
    """Sent to the same participant it fails as before; sent to the bundled one it conforms."""
    path = saved(wrong, tmp_path)
    again, right = replay_file(path, forgiving), replay_file(path)

    assert again.rule == wrong.verdict.rule
    assert right.kind == "conforms"


def test_the_same_seed_finds_the_same_run() -> None:
    """Two checks with one seed end in the same counterexample."""
    first, second = (check_agent(forgiving, seed=5, budget=3_000) for _ in range(2))

    assert first.counterexample == second.counterexample
    assert first.actions == second.actions


def test_progress_is_told_while_it_runs() -> None:
    """The caller hears how many actions were done, of how many."""
    told: list[tuple[int, int]] = []
    check_agent(CoreAgent, budget=200, progress=lambda done, total, _: told.append((done, total)))

    assert [total for _, total in told] == [200] * len(told)
    assert [done for done, _ in told] == sorted(done for done, _ in told)


class Early(CoreAgent):
    """An agent at the first level of development, which has no acknowledgements."""

    version = "2942"


def test_an_agent_that_cannot_release_results_stalls() -> None:
    """A blocker that no operation of its version can release is refused as a stall."""
    result = check_agent(Early, budget=2_000)

    assert result.verdict.kind == "stalls"
    assert result.verdict.rule is not None
    assert result.verdict.rule.id == "R-LIV-1"


LEFT_OUT = {
    "R-RDY-3": "blockers",
    "R-EXP-3": "exports",
    "R-WAT-2": "raises",
    "R-REF-3": "refuses",
    "R-REC-3": "receipt_fields",
}
"""One entry of each list of the specification."""


@pytest.mark.parametrize(("rule_id", "name"), LEFT_OUT.items())
def test_an_agent_without_one_entry_of_its_specification_fails(rule_id: str, name: str) -> None:
    """The generator finds a policy that is left out, and tells it in few actions."""
    change: dict[str, Any] = {
        name: tuple(each for each in getattr(AGENT, name) if each.rule.id != rule_id)
    }
    spec: AgentSpec = attrs.evolve(AGENT, **change)
    result = check_agent(lambda: CoreAgent(AgentCore(spec)), budget=6_000)

    assert result.exit_code == 1, f"nobody misses {rule_id}"
    assert len(result.verdict.shortest) <= 16


FACTORIES: tuple[Factory, ...] = (lambda: RuntimeAgent(park_in_place=True),)


@pytest.mark.parametrize("factory", FACTORIES)
def test_other_ways_to_conform_are_no_failure(factory: Factory) -> None:
    """A participant is free where the rules leave it free."""
    result = check_agent(factory, seed=3, budget=1_000)

    assert result.exit_code == 0, render_result(result)


def test_every_operation_is_a_capability() -> None:
    """What can be called can be claimed."""
    assert set(OPERATIONS) <= CAPABILITIES
    assert set(OPERATIONS) == set(AGENT.operations)
