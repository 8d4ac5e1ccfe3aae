"""Looks for the shortest way to tell a mutant from the reference, in lockstep, breadth first.

The reference's answers are remembered, because every mutant is asked the same. What is found is
played on the mutant as a ledger under test, and the oracle has to refuse it: only that is a kill.
"""

from collections.abc import Iterator, Sequence

import attrs

from fencepost.adapters.ledger import CoreLedger
from fencepost.driven import Played
from fencepost.ledger.comparing import report_difference, same
from fencepost.ledger.mutants.mutant import LedgerMutant
from fencepost.ledger.mutants.worlds import alphabet, beginnings, loads
from fencepost.ledger.playing import header_of, line_of, play
from fencepost.ledger.telling import told
from fencepost.shrinking import shrunk
from fencepost.trace.lines import Line
from fencepost.watch import Watch
from fencepost_reference.model import Step
from fencepost_reference.receipts.ledger.actions import Call, Replace
from fencepost_reference.receipts.ledger.core import LedgerCore
from fencepost_reference.receipts.ledger.promises import (
    broken_by_step,
    broken_in_state,
    broken_progress,
    broken_round_trip,
)
from fencepost_reference.receipts.ledger.saving import report_of
from fencepost_reference.receipts.ledger.state import State

_NONSENSE = (AttributeError, LookupError, TypeError, ValueError)
"""What asking a promise of nonsense may raise."""

DEPTH = 1
"""So many calls are tried after each beginning."""


@attrs.frozen
class Found:
    """The first difference that was found, or how many calls showed none."""

    calls: tuple[Call, ...] | None
    places: int


class Search:
    """The reference, what it answered so far, and how mutants are compared with it."""

    def __init__(self) -> None:
        self._right = LedgerCore()
        self._steps: dict[State, tuple[tuple[Call, Step], ...]] = {}
        self._loads: tuple[tuple[Call, Step], ...] = ()

    def difference(self, mutant: LedgerMutant) -> Found:
        """The first difference, where it can show first."""
        places = 0
        first, second = (self._in_loads, self._in_lives)
        either = (first, second) if mutant.loads else (second, first)
        for look in (*either, self._in_told):
            found = look(mutant.core)
            places += found.places
            if found.calls is not None:
                return Found(found.calls, places)
        return Found(None, places)

    def _in_loads(self, core: LedgerCore) -> Found:
        if not self._loads:
            empty = self._right.initial()
            self._loads = tuple((call, self._right.step(empty, call)) for call in loads())
        for number, (call, step) in enumerate(self._loads):
            if _differ(step, core.step(core.initial(), call)):
                return Found((call,), number + 1)
        return Found(None, len(self._loads))

    def _in_lives(self, core: LedgerCore) -> Found:
        places = 0
        frontier: list[tuple[State, State, tuple[Call, ...]]] = []
        for beginning in beginnings():
            ours, theirs = self._right.initial(), core.initial()
            for number, call in enumerate(beginning.calls):
                one, other = self._right.step(ours, call), core.step(theirs, call)
                places += 1
                if _differ(one, other):
                    return Found(beginning.calls[: number + 1], places)
                ours, theirs = one.state, other.state
            frontier.append((ours, theirs, beginning.calls))
        seen: set[tuple[State, State]] = {(ours, theirs) for ours, theirs, _ in frontier}
        for depth in range(DEPTH):
            later: list[tuple[State, State, tuple[Call, ...]]] = []
            for ours, theirs, path in frontier:
                for call, step in self._steps_of(ours):
                    places += 1
                    other = core.step(theirs, call)
                    if _differ(step, other):
                        return Found((*path, call), places)
                    pair = (step.state, other.state)
                    if depth + 1 < DEPTH and pair not in seen:
                        seen.add(pair)
                        later.append((*pair, (*path, call)))
            frontier = later
        return Found(None, places)

    def _in_told(self, core: LedgerCore) -> Found:
        places = 0
        for case in told():
            ours, theirs = self._right.initial(), core.initial()
            path: list[Call] = []
            for action in case:
                if isinstance(action, Replace):
                    ours, theirs, path = self._right.initial(), core.initial(), []
                if not isinstance(action, Call):
                    continue
                path.append(action)
                one, other = self._right.step(ours, action), core.step(theirs, action)
                places += 1
                if _differ(one, other):
                    return Found(tuple(path), places)
                ours, theirs = one.state, other.state
        return Found(None, places)

    def _steps_of(self, state: State) -> tuple[tuple[Call, Step], ...]:
        steps = self._steps.get(state)
        if steps is None:
            steps = tuple((call, self._right.step(state, call)) for call in alphabet(state))
            self._steps[state] = steps
        return steps


def _differ(ours: Step, theirs: Step) -> bool:
    """Whether two steps show anything different."""
    one, other = ours.outputs[0], theirs.outputs[0]
    if one.ok != other.ok or (one.ok and not same(one.body, other.body)):
        return True
    if ours.state == theirs.state:
        return False
    return report_difference(report_of(ours.state), report_of(theirs.state)) is not None


def promises_broken(core: LedgerCore, calls: Sequence[Call]) -> tuple[str, ...]:
    """The promises that a mutant itself breaks on the way to its refusal."""
    state, found = core.initial(), set[str]()
    for call in calls:
        step = core.step(state, call)
        try:
            found |= set(_broken(core, state, call, step))
        except _NONSENSE:
            break  # What it has read is no ledger at all.
        state = step.state
    return tuple(sorted(found))


def _broken(core: LedgerCore, state: State, call: Call, step: Step) -> Iterator[str]:
    yield from (prop.id for prop, _ in broken_by_step(state, call, step))
    yield from (prop.id for prop, _ in broken_in_state(step.state))
    yield from (prop.id for prop, _ in broken_round_trip(core, step.state))
    yield from (prop.id for prop, _ in broken_progress(core, step.state))


def refuted(mutant: LedgerMutant, calls: Sequence[Call]) -> Played | None:
    """The shortest run in which the oracle refuses a mutant, out of those that calls give."""
    return shortest(mutant, [line_of(call) for call in calls])


def shortest(mutant: LedgerMutant, script: Sequence[Line]) -> Played | None:
    """The shortest part of a script for which the oracle refuses a mutant by the same rule."""
    watch = Watch()

    def make() -> CoreLedger:
        return CoreLedger(mutant.core)

    header = header_of(make(), mutant.name, mutant.says)
    best = play(make, header, script, watch)
    wanted = rule_of(best)
    if wanted is None:
        return None

    def still_shows(fewer: Sequence[Line]) -> bool:
        nonlocal best
        again = play(make, header, fewer, watch)
        if rule_of(again) != wanted:
            return False
        best = again
        return True

    shrunk(best.script, still_shows)
    return best


def rule_of(played: Played) -> str | None:
    """The rule by which a run was refused, or None."""
    if played.refusal is None or played.refusal.mismatch.rule is None:
        return None
    return played.refusal.mismatch.rule.id
