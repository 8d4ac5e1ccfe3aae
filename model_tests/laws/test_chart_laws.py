"""Laws of charts that are made: strictness, agreement of machine and table, and deletion."""

from itertools import count
from random import Random
from types import new_class
from typing import Any

import pytest
from statemachine import State
from statemachine.exceptions import InvalidDefinition, TransitionNotAllowed

from fencepost.laws import cases, disagreements
from fencepost.specimens import (
    CHARTS,
    KETTLE,
    SOURCE,
    Door,
    Facts,
    Kettle,
    has_water,
    is_empty,
    is_lid_shut,
    row_id,
    state_of,
    untyped,
)
from fencepost_spec.chart import Chart, InvalidChart, Row, compile_chart, machine_in, rule

# Strictness.


def test_the_strict_settings_are_pinned() -> None:
    """No chart can be lax: the base has the settings, and a body that sets them is refused."""
    assert Chart.allow_event_without_transition is False
    assert Chart.catch_errors_as_events is False
    with pytest.raises(InvalidChart, match="allow_event_without_transition"):

        class Lax(Chart):  # pyright: ignore[reportUnusedClass]  # making it is the claim
            allow_event_without_transition = True
            only = State(initial=True, final=True)


@pytest.mark.parametrize("event", ["boiled", "no_such_event", "Boiled"])
def test_an_event_without_a_row_raises_and_changes_nothing(event: str) -> None:
    """What has no row is refused out loud, and the machine stays where it was."""
    machine: Any = Kettle()
    with pytest.raises(TransitionNotAllowed):
        machine.send(event, facts=Facts())
    assert state_of(machine) == ["cold"]
    machine.send("switched_on", facts=Facts())
    assert state_of(machine) == ["heating"]


def test_an_event_whose_guards_say_no_raises_and_changes_nothing() -> None:
    """A row that is there but does not hold is refused like one that is not there."""
    machine: Any = Kettle()
    with pytest.raises(TransitionNotAllowed):
        machine.send("switched_on", facts=Facts(lid_open=True))
    assert state_of(machine) == ["cold"]


def test_an_exception_in_a_guard_raises_and_changes_nothing() -> None:
    """A guard that fails is a fault of the specification and comes out as it is."""
    machine: Any = Door()
    with pytest.raises(ZeroDivisionError):
        machine.send("pushed", facts=Facts())
    assert state_of(machine) == ["shut"]
    with pytest.raises(ZeroDivisionError):
        compile_chart(Door).find("shut", "pushed", Facts())
    machine.send("pulled", facts=Facts())
    assert state_of(machine) == ["ajar"]


def test_a_guard_without_its_facts_raises() -> None:
    """An event sent without facts is not taken for one whose guards say no."""
    machine: Any = Kettle()
    with pytest.raises(TypeError):
        machine.send("switched_on")
    assert state_of(machine) == ["cold"]


@pytest.mark.parametrize("state", ["scrapped", "recycled"])
@pytest.mark.parametrize("event", [*KETTLE.events, "no_such_event"])
def test_a_final_state_refuses_every_event_out_loud(state: str, event: str) -> None:
    """A finished machine does not drop what is sent to it; it refuses it."""
    machine: Any = machine_in(Kettle, state)
    with pytest.raises(TransitionNotAllowed):
        machine.send(event, facts=Facts())
    assert state_of(machine) == [state]


def test_a_machine_that_came_to_its_end_refuses_in_both_ways_of_calling() -> None:
    """An event sent by name and an event called as a method are refused alike."""
    machine: Any = Kettle()
    machine.dropped(facts=Facts())
    assert state_of(machine) == ["scrapped"]
    with pytest.raises(TransitionNotAllowed):
        machine.dropped(facts=Facts())
    with pytest.raises(TransitionNotAllowed):
        machine.send("dropped", facts=Facts())


def test_a_machine_takes_no_model_and_no_listener() -> None:
    """Callbacks could be found by name on either, so neither can be passed."""
    for other in ({"model": object()}, {"listeners": [object()]}):
        with pytest.raises(TypeError):
            untyped(Kettle)(**other)


def test_a_machine_starts_in_the_state_asked_for() -> None:
    """Tests can put a machine anywhere it can be, and nowhere else."""
    assert state_of(Kettle()) == ["cold"]
    for state in KETTLE.states:
        assert state_of(machine_in(Kettle, state)) == [state]
    with pytest.raises(ValueError, match="Kettle has no state 'lukewarm'"):
        machine_in(Kettle, "lukewarm")


# Agreement.


@pytest.mark.parametrize("chart", CHARTS)
def test_machine_and_table_agree_on_every_case(chart: type[Chart]) -> None:
    """In every state, for every event, whatever the guards say, both give the same answer."""
    assert disagreements(chart) == []


@pytest.mark.parametrize(("chart", "number"), [(Kettle, 34), (Door, 8)])
def test_the_number_of_cases_is_pinned(chart: type[Chart], number: int) -> None:
    """The walk covers states times events, doubled by each guard that could be asked."""
    assert len(list(cases(chart))) == number


@pytest.mark.parametrize("row", KETTLE.rows, ids=row_id)
def test_a_table_that_lacks_a_row_disagrees(row: Row) -> None:
    """The walk notices each missing row, so its silence means something."""
    found = disagreements(Kettle, KETTLE.without(row))
    assert any(f"{row.event} in {row.source}" in each for each in found)
    assert any("the table says refused" in each for each in found)


def test_a_table_that_lacks_a_guard_disagrees() -> None:
    """The walk notices each missing guard."""
    for row in KETTLE.rows:
        for guard in row.guards:
            assert disagreements(Kettle, KETTLE.without_guard(row, guard))


def test_a_table_of_another_chart_disagrees_by_name() -> None:
    """States, events and guards that only one side has are named."""
    found = disagreements(Kettle, compile_chart(Door))
    assert [each.split(":")[0] for each in found[:4]] == [
        "states",
        "initial state",
        "events",
        "guards",
    ]


GUARDS = (has_water, is_empty, is_lid_shut)


def random_chart(random: Random) -> type[Chart]:
    """A chart of a few states and events with rows drawn at random, or a refusal."""
    states = {
        name: State(initial=not number, final=number > 1 and random.random() < 0.3)
        for number, name in enumerate(("one", "two", "three", "four")[: random.randint(2, 4)])
    }
    body: dict[str, Any] = dict(states)
    numbers = count()
    for event in ("came", "saw", "won"):
        rows: Any = None
        for _ in range(random.randint(1, 5)):
            source = random.choice([state for state in states.values() if not state.final])
            guards = random.sample(GUARDS, random.randint(0, 3))
            made = source.to(random.choice(list(states.values())), cond=tuple(guards))
            ruled = rule(f"V-ENI-{next(numbers)}", "drawn at random", SOURCE, made)
            rows = ruled if rows is None else rows | ruled
        body[event] = rows
    return new_class("Drawn", (Chart,), exec_body=lambda namespace: namespace.update(body))


def test_machine_and_table_agree_on_charts_drawn_at_random() -> None:
    """Agreement is a law of compilation and not luck of the charts at hand."""
    random, walked = Random(7), 0
    for _ in range(600):
        try:
            chart = random_chart(random)
        except InvalidDefinition:
            continue
        assert disagreements(chart) == []
        walked += 1
    assert walked > 20
