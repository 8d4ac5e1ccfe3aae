"""Where mutants are examined: one judge and one walk of each scope, shared by all of a process."""

import time

from fencepost.mutants.argued import SURVIVORS
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
from fencepost.mutants.row import ACTIONS_MAX, ACTIONS_MAX_TWO_LIVES, Row, Status
from fencepost.mutants.worlds import SCOPES
from fencepost_spec.rule import Level

GROUPS: dict[str, tuple[Mutant | Build, ...]] = {
    "bugs": NAMED,
    "builds": BUILDS,
    "further": FURTHER,
    "mechanical": generated(),
}
"""All mutants: of the bug lists, builds that must fail, further ones, and mechanical ones."""

MUTANTS: dict[str, tuple[str, Mutant | Build]] = {
    mutant.name: (group, mutant) for group, mutants in GROUPS.items() for mutant in mutants
}


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

    def examine(self, name: str) -> Row:
        """What becomes of a mutant."""
        group, mutant = MUTANTS[name]
        if isinstance(mutant, Build):
            return _built(group, mutant)
        before, start = self.seconds, time.process_time()
        grounds = [self.ground(scope.name) for scope in SCOPES if mutant.needs <= scope.tags]

        def judged(found: Found) -> tuple[Found, bool]:
            told = stated(found)
            return told, names_the_fault(mutant, told)

        searched = search(mutant.make(), grounds, mutant.parts, judged)
        seconds = time.process_time() - start - (self.seconds - before)
        if searched.found is None:
            return _not_refused(group, mutant, searched, seconds)
        return _refused(group, mutant, searched.found, seconds)


def _refused(group: str, mutant: Mutant, found: Found, seconds: float) -> Row:
    mismatch = found.mismatch
    rule = mismatch.rule
    lives_two = any(isinstance(by, ReplaceMove) for by in found.path)
    if rule is None or rule.level is not Level.MUST:
        status = Status.UNNAMED
    elif found.actions > (ACTIONS_MAX_TWO_LIVES if lives_two else ACTIONS_MAX):
        status = Status.TOO_LONG
    else:
        status = Status.KILLED
    return Row(
        mutant.name,
        mutant.says,
        mutant.cites,
        group,
        status,
        seconds,
        None if rule is None else rule.id,
        "" if rule is None else rule.says,
        found.actions,
        found.scope.name,
        found.sequence,
        mismatch.expected,
        mismatch.came,
        names_the_fault(mutant, found),
        broken_on_the_way(mutant.make(), found),
    )


def _not_refused(group: str, mutant: Mutant, searched: Searched, seconds: float) -> Row:
    if not searched.scopes:
        status, why = Status.SURVIVES, "no scope can show it"
    elif searched.differs is None:
        status, why = Status.EQUIVALENT, ""
    elif mutant.name in SURVIVORS:
        status, why = Status.ARGUED, SURVIVORS[mutant.name]
    else:
        status, why = Status.SURVIVES, f"it differs in {searched.differs}"
    return Row(
        mutant.name,
        mutant.says,
        mutant.cites,
        group,
        status,
        seconds,
        scopes=searched.scopes,
        places=searched.places,
        noted=searched.noted,
        why=why,
    )


def _built(group: str, edit: Build) -> Row:
    start = time.perf_counter()
    built = build(edit)
    return Row(
        edit.name,
        edit.says,
        edit.cites,
        group,
        Status.KILLED if built.refused else Status.SURVIVES,
        time.perf_counter() - start,
        rule="build" if built.refused else None,
        rule_says=edit.complaint,
        came=built.said,
        nearest=built.refused,
        why="" if built.refused else built.said,
    )
