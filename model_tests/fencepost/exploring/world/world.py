"""A controller and its participants as a small world: cores in one scope.

What a watcher has to remember to ask the promises is part of the state, so no two histories that a
promise tells apart are taken for one.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from fencepost.exploring.small_world import Deed, Eventually, Names, Parts, Sometimes, Taken
from fencepost.exploring.world.controllers import cores_of
from fencepost.exploring.world.doings import doings
from fencepost.exploring.world.driving import is_owed
from fencepost.exploring.world.folding import Folding
from fencepost.exploring.world.forgetting import Forgetting
from fencepost.exploring.world.marks import marks_of
from fencepost.exploring.world.mishaps import deed as make
from fencepost.exploring.world.mishaps import of_message
from fencepost.exploring.world.naming import class_of, named
from fencepost.exploring.world.owing import promises
from fencepost.exploring.world.parts import Layout, Standing
from fencepost.exploring.world.quick import Quick
from fencepost.exploring.world.scope import WorldScope
from fencepost.exploring.world.showing import shown
from fencepost.exploring.world.stories import stories
from fencepost.exploring.world.symmetry import exchanges, renamed_part
from fencepost_reference.model import NotEnabled
from fencepost_reference.receipts.controller.said import AGENT, MODEL, RESOURCES
from fencepost_reference.receipts.policy_model.promises import PROMISES as MODEL_PROMISES
from fencepost_reference.receipts.promises import PROMISES as AGENT_PROMISES
from fencepost_reference.receipts.resources.promises import PROMISES as RESOURCES_PROMISES
from fencepost_reference.world import World
from fencepost_reference.worlds import actions as a
from fencepost_reference.worlds.asked import fresh
from fencepost_reference.worlds.ghost import Ghost, remembered
from fencepost_reference.worlds.promises import PROMISES, broken
from fencepost_reference.worlds.refereeing import watch_of
from fencepost_reference.worlds.setting import Cores
from fencepost_reference.worlds.state import State
from fencepost_reference.worlds.storing import is_unreadable
from fencepost_spec.operation import Property
from fencepost_spec.receipts.controller.spec import CONTROLLER, ControllerSpec
from fencepost_spec.receipts.ledger.properties import BY_ID as LEDGER_BY_ID
from fencepost_spec.receipts.policy_model.properties import BY_ID as MODEL_BY_ID
from fencepost_spec.receipts.properties import BY_ID as AGENT_BY_ID
from fencepost_spec.receipts.resources.properties import BY_ID as RESOURCES_BY_ID
from fencepost_spec.receipts.world import BY_ID, world_rules
from fencepost_spec.rule import Rule


class WorldOfControllers:
    """Cores in a scope."""

    def __init__(self, scope: WorldScope, played: Cores | ControllerSpec | None = None) -> None:
        self.scope = scope
        self.world = World(scope.setting, _cores(scope, played))
        places = scope.setting.places
        watch = watch_of(places, scope.target_level) if scope.watched else None
        self._first = Standing(
            self.world.initial(), scope.left, Ghost(watch=watch, inside=_ghosts(scope))
        )
        self._layout = Layout(self._first)
        self._quick = Quick(scope, self.world)
        self._forgetting = Forgetting() if scope.pool and not scope.watched else None
        self._folding = Folding(scope.setting)
        self.permutations: tuple[Names, ...] = exchanges(scope)
        self.always: tuple[Property, ...] = _always(scope)
        self.eventually: tuple[Eventually, ...] = promises(self._layout, scope)
        self.sometimes: tuple[Sometimes, ...] = stories(scope)
        self.rules: tuple[Rule, ...] = world_rules()[-2:]

    @property
    def name(self) -> str:
        """The name of the scope."""
        return self.scope.name

    @property
    def says(self) -> str:
        """What is in it, in one line."""
        return self.scope.says

    def start(self) -> Parts:
        """All processes have just started."""
        return self._layout.parts(self._first)

    def standing(self, parts: Parts) -> Standing:
        """What some parts stand for."""
        return self._layout.standing(parts)

    def after(self, parts: Parts) -> Iterator[Taken]:
        """Everything that may come from outside, or that somebody does, next."""
        standing = self._layout.standing(parts)
        world, left = standing.world, standing.left
        owns = [own for own in self.world.own(world) if is_owed(own)]
        pressing = self._quick.pressing(world, left)
        if pressing is None:
            come = doings(self.scope, world, left, owed=bool(owns))
        else:
            come = of_message(self.scope, world, left, pressing)
            owns = [own for own in owns if own.subject == pressing]
        for deed, action, then in come:
            taken: Taken | None = Taken(deed, None)
            if action is not None:
                taken = self._taken(deed, action, Standing(world, then, standing.ghost))
            if taken is not None:
                yield taken
        for own in owns:
            name = named(own.action)
            fair = class_of(own.action, world, self.scope.setting)
            deed = make(name, own=True, fair=fair)
            taken = self._taken(deed, own.action, standing, own.rule)
            if taken is not None:
                yield taken

    def _taken(self, deed: Deed, action: Any, here: Standing, *more: Rule) -> Taken | None:
        """An action, and what is done at once after it."""
        world, left, ghost = here.world, here.left, here.ghost
        rules, lost, marks = list(more), list[Property](), list[str]()
        places = self.scope.setting.places
        waiting: Any = action
        while waiting is not None:
            try:
                step = self.world.step(world, waiting)
            except NotEnabled:
                if waiting is action:
                    return None
                raise
            lost += broken(places, world, waiting, step, ghost)
            marks += marks_of(world, waiting, step)
            ghost = remembered(places, ghost, world, waiting, step)
            rules += step.rules
            world = step.state
            waiting = _starts(world) if world.controller is None else self._quick.next(world, left)
        if marks:
            deed = make(deed.name, deed.own, deed.fair, (*deed.marks, *marks))
        after = Standing(world, left, ghost)
        if self._forgetting is not None:
            after = self._folding.folded(self._forgetting.forgotten(after))
        return Taken(deed, self._layout.parts(after), tuple(rules), tuple(lost))

    def renamed(self, value: Any, names: Names) -> Any:
        """A part in which siblings are exchanged."""
        return renamed_part(value, names)

    def show(self, parts: Parts) -> str:
        """A state, in one line."""
        return shown(self._layout.standing(parts), self.scope.setting)


def _starts(world: State) -> Any:
    """What a deployment begins with: what cannot be read is taken away before it starts."""
    return a.Clear() if is_unreadable(world) else a.Start()


def _cores(scope: WorldScope, played: Cores | ControllerSpec | None) -> Cores:
    """The cores that are given, or those around a controller."""
    if isinstance(played, Cores):
        return played
    return cores_of(scope.setting, played or CONTROLLER, scope.target_level)


def _ghosts(scope: WorldScope) -> tuple[Any, ...]:
    """What is remembered of each participant, where its own promises are asked."""
    return fresh(scope.setting.places) if scope.strict else ()


_OF_KIND: dict[str, tuple[dict[str, Property], Iterable[str]]] = {
    AGENT: (AGENT_BY_ID, AGENT_PROMISES),
    MODEL: (MODEL_BY_ID, MODEL_PROMISES),
    RESOURCES: (RESOURCES_BY_ID, RESOURCES_PROMISES),
}


def _always(scope: WorldScope) -> tuple[Property, ...]:
    """What every step is asked: of the world, of the ledger, and of participants if strict."""
    asked = [BY_ID[name] for name in PROMISES]
    asked += [LEDGER_BY_ID[f"R-LIN-{number}"] for number in (2, 4, 5, 6, 7, 15, 28, 32)]
    if scope.strict:
        for kind, (by_id, names) in _OF_KIND.items():
            asked += [by_id[name] for name in names if scope.setting.of_kind(kind)]
    return tuple(asked)
