"""The referee with one check deleted, for every check in it: of a ladder, of a report, at rest.

What such a referee lets pass, or judges otherwise, is told by a case, and not by a controller: the
intact referee refuses the case by a rule.
"""

import time
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, Final

import attrs

from fencepost.controller.all_cases import CASES, judged
from fencepost.kill_matrix.lacking import Lacking
from fencepost.kill_matrix.part import MECHANICAL
from fencepost.kill_matrix.row import Row, refused, row_of, unrefused
from fencepost.trace.lines import Fault, Work
from fencepost_reference.receipts.controller.watch.core import Watcher
from fencepost_spec.receipts.controller.referee import REFEREE, RefereeSpec
from fencepost_spec.rule import Level, Rule

ACTIONS_MAX = 12
AT_REST: Final = ("at_report", "at_rest")
GIVEN: Final = ("submit", "admit", "snapshot_due", "trainer_stepped", "stale", "deadline")


@attrs.frozen(eq=False)
class Unasking(Lacking[RefereeSpec]):
    """A referee that lacks one check of a `deed`, or one question at rest."""

    deed: str


def generated() -> tuple[Unasking, ...]:
    """Every mechanical mutant, in the order of the specification."""
    return (*_of_ladders(), *_of_questions())


def _of_ladders() -> Iterator[Unasking]:
    for deed in REFEREE.deeds.values():
        for place, rung in enumerate(deed.ladder):
            name = f"{deed.name} without {rung.rule.id}"
            says = f"{deed.name} is not asked whether {rung.asks.says}"
            yield Unasking(name, says, rung.rule, REFEREE.without(deed.name, place), deed.name)


def _of_questions() -> Iterator[Unasking]:
    for field in AT_REST:
        questions: tuple[tuple[str, Rule], ...] = getattr(REFEREE, field)
        for gone in questions:
            changes: dict[str, Any] = {field: tuple(one for one in questions if one is not gone)}
            question, rule = gone
            says = f"nobody asks at rest: {question}"
            spec = attrs.evolve(REFEREE, **changes)
            yield Unasking(f"{field} without {rule.id}", says, rule, spec, "rest")


REMARKS: Final[Mapping[str, str]] = {
    one.name: "a rule of level should: a breach is noted by the intact referee and refuses nothing"
    for one in generated()
    if one.rule.level is not Level.MUST
}
"""Deletions that cost a remark, and no refusal."""


@cache
def _intact(place: int) -> tuple[str, int] | None:
    return judged(CASES[place].told(CASES[place].wrong))


def examine(mutant: Unasking) -> Row:
    """What becomes of one mutant: the case that it judges otherwise with the fewest actions."""
    start = time.process_time()
    fewer = Watcher(mutant.spec)
    otherwise = [
        (_actions(place), place)
        for place, case in enumerate(CASES)
        if case.deed == mutant.deed
        and judged(case.told(case.wrong), fewer) != _intact(place)
    ]  # fmt: skip
    row = row_of(MECHANICAL, mutant, seconds=time.process_time() - start)
    if not otherwise:
        return unrefused(row, None, REMARKS)
    actions, place = min(otherwise)
    case, found = CASES[place], _intact(place)
    if mutant.name in REMARKS:
        return unrefused(row, case.says, REMARKS)
    rule = next((one for one in REFEREE.rules() if found and one.id == found[0]), None)
    sequence = (f"{case.deed} {case.says}",)
    return refused(row, rule, actions, ACTIONS_MAX, scope=case.says, sequence=sequence)


def _actions(place: int) -> int:
    """What the harness decides in a case; replies and deeds of the controller are not counted."""
    lines = CASES[place].told(CASES[place].wrong).lines
    return sum(
        isinstance(one, Fault) or (isinstance(one, Work) and one.event in GIVEN) for one in lines
    )
