"""Readers of a snapshot that lack one check each, for the kill matrix.

An action is one thing that is wrong. A mutant is killed when the intact reader refuses that thing
by the rule of the check, and the mutant does not.
"""

import time
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, Final

import attrs

from fencepost.kill_matrix.lacking import Lacking
from fencepost.kill_matrix.part import MECHANICAL, Part
from fencepost.kill_matrix.row import Row, refused, row_of, unrefused
from fencepost.snapshot import specimens as s
from fencepost.snapshot.samples import (
    GIVEN_UP,
    LINKED,
    SKIPPED,
    STOPPED,
    found,
    rule_of_linked,
    samples_of,
)
from fencepost.snapshot.worlds import rule_of
from fencepost_reference.receipts.snapshot.choosing import Choice, select
from fencepost_reference.receipts.snapshot.restarting import plan_restart
from fencepost_reference.receipts.snapshot.values import Refused
from fencepost_spec.operation import Check
from fencepost_spec.receipts.snapshot.spec import SNAPSHOT, SnapshotSpec
from fencepost_spec.rule import Rule

Told = Callable[[SnapshotSpec], str]
"""What is made of something wrong, by a reader with a specification: a rule, or another word."""


@attrs.frozen(eq=False)
class Unchecking(Lacking[SnapshotSpec]):
    """A reader that lacks one check; `shown` are the things that the check is there for."""

    shown: tuple[tuple[str, Told], ...]


def generated() -> Iterator[Unchecking]:
    """Every mutant, in the order of the specification."""
    for check in SNAPSHOT.checks.all():
        spec = attrs.evolve(SNAPSHOT, checks=SNAPSHOT.checks.without(check))
        yield _lacking("a reader", check, spec, _of_check(check))
    selection, restart = SNAPSHOT.selection, SNAPSHOT.restart
    for check in selection.skip:
        fewer = attrs.evolve(selection, skip=_but(selection.skip, check))
        spec = attrs.evolve(SNAPSHOT, selection=fewer)
        yield _lacking("a choice", check, spec, [(_words(check), _skipping(check.rule))])
    for check in selection.stop:
        fewer = attrs.evolve(selection, stop=_but(selection.stop, check))
        spec = attrs.evolve(SNAPSHOT, selection=fewer)
        yield _lacking("a choice", check, spec, [(_words(check), _stopping(check.rule))])
    for check in restart.discard:
        less = attrs.evolve(restart, discard=_but(restart.discard, check))
        spec = attrs.evolve(SNAPSHOT, restart=less)
        yield _lacking("a restart", check, spec, _restarting(check))


def _lacking(
    who: str, check: Check, spec: SnapshotSpec, shown: list[tuple[str, Told]]
) -> Unchecking:
    name = f"{who} without {check.rule.id}"
    says = f"it is not asked whether {_words(check)}"
    return Unchecking(name, says, check.rule, spec, tuple(shown))


def _words(check: Check) -> str:
    return check.when.__name__.replace("_", " ")


def _but(checks: tuple[Check, ...], gone: Check) -> tuple[Check, ...]:
    return tuple(one for one in checks if one is not gone)


def _of_check(check: Check) -> list[tuple[str, Told]]:
    if check is LINKED:
        return [("a folder that is a link", rule_of_linked)]
    return [(says, partial(rule_of, world)) for says, world in samples_of(check)]


def _skipping(rule: Rule) -> Told:
    """Whether the rule passes its candidate over."""
    bad, anchor, mode = SKIPPED[rule.id]

    def told(spec: SnapshotSpec) -> str:
        candidates = [found(2, at_boundary=True), bad]
        answer = select(anchor, candidates, mode=mode, participants=True, spec=spec)
        passed = answer.passed_over if isinstance(answer, Choice) else ()
        return rule.id if (bad, rule) in passed else "chosen"

    return told


def _stopping(rule: Rule) -> Told:
    anchor, candidates, participants = STOPPED[rule.id]

    def told(spec: SnapshotSpec) -> str:
        answer = select(anchor, candidates, participants=participants, spec=spec)
        return answer.rule.id if isinstance(answer, Refused) else "chosen"

    return told


def _restarting(check: Check) -> list[tuple[str, Told]]:
    def told(make: Callable[[], Any], changes: dict[str, Any]) -> Told:
        def asked(spec: SnapshotSpec) -> str:
            plan = plan_restart(make(), s.topology(), **changes, spec=spec)
            return plan.given_up[0][1].id if plan.given_up else "it goes on"

        return asked

    return [(_words(check), told(make, changes)) for make, changes in GIVEN_UP[check.rule.id]]


def examine(group: str, mutant: Unchecking) -> Row:
    """What becomes of one mutant: the first thing that the intact reader refuses, and it not."""
    start = time.process_time()
    for says, told in mutant.shown:
        came = told(mutant.spec)
        if told(SNAPSHOT) == mutant.rule.id != came:
            row = row_of(group, mutant, seconds=time.process_time() - start)
            more = {"scope": says, "sequence": (says,), "expected": mutant.rule.says}
            return refused(row, mutant.rule, 1, 1, came=came, **more)
    row = row_of(group, mutant, seconds=time.process_time() - start)
    return unrefused(row, "nothing that is damaged", {})


_REST: Final = "it says what becomes of the rest, and refuses nothing"
UNBROKEN: Final[Mapping[str, str]] = {
    rule.id: _REST
    for rule in (
        SNAPSHOT.selection.newest,
        SNAPSHOT.restart.kept,
        SNAPSHOT.restart.rows,
        SNAPSHOT.restart.canonical,
    )
}
"""Rules that no reader without a check breaks."""

PART = Part(
    name="snapshot",
    title="Mutants of the reader of a snapshot",
    says="An action is one thing that is wrong with a snapshot, or with what is wanted of it. The "
    "rule named is the one by which the intact reader refuses it, and the mutant does not.",
    page="snapshot-mutants.md",
    groups={MECHANICAL: tuple(generated())},
    examiner=lambda: examine,
    rules=SNAPSHOT.rules,
    intact=SNAPSHOT,
    spec_of=lambda mutant: mutant.spec,
    arguments={},
    unbroken=UNBROKEN,
)
"""The reader of a snapshot."""
