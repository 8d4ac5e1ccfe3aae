"""Laws of tables: what a chart is compiled into, which row is found, and what deletion leaves."""

import pickle
from typing import Any

import attrs
import pytest

from fencepost.specimens import (
    KETTLE,
    Door,
    Facts,
    Kettle,
    has_water,
    is_empty,
    is_lid_shut,
    row_id,
    untyped,
)
from fencepost_spec.chart import Chart, Row, Table, compile_chart
from fencepost_spec.rule import Level


def test_the_table_says_what_the_class_body_says() -> None:
    """Rows come in the order written, with their rule, guards and ends."""
    assert KETTLE.name == "Kettle"
    assert KETTLE.initial == "cold"
    assert KETTLE.states == ("cold", "heating", "hot", "scrapped", "recycled")
    assert KETTLE.events == ("switched_on", "boiled", "poured", "dropped", "tipped")
    assert [each.id for each in KETTLE.rules] == [
        "K-ON-1",
        "K-ON-2",
        "K-BOI-1",
        "K-POU-1",
        "K-END-1",
    ]
    assert [
        (row.rule.id, row.source, row.event, row.guards, row.target) for row in KETTLE.rows[:5]
    ] == [
        ("K-ON-1", "cold", "switched_on", (has_water, is_lid_shut), "heating"),
        ("K-ON-2", "cold", "switched_on", (is_empty,), "scrapped"),
        ("K-BOI-1", "heating", "boiled", (), "hot"),
        ("K-POU-1", "cold", "poured", (has_water,), "cold"),
        ("K-POU-1", "hot", "poured", (has_water,), "hot"),
    ]
    assert [row.event for row in KETTLE.rows[5:]] == ["dropped"] * 3 + ["tipped"] * 3
    assert KETTLE.rows[2].rule.facts == ("1.1",)
    assert KETTLE.rows[3].rule.level is Level.SHOULD


def test_the_first_row_that_holds_is_found() -> None:
    """Rows are tried in order and the first whose guards all hold answers."""
    door = compile_chart(Door)
    narrow, wide = door.candidates("ajar", "pulled")
    assert door.find("ajar", "pulled", Facts()) is narrow
    assert door.find("ajar", "pulled", Facts(lid_open=True)) is wide
    assert door.find("ajar", "pulled", Facts(litres=0)) is None
    assert narrow.holds(Facts())
    assert not narrow.holds(Facts(lid_open=True))
    assert narrow.failing(Facts(litres=0, lid_open=True)) == (has_water, is_lid_shut)


def test_a_missing_row_has_a_defined_answer() -> None:
    """An unknown state or event finds no row and no candidate; it is no error."""
    for source, event in (("cold", "boiled"), ("nowhere", "boiled"), ("cold", "no_such_event")):
        assert KETTLE.find(source, event, Facts()) is None
        assert KETTLE.candidates(source, event) == ()


def test_a_chart_is_compiled_once() -> None:
    """Asking again gives the same table, and tables are values."""
    assert compile_chart(Kettle) is KETTLE
    assert pickle.loads(pickle.dumps(KETTLE)) == KETTLE
    assert len({KETTLE, attrs.evolve(KETTLE), compile_chart(Door)}) == 2
    assert "index" not in repr(KETTLE)


@pytest.mark.parametrize("other", [Chart, int, Kettle(), "Kettle", None])
def test_only_a_chart_is_compiled(other: Any) -> None:
    """The strict base itself, other classes and instances of other things are refused."""
    if isinstance(other, Chart):
        assert compile_chart(type(other)) is KETTLE
        return
    with pytest.raises(TypeError, match="a chart is a subclass of Chart"):
        compile_chart(other)


def test_a_table_that_names_an_unknown_state_is_refused() -> None:
    """Every end of every row, and the initial state, is a state of the table."""
    with pytest.raises(ValueError, match="unknown states: cold, hot"):
        Table("Kettle", "cold", ("heating", "scrapped", "recycled"), KETTLE.rows)


@pytest.mark.parametrize("row", KETTLE.rows, ids=row_id)
def test_a_deleted_row_is_gone_and_the_others_stay(row: Row) -> None:
    """Without a row, its case finds nothing; the table it came from is unchanged."""
    less = KETTLE.without(row)
    facts = Facts(litres=0) if is_empty in row.guards else Facts()
    assert untyped(KETTLE).find(row.source, row.event, facts) is row
    assert less.find(row.source, row.event, facts) is None
    assert less.rows == tuple(other for other in KETTLE.rows if other is not row)
    assert (less.states, less.initial, less.name) == (KETTLE.states, KETTLE.initial, KETTLE.name)
    with pytest.raises(ValueError, match=f"no row {row.rule.id} for {row.event} in {row.source}"):
        less.without(row)
    with pytest.raises(ValueError, match="no row"):
        less.without_guard(row, has_water)


def test_a_deleted_guard_no_longer_says_no() -> None:
    """Without a guard the row answers where it said no before, and keeps its place and rule."""
    row = KETTLE.rows[0]
    open_lid = Facts(lid_open=True)
    loose = KETTLE.without_guard(row, is_lid_shut)
    assert KETTLE.find("cold", "switched_on", open_lid) is None
    assert loose.find("cold", "switched_on", open_lid) == attrs.evolve(row, guards=(has_water,))
    assert loose.find("cold", "switched_on", Facts(litres=0, lid_open=True)) == KETTLE.rows[1]
    bare = loose.without_guard(loose.rows[0], has_water)
    assert bare.find("cold", "switched_on", Facts(litres=0)) is bare.rows[0]
    assert [each.rule for each in bare.rows] == [each.rule for each in KETTLE.rows]
    with pytest.raises(ValueError, match="K-ON-1 in Kettle has no guard"):
        KETTLE.without_guard(row, is_empty)
