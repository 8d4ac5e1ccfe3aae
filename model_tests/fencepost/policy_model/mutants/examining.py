"""Examines mutants of a policy model: which rule finds each, in how many actions.

A mutant follows the actions of each story, and the oracle, which knows only the intact
specification, reads what it shows; what is found is told again in fewer actions. One that no story
shows wrong is walked beside the intact core through every state of a small world: where each step
is the same, it is equivalent.
"""

import time
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any, Final

import attrs

from fencepost.faults import FencepostFault, HarnessFault
from fencepost.judges import Refusal
from fencepost.kill_matrix.row import Row, refused, row_of, states, unrefused
from fencepost.policy_model.mutants.argued import EQUIVALENT, LONGER
from fencepost.policy_model.mutants.equivalence import difference, reachable
from fencepost.policy_model.mutants.mutant import ModelMutant
from fencepost.policy_model.mutants.short import SHORT
from fencepost.policy_model.scripts import is_action
from fencepost.policy_model.stories import STORIES
from fencepost.policy_model.telling import Story
from fencepost.policy_model.walking import ModelWalk
from fencepost.policy_model.wording import action_text
from fencepost.shrinking import reduced
from fencepost.walking import WentWrong
from fencepost_reference.model import NotEnabled
from fencepost_reference.receipts.policy_model.core import ModelCore
from fencepost_spec.operation import Property

ACTIONS_MAX = 12
OWN_KINDS = frozenset({"EndDrain", "Read", "CancelTask", "Store", "Leave"})
REST: Final = "rest"
"""Where the model comes to rest, and the oracle reads a report."""

PAIRED_MAX = 24
"""Of a longer script no pairs are left out."""


class Found(Exception):
    """The oracle refused a line of a mutant."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.mismatch.expected)
        self.refusal = refusal


class MutantWalk(ModelWalk):
    """A walk that ends where the oracle refuses it, and that may break promises on the way."""

    def __init__(self, core: ModelCore, *, role: str, ledger: str) -> None:
        super().__init__(core, role=role, ledger=ledger)
        self.lost: dict[str, None] = {}

    def promised(self, lost: tuple[Property, ...]) -> None:
        """Remember what was broken; what counts is what the oracle sees."""
        self.lost.update(dict.fromkeys(one.id for one in lost))

    def alarmed(self, refusal: Refusal) -> None:
        """That is what a mutant is for."""
        raise Found(refusal)

    def follow(self, script: Sequence[Any]) -> None:
        """Do what a story does, as far as it is enabled, and come to rest where it did."""
        for action in script:
            if action is REST:
                self.settle()
                self.rest()
            elif type(action).__name__ not in OWN_KINDS:
                self._world(action)
            elif any(own.action == action for own in self.core.own(self.state)):
                self.take(action)

    def _world(self, action: Any) -> None:
        try:
            self.take(action)
        except NotEnabled:
            self.actions.pop()


@attrs.frozen
class Told:
    """What a story does, its points of rest included, and to which kind of model."""

    says: str
    role: str
    ledger: str
    script: tuple[Any, ...]


@attrs.frozen
class Shown:
    """A mutant that is refused: by which line, after what."""

    told: Told
    refusal: Refusal
    walk: MutantWalk

    @property
    def sequence(self) -> tuple[str, ...]:
        """What the world did, in words."""
        lines = (line for line in self.walk.lines if is_action(line))
        return tuple(text for line in lines if (text := action_text(line)) is not None)

    @property
    def rule(self) -> str | None:
        """The rule that it breaks."""
        rule = self.refusal.mismatch.rule
        return None if rule is None else rule.id


def told_by(story: Story) -> Told:
    """A story as a script."""
    walk = story.walk()
    script: list[Any] = []
    for place, action in enumerate(walk.actions):
        script += [action, REST] if place in set(walk.rests) else [action]
    return Told(story.says, story.role, story.ledger, tuple(script))


def shown(core: ModelCore, told: Told) -> Shown | None:
    """The line at which the oracle refuses a core that follows a script."""
    walk = MutantWalk(core, role=told.role, ledger=told.ledger)
    try:
        walk.follow(told.script)
    except Found as found:
        return Shown(told, found.refusal, walk)
    except (WentWrong, FencepostFault, LookupError, ValueError):
        return None  # It never rests, or what is left of a script means nothing.
    return None


class Examiner:
    """Examines mutants, and keeps the stories, the short ones first."""

    def __init__(self) -> None:
        self.told = sorted(map(told_by, (*STORIES, *SHORT)), key=lambda one: len(one.script))
        for one in self.told:
            _silent(one)
        reachable()

    def examine(self, group: str, mutant: ModelMutant) -> Row:
        """What becomes of one mutant."""
        start = time.process_time()
        short = self.shown(mutant)
        if short is None:
            differs = difference(mutant.make())
            row = row_of(group, mutant, seconds=time.process_time() - start)
            where = ("one attempt, two ids and one directory",)
            return unrefused(row, differs, EQUIVALENT, places=len(reachable()), scopes=where)
        _silent(short.told)
        mismatch = short.refusal.mismatch
        return refused(
            row_of(group, mutant, seconds=time.process_time() - start),
            mismatch.rule,
            len(short.sequence),
            LONGER.get(mutant.name, (ACTIONS_MAX, ""))[0],
            scope=short.told.says,
            sequence=short.sequence,
            expected=mismatch.expected,
            came=mismatch.came,
            promises=tuple(short.walk.lost),
        )

    def shown(self, mutant: ModelMutant) -> Shown | None:
        """The shortest way that is found to the line at which a mutant is refused."""
        found = self._best(mutant)
        return None if found is None else shortest(mutant, found)

    def _best(self, mutant: ModelMutant) -> Shown | None:
        """The first refusal by a rule that states the fault, else the first of all."""
        best: Shown | None = None
        for one in self.told:
            found = shown(mutant.make(), one)
            if found is not None and states(found.refusal.mismatch.rule, mutant.cites):
                return found
            best = best or found
        return best


def shortest(mutant: ModelMutant, found: Shown) -> Shown:
    """The shortest part of a script for which the oracle refuses a mutant by the same rule."""
    best = found

    def still_shows(script: list[Any]) -> bool:
        nonlocal best
        again = shown(mutant.make(), attrs.evolve(found.told, script=tuple(script)))
        if again is None or again.rule != found.rule:
            return False
        best = again
        return True

    script, before = reduced(list(found.told.script), still_shows), -1
    while before != len(script):
        before = len(script)
        pair = next(filter(still_shows, _without_pairs(script)), None)
        script = script if pair is None else reduced(pair, still_shows)
    return best


def _without_pairs(script: list[Any]) -> Iterator[list[Any]]:
    """Without two things that only go together."""
    if len(script) <= PAIRED_MAX:
        for first, second in combinations(range(len(script)), 2):
            yield script[:first] + script[first + 1 : second] + script[second + 1 :]


def _silent(told: Told) -> None:
    """Refuse to go on when the intact core is refused: that would be a false alarm."""
    alarm = shown(ModelCore(), told)
    if alarm is not None:
        raise HarnessFault(f"the intact model is refused by {alarm.rule}", told.says)
