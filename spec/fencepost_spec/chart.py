"""A chart is a state machine written as a class body, and nothing else is in that body.

Decided here: what a chart may say, so that the picture, the machine and the table of rows are
one thing.  Not decided here: any machine; each has its own file.

1. A chart holds states and events.  Nothing runs that is found by its name.
2. Every transition carries a rule, and of two rows for one event in one state a guard tells
   which is meant.

May import: python-statemachine, attrs, `rule`, `table`.
"""

import inspect
import re
from collections.abc import Iterable, Iterator
from typing import Any, ClassVar, TypeVar, cast

from statemachine import State, StateMachine
from statemachine.exceptions import InvalidDefinition
from statemachine.transition import Transition
from statemachine.transition_list import TransitionList

from fencepost_spec.rule import Level, Rule, Source, duplicates
from fencepost_spec.table import Guard, Row, Table

__all__ = [
    "Chart",
    "Guard",
    "InvalidChart",
    "Row",
    "RuledTransitions",
    "Table",
    "compile_chart",
    "machine_in",
    "rule",
]

_NAME = re.compile(r"[a-z][a-z0-9_]*")
# The library gives an event of such a name a second, dotted name.
_DOTTED = ("done_invoke_", "done_state_", "error_")
_HOOKS = re.compile(r"(?:before|on|after|on_enter|on_exit|on_invoke)_\w+")


class InvalidChart(InvalidDefinition):
    """The class body says something that a chart may not say."""


class RuledTransitions(TransitionList):
    """Transitions, each with its rule; they are joined by `|`, as the library's own are."""

    def __init__(self, transitions: Iterable[Transition], rules: dict[Transition, Rule]) -> None:
        super().__init__(transitions)
        self.rules = rules

    def __or__(self, other: "TransitionList | Iterable[Transition]") -> "RuledTransitions":
        """These transitions, then the others, and the rules of both."""
        rules = other.rules if isinstance(other, RuledTransitions) else {}
        return RuledTransitions([*self, *other], {**rules, **self.rules})

    def __ror__(self, other: "TransitionList | Iterable[Transition]") -> "RuledTransitions":
        """The others, then these: so a chart can say which of them has no rule."""
        return RuledTransitions([*other, *self], self.rules)


def rule(
    rule_id: str,
    says: str,
    source: Source,
    transitions: TransitionList,
    *,
    facts: tuple[str, ...] = (),
    level: Level = Level.MUST,
) -> RuledTransitions:
    """The same transitions, each carrying the rule, or refuse if one carries another already."""
    stated = Rule(rule_id, says, source, facts, level)
    if isinstance(transitions, RuledTransitions):
        earlier = ", ".join(sorted({each.id for each in transitions.rules.values()}))
        raise InvalidChart(f"{rule_id}: these transitions carry a rule already: {earlier}")
    return RuledTransitions(transitions, dict.fromkeys(transitions, stated))


class Chart(StateMachine):
    """The strict base of every machine: what has no row is refused, and nothing is swallowed."""

    allow_event_without_transition = False
    catch_errors_as_events = False
    validate_disconnected_states = True
    validate_trap_states = True
    validate_final_reachability = True

    _table: ClassVar[Table]

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Read the body before the library does, or refuse to make the class."""
        super().__init_subclass__(**kwargs)
        try:
            cls._table = _read(cls)
        except InvalidChart as refusal:
            raise InvalidChart(f"{cls.__name__}: {refusal}") from None

    def __init__(self, *, start_value: str | None = None) -> None:
        """Start in the initial state or the one named; no model and no listener takes part."""
        # The library does not say of what type its model is.
        super().__init__(start_value=start_value)  # pyright: ignore[reportUnknownMemberType]


class _Probe(StateMachine):
    """The smallest machine there is: it shows which names the library keeps for itself."""

    only = State(initial=True, final=True)


_RESERVED = frozenset({*dir(_Probe), *vars(_Probe()), *dir(type(_Probe)), *vars(Chart)}) - {"only"}

AnyChart = TypeVar("AnyChart", bound=Chart)


def compile_chart(chart: type[Chart]) -> Table:
    """The chart's table: made once, with the class, in the order of the class body."""
    table = getattr(chart, "_table", None)
    if not isinstance(table, Table):
        raise TypeError(f"a chart is a subclass of Chart, and {chart!r} is none")
    return table


def machine_in(chart: type[AnyChart], state: str) -> AnyChart:
    """A machine of that chart which stands in `state`, or refuse if there is no such state."""
    if state not in compile_chart(chart).states:
        raise ValueError(f"{chart.__name__} has no state {state!r}")
    return chart(start_value=state)


def _read(chart: type[Chart]) -> Table:
    """Check the class body as it was written, and read its rows."""
    if chart.__bases__ != (Chart,):
        raise InvalidChart("a chart is written in one class whose only base is Chart")
    states: dict[str, State] = {}
    events: dict[str, TransitionList] = {}
    for name, value in vars(chart).items():
        _read_name(name, value, states, events)
    initial = [name for name, state in states.items() if state.initial]
    if len(initial) != 1:
        raise InvalidChart(f"exactly one state has initial=True, not {initial or 'none'}")
    rows = tuple(_rows(states, events))
    _check_all_have_an_event(states, events)
    _check_guard_names(rows)
    _check_overlaps(rows)
    if twice := duplicates(row.rule for row in rows):
        raise InvalidChart(f"one id, two rules: {', '.join(twice)}")
    return Table(chart.__name__, initial[0], tuple(states), rows)


def _read_name(
    name: str, value: object, states: dict[str, State], events: dict[str, TransitionList]
) -> None:
    """File one name of the class body as a state or an event, or refuse it."""
    if (name.startswith("__") and not inspect.isfunction(value)) or name == "__annotate__":
        return  # The docstring and what Python itself writes there.
    if not isinstance(value, State | TransitionList):
        kind = "a callback found by its name" if _HOOKS.fullmatch(name) else "neither"
        raise InvalidChart(f"a chart holds states and events, and {name!r} is {kind}")
    what = "state" if isinstance(value, State) else "event"
    if name in _RESERVED or name.startswith(_DOTTED):
        raise InvalidChart(
            f"{name!r} belongs to python-statemachine; name the {what} after what "
            f"{'is so' if what == 'state' else 'happens, as in prepare_called'}"
        )
    if _NAME.fullmatch(name) is None:
        raise InvalidChart(f"{what} names are lower case with underscores, not {name!r}")
    if isinstance(value, State):
        _check_state(name, value)
        states[name] = value
    else:
        events[name] = value


def _check_state(name: str, state: State) -> None:
    """A state is a plain name: nothing inside it, nothing that runs, no other value."""
    if type(state) is not State or state.states or state.history or state.parallel:
        raise InvalidChart(f"state {name} is not flat; a chart has no states within states")
    if any(True for group in (state.enter, state.exit, state.invoke) for _ in group):
        raise InvalidChart(f"state {name} has a callback; a chart only says what follows what")
    if state.value is not None:
        raise InvalidChart(f"state {name} has a value of its own; its name is its value")


def _rows(states: dict[str, State], events: dict[str, TransitionList]) -> Iterator[Row]:
    """One row for each transition of each event, in the order written."""
    # By identity: states have no names yet, and the library takes all nameless ones for equal.
    names = {id(state): name for name, state in states.items()}
    for event, transitions in events.items():
        rules = transitions.rules if isinstance(transitions, RuledTransitions) else {}
        for transition in transitions:
            if id(transition.source) not in names:
                raise InvalidChart(f"{event} starts outside the chart; name each source state")
            source = names[id(transition.source)]
            where = f"{event} in {source}"
            if transition not in rules:
                raise InvalidChart(f"{where} has no rule; write rule(id, says, source, …)")
            targets = [names.get(id(target)) for target in transition.targets]
            if len(targets) != 1 or targets[0] is None:
                raise InvalidChart(f"{where} does not lead to one state of the chart")
            _check_plain(where, transition)
            yield Row(rules[transition], source, event, _guards(where, transition), targets[0])
        _check_written_order(event, transitions)


def _check_plain(where: str, transition: Transition) -> None:
    """A transition has a source, a target and guards: it does nothing."""
    groups = (transition.before, transition.on, transition.after, transition.validators)
    if any(True for group in groups for _ in group):
        raise InvalidChart(f"{where} has a callback; a chart only says what follows what")
    if transition.initial or not transition.events.is_empty:
        raise InvalidChart(f"{where} names its event twice; the attribute is the event")


def _guards(where: str, transition: Transition) -> tuple[Guard, ...]:
    """The guards of a transition, each a plain documented function of `facts`."""
    guards: list[Guard] = []
    for spec in cast("Iterable[Any]", transition.cond):
        guard: Any = spec.func
        shown = getattr(guard, "__qualname__", repr(guard))
        if spec.expected_value is not True:
            raise InvalidChart(f"{where}: write 'unless {shown}' as a guard that says the opposite")
        if not inspect.isfunction(guard) or guard.__qualname__ != guard.__name__:
            raise InvalidChart(f"{where}: guard {shown} is not a function of a module")
        if _NAME.fullmatch(guard.__name__) is None:
            raise InvalidChart(f"{where}: guard {shown} has no name that says the condition")
        parameters = list(inspect.signature(guard).parameters.values())
        kinds = [(each.name, each.kind, each.default) for each in parameters]
        if kinds != [("facts", inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.empty)]:
            raise InvalidChart(f"{where}: guard {shown} takes one parameter, and it is 'facts'")
        if inspect.iscoroutinefunction(guard) or inspect.isgeneratorfunction(guard):
            raise InvalidChart(f"{where}: guard {shown} does not answer at once")
        if not (guard.__doc__ or "").strip():
            raise InvalidChart(f"{where}: guard {shown} has no docstring to say the condition")
        guards.append(guard)
    return tuple(guards)


def _check_written_order(event: str, transitions: TransitionList) -> None:
    """The library tries a state's transitions as they were made; `|` has to say the same."""
    if len(set(transitions)) != len(transitions):
        raise InvalidChart(f"{event} holds the same transition twice")
    for source in {id(each.source): each.source for each in transitions}.values():
        written = [each for each in transitions if each.source is source]
        if written != [each for each in source.transitions if each in written]:
            raise InvalidChart(f"{event}: rows of one state are joined in the order they are made")


def _check_all_have_an_event(states: dict[str, State], events: dict[str, TransitionList]) -> None:
    """A transition that no event takes would be taken by itself."""
    claimed = {transition for transitions in events.values() for transition in transitions}
    for name, state in states.items():
        if any(transition not in claimed for transition in state.transitions):
            raise InvalidChart(f"a transition out of {name} has no event")


def _check_guard_names(rows: tuple[Row, ...]) -> None:
    """A guard is known by its name, so two of them do not share one."""
    named: dict[str, Guard] = {}
    for guard in (guard for row in rows for guard in row.guards):
        if named.setdefault(guard.__name__, guard) is not guard:
            raise InvalidChart(f"two guards are called {guard.__name__}")


def _check_overlaps(rows: tuple[Row, ...]) -> None:
    """Of two rows for one event in one state, a guard tells which is meant."""
    for number, later in enumerate(rows):
        for earlier in rows[:number]:
            if (earlier.source, earlier.event) != (later.source, later.event):
                continue
            pair = f"{earlier.rule.id} and {later.rule.id}: {later.event} in {later.source}"
            if not (earlier.guards and later.guards):
                raise InvalidChart(f"{pair}: both could answer, and one of them has no guard")
            if set(earlier.guards) == set(later.guards):
                raise InvalidChart(f"{pair}: both could answer, the guards are the same")
            if set(earlier.guards) < set(later.guards):
                raise InvalidChart(f"{pair}: the later one is never reached, swap them")
