"""Laws of rows that are not made: what a transition, its rule and its guards may not be."""

from collections.abc import Callable
from functools import partial
from types import new_class
from typing import Any

import pytest
from statemachine import State
from statemachine.transition import Transition
from statemachine.transition_list import TransitionList

from fencepost_spec.chart import Chart, InvalidChart, RuledTransitions, rule
from fencepost_spec.rule import Source
from fencepost_spec.table import Guard

SOURCE = Source("sample", "made up for these laws")

Went = Callable[[State, State], TransitionList]


def is_dry(facts: object) -> bool:
    """It does not rain."""
    return bool(facts)


def is_warm(facts: object) -> bool:
    """It does not freeze."""
    return bool(facts)


def says_nothing(facts: object) -> bool:  # having no docstring is the point
    return bool(facts)


def takes_other(fact: object) -> bool:
    """The parameter has another name."""
    return bool(fact)


def takes_two(facts: object, more: object) -> bool:
    """There are two parameters."""
    return bool(facts and more)


def has_default(facts: object = None) -> bool:
    """The parameter has a default."""
    return bool(facts)


def takes_all(*facts: object) -> bool:
    """The parameter takes any number."""
    return bool(facts)


async def answers_later(facts: object) -> bool:
    """The answer comes later."""
    return bool(facts)


class Sky:
    """Something with a method that could pass for a guard."""

    def is_blue(self, facts: object) -> bool:
        """It is blue."""
        return bool(facts)


def plain(guard: Guard) -> Guard:
    """The same guard, so that a lambda is typed as one."""
    return guard


def made_inside() -> Guard:
    """A function that no module holds."""

    def inner(facts: object) -> bool:
        """It is nowhere to be found."""
        return bool(facts)

    return inner


def acts(facts: object) -> None:
    """Do something, which no chart does."""


def untyped(value: Any) -> Any:
    """The same value, for what types would forbid."""
    return value


def ruled(transitions: Any, rule_id: str = "T-SAY-1") -> RuledTransitions:
    """The transitions with some rule."""
    return rule(rule_id, "said somewhere", SOURCE, transitions)


def make(went: Went) -> type[Chart]:
    """A chart of two states, left and returned to, with one more event."""
    indoors, outdoors = State(initial=True), State()
    body = {
        "indoors": indoors,
        "outdoors": outdoors,
        "left": ruled(indoors.to(outdoors)),
        "returned": ruled(outdoors.to(indoors), "T-SAY-2"),
        "went": went(indoors, outdoors),
    }
    return new_class("Walk", (Chart,), exec_body=lambda namespace: namespace.update(body))


def refusal(went: Went) -> str:
    """The text with which a chart with such an event is refused."""
    with pytest.raises(InvalidChart) as caught:
        make(went)
    text = str(caught.value)
    assert text.startswith("Walk: ")
    return text.removeprefix("Walk: ")


def test_the_sample_is_a_chart() -> None:
    """What is refused below is refused for its event and for nothing else."""
    assert make(lambda a, b: ruled(a.to(b))).__name__ == "Walk"


def test_a_transition_without_a_rule_is_refused() -> None:
    """Every transition says why it is there; the one that does not is named."""
    expected = "went in indoors has no rule; write rule(id, says, source, …)"
    assert refusal(lambda a, b: a.to(b)) == expected
    with_one = {"cond": is_dry}
    assert refusal(lambda a, b: ruled(b.to(a)) | a.to(b, **with_one)) == expected
    assert refusal(lambda a, b: a.to(b, **with_one) | ruled(b.to(a))) == expected


def test_joining_keeps_every_rule() -> None:
    """However transitions are joined, each keeps the rule it was given."""
    one, two, three = State(), State(), State()
    first, second = ruled(one.to(two)), ruled(two.to(three), "T-SAY-2")
    joined = first | second
    assert [joined.rules[each].id for each in joined] == ["T-SAY-1", "T-SAY-2"]
    joined |= ruled(three.to(one), "T-SAY-3")
    assert [joined.rules[each].id for each in joined] == ["T-SAY-1", "T-SAY-2", "T-SAY-3"]
    assert len(first.rules) == 1


def test_a_second_rule_on_a_transition_is_refused() -> None:
    """A transition has one reason."""
    with pytest.raises(InvalidChart, match="T-SAY-2: these transitions carry a rule already"):
        ruled(ruled(State().to(State())), "T-SAY-2")

    def twice(indoors: State, outdoors: State) -> TransitionList:
        made = indoors.to(outdoors)
        return ruled(made) | ruled(made, "T-SAY-2")

    assert "the same transition twice" in refusal(twice)


def test_one_id_for_two_rules_is_refused() -> None:
    """An id says one thing; one rule may stand at several transitions."""

    def other(indoors: State, outdoors: State) -> TransitionList:
        return rule("T-SAY-1", "said differently", SOURCE, indoors.to(outdoors))

    assert refusal(other) == "one id, two rules: T-SAY-1"
    assert make(lambda a, b: ruled(a.to(b) | b.to(a)))


@pytest.mark.parametrize(
    ("first", "second", "complaint"),
    [
        ((), (), "one of them has no guard"),
        ((is_dry,), (), "one of them has no guard"),
        ((), (is_dry,), "one of them has no guard"),
        ((is_dry,), (is_dry,), "the guards are the same"),
        ((is_dry, is_warm), (is_warm, is_dry), "the guards are the same"),
        ((is_dry,), (is_warm, is_dry), "the later one is never reached"),
    ],
)
def test_rows_that_no_guard_tells_apart_are_refused(
    first: tuple[Guard, ...], second: tuple[Guard, ...], complaint: str
) -> None:
    """Of two rows for one event in one state a guard says which is meant, or neither is made."""

    def both(indoors: State, outdoors: State) -> TransitionList:
        return ruled(indoors.to(outdoors, cond=first), "T-SAY-8") | ruled(
            indoors.to(indoors, cond=second), "T-SAY-9"
        )

    text = refusal(both)
    assert text.startswith("T-SAY-8 and T-SAY-9: went in indoors: ")
    assert complaint in text


def test_rows_that_a_guard_tells_apart_are_made() -> None:
    """Different guards, or more of them on the earlier row, are enough."""
    for first, second in (((is_dry,), (is_warm,)), ((is_dry, is_warm), (is_dry,))):

        def both(indoors: State, outdoors: State, c: Any = first, d: Any = second) -> Any:
            return ruled(indoors.to(outdoors, cond=c) | indoors.to(indoors, cond=d))

        assert make(both)


def test_rows_joined_in_another_order_than_made_are_refused() -> None:
    """The library tries what was made first; a table in another order would differ."""

    def swapped(indoors: State, outdoors: State) -> TransitionList:
        first = ruled(indoors.to(outdoors, cond=is_dry))
        second = ruled(indoors.to(indoors, cond=is_warm))
        return second | first

    assert "joined in the order they are made" in refusal(swapped)


@pytest.mark.parametrize(
    ("guard", "complaint"),
    [
        (plain(lambda facts: not facts), "guard <lambda> has no name that says the condition"),
        (made_inside(), "guard made_inside.<locals>.inner is not a function of a module"),
        (Sky().is_blue, "guard Sky.is_blue is not a function of a module"),
        (Sky.is_blue, "guard Sky.is_blue is not a function of a module"),
        (partial(takes_two, more=1), "is not a function of a module"),
        (Sky, "guard Sky is not a function of a module"),
        ("is_dry", "guard 'is_dry' is not a function of a module"),
        (takes_other, "guard takes_other takes one parameter, and it is 'facts'"),
        (takes_two, "guard takes_two takes one parameter"),
        (has_default, "guard has_default takes one parameter"),
        (takes_all, "guard takes_all takes one parameter"),
        (answers_later, "guard answers_later does not answer at once"),
        (says_nothing, "guard says_nothing has no docstring to say the condition"),
    ],
)
def test_a_guard_is_a_plain_function_of_facts(guard: Any, complaint: str) -> None:
    """Whatever else the library would call is refused, with what is wrong about it."""
    text = refusal(lambda a, b: ruled(a.to(b, cond=guard)))
    assert text.startswith("went in indoors: guard ")
    assert complaint in text


def test_two_guards_of_one_name_are_refused() -> None:
    """A guard is known by its name."""
    namespace: dict[str, Any] = {}
    exec("def is_dry(facts):\n    'Another condition.'\n    return False", namespace)

    def both(indoors: State, outdoors: State) -> TransitionList:
        other = namespace["is_dry"]
        return ruled(indoors.to(outdoors, cond=is_dry) | indoors.to(indoors, cond=other))

    assert refusal(both) == "two guards are called is_dry"


def test_unless_is_refused() -> None:
    """Guards are asked one way, so that a row reads as a conjunction."""
    text = refusal(lambda a, b: ruled(a.to(b, unless=is_dry)))
    assert "write 'unless is_dry' as a guard that says the opposite" in text


@pytest.mark.parametrize("when", ["before", "on", "after", "validators"])
def test_a_transition_that_does_something_is_refused(when: str) -> None:
    """A chart says what follows what; effects are the cores' own."""
    text = refusal(lambda a, b: ruled(a.to(b, **{when: acts})))
    assert text == "went in indoors has a callback; a chart only says what follows what"
    if when != "validators":
        decorated = refusal(lambda a, b: decorate(ruled(a.to(b)), when))
        assert decorated == text


def decorate(transitions: RuledTransitions, when: str) -> RuledTransitions:
    """The transitions with a callback added the way a decorator does."""
    getattr(transitions, when)(acts)
    return transitions


def test_an_event_named_twice_is_refused() -> None:
    """The attribute is the event's name, and no other is given."""
    text = refusal(lambda a, b: ruled(a.to(b, event="other")))
    assert text == "went in indoors names its event twice; the attribute is the event"


def test_a_transition_from_anywhere_is_refused() -> None:
    """Every row names its source, so that every row can be left out."""
    text = refusal(lambda a, _b: ruled(untyped(a.from_).any()))
    assert text == "went starts outside the chart; name each source state"


@pytest.mark.parametrize("targets", [[], [None], "both"])
def test_a_transition_leads_to_one_state_of_the_chart(targets: Any) -> None:
    """No target, two at once, and a state that is not there are refused."""

    def went(indoors: State, outdoors: State) -> TransitionList:
        ends = [indoors, outdoors] if targets == "both" else targets
        if ends == [None]:
            ends = [State()]
        return ruled(TransitionList([Transition(indoors, ends)]))

    assert "does not lead to one state of the chart" in refusal(went)
