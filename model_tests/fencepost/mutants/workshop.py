"""Where mutants are examined: one judge and one walk of each scope, shared by all of a process."""

import time

import attrs

from fencepost.kill_matrix.row import (
    ACTIONS_MAX,
    ACTIONS_MAX_TWO_LIVES,
    Row,
    Status,
    refused,
    row_of,
    unrefused,
)
from fencepost.mutants.argued import EQUIVALENT, SURVIVORS
from fencepost.mutants.builds import BUILDS, Build, build
from fencepost.mutants.confirm import names_the_fault, stated
from fencepost.mutants.ground import Ground
from fencepost.mutants.judge import Judge
from fencepost.mutants.lockstep import Found, Searched, search
from fencepost.mutants.mechanical import generated
from fencepost.mutants.moves import ReplaceMove
from fencepost.mutants.mutant import Mutant
from fencepost.mutants.named import NAMED
from fencepost.mutants.named_further import FURTHER
from fencepost.mutants.promises import broken_on_the_way
from fencepost.mutants.worlds import SCOPES

GROUPS: dict[str, tuple[Mutant | Build, ...]] = {
    "bugs": NAMED,
    "builds": BUILDS,
    "further": FURTHER,
    "mechanical": generated(),
}
"""All mutants: of the bug lists, builds that must fail, further ones, and mechanical ones."""


class Workshop:
    """Examines mutants, and keeps what it learned of the intact participant."""

    def __init__(self) -> None:
        self._judge = Judge()
        self._grounds: dict[str, Ground] = {}

    def ground(self, name: str) -> Ground:
        """The walk of a scope, made when it is first needed."""
        if name not in self._grounds:
            (scope,) = (one for one in SCOPES if one.name == name)
            self._grounds[name] = Ground(scope, self._judge)
        return self._grounds[name]

    @property
    def seconds(self) -> float:
        """Processor seconds spent on the intact participant."""
        return sum(ground.seconds for ground in self._grounds.values())

    def examine(self, group: str, mutant: Mutant | Build) -> Row:
        """What becomes of a mutant."""
        if isinstance(mutant, Build):
            return _built(group, mutant)
        before, start = self.seconds, time.process_time()
        grounds = [self.ground(scope.name) for scope in SCOPES if mutant.needs <= scope.tags]

        def judged(found: Found) -> tuple[Found, bool]:
            told = stated(found)
            return told, names_the_fault(mutant, told)

        searched = search(mutant.make(), grounds, mutant.parts, judged)
        seconds = time.process_time() - start - (self.seconds - before)
        row = row_of(group, mutant, seconds=seconds)
        if searched.found is None:
            return _not_refused(row, searched)
        return _refused(row, mutant, searched.found)


def _refused(row: Row, mutant: Mutant, found: Found) -> Row:
    mismatch = found.mismatch
    lives_two = any(isinstance(by, ReplaceMove) for by in found.path)
    return refused(
        row,
        mismatch.rule,
        found.actions,
        ACTIONS_MAX_TWO_LIVES if lives_two else ACTIONS_MAX,
        scope=found.scope.name,
        sequence=found.sequence,
        expected=mismatch.expected,
        came=mismatch.came,
        nearest=names_the_fault(mutant, found),
        promises=broken_on_the_way(mutant.make(), found),
    )


def _not_refused(row: Row, searched: Searched) -> Row:
    if not searched.scopes:
        return attrs.evolve(row, why="no scope can show it")
    return unrefused(
        row,
        searched.differs,
        {**EQUIVALENT, **SURVIVORS},
        scopes=searched.scopes,
        places=searched.places,
        noted=searched.noted,
    )


def _built(group: str, edit: Build) -> Row:
    start = time.perf_counter()
    built = build(edit)
    return row_of(
        group,
        edit,
        Status.KILLED if built.refused else Status.SURVIVES,
        seconds=time.perf_counter() - start,
        rule="build" if built.refused else None,
        rule_says=edit.complaint,
        came=built.said,
        nearest=built.refused,
        why="" if built.refused else built.said,
    )
