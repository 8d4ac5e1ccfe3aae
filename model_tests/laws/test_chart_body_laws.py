"""Laws of charts that are not made: what a class body may not hold, and the reason given."""

from collections.abc import Callable
from functools import partial
from types import new_class
from typing import Any

import pytest
from statemachine import HistoryState, State
from statemachine.event import Event
from statemachine.exceptions import InvalidDefinition

from fencepost_spec.chart import Chart, InvalidChart, RuledTransitions, rule
from fencepost_spec.rule import Source

SOURCE = Source("sample", "made up for these laws")

Change = Callable[[State, State], object]


def is_dry(facts: object) -> bool:
    """It does not rain."""
    return bool(facts)


class Sky:
    """Something with a method that could pass for a guard."""

    def is_blue(self, facts: object) -> bool:
        """It is blue."""
        return bool(facts)


def acts(facts: object) -> None:
    """Do something, which no chart does."""


def ruled(transitions: Any, rule_id: str = "T-SAY-1") -> RuledTransitions:
    """The transitions with some rule."""
    return rule(rule_id, "said somewhere", SOURCE, transitions)


def make(name: str = "", change: Change | None = None) -> type[Chart]:
    """A chart of two states and two events, with one name of its body added or replaced."""
    indoors, outdoors = State(initial=True), State()
    body: dict[str, object] = {"indoors": indoors, "outdoors": outdoors}
    body["left"] = ruled(indoors.to(outdoors))
    body["returned"] = ruled(outdoors.to(indoors), "T-SAY-2")
    if change is not None:
        body[name] = change(indoors, outdoors)
    return new_class("Walk", (Chart,), exec_body=lambda namespace: namespace.update(body))


def refusal(name: str, change: Change) -> str:
    """The text with which a chart so changed is refused."""
    with pytest.raises(InvalidChart) as caught:
        make(name, change)
    text = str(caught.value)
    assert text.startswith("Walk: ")
    return text.removeprefix("Walk: ")


def test_the_unchanged_sample_is_a_chart() -> None:
    """What is refused below is refused for the change and for nothing else."""
    assert make().__name__ == "Walk"


@pytest.mark.parametrize(
    "name",
    [
        *("prepare", "model", "send", "add_listener", "name", "id", "configuration"),
        *("final_states", "state_field", "history_values", "start_configuration_values"),
        *("raise_", "add_event", "error_seen", "done_state_left", "done_invoke_left"),
    ],
)
def test_a_name_of_the_library_is_refused(name: str) -> None:
    """A state or an event that would hide a part of the library is refused with advice."""
    text = refusal(name, lambda a, b: ruled(a.to(b, cond=is_dry), "T-SAY-9"))
    assert text == (
        f"'{name}' belongs to python-statemachine; "
        "name the event after what happens, as in prepare_called"
    )
    text = refusal(name, lambda _a, _b: State())
    assert text.startswith(f"'{name}' belongs to python-statemachine; name the state after")


@pytest.mark.parametrize("name", ["states", "events"])
def test_the_names_that_the_library_itself_uses_for_its_lists_are_refused(name: str) -> None:
    """The two most tempting names are refused as well."""
    assert "belongs to python-statemachine" in refusal(name, lambda a, b: ruled(a.to(b)))


@pytest.mark.parametrize("name", ["Left", "leftHome", "_left", "left-home", "līft"])
def test_a_name_in_another_style_is_refused(name: str) -> None:
    """States and events are written in one way."""
    assert "lower case with underscores" in refusal(name, lambda a, b: ruled(a.to(b)))


@pytest.mark.parametrize(
    "name", ["on_enter_indoors", "before_left", "on_left", "after_left", "on_exit_outdoors"]
)
def test_a_callback_found_by_its_name_is_refused(name: str) -> None:
    """What a reader could not find by following calls is not in a chart."""
    assert refusal(name, lambda _a, _b: acts) == (
        f"a chart holds states and events, and '{name}' is a callback found by its name"
    )


@pytest.mark.parametrize("name", ["helper", "__init__", "prepare_event", "validate_trap_states"])
def test_anything_that_is_neither_state_nor_event_is_refused(name: str) -> None:
    """A chart's body holds nothing else, be it a method or a setting."""
    assert f"'{name}' is neither" in refusal(name, lambda _a, _b: acts)


def test_an_event_object_is_refused() -> None:
    """The library's own way to give an event another name is not used."""
    assert "'went' is neither" in refusal("went", lambda a, b: Event(ruled(a.to(b)), id="other"))


@pytest.mark.parametrize(
    ("state", "complaint"),
    [
        (partial(State, enter=acts), "state away has a callback"),
        (partial(State, exit=acts), "state away has a callback"),
        (partial(State, invoke=acts), "state away has a callback"),
        (partial(State, value=1), "state away has a value of its own"),
        (partial(State, parallel=True), "state away is not flat"),
        (partial(State, history=[HistoryState("before")]), "state away is not flat"),
        (HistoryState, "state away is not flat"),
    ],
)
def test_a_state_is_a_plain_name(state: Any, complaint: str) -> None:
    """A state with something inside, or with something to do, is refused."""
    assert complaint in refusal("away", lambda _a, _b: state())


def test_a_state_within_a_state_is_refused() -> None:
    """A chart is flat."""
    assert "state away is not flat" in refusal("away", lambda _a, _b: State(states=[State("in")]))


def test_a_transition_without_an_event_is_refused() -> None:
    """It would be taken by itself, and nothing in a chart happens by itself."""

    def eventless(indoors: State, outdoors: State) -> State:
        indoors.to(outdoors, cond=is_dry)
        return State()

    assert refusal("away", eventless) == "a transition out of indoors has no event"


def test_exactly_one_state_is_marked_as_initial() -> None:
    """Where a chart starts is said and not guessed."""
    assert "exactly one state has initial=True" in refusal(
        "away", lambda _a, _b: State(initial=True)
    )
    assert "not none" in refusal("indoors", lambda _a, _b: State())
    with pytest.raises(InvalidChart, match="Empty: exactly one state has initial=True, not none"):
        new_class("Empty", (Chart,))


def test_a_chart_is_not_extended_and_not_mixed() -> None:
    """What a chart says stands in one class body."""
    for bases in ((make(),), (Sky, Chart), (Chart, Sky)):
        with pytest.raises(InvalidChart, match="one class whose only base is Chart"):
            new_class("More", bases)


def test_a_state_that_is_never_reached_is_refused() -> None:
    """The library's own check of the shape stays on."""
    with pytest.raises(InvalidDefinition, match=r"unreachable states.*'away'"):
        make("away", lambda _a, _b: State(final=True))


def test_a_state_that_is_never_left_is_refused() -> None:
    """What ends a chart says so with final=True."""
    with pytest.raises(InvalidDefinition, match=r"at least one outgoing transition.*'outdoors'"):

        class Stuck(Chart):  # pyright: ignore[reportUnusedClass]  # making it is the claim
            indoors = State(initial=True)
            outdoors = State()
            left = ruled(indoors.to(outdoors))


def test_a_state_without_a_way_to_an_end_is_refused() -> None:
    """Where there are final states, every state has a way to one."""
    with pytest.raises(InvalidDefinition, match=r"path to a final state.*'outdoors'"):

        class Lost(Chart):  # pyright: ignore[reportUnusedClass]  # making it is the claim
            indoors = State(initial=True)
            outdoors = State()
            home = State(final=True)
            stayed = ruled(indoors.to(home))
            left = ruled(indoors.to(outdoors) | outdoors.to(outdoors))
