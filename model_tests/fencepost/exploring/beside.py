"""A mutant beside the intended core: the first thing that it does otherwise, whoever asks for it.

A promise sees only what it is about. Here every step is compared: what may be done, what is
answered, and where it leads. What a core is asked in between counts too: a ledger is written and
read back wherever it stands. Until something differs both are in the same states, so one walk goes
through the states of both; it is plain, and ends at the level at which something differs.
"""

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Iterator
from itertools import zip_longest
from typing import Any, Protocol

import attrs

from fencepost.exploring.packing import Packed, Packer
from fencepost.exploring.remembering import Remembering
from fencepost.exploring.small_world import Baring, Branching, Parts, SmallWorld


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


State = Hashable
"""A state of a side: its parts, or the numbers that they have on both sides."""


@attrs.frozen
class Told:
    """What can be seen of a transition: its words, where it leads, what was answered on the way."""

    name: str
    own: bool
    target: State | None
    answers: tuple[Any, ...]


@attrs.frozen
class Otherwise:
    """The first difference: what was done, the last of it being what differs, in few actions."""

    deeds: tuple[str, ...]
    actions: int
    states: int


class Side(ABC):
    """A world whose core is listened to. It may stand beside one mutant after another."""

    def __init__(self, world: SmallWorld, heard: Heard) -> None:
        if isinstance(world, Baring):
            world.bare = True
        self.world, self.heard = world, heard

    @abstractmethod
    def start(self) -> State:
        """The state in which everything begins."""

    @abstractmethod
    def told(self, state: Any) -> Iterable[Told]:
        """Everything that may come next."""


class AskedSide(Side):
    """The world is asked of each state; what it told is `kept` where it is asked again."""

    def __init__(self, world: SmallWorld, heard: Heard, *, keep: bool = False) -> None:
        super().__init__(world, heard)
        self._kept: dict[Parts, tuple[Told, ...]] | None = {} if keep else None

    def start(self) -> State:
        """The state in which everything begins."""
        return self.world.start()

    def told(self, state: Parts) -> Iterable[Told]:
        """Everything that may come next."""
        if self._kept is None:
            return self._told(state)
        if state not in self._kept:
            self._kept[state] = tuple(self._told(state))
        return self._kept[state]

    def _told(self, parts: Parts) -> Iterator[Told]:
        self.heard.answers.clear()
        for taken in self.world.after(parts):
            answers = tuple(self.heard.answers)
            self.heard.answers.clear()
            yield Told(taken.deed.name, taken.deed.own, taken.target, answers)


class BranchingWorld(SmallWorld, Branching, Protocol):
    """A small world that says in branches what may come next."""


class RememberingSide(Side):
    """The branches of the world are remembered. States have the same numbers on both sides."""

    def __init__(self, world: BranchingWorld, heard: Heard, packer: Packer) -> None:
        super().__init__(world, heard)
        self.packer = packer
        self._remembering = Remembering(world, packer)

    def start(self) -> State:
        """The state in which everything begins."""
        return self.packer.pack(self.world.start())

    def told(self, state: Packed) -> Iterable[Told]:
        """Everything that may come next."""
        for move in self._remembering.moves(state):
            deed = move.taken.deed
            target = move.after(state) if move.leads else None
            yield Told(deed.name, deed.own, target, deed.marks)


def intended_side(world: SmallWorld, heard: Heard, *, keep: bool = False) -> Side:
    """The side of the intended core."""
    if isinstance(world, Branching):
        return RememberingSide(world, heard, Packer(len(world.start())))
    return AskedSide(world, heard, keep=keep)


def side_beside(ours: Side, world: SmallWorld, heard: Heard) -> Side:
    """The side of a mutant in the scope of the intended one."""
    if isinstance(ours, RememberingSide) and isinstance(world, Branching):
        return RememberingSide(world, heard, ours.packer)
    return AskedSide(world, heard)


class Beside:
    """Two cores in one scope, walked together, level by level."""

    def __init__(self, ours: Side, theirs: Side) -> None:
        self._ours, self._theirs = ours, theirs
        start = ours.start()
        self._before: dict[State, tuple[State | None, str]] = {start: (None, "")}
        self._looked: set[State] = set()
        self._level: list[State] = [start]
        self.actions = 0

    @property
    def done(self) -> bool:
        """Nothing in the scope is left to compare."""
        return not self._level

    def go(self) -> Otherwise | None:
        """Compare one more level; a difference in it is one with the fewest actions."""
        following: list[State] = []
        found: tuple[State, Told] | None = None
        for state in self._level:
            if state in self._looked:
                continue
            self._looked.add(state)
            differs = self._compare(state, following)
            if differs is not None and (found is None or differs.own):
                found = state, differs
                if differs.own:
                    break  # It costs no action, and so nothing in this level is nearer.
        actions = self.actions
        self._level, self.actions = following, actions + 1
        if found is None:
            return None
        state, told = found
        deeds = (*self._deeds(state), _words(told))
        return Otherwise(deeds, actions + (not told.own), len(self._before))

    def _compare(self, state: State, following: list[State]) -> Told | None:
        """The first transition of a state that differs; where those before it lead is noted."""
        for one, other in zip_longest(self._ours.told(state), self._theirs.told(state)):
            if one is None or one != other:
                return one or other
            target = one.target
            if target is None or target in self._looked:
                continue
            if target not in self._before or one.own:
                self._before[target] = (state, _words(one))
                (self._level if one.own else following).append(target)
        return None

    def _deeds(self, state: State) -> tuple[str, ...]:
        """What was done on the way to a state."""
        names: list[str] = []
        here: State | None = state
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
