"""What counts as having used a rule names rules that there are, and leaves none without a way."""

import pytest

from fencepost.adapters.core import CoreAgent
from fencepost.capable import usable
from fencepost.catalog import must_rules, rules
from fencepost.evidence import CAUSES, EITHER, NEEDS, PROPERTIES, UNREACHABLE, why_not
from fencepost.generating.told import needs_of_all, told_cases
from fencepost.participant import CAPABILITIES
from fencepost_spec.receipts.agent import AGENT
from fencepost_spec.receipts.policy import REFUSES
from fencepost_spec.receipts.properties import PROPERTIES as PROMISES
from fencepost_spec.rule import Level

IDS = {rule.id for rule in rules()}


def test_every_rule_that_is_named_exists() -> None:
    """No id in the tables is misspelt, and none was left behind."""
    named = {*CAUSES, *PROPERTIES, *UNREACHABLE}
    named |= {each for guards in [*CAUSES.values(), *PROPERTIES.values()] for each in guards}
    named |= {each for _, listed in NEEDS for each in listed.split()}
    named |= {each for listed in EITHER.values() for each in listed.split()}

    assert sorted(named - IDS) == []


def test_every_cause_of_a_refused_key_has_a_row() -> None:
    """Each cause for which a key is refused is told by some row of the execution."""
    told = {cause for causes in CAUSES.values() for cause in causes}

    assert told == {entry.rule.id for entry in REFUSES}
    assert set(CAUSES) <= {row.rule.id for row in AGENT.execution.rows}


def test_every_must_property_can_count_as_used() -> None:
    """A property that must hold has guards, or shows by itself."""
    by_itself = {"R-INV-7", "R-INV-8", "R-LIV-5"}
    musts = {prop.id for prop in PROMISES if prop.rule.level is Level.MUST}

    assert musts == {each for each in PROPERTIES if each in musts} | by_itself


def test_every_need_is_a_capability() -> None:
    """What a rule or an action needs is something that a participant can claim."""
    needed = {need for needs, _ in NEEDS for need in needs}
    needed |= {need for needs in EITHER for need in needs}
    needed |= {need for script in told_cases() for need in needs_of_all(script)}

    assert needed <= CAPABILITIES


def test_a_rule_that_lacks_a_capability_names_it() -> None:
    """The reason is what is missing, and with nothing missing that no case came to it."""
    assert why_not("R-RUN-23", ()) == "needs commit and fail"
    assert why_not("R-RUN-23", CAPABILITIES) == why_not("R-EXE-1", CAPABILITIES)


@pytest.mark.parametrize("rule_id", [f"R-EXE-{number}" for number in (*range(16, 22), 28, 32)])
def test_a_rule_that_needs_one_of_two_names_both(rule_id: str) -> None:
    """Only where both are missing is that the reason, and then neither is preferred."""
    waits = {"external_wait", "model_wait"}

    assert why_not(rule_id, CAPABILITIES - waits) == "needs either external_wait or model_wait"
    for wait in waits:
        assert why_not(rule_id, CAPABILITIES - {wait}) == "no case came to it"


def test_most_must_rules_are_within_reach() -> None:
    """At most one in thirty must rules cannot be reached by an agent at all."""
    assert len(UNREACHABLE) <= len(must_rules("agent")) / 30


def test_an_older_dialect_leaves_its_operations_out() -> None:
    """What a version does not have is not asked for, whatever the adapter claims."""

    class Early(CoreAgent):
        version = "2942"

    left_out = CoreAgent.capabilities - usable(Early())

    assert left_out == {
        "acknowledge",
        "acknowledge-completed",
        "completion-receipt",
        "discard-restored-continuation",
    }
