"""Laws of charts that any chart can be held to: the machine and its table say the same.

Decided here: how every (state, event, guard outcome) of a chart is walked through both. The
guards of a chart read facts and cannot be told what to answer, so the walk drives a *twin*: a
chart made from the machine's own transitions, in which each guard of the same name answers what
it is told to. May import: `fencepost_spec`, python-statemachine, attrs.
"""

from collections.abc import Callable, Iterator, Mapping
from itertools import product
from typing import Any, cast

import attrs
from statemachine import State
from statemachine.exceptions import TransitionNotAllowed
from statemachine.transition import Transition

from fencepost_spec.chart import (
    Chart,
    Guard,
    RuledTransitions,
    Table,
    compile_chart,
    machine_in,
)
from fencepost_spec.rule import Rule, Source

_TWIN = Source("twin", "a chart with the same transitions, whose guards answer what they are told")

Answers = Mapping[str, bool]


@attrs.frozen
class Case:
    """One event in one state, with an answer for each guard that could be asked."""

    state: str
    event: str
    answers: Answers

    def __str__(self) -> str:
        said = ", ".join(f"{name}={'yes' if yes else 'no'}" for name, yes in self.answers.items())
        return f"{self.event} in {self.state}" + (f" with {said}" if said else "")


@attrs.frozen
class Answer:
    """What came of a case: the state after it, and the guards of the row that was taken."""

    after: str
    # None when the event was refused; the names of the guards tell apart rows that overlap.
    taken: frozenset[str] | None

    def __str__(self) -> str:
        if self.taken is None:
            return f"refused, in {self.after}"
        return f"to {self.after} by {' and '.join(sorted(self.taken)) or 'the row without guard'}"


def cases(chart: type[Chart]) -> Iterator[Case]:
    """Every state, every event and every combination of guard answers, in declaration order."""
    for state in _states(chart).values():
        for event in _events(chart):
            asked = dict.fromkeys(
                name
                for transition in state.transitions
                if event in _events_of(transition)
                for name in _guard_names(transition)
            )
            for answers in product((True, False), repeat=len(asked)):
                yield Case(state.id, event, dict(zip(asked, answers, strict=True)))


def disagreements(chart: type[Chart], table: Table | None = None) -> list[str]:
    """Every case in which the machine and the table differ, said in words; empty is the law.

    Another table than the chart's own may be given, to see that a difference is found.
    """
    table = compile_chart(chart) if table is None else table
    found = _structural(chart, table)
    twin = _twin_of(chart)
    told = _told_table(table)
    for case in cases(chart):
        machine_says = _ask_machine(twin, case)
        table_says = _ask_table(told, case)
        if machine_says != table_says:
            found.append(f"{case}: the machine says {machine_says}; the table says {table_says}")
    return found


def _structural(chart: type[Chart], table: Table) -> list[str]:
    """Where the two do not even hold the same names."""
    initial = {name for name, state in _states(chart).items() if state.initial}
    asked = {
        guard
        for state in _states(chart).values()
        for transition in state.transitions
        for guard in _guards(transition)
    }
    pairs: dict[str, tuple[set[Any], set[Any]]] = {
        "states": (set(_states(chart)), set(table.states)),
        "initial state": (initial, {table.initial}),
        "events": (set(_events(chart)), set(table.events)),
        "guards": (asked, {guard for row in table.rows for guard in row.guards}),
    }
    return [
        f"{what}: the machine has {_listed(ours)}; the table has {_listed(theirs)}"
        for what, (ours, theirs) in pairs.items()
        if ours != theirs
    ]


def _listed(names: set[Any]) -> str:
    return ", ".join(sorted(getattr(each, "__name__", each) for each in names)) or "none"


def _ask_machine(twin: type[Chart], case: Case) -> Answer:
    machine: Any = machine_in(twin, case.state)
    watcher = _Watcher()
    machine.add_listener(watcher)
    try:
        machine.send(case.event, facts=case.answers)
    except TransitionNotAllowed:
        return Answer(_state_of(machine), None)
    if len(watcher.taken) != 1:
        raise AssertionError(f"{case}: {len(watcher.taken)} transitions were taken, not one")
    return Answer(_state_of(machine), frozenset(_guard_names(watcher.taken[0])))


def _ask_table(told: Table, case: Case) -> Answer:
    row = told.find(case.state, case.event, case.answers)
    if row is None:
        return Answer(case.state, None)
    return Answer(row.target, frozenset(guard.__name__ for guard in row.guards))


class _Watcher:
    """Sees which transition a machine takes; the library finds the method by its name."""

    def __init__(self) -> None:
        self.taken: list[Transition] = []

    def after_transition(self, transition: Transition) -> None:
        """Keep the transition."""
        self.taken.append(transition)


def _told(name: str) -> Guard:
    """A guard of that name which answers what the facts tell it to."""

    def guard(facts: Answers) -> bool:
        return facts[name]

    guard.__name__ = guard.__qualname__ = name
    guard.__doc__ = f"What {name} is told to say."
    return guard


def _told_table(table: Table) -> Table:
    """The same table with guards that answer what they are told."""
    told: dict[str, Guard] = {}
    rows = tuple(
        attrs.evolve(
            row,
            guards=tuple(told.setdefault(g.__name__, _told(g.__name__)) for g in row.guards),
        )
        for row in table.rows
    )
    return attrs.evolve(table, rows=rows)


def _twin_of(chart: type[Chart]) -> type[Chart]:
    """The twin, made from the machine's transitions in the order in which it tries them."""
    states = {
        name: State(name=state.name, initial=state.initial, final=state.final)
        for name, state in _states(chart).items()
    }
    told: dict[str, Guard] = {}
    rules: dict[Transition, Rule] = {}
    events: dict[str, list[Transition]] = {event: [] for event in _events(chart)}
    for state in _states(chart).values():
        for original in state.transitions:
            target = states[cast("State", original.target).id]
            guards = [told.setdefault(n, _told(n)) for n in _guard_names(original)]
            (copy,) = states[state.id].to(target, internal=original.internal, cond=guards)
            rules[copy] = Rule(f"R-TWIN-{len(rules)}", "as in the original", _TWIN)
            for event in _events_of(original):
                events[event].append(copy)
    body = {event: RuledTransitions(each, rules) for event, each in events.items()}
    make = cast("Callable[[str, tuple[type, ...], dict[str, Any]], type[Chart]]", type(Chart))
    return make(f"{chart.__name__}Twin", (Chart,), {**states, **body})


def _states(chart: type[Chart]) -> dict[str, State]:
    return {state.id: state for state in cast("Iterator[State]", chart.states)}


def _events(chart: type[Chart]) -> list[str]:
    return [str(event) for event in cast("Iterator[str]", chart.events)]


def _events_of(transition: Transition) -> list[str]:
    return [str(event) for event in transition.events]


def _guards(transition: Transition) -> list[Guard]:
    return [spec.func for spec in cast("Iterator[Any]", transition.cond)]


def _guard_names(transition: Transition) -> list[str]:
    return [guard.__name__ for guard in _guards(transition)]


def _state_of(machine: Chart) -> str:
    (state,) = machine.configuration_values
    return str(state)
