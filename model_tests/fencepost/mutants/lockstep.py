"""A mutant and the oracle, walked together, breadth first: the shortest way to see what is wrong.

The mutant plays; whatever becomes visible is read by the oracle, which knows only the intact
specification. The walk is by actions of the world; steps that the participant takes by itself cost
nothing. All scopes are walked side by side, so a refusal that is found is a shortest one.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import attrs

from fencepost.mismatch import Mismatch
from fencepost.mutants.ground import Edge, Ground, Part, Place
from fencepost.mutants.moves import Move
from fencepost.mutants.playing import Played, Player, own_name
from fencepost.mutants.scopes import Scope
from fencepost.mutants.told import Told
from fencepost_reference.model import Own
from fencepost_reference.receipts.agent import AgentCore

Where = int | Place
"""A place: its number where the intact participant can be there too, else the place itself."""

By = Move | Own
"""What leads from place to place: a move of the world, or a step of the participant's choice."""


@attrs.frozen
class Found:
    """A refusal: where, after what, and everything that was told on the way."""

    scope: Scope
    path: tuple[By, ...]
    told: tuple[Told, ...]
    mismatch: Mismatch

    @property
    def sequence(self) -> tuple[str, ...]:
        """The path in words; what the participant did by its own choice stands in brackets."""
        return tuple(f"({own_name(by)})" if isinstance(by, Own) else by.name for by in self.path)

    @property
    def actions(self) -> int:
        """How many actions of the world the path has."""
        return sum(not isinstance(by, Own) for by in self.path)


@attrs.frozen
class Searched:
    """What a search came to. Without a refusal every scope was walked to its end.

    `differs` is the first thing, if any, that the participant did otherwise than the intact one;
    `noted` is a rule of level should that it broke.
    """

    found: Found | None
    scopes: tuple[str, ...]
    places: int
    differs: str | None
    noted: str | None


@attrs.define
class _Step:
    """How a place was reached: from where, by what, and what was told."""

    before: Where | None
    by: By | None
    told: tuple[Told, ...]


class Walk:
    """One core in one scope, level by level.

    `parts` are the parts of the specification in which the core differs from the intact one;
    where none of them is asked the core is not played. None: it may differ anywhere.
    """

    def __init__(self, core: AgentCore, ground: Ground, parts: frozenset[Part] | None) -> None:
        self.ground = ground
        self.parts = parts
        self.player = Player(core, ground.scope.lazy)
        self.level: list[Where] = [0]
        self.seen: dict[Where, _Step] = {0: _Step(None, None, ())}
        self.actions = 0
        self.differs: str | None = None
        self.noted: str | None = None

    @property
    def done(self) -> bool:
        """Nothing new can be reached within the bounds of the scope."""
        return not self.level

    def go(self) -> Iterator[Found]:
        """Walk one more level; refusals come in the order in which they are met."""
        following: list[Where] = []
        for here in self.level:
            yield from self._move(here, following)
        place = 0
        while place < len(following):
            # What is reached by a choice stands in the same level, and has choices itself.
            yield from self._choose(following[place], following)
            place += 1
        self.actions += 1
        self.level = [] if self.actions == self.ground.scope.actions_max else following

    def _move(self, here: Where, places: list[Where]) -> Iterator[Found]:
        """Everything that the world may do in a place."""
        if isinstance(here, int):
            for edge in self.ground.edges(here):
                if edge.move is not None:
                    yield from self._along(here, edge, places)
            return
        scene = here[0]
        for move in self.ground.scope.moves:
            if move.ready(scene.world):
                yield from self._reach(here, move, self.player.play(scene, move), places)

    def _choose(self, here: Where, places: list[Where]) -> Iterator[Found]:
        """Everything that the participant may do in a place by its own choice."""
        if not self.ground.scope.lazy:
            return
        shared: set[Any] = set()
        if isinstance(here, int):
            edges = [edge for edge in self.ground.edges(here) if edge.own is not None]
            shared = {edge.own.action for edge in edges if edge.own is not None}
            for edge in edges:
                yield from self._along(here, edge, places)
            if self.parts is not None:
                return
        scene = self._place(here)[0]
        for own in list(self.player.choices(scene)):
            if own.action not in shared:
                self.differs = self.differs or own_name(own)
                yield from self._reach(here, own, self.player.choose(scene, own), places)

    def _along(self, here: int, edge: Edge, places: list[Where]) -> Iterator[Found]:
        """Where the intact participant goes too: play only what may differ."""
        by = edge.move or edge.own
        assert by is not None  # An edge is the one or the other.
        if self.parts is None or self.parts & edge.asked:
            played = self._played(here, edge)
            if played != edge.played:
                self.differs = self.differs or edge.by
                yield from self._reach(here, by, played, places)
                return
        if edge.played is not None and edge.target not in self.seen:
            self.seen[edge.target] = _Step(here, by, edge.played.told)
            places.append(edge.target)

    def _played(self, here: int, edge: Edge) -> Played | None:
        scene = self.ground.places[here][0]
        if edge.move is not None:
            return self.player.play(scene, edge.move)
        assert edge.own is not None  # An edge is the one or the other.
        can = any(own.action == edge.own.action for own in self.player.choices(scene))
        return self.player.choose(scene, edge.own) if can else None

    def _place(self, here: Where) -> Place:
        return self.ground.places[here] if isinstance(here, int) else here

    def _reach(
        self, here: Where, by: By, played: Played | None, places: list[Where]
    ) -> Iterator[Found]:
        """Read what was told, and note the place that it leads to."""
        if played is None:
            return
        known = self._place(here)[1]
        for number, told in enumerate(played.told, start=1):
            answer = self.ground.judge.read(known, told)
            if isinstance(answer, Mismatch):
                yield self._found(_Step(here, by, played.told[:number]), answer)
                return
            self.noted = self.noted or known.noted.get(told)
            known = answer
        place = (played.scene, known)
        there: Where = self.ground.number.get(place, place)
        if there not in self.seen:
            self.seen[there] = _Step(here, by, played.told)
            places.append(there)

    def _found(self, step: _Step, mismatch: Mismatch) -> Found:
        steps = [step]
        while steps[-1].before is not None:
            steps.append(self.seen[steps[-1].before])
        steps.reverse()
        return Found(
            self.ground.scope,
            tuple(one.by for one in steps if one.by is not None),
            tuple(told for one in steps for told in one.told),
            mismatch,
        )


def search(
    core: AgentCore,
    grounds: Iterable[Ground],
    parts: frozenset[Part] | None,
    judged: Callable[[Found], tuple[Found, bool]],
) -> Searched:
    """Walk a core until the oracle refuses it, or to the end of every scope.

    `judged` gives a refusal as the oracle states it on the whole trace, and whether it names what
    is wrong; of several shortest refusals the first that does is taken, else the first of all.
    """
    walks = [Walk(core, ground, parts) for ground in grounds]
    found: Found | None = None
    named = False
    while found is None and any(not walk.done for walk in walks):
        for walk in walks:
            for one in walk.go() if not walk.done and not named else ():
                stated, named = judged(one)
                found = stated if named or found is None else found
                if named:
                    break
    differing = [walk for walk in walks if walk.differs is not None]
    return Searched(
        found,
        tuple(walk.ground.scope.name for walk in walks),
        sum(len(walk.seen) for walk in walks),
        f"{differing[0].ground.scope.name}: {differing[0].differs}" if differing else None,
        next((walk.noted for walk in walks if walk.noted is not None), None),
    )
