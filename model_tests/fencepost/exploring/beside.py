"""A mutant beside the intended core: the first thing that it does otherwise, whoever asks for it.

A promise sees only what it is about. Here every step is compared: what may be done, what is
answered, and where it leads. What a core is asked in between counts too: a ledger is written and
read back wherever it stands. Until something differs both are in the same states, so one walk goes
through the states of both; it is plain, and ends at the level at which something differs.
"""

from collections.abc import Iterable, Iterator
from itertools import zip_longest
from typing import Any

import attrs

from fencepost.exploring.small_world import Parts, SmallWorld


class Heard:
    """A core with everything that it answers; else it is the core."""

    def __init__(self, core: Any) -> None:
        self._core = core
        self.answers: list[Any] = []

    def __getattr__(self, name: str) -> Any:
        """Whatever else the core has."""
        return getattr(self._core, name)

    def step(self, state: Any, action: Any) -> Any:
        """A step of the core, its answers written down."""
        step = self._core.step(state, action)
        self.answers.append(step.outputs)
        return step


@attrs.frozen
class Told:
    """What can be seen of a transition: its words, where it leads, what was answered on the way."""

    name: str
    own: bool
    target: Parts | None
    answers: tuple[Any, ...]


@attrs.frozen
class Otherwise:
    """The first difference: what was done, the last of it being what differs, in few actions."""

    deeds: tuple[str, ...]
    actions: int
    states: int


@attrs.frozen(eq=False)
class Side:
    """A world, and the core in it that is listened to.

    One that keeps what it told may stand beside one mutant after another.
    """

    world: SmallWorld
    heard: Heard
    kept: dict[Parts, tuple[Told, ...]] | None = None

    def told(self, parts: Parts) -> Iterable[Told]:
        """Everything that may come next."""
        if self.kept is None:
            return self._told(parts)
        if parts not in self.kept:
            self.kept[parts] = tuple(self._told(parts))
        return self.kept[parts]

    def _told(self, parts: Parts) -> Iterator[Told]:
        self.heard.answers.clear()
        for taken in self.world.after(parts):
            answers = tuple(self.heard.answers)
            self.heard.answers.clear()
            yield Told(taken.deed.name, taken.deed.own, taken.target, answers)


class Beside:
    """Two cores in one scope, walked together, level by level."""

    def __init__(self, ours: Side, theirs: Side) -> None:
        self._ours, self._theirs = ours, theirs
        start = ours.world.start()
        self._before: dict[Parts, tuple[Parts | None, str]] = {start: (None, "")}
        self._looked: set[Parts] = set()
        self._level = [start]
        self.actions = 0

    @property
    def done(self) -> bool:
        """Nothing in the scope is left to compare."""
        return not self._level

    def go(self) -> Otherwise | None:
        """Compare one more level; a difference in it is one with the fewest actions."""
        following: list[Parts] = []
        found: tuple[Parts, Told] | None = None
        for parts in self._level:
            if parts in self._looked:
                continue
            self._looked.add(parts)
            differs = self._compare(parts, following)
            if differs is not None and (found is None or differs.own):
                found = parts, differs
                if differs.own:
                    break  # It costs no action, and so nothing in this level is nearer.
        actions = self.actions
        self._level, self.actions = following, actions + 1
        if found is None:
            return None
        parts, told = found
        deeds = (*self._deeds(parts), _words(told))
        return Otherwise(deeds, actions + (not told.own), len(self._before))

    def _compare(self, parts: Parts, following: list[Parts]) -> Told | None:
        """The first transition of a state that differs; where those before it lead is noted."""
        for one, other in zip_longest(self._ours.told(parts), self._theirs.told(parts)):
            if one is None or one != other:
                return one or other
            target = one.target
            if target is None or target in self._looked:
                continue
            if target not in self._before or one.own:
                self._before[target] = (parts, _words(one))
                (self._level if one.own else following).append(target)
        return None

    def _deeds(self, parts: Parts) -> tuple[str, ...]:
        """What was done on the way to a state."""
        names: list[str] = []
        here: Parts | None = parts
        while here is not None:
            here, name = self._before[here]
            names.append(name)
        return tuple(names[-2::-1])


def first_otherwise(ours: Side, theirs: Side) -> Otherwise | None:
    """What the core of `theirs` does otherwise after the fewest actions; None: nothing, here."""
    walk = Beside(ours, theirs)
    while not walk.done:
        found = walk.go()
        if found is not None:
            return found
    return None


def _words(told: Told) -> str:
    return f"({told.name})" if told.own else told.name
