"""Examines mutants of the ledger: a difference is looked for, and then the oracle has to refuse."""

import time
from collections.abc import Sequence

from fencepost.driven import Played
from fencepost.kill_matrix.row import Row, refused, row_of, unrefused
from fencepost.ledger.checking import script_line
from fencepost.ledger.mutants.argued import EQUIVALENT
from fencepost.ledger.mutants.mutant import LedgerMutant
from fencepost.ledger.mutants.search import (
    Found,
    Search,
    promises_broken,
    refuted,
    rule_of,
    shortest,
)
from fencepost.ledger.telling import told
from fencepost.ledger.wording import step_texts
from fencepost.trace.lines import Line

ACTIONS_MAX = 10
WALKED = ("every call after each told beginning", "every file to load", "every told case")


class Examiner:
    """Examines mutants, and keeps what it learned of the reference."""

    def __init__(self) -> None:
        self._search = Search()

    def examine(self, group: str, mutant: LedgerMutant) -> Row:
        """What becomes of one mutant."""
        start = time.process_time()
        found = Found(None, 0) if _lacks(mutant) else self._search.difference(mutant)
        played = None if found.calls is None else refuted(mutant, found.calls)
        if _lacks(mutant):
            played = _asked_for_nothing(mutant)
        row = row_of(group, mutant, seconds=time.process_time() - start)
        if played is None or played.refusal is None:
            differs = None if found.calls is None else found.calls[-1].op
            return unrefused(row, differs, EQUIVALENT, places=found.places, scopes=WALKED)
        mismatch = played.refusal.mismatch
        return refused(
            row,
            mismatch.rule,
            played.actions,
            ACTIONS_MAX,
            sequence=tuple(step_texts(played.script)),
            expected=mismatch.expected,
            came=mismatch.came,
            promises=promises_broken(mutant.core, found.calls or ()),
        )


def _asked_for_nothing(mutant: LedgerMutant) -> Played | None:
    """A ledger that lacks an operation is never asked for it; what it lacks shows as a stall."""
    for case in told():
        script = [script_line(action) for action in case]
        played = shortest(mutant, _without_what_it_lacks(mutant, script))
        if played is not None and rule_of(played) is not None:
            return played
    return None


def _without_what_it_lacks(mutant: LedgerMutant, script: Sequence[Line]) -> list[Line]:
    has = mutant.core.spec.operations
    return [line for line in script if getattr(line, "op", None) in (None, *has)]


def _lacks(mutant: LedgerMutant) -> bool:
    return len(mutant.core.spec.operations) < len(mutant.core.planners)
