"""A core and everything around it as a small world: what all participants have in common.

Whatever a core may do by itself is a transition of its own, in any order; only the steps in
`leaving`, answers that are decided, are taken in the transition that made them possible. What a
watcher has to remember to ask the promises is part of the state, so no two histories that a
promise tells apart are taken for one. What differs from participant to participant is left to the
worlds: the callers, the promises, the marks of a step.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import Any, Protocol

import attrs

from fencepost.exploring.small_world import (
    Deed,
    Eventually,
    Names,
    Parts,
    Sometimes,
    Taken,
)
from fencepost_reference.model import NotEnabled, Own, Step
from fencepost_spec.operation import Property
from fencepost_spec.rule import Rule

deed = cache(Deed)
"""A deed; the same words give the very same one."""


class Scope(Protocol):
    """How small a world is, and what it is called. The size is the second word of its name."""

    @property
    def name(self) -> str:
        """Its name: the participant, the size, and what it is about."""
        ...

    @property
    def says(self) -> str:
        """What is in it, in one line."""
        ...


@attrs.frozen
class Doing:
    """What the world may do: a deed, the action of the core, what is around once it is taken.

    Without an action nothing of it reaches the core. A deed that is `cut` is one that the bounds
    of the scope leave out; its marks name them. One that has a `beyond` is left out only where its
    step leads to a state of the core of which that names a bound.
    """

    deed: Deed
    around: Any = None
    action: Any = None
    cut: bool = False
    beyond: Callable[[Any], str | None] | None = None


@attrs.define
class _Story:
    """What the steps of one transition have shown so far."""

    rules: list[Rule]
    lost: list[Property] = attrs.field(factory=list)
    marks: list[str] = attrs.field(factory=list)


@attrs.frozen
class Here:
    """A state as its three sides: the participant, what is around it, what a watcher remembers."""

    state: Any
    around: Any
    ghost: Any


class CoreWorld(ABC):
    """A core in a scope. Invariant: `permutations` is a group, its first member changes nothing."""

    permutations: tuple[Names, ...]
    always: tuple[Property, ...]
    eventually: tuple[Eventually, ...]
    sometimes: tuple[Sometimes, ...]
    rules: tuple[Rule, ...]
    leaving: tuple[type[Any], ...] = ()
    # Whether the promises ask the core something, so that what it answers is to be compared too.
    promises_ask: bool = False

    def __init__(self, scope: Scope, core: Any) -> None:
        self._scope = scope
        self.core = core
        self.bare = False
        self.rules = core.spec.rules()

    @property
    def name(self) -> str:
        """The name of the scope."""
        return self._scope.name

    @property
    def says(self) -> str:
        """What is in it, in one line."""
        return self._scope.says

    def start(self) -> Parts:
        """The state in which everything begins."""
        return self.parts_of(self.beginning())

    @abstractmethod
    def beginning(self) -> Here:
        """The three sides of the state in which everything begins."""

    @abstractmethod
    def parts_of(self, here: Here) -> Parts:
        """A state as the parts that a walk keeps."""

    @abstractmethod
    def here_of(self, parts: Parts) -> Here:
        """The state that the parts were taken from."""

    @abstractmethod
    def doings(self, here: Here) -> Iterator[Doing]:
        """Everything that the world may do now, in a stable order."""

    @abstractmethod
    def broken(self, here: Here, action: Any, step: Step) -> Iterable[Property]:
        """Every `always` that a step breaks."""

    @abstractmethod
    def marks(self, here: Here, action: Any, step: Step) -> Iterable[str]:
        """What a step shows to those who look for a `sometimes`."""

    @abstractmethod
    def after_step(self, here: Here, action: Any, step: Step) -> Here:
        """All three sides once the core has taken a step."""

    @abstractmethod
    def renamed(self, value: Any, names: Names) -> Any:
        """A part, or a text, in which names are exchanged."""

    @abstractmethod
    def show(self, parts: Parts) -> str:
        """A state, in one line."""

    def own_words(self, own: Own) -> str:
        """A step that the participant takes by itself, in words."""
        raise NotImplementedError(f"{type(own.action).__name__} has no words")

    def forgotten(self, _parts: Parts, /) -> Iterator[tuple[Deed, Parts]]:
        """Every way to give back a name that nothing mentions any more."""
        yield from ()

    def also_used(self, _here: Here, _action: Any, _step: Step, /) -> Iterable[Rule]:
        """Rules that a step uses without carrying them."""
        return ()

    def after(self, parts: Parts) -> Iterator[Taken]:
        """Everything that the world or the participant may do next."""
        here = self.here_of(parts)
        for doing in self.doings(here):
            if doing.cut:
                yield Taken(doing.deed, None)
                continue
            standing = Here(here.state, doing.around, here.ghost)
            if doing.action is None:
                yield Taken(doing.deed, self.parts_of(standing))
                continue
            bound = self._bound(doing, here.state)
            if bound is not None:
                yield Taken(deed(doing.deed.name, fair=doing.deed.fair, marks=(bound,)), None)
                continue
            taken = self._taken(doing.deed, doing.action, standing, [])
            if taken is not None:
                yield taken
        for own in self.core.own(here.state):
            words = self.own_words(own)
            done = deed(words, own=True, fair=f"own {words}" if own.must else None)
            taken = self._taken(done, own.action, here, [own.rule])
            if taken is not None:
                yield taken
        for done, left in self.forgotten(parts):
            yield Taken(done, left)

    def _bound(self, doing: Doing, state: Any) -> str | None:
        """The bound of the scope that a deed would pass; None when it stays inside."""
        if doing.beyond is None:
            return None
        return doing.beyond(self.core.step(state, doing.action).state)

    def _taken(self, done: Deed, action: Any, here: Here, rules: list[Rule]) -> Taken | None:
        """An action and the answers that leave with it; None when it cannot happen."""
        story = _Story(rules)
        waiting: Any = action
        while waiting is not None:
            try:
                step = self.core.step(here.state, waiting)
            except NotEnabled:
                return None
            if not self.bare or self.promises_ask:
                story.lost += self.broken(here, waiting, step)
                story.marks += self.marks(here, waiting, step)
                story.rules += step.rules
                story.rules += self.also_used(here, waiting, step)
            here = self.after_step(here, waiting, step)
            waiting = self._next_to_leave(here.state, story)
        if story.marks:
            done = deed(done.name, own=done.own, fair=done.fair, marks=tuple(story.marks))
        return Taken(done, self.parts_of(here), tuple(story.rules), tuple(story.lost))

    def _next_to_leave(self, state: Any, story: _Story) -> Any:
        for own in self.core.own(state) if self.leaving else ():
            if type(own.action) in self.leaving:
                story.rules.append(own.rule)
                return own.action
        return None
