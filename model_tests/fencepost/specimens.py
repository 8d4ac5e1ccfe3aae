"""Two small charts that laws are shown on: a kettle with guards, and a door."""

from typing import Any

import attrs
from statemachine import State

from fencepost_spec.chart import Chart, Row, compile_chart, rule
from fencepost_spec.rule import Level, Source

SOURCE = Source("sample", "made up for these laws")


def untyped(value: Any) -> Any:
    """The same value, for what the library does not type and for what types would forbid."""
    return value


@attrs.frozen
class Facts:
    """What a kettle knows."""

    litres: int = 1
    lid_open: bool = False


def has_water(facts: Facts) -> bool:
    """There is something to heat."""
    return facts.litres > 0


def is_empty(facts: Facts) -> bool:
    """There is nothing to heat."""
    return facts.litres == 0


def is_lid_shut(facts: Facts) -> bool:
    """Nothing can spill."""
    return not facts.lid_open


def is_broken(facts: Facts) -> bool:
    """The question itself fails."""
    raise ZeroDivisionError(facts.litres)


class Kettle(Chart):
    """Heats water: terminal states, rows that guards tell apart, an event shared by states."""

    cold = State(initial=True)
    heating = State()
    hot = State()
    scrapped = State(final=True)
    recycled = State(final=True)

    switched_on = rule(
        "K-ON-1",
        "water with a lid on is heated",
        SOURCE,
        cold.to(heating, cond=(has_water, is_lid_shut)),
    ) | rule("K-ON-2", "an empty kettle burns out", SOURCE, cold.to(scrapped, cond=is_empty))
    boiled = rule("K-BOI-1", "heat makes it hot", SOURCE, heating.to(hot), facts=("1.1",))
    poured = rule(
        "K-POU-1",
        "pouring is possible whenever there is water",
        SOURCE,
        cold.to(cold, internal=True, cond=has_water)
        | untyped(hot.to).itself(internal=True, cond=has_water),
        level=Level.SHOULD,
    )
    dropped = tipped = rule(
        "K-END-1",
        "a fall ends it",
        SOURCE,
        cold.to(scrapped) | heating.to(scrapped) | hot.to(recycled),
    )


class Door(Chart):
    """No state is final, and one question cannot be answered."""

    shut = State(initial=True)
    ajar = State()

    pushed = rule("D-PUS-1", "a push opens it", SOURCE, shut.to(ajar, cond=is_broken))
    pulled = (
        rule("D-PUL-1", "a pull opens it, too", SOURCE, shut.to(ajar))
        | rule(
            "D-PUL-2",
            "with both, the narrower row is first",
            SOURCE,
            ajar.to(shut, cond=[has_water, is_lid_shut]),
        )
        | rule("D-PUL-3", "and the wider row is second", SOURCE, ajar.to(ajar, cond=has_water))
    )


CHARTS = (Kettle, Door)
KETTLE = compile_chart(Kettle)


def row_id(row: Row) -> str:
    """What a row is called in a list of tests."""
    return f"{row.rule.id}-{row.source}-{row.event}"


def state_of(machine: Chart) -> list[str]:
    """Where a machine stands."""
    return [str(value) for value in machine.configuration_values]
