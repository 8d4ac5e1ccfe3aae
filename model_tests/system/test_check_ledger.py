"""`check_ledger` end to end: silent on ledgers that conform, loud on those that do not."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import attrs
import pytest

from fencepost.adapters.ledger import LibraryLedger
from fencepost.catalog import must_rules
from fencepost.check_result import CheckResult, render_result
from fencepost.cli import run
from fencepost.judging import judge_file
from fencepost.ledger.checking import check_ledger
from fencepost.ledger.evidence import GUARDS, UNREACHED
from fencepost.ledger.participant import OPERATIONS, LedgerParticipant, Refused
from fencepost.replay import replay_file
from fencepost.trace import write_trace
from fencepost.trace.lines import is_list, is_object
from fencepost.xfail import KnownFailure
from fencepost_reference.receipts.ledger.core import LedgerCore
from fencepost_spec.receipts.ledger.spec import LEDGER

pytestmark = pytest.mark.slow

FEW = 900


def without_check(operation: str, rule_id: str) -> Callable[[], LedgerParticipant]:
    """Return a maker of ledgers of which one operation lacks a check."""
    right = LEDGER.operations[operation]
    (check,) = [one for one in right.checks if one.rule.id == rule_id]
    operations = {**LEDGER.operations, operation: right.without(check)}
    core = LedgerCore(attrs.evolve(LEDGER, operations=operations))
    return lambda: LibraryLedger(core)


forgetful = without_check("mark_completed_executions_acknowledged", "R-LOP-24")
"""A ledger that takes a confirmation of another receipt."""


@pytest.fixture(scope="module")
def bundled() -> CheckResult:
    """Check the bundled ledger once for several tests."""
    return check_ledger(budget=2_500)


def test_the_bundled_ledger_conforms(bundled: CheckResult) -> None:
    """The library conforms, and no rule is found broken."""
    assert bundled.verdict.kind == "conforms", render_result(bundled)
    assert bundled.exit_code == 0


def test_almost_every_must_rule_is_exercised(bundled: CheckResult) -> None:
    """At least 97 of 100 must rules of the ledger are exercised in a short check."""
    assert bundled.must_total == len(must_rules("ledger"))
    assert bundled.must_exercised >= 0.97 * bundled.must_total, render_result(bundled)
    assert {each.rule_id for each in bundled.not_exercised} >= set(UNREACHED)


def test_what_guards_a_property_exists() -> None:
    """Every property that must hold has a guard, and every guard is a rule of the ledger."""
    ids = {rule.id for rule in must_rules("ledger")}

    assert {guard for guards in GUARDS.values() for guard in guards} <= ids
    assert set(GUARDS) == {one for one in ids if one.startswith(("R-LIN", "R-LLV"))}


@pytest.fixture(scope="module")
def wrong() -> CheckResult:
    """Check a ledger that is known to be wrong once for several tests."""
    return check_ledger(forgetful, seed=1)


def test_a_failure_names_the_rule_and_the_shortest_way_to_it(wrong: CheckResult) -> None:
    """The verdict has the broken rule, and a sequence in which nothing can be left out."""
    assert wrong.exit_code == 1
    assert wrong.verdict.rule is not None
    assert wrong.verdict.rule.id == "R-LOP-24"
    assert 0 < len(wrong.verdict.shortest) <= 6, wrong.verdict.shortest


def test_a_failing_run_is_judged_and_replayed_as_it_was(wrong: CheckResult, tmp_path: Path) -> None:
    """What is saved is refused for the same rule as a trace, and again on the same ledger."""
    assert wrong.counterexample is not None
    path = tmp_path / "failing.ndjson"
    write_trace(path, *wrong.counterexample)
    judged, again = judge_file(path), replay_file(path, forgetful)

    assert judged.rule is not None
    assert again.rule is not None
    assert judged.rule.id == again.rule.id == "R-LOP-24"
    assert replay_file(path).kind == "conforms"


def test_a_known_failure_is_passed_over_and_a_repaired_one_is_not() -> None:
    """The list of known failures is strict in both directions."""
    known = (KnownFailure("R-LOP-24", "known"),)
    listed = check_ledger(forgetful, budget=FEW, seed=1, xfail=known)
    repaired = check_ledger(budget=FEW, xfail=known)

    assert listed.exit_code == 0, render_result(listed)
    assert [each.rule_id for each in listed.known] == ["R-LOP-24"]
    assert repaired.exit_code == 1


@pytest.mark.parametrize(
    ("operation", "rule_id"),
    [
        ("mark_sibling_sealed", "R-LOP-18"),
        ("mark_group_sealed", "R-LOP-13"),
        ("prepare_incomplete_retry", "R-LOP-19"),
        ("reserve_group", "R-LOP-2"),
        ("state_dict", "R-LOP-25"),
        ("abandon_unsealed", "R-LOP-1"),
    ],
)
def test_a_ledger_that_lacks_a_check_is_refused(operation: str, rule_id: str) -> None:
    """Each is found in a short check, and told by the rule that it lacks."""
    result = check_ledger(without_check(operation, rule_id))

    assert result.exit_code == 1, render_result(result)
    assert result.verdict.rule is not None
    assert result.verdict.rule.id == rule_id


class Early(LibraryLedger):
    """A ledger that cannot acknowledge a sibling before its cohort is sealed (B1)."""

    operations = OPERATIONS - {"record_partial_group_acknowledgement"}


def test_a_ledger_without_early_acknowledgement_stalls() -> None:
    """A finished sibling that nothing can acknowledge any more is a stall (B1)."""
    result = check_ledger(Early)

    assert result.verdict.kind == "stalls"
    assert result.verdict.rule is not None
    assert result.verdict.rule.id == "R-LLV-1"
    assert result.verdict.shortest[:1] == ("reserve_group g prompt_group",)


class Stricter(LibraryLedger):
    """A ledger that refuses what the facts leave open, where ours takes it."""

    def call(self, op: str, request: Any, *, cut: bool) -> Any:
        """Refuse an empty task source, and a restored source that no attempt waits for."""
        if any(one.get("task_source") == "" for one in _groups_in(op, request)):
            raise Refused("a task source is no empty text")
        if op == "prepare_for_restart" and not self._waits_for(request.get("restored_sources")):
            raise Refused("a restored source is one that an attempt waits for")
        return super().call(op, request, cut=cut)

    def _waits_for(self, sources: Any) -> bool:
        waiting = [
            {"rollout_id": f"{group['group_id']}_g{index}", "attempt_index": len(attempts) - 1}
            for group in self.report()["groups"]
            for index, attempts in enumerate(group["siblings"])
            if attempts[-1]["status"] != "sealed"
        ]
        return not is_list(sources) or all(one in waiting for one in sources)


def _groups_in(op: str, request: Any) -> list[Any]:
    if op == "reserve_group":
        return [request]
    state = request.get("state")
    found = state.get("groups") if is_object(state) else None
    return [one for one in found if is_object(one)] if is_list(found) else []


@pytest.mark.parametrize("seed", range(3))
def test_a_ledger_that_is_stricter_where_the_facts_are_silent_conforms(seed: int) -> None:
    """It is asked for nothing that is left open, in no told case and in no drawn one."""
    result = check_ledger(Stricter, budget=4_000, seed=seed)

    assert result.exit_code == 0, render_result(result)


class Small(LibraryLedger):
    """A ledger of few operations."""

    operations = frozenset({"reserve_group", "mark_group_dispatched", "mark_sibling_sealed"})


def test_what_is_not_claimed_is_never_asked_for() -> None:
    """A ledger with few operations is asked for these only, and the rest is listed."""
    asked: set[str] = set()

    class Listens(Small):
        def call(self, op: str, request: Any, *, cut: bool) -> Any:
            asked.add(op)
            return super().call(op, request, cut=cut)

    result = check_ledger(Listens, budget=300)
    listed = {each.rule_id: each.why for each in result.not_exercised}

    assert asked == Small.operations
    assert listed["R-LOP-50"] == "needs mark_completed_executions_acknowledged"


class Breaks(LibraryLedger):
    """A ledger that raises what no ledger may raise."""

    def call(self, op: str, request: Any, *, cut: bool) -> Any:
        """Break on every seal."""
        if op == "mark_sibling_sealed":
            raise ZeroDivisionError
        return super().call(op, request, cut=cut)


def test_a_ledger_that_breaks_could_not_be_run() -> None:
    """It is no verdict on the rules: where it was raised, and after what, is told."""
    result = check_ledger(Breaks)

    assert result.exit_code == 4
    assert "ZeroDivisionError" in result.verdict.reason
    assert result.last_actions[-1].startswith("mark_sibling_sealed")


@pytest.mark.parametrize(
    ("factory", "words"),
    [
        (lambda: 5, "returned an int"),
        (lambda: 1 / 0, "the factory raised ZeroDivisionError"),
        (type("Odd", (LibraryLedger,), {"operations": frozenset({"sing"})}), "is called sing"),
        (type("Mute", (LibraryLedger,), {"name": ""}), "its name is ''"),
    ],
)
def test_what_is_no_ledger_is_said_to_be_none(factory: Any, words: str) -> None:
    """A factory that makes no ledger is the adapter's fault, in one line."""
    result = check_ledger(factory)

    assert result.exit_code == 4
    assert words in result.verdict.reason


def test_a_few_operations_prove_nothing() -> None:
    """A small budget is kept exactly, and is inconclusive."""
    result = check_ledger(budget=7)

    assert result.actions == 7
    assert result.exit_code == 3


def test_the_command_prints_a_result_and_ends_with_its_code(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The command line says the same as the function, as text and as JSON."""
    words = ["check", "ledger", "--budget", str(FEW)]
    codes = [run(words)]
    text = capsys.readouterr().out
    codes.append(run([*words, "--json"]))
    told = json.loads(capsys.readouterr().out)

    assert codes == [0, 0]
    assert text.startswith("conforms            fencepost-ledger")
    assert told["verdict"] == "conforms"
