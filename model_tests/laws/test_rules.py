"""Every rule is whole and stays what it was; every chart of the specification is its table."""

import json
import os
from pathlib import Path
from typing import Any

import attrs
import pytest

from fencepost import catalog
from fencepost.catalog import NoSuchRule, current_lock, lock_faults
from fencepost.laws import cases, disagreements
from fencepost.report.charts import CHARTS
from fencepost.report.fact_list import BY_NUMBER
from fencepost_spec.chart import Chart, compile_chart
from fencepost_spec.operation import Kind
from fencepost_spec.receipts.agent import AGENT
from fencepost_spec.receipts.properties import PROPERTIES
from fencepost_spec.receipts.refusals import BY_CODE
from fencepost_spec.rule import Level, Rule, Source, duplicates

LOCK = Path(__file__).with_name("rules.lock.json")
HOME = Source("sample", "made up for these laws")


def read_lock() -> dict[str, Any]:
    """Return the lock as it lies beside this file, empty where there is none yet."""
    locked: dict[str, Any] = json.loads(LOCK.read_text(encoding="utf-8")) if LOCK.exists() else {}
    return locked


def test_rules_are_what_the_lock_holds() -> None:
    """A rule that comes, goes or changes fails here, and the text says what to do."""
    locked = read_lock()
    faults = lock_faults(locked)
    if os.environ.get("REWRITE") and all(fault.rewrite for fault in faults):
        text = json.dumps(current_lock(locked), indent=1, ensure_ascii=False)
        LOCK.write_text(text + "\n", encoding="utf-8")
        return

    assert faults == [], "\n".join(fault.text for fault in faults)


def test_the_lock_is_written_as_it_is_checked() -> None:
    """The lock file is exactly what REWRITE=1 would write: nothing stale is kept in it."""
    assert read_lock() == current_lock(read_lock())


def entry(rule: Rule) -> dict[str, Any]:
    """Return a rule as the lock holds it."""
    return {"says": rule.says, "level": rule.level.value, "facts": list(rule.facts)}


@pytest.mark.parametrize(
    ("locked", "now", "words", "rewrite"),
    [
        ({}, [Rule("R-X-1", "a", HOME)], ("R-X-1 is new", "REWRITE=1"), True),
        (
            {"rules": {"R-X-1": entry(Rule("R-X-1", "a", HOME))}},
            [],
            ("R-X-1 is gone", "change log", "retires the id"),
            True,
        ),
        (
            {"rules": {"R-X-1": entry(Rule("R-X-1", "a", HOME))}},
            [Rule("R-X-1", "b", HOME, ("1.1",))],
            ("R-X-1 changed (says, facts)", "a new id", "change log"),
            True,
        ),
        (
            {"retired": {"R-X-1": entry(Rule("R-X-1", "a", HOME))}},
            [Rule("R-X-1", "b", HOME)],
            ("R-X-1 is retired", "'a'", "take another"),
            False,
        ),
    ],
    ids=["new", "gone", "changed", "used again"],
)
def test_a_change_is_told_with_what_to_do(
    locked: dict[str, Any], now: list[Rule], words: tuple[str, ...], *, rewrite: bool
) -> None:
    """Each kind of change has one fault, which names the rule and the next step."""
    (fault,) = lock_faults(locked, now)

    assert all(each in fault.text for each in words), fault.text
    assert fault.rewrite is rewrite


def test_a_rule_that_goes_is_remembered_as_retired() -> None:
    """Writing the lock again after a rule went keeps its id and sentence for ever."""
    gone = entry(Rule("R-X-9", "a rule of old", HOME))

    written = current_lock({"rules": {"R-X-9": gone}, "retired": {"R-X-8": gone}})

    assert written["retired"] == {"R-X-8": gone, "R-X-9": gone}
    assert "R-X-9" not in written["rules"]
    assert current_lock(written) == written


def test_no_id_is_claimed_twice() -> None:
    """One id, one rule: what is declared twice under one id would be two meanings."""
    assert duplicates(catalog.all_rules()) == ()
    assert len({rule.says for rule in catalog.rules()}) == len(catalog.rules())


def test_every_transition_check_and_property_has_a_rule_of_the_catalog() -> None:
    """Whatever can decide a verdict carries an id, a sentence, a level and a source."""
    carried: list[Rule] = [
        row.rule for table in (AGENT.fence, AGENT.execution) for row in table.rows
    ]
    for operation in AGENT.operations.values():
        carried += [operation.effect, *(check.rule for check in operation.ladder)]
    carried += [check.rule for check in (*AGENT.run_ladder, *AGENT.receipt_ladder)]
    carried += [prop.rule for prop in PROPERTIES]
    for rule in carried:
        assert catalog.rule(rule.id) == rule
        assert rule.says
        assert rule.source.title
        assert rule.level in Level


def test_every_rule_is_used_somewhere() -> None:
    """No rule stands alone: each says where it is used."""
    unused = [rule.id for rule in catalog.rules() if not catalog.places(rule.id)]

    assert unused == []


def test_every_must_states_a_numbered_fact() -> None:
    """A rule that can refuse somebody cites the numbers of the facts it states."""
    bare = [r.id for r in catalog.rules() if r.level is Level.MUST and not r.facts]

    assert bare == []


def test_every_cited_fact_exists_and_every_other_says_why_it_is_not_cited() -> None:
    """A wrong number is found, and a fact without a rule is a sentence and no oversight."""
    cited = catalog.facts()

    assert set(cited) <= set(BY_NUMBER)
    for number, fact in BY_NUMBER.items():
        assert (number in cited) != bool(fact.without), f"{number}: cited, or a reason; not both"


def test_a_property_is_named_by_its_rule() -> None:
    """The phrase of a property is the sentence of its rule; eventually names what it assumes."""
    for prop in PROPERTIES:
        assert prop.name == prop.rule.says
        assert bool(prop.fairness) == (prop.kind is Kind.EVENTUALLY)
        assert (prop.kind is Kind.SOMETIMES) == (prop.rule.level is Level.INFO)


def test_every_refusal_of_a_ladder_is_in_the_registry() -> None:
    """A code that an answer may carry has a status, and says what it proves."""
    ladders = [op.ladder for op in AGENT.operations.values()]
    for ladder in (*ladders, AGENT.run_ladder, AGENT.receipt_ladder):
        for check in ladder:
            assert check.answer in BY_CODE or check.answer in {"replay", "share"}


def test_an_unknown_id_names_those_that_look_like_it() -> None:
    """Who mistypes an id is told what they may have meant."""
    with pytest.raises(NoSuchRule, match="did you mean R-INV-7") as refused:
        catalog.rule("R-INV-77")

    assert "R-INV-7" in refused.value.near
    assert catalog.rule("r-inv-7").id == "R-INV-7"


@pytest.mark.parametrize("chart", CHARTS, ids=lambda chart: chart.__name__)
def test_a_chart_of_the_specification_agrees_with_its_table(chart: type[Chart]) -> None:
    """Picture and oracle cannot drift: machine and table answer every case the same."""
    assert disagreements(chart) == []
    assert len(list(cases(chart))) > len(compile_chart(chart).rows)


@pytest.mark.parametrize("chart", CHARTS, ids=lambda chart: chart.__name__)
def test_a_row_that_is_missing_is_noticed(chart: type[Chart]) -> None:
    """The law above is not empty: with a row left out, machine and table differ."""
    table = compile_chart(chart)
    # A sample: each row costs a walk through the whole chart.
    for row in table.rows[:: max(1, len(table.rows) // 5)]:
        assert disagreements(chart, table.without(row)) != [], row


def test_a_changed_sentence_is_a_changed_rule() -> None:
    """The lock compares what a rule says, not where it is written."""
    rule = catalog.rules()[0]
    locked = {"rules": {rule.id: entry(rule)}}

    assert lock_faults(locked, [rule]) == []
    assert lock_faults(locked, [attrs.evolve(rule, source=HOME)]) == []
    assert lock_faults(locked, [attrs.evolve(rule, says="another thing")]) != []
