"""Which rule finds each mutant, by which story, and why the others are no faults.

A mutant follows the actions of each story, and the oracle, which knows only the intact
specification, reads what it shows. One that no story shows wrong is walked beside the intact core
through every state of a small world: where each step is the same, it is equivalent.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import attrs

from fencepost.judges import Refusal
from fencepost.policy_model.mutants.equivalence import difference
from fencepost.policy_model.mutants.mechanical import generated
from fencepost.policy_model.mutants.mutant import ModelMutant
from fencepost.policy_model.mutants.named import NAMED
from fencepost.policy_model.stories import STORIES
from fencepost.policy_model.telling import Story
from fencepost.policy_model.walking import ModelWalk
from fencepost.walking import WentWrong
from fencepost_reference.model import NotEnabled
from fencepost_reference.receipts.policy_model.core import ModelCore
from fencepost_spec.operation import Property

OWN_KINDS = frozenset({"EndDrain", "Read", "CancelTask", "Store", "Leave"})


class Found(Exception):
    """The oracle refused a line of a mutant."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.mismatch.expected)
        self.refusal = refusal


class MutantWalk(ModelWalk):
    """A walk that ends where the oracle refuses it, and that may break promises on the way."""

    def promised(self, lost: tuple[Property, ...]) -> None:
        """Remember nothing: what counts is what the oracle sees."""

    def alarmed(self, refusal: Refusal) -> None:
        """That is what a mutant is for."""
        raise Found(refusal)

    def follow(self, actions: Iterable[Any], rests: frozenset[int]) -> None:
        """Do what a story does, as far as it is enabled, and come to rest where it did."""
        for place, action in enumerate(actions):
            if type(action).__name__ in OWN_KINDS:
                if any(own.action == action for own in self.core.own(self.state)):
                    self.take(action)
            else:
                try:
                    self.take(action)
                except NotEnabled:
                    self.actions.pop()
            if place in rests:
                self.settle()
                self.rest()


@attrs.frozen
class Row:
    """What became of a mutant: the rule and the story that found it, or that it differs nowhere."""

    name: str
    cites: tuple[str, ...]
    rule: str | None
    story: str | None
    differs: str | None = None
    mechanical: bool = False
    facts: tuple[str, ...] = ()

    @property
    def nearest(self) -> bool:
        """Whether the rule that found it is, or states, what the mutant offends."""
        if self.rule is None:
            return False
        return bool({self.rule, *self.facts} & set(self.cites))

    @property
    def pinned(self) -> dict[str, object]:
        """What the lock file holds of it."""
        if self.rule is not None:
            return {"rule": self.rule, "story": self.story}
        return {"equivalent": self.differs is None}


@attrs.frozen
class _Told:
    """A story, with what the intact core did in it and where it came to rest."""

    story: Story
    actions: tuple[Any, ...]
    rests: frozenset[int]


def all_mutants() -> tuple[ModelMutant, ...]:
    """Every mutant of the policy model."""
    return (*NAMED, *generated())


def matrix(
    mutants: Iterable[ModelMutant] | None = None, hints: Mapping[str, str] | None = None
) -> Iterator[Row]:
    """What became of each mutant; `hints` name the story that found it the last time."""
    told = {story.says: _told(story) for story in STORIES}
    for mutant in all_mutants() if mutants is None else mutants:
        hint = told.get((hints or {}).get(mutant.name, ""))
        yield _row(mutant, [*([hint] if hint else []), *told.values()])


def _told(story: Story) -> _Told:
    walk = story.walk()
    return _Told(story, tuple(walk.actions), frozenset(walk.rests))


def _row(mutant: ModelMutant, told: list[_Told]) -> Row:
    for one in told:
        refusal = _refusal(mutant.make(), one)
        if refusal is not None:
            rule = refusal.mismatch.rule
            known, facts = (None, ()) if rule is None else (rule.id, rule.facts)
            says, kind = one.story.says, mutant.mechanical
            return Row(mutant.name, mutant.cites, known, says, None, kind, facts)
    differs = difference(mutant.make())
    return Row(mutant.name, mutant.cites, None, None, differs, mutant.mechanical)


def _refusal(core: ModelCore, told: _Told) -> Refusal | None:
    """The line at which the oracle refuses a mutant that follows a story."""
    walk = MutantWalk(core, role=told.story.role, ledger=told.story.ledger)
    try:
        walk.follow(told.actions, told.rests)
    except Found as found:
        return found.refusal
    except WentWrong:
        return None
    return None
