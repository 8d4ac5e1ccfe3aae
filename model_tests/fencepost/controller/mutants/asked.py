"""Every question that the intact controller asks its charts, in stories and in small worlds.

A chart with a row or a guard less answers some question otherwise, or nobody can tell it from the
whole one: a step of the core depends on its charts by their answers alone.
"""

from functools import cache
from typing import Any, Final

import attrs

from fencepost_spec.receipts.controller.spec import CONTROLLER, ControllerSpec
from fencepost_spec.table import Row, Table

Question = tuple[str, str, str, Any]
"""A chart, a state, an event, and the facts; None where it was asked which rows there are."""

WORLDS: Final = ("world-tiny", "world-tiny-lost", "world-tiny-stale", "world-tiny-impatient")


@attrs.frozen(eq=False)
class Listening(Table):
    """A chart that notes what it is asked."""

    asked: set[Question] = attrs.field(kw_only=True, repr=False)

    def find(self, source: str, event: str, facts: object) -> Row | None:
        """The first row for the event whose guards all hold."""
        self.asked.add((self.name, source, event, facts))
        return Table.find(self, source, event, facts)

    def candidates(self, source: str, event: str) -> tuple[Row, ...]:
        """Every row that could answer the event in that state, guards aside."""
        self.asked.add((self.name, source, event, None))
        return Table.candidates(self, source, event)


def listening(questions: set[Question], spec: ControllerSpec = CONTROLLER) -> ControllerSpec:
    """A controller that does the same, and notes what its charts are asked."""

    def heard(table: Table) -> Listening:
        return Listening(table.name, table.initial, table.states, table.rows, asked=questions)

    return attrs.evolve(
        spec,
        fence=heard(spec.fence),
        transaction=heard(spec.transaction),
        publication=heard(spec.publication),
        attempt=heard(spec.attempt),
    )


@attrs.frozen(eq=False)
class Asked:
    """What was asked, and in which places."""

    questions: frozenset[Question]
    where: tuple[str, ...]

    def first_otherwise(self, spec: ControllerSpec) -> str | None:
        """A question that leads somewhere else in that controller; None when there is none."""
        whole = {table.name: table for table in CONTROLLER.tables}
        other = {table.name: table for table in spec.tables}
        for question in sorted(self.questions, key=repr):
            chart, source, event, _ = question
            if _answer(whole[chart], question) != _answer(other[chart], question):
                return f"the answer of {chart} to {event} in {source}"
        return None


def _answer(table: Table, question: Question) -> Any:
    """Where a question leads."""
    _, source, event, facts = question
    if facts is None:
        return [row.target for row in table.candidates(source, event)]
    row = table.find(source, event, facts)
    return None if row is None else row.target


@cache
def asked() -> Asked:
    """What the intact controller asks in every story, and in some whole small worlds."""
    from fencepost.controller.core_adapter import CoreController
    from fencepost.controller.mutants.examining import play_case
    from fencepost.controller.stories import STORIES
    from fencepost.exploring.breadth import Breadth
    from fencepost.exploring.world.scopes import WORLD_SCOPES
    from fencepost.exploring.world.world import WorldOfControllers

    questions: set[Question] = set()
    spec = listening(questions)
    for story in STORIES:
        play_case(lambda: CoreController(spec), story.name)
    for scope in WORLD_SCOPES:
        if scope.name in WORLDS:
            Breadth(WorldOfControllers(scope, spec)).walk()
    return Asked(frozenset(questions), ("every story", *WORLDS))
