"""One move played on a core: the move, then everything that the participant does by itself.

Steps of the participant that a scope calls lazy are left for later, each a way of its own; all
others happen at once, in the order in which the core lists them. When nothing is outstanding the
participant is at rest, and its status and what it wrote are looked at.
"""

from collections.abc import Callable, Iterator
from typing import Any

import attrs

from fencepost.mutants.moves import Begun, Move
from fencepost.mutants.told import Answer, HandlerBegan, LetGo, Look, NoAnswer, Status, Told
from fencepost.mutants.world import World
from fencepost_reference.model import NotEnabled, Own, Step
from fencepost_reference.receipts import actions as a
from fencepost_reference.receipts.agent import AgentCore
from fencepost_reference.receipts.counting import view_of
from fencepost_reference.receipts.state import Reply, State

OWN_STEPS_MAX = 60

WAKE = "wake"
PARK_IN_PLACE = "park in place"
CANCEL = "cancel the handler"
END_EARLY = "end the prepare"
STORE = "storage step"


@attrs.frozen
class Scene:
    """A participant and what the harness knows of it."""

    state: State
    world: World = attrs.field(factory=World)


@attrs.frozen
class Played:
    """What a move led to, and what was visible on the way."""

    scene: Scene
    told: tuple[Told, ...]


Watch = Callable[[State, Any, Step], None]
"""Sees every step of a core: the state before, the action, and what it led to."""


class Runaway(Exception):
    """A participant goes on by itself without end."""


def kind_of(own: Own) -> str | None:
    """The name under which a scope may call a step of the participant lazy."""
    match own.action:
        case a.LetGo(cancelled=cancelled):
            return CANCEL if cancelled else WAKE
        case a.Conclude():
            return None if own.must else END_EARLY
        case a.ParkInPlace():
            return PARK_IN_PLACE
        case a.Store():
            return STORE
        case _:
            return None


def own_name(own: Own) -> str:
    """A step of the participant, in words."""
    kind = kind_of(own) or type(own.action).__name__
    key = getattr(own.action, "key", None)
    return kind if key is None else f"{kind} {key.rollout_id}.{key.attempt}"


class Player:
    """Plays moves on one core. `lazy` names the steps that wait until they are chosen."""

    def __init__(self, core: AgentCore, lazy: frozenset[str], watch: Watch | None = None) -> None:
        self.core = core
        self.lazy = lazy
        self._watch = watch

    def _step(self, state: State, action: Any) -> Step:
        step = self.core.step(state, action)
        if self._watch is not None:
            self._watch(state, action, step)
        return step

    def choices(self, scene: Scene) -> Iterator[Own]:
        """The steps that the participant may take later, by its own choice."""
        return (own for own in self.core.own(scene.state) if kind_of(own) in self.lazy)

    def play(self, scene: Scene, move: Move) -> Played | None:
        """The scene after a move and what follows at once, or None when it cannot be made."""
        begun = move.begin(scene.world)
        told: list[Told] = list(begun.told)
        try:
            step = self._step(scene.state, begun.action)
        except NotEnabled:
            return None
        except Exception as broken:  # noqa: BLE001 - whatever a server raises is its own fault
            return _broken(scene, begun, broken)
        state: State = step.state
        world = begun.world
        if type(begun.action) is a.Replace:
            state = attrs.evolve(state, dead=frozenset())
        if begun.work is not None:
            state, world = self._worked(state, world, begun, step.outputs, told)
        return self._settled(state, world, told)

    def choose(self, scene: Scene, own: Own) -> Played | None:
        """The scene after a step of the participant's own choice and what follows at once."""
        told: list[Told] = []
        try:
            step = self._step(scene.state, own.action)
        except NotEnabled:
            return None
        world = self._seen(scene.state, scene.world, step.outputs, told)
        return self._settled(step.state, world, told, _stored_by(scene.state, own))

    def _worked(
        self, state: State, world: World, begun: Begun, outputs: tuple[Any, ...], told: list[Told]
    ) -> tuple[State, World]:
        """An event of the work is answered at once, or waits."""
        work, handler = begun.work, begun.handler
        assert work is not None  # The caller has looked.
        assert handler is not None  # It comes with the work.
        outcome: str | None = "waits"
        for output in outputs:
            if type(output) is a.Returned and output.token == work.token:
                outcome = output.code
        if outcome == "waits" and work.key is not None:
            letting_go = a.LetGo(work.key)
            ready = any(own.action == letting_go for own in self.core.own(state))
            held = state.executions[work.key].held if ready else None
            if held is not None and held.token == work.token:
                step = self._step(state, letting_go)
                state, outcome = step.state, step.outputs[0].code
        told.append(attrs.evolve(work, outcome=outcome))
        after = begun.after if outcome in (None, "waits") else handler
        if after is not None and outcome == "waits":
            after = attrs.evolve(after, held=work.token)
        return state, world.with_handler(handler, after)

    def _settled(
        self, state: State, world: World, told: list[Told], stored: str | None = None
    ) -> Played:
        """Everything that happens at once has happened; at rest the participant is looked at."""
        for _ in range(OWN_STEPS_MAX):
            waiting = False
            for own in self.core.own(state):
                kind = kind_of(own)
                if kind in self.lazy or not (own.must or kind == END_EARLY):
                    waiting = waiting or own.must
                    continue
                before = state
                try:
                    step = self._step(state, own.action)
                except NotEnabled:
                    continue
                state = step.state
                world = self._seen(before, world, step.outputs, told)
                stored = _stored_by(before, own) or stored
                break
            else:
                break
        else:
            raise Runaway(told)
        here = state.disk.get(stored or "")
        if stored is not None and here is not None and state.fence.storing is None:
            if here.kind in ("partial", "committed"):
                told.append(Look(stored, here))
            if here.kind == "committed":
                world = attrs.evolve(world, directories=world.directories | {stored})
        if not waiting:
            told.append(Status(view_of(self.core.spec, state)))
        return Played(Scene(state, world), tuple(told))

    def _seen(
        self, before: State, world: World, outputs: tuple[Any, ...], told: list[Told]
    ) -> World:
        """The world after what became visible."""
        for output in outputs:
            if type(output) is a.Answered:
                told.append(_answer(before, world, output))
                world = world.answered(output.call)
            elif type(output) is a.Dropped:
                told.append(NoAnswer(output.call, "disconnected"))
                world = world.answered(output.call)
            elif type(output) is a.Began:
                told.append(HandlerBegan(output))
                world = world.began(output)
            elif type(output) is a.Returned:
                told.append(LetGo(output.token, output.code))
                world = world.returned(output.token)
        return world


def _stored_by(before: State, own: Own) -> str | None:
    """The directory that a step of the storage is about."""
    storing = before.fence.storing
    return storing.directory if type(own.action) is a.Store and storing is not None else None


def _broken(scene: Scene, begun: Begun, broken: Exception) -> Played:
    """A request that raises is answered as a server does it, and changes nothing."""
    action = begun.action
    if not isinstance(action, a.Call | a.Run):
        raise broken
    op = action.op if isinstance(action, a.Call) else "run"
    answer = Answer(action.id, op, None, Reply(0, loose=True))
    world = begun.world.answered(action.id)
    return Played(Scene(scene.state, world), (*begun.told, answer))


def _answer(before: State, world: World, output: a.Answered) -> Answer:
    checkpoint = next((one.checkpoint for one in world.open if one.id == output.call), None)
    return Answer(output.call, before.calls[output.call].op, checkpoint, output.reply)
