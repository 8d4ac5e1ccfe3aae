"""A chart as data: an immutable table of rows, and how a row is found.

Decided here: which row answers an event, and what a table with one row or one guard less is.
Not decided here: which rows there are; charts say that (`chart.py`).
May import: attrs, `rule`, and pure modules of the standard library.
"""

from collections.abc import Callable, Mapping
from typing import Any

import attrs

from fencepost_spec.rule import Rule

# A plain function with one positional parameter, `facts`: its name is the condition's name and
# its docstring says the condition.
Guard = Callable[[Any], bool]


@attrs.frozen(cache_hash=True)
class Row:
    """One transition: in `source`, `event` leads to `target` when every guard holds."""

    rule: Rule
    source: str
    event: str
    guards: tuple[Guard, ...]
    target: str

    def holds(self, facts: object) -> bool:
        """Every guard of the row is true of `facts`."""
        return all(guard(facts) for guard in self.guards)

    def failing(self, facts: object) -> tuple[Guard, ...]:
        """The guards that say no: why this row does not answer."""
        return tuple(guard for guard in self.guards if not guard(facts))


Index = Mapping[tuple[str, str], tuple[Row, ...]]


def _index_of(table: "Table") -> Index:
    """The rows by source and event, each in the order in which they are tried."""
    index: dict[tuple[str, str], tuple[Row, ...]] = {}
    for row in table.rows:
        key = (row.source, row.event)
        index[key] = (*index.get(key, ()), row)
    return index


@attrs.frozen
class Table:
    """The rows of one chart, in the order in which they are declared and tried."""

    name: str
    # Invariant: initial, and the ends of every row, are in states.
    initial: str
    states: tuple[str, ...]
    rows: tuple[Row, ...]
    _index: Index = attrs.field(
        init=False, eq=False, repr=False, default=attrs.Factory(_index_of, takes_self=True)
    )

    def __attrs_post_init__(self) -> None:
        """Refuse a table that names a state it does not have."""
        ends = {end for row in self.rows for end in (row.source, row.target)}
        unknown = sorted((ends | {self.initial}).difference(self.states))
        if unknown:
            raise ValueError(f"table {self.name} names unknown states: {', '.join(unknown)}")

    def find(self, source: str, event: str, facts: object) -> Row | None:
        """The first row for the event whose guards all hold; none is a refusal, not an error."""
        # Written out, and not by way of `candidates` and `holds`: every step of every core and
        # of the explorer comes through here.
        for row in self._index.get((source, event), ()):
            for guard in row.guards:
                if not guard(facts):
                    break
            else:
                return row
        return None

    def candidates(self, source: str, event: str) -> tuple[Row, ...]:
        """Every row that could answer the event in that state, guards aside."""
        return self._index.get((source, event), ())

    @property
    def events(self) -> tuple[str, ...]:
        """The events that have a row, in order of first use."""
        return tuple(dict.fromkeys(row.event for row in self.rows))

    @property
    def rules(self) -> tuple[Rule, ...]:
        """The rules the rows carry, each once, in order of first use."""
        return tuple(dict.fromkeys(row.rule for row in self.rows))

    def without(self, row: Row) -> "Table":
        """The same table less one row, or refuse if it has no such row."""
        self._check_has(row)
        return attrs.evolve(self, rows=tuple(other for other in self.rows if other != row))

    def without_guard(self, row: Row, guard: Guard) -> "Table":
        """The same table with one guard of one row gone, or refuse if it has no such guard."""
        self._check_has(row)
        if guard not in row.guards:
            raise ValueError(f"{row.rule.id} in {self.name} has no guard {guard!r}")
        loose = attrs.evolve(row, guards=tuple(g for g in row.guards if g is not guard))
        return attrs.evolve(
            self, rows=tuple(loose if other == row else other for other in self.rows)
        )

    def _check_has(self, row: Row) -> None:
        if row not in self.rows:
            raise ValueError(
                f"table {self.name} has no row {row.rule.id} for {row.event} in {row.source}"
            )
