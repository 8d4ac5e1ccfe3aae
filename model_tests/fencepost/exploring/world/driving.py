"""A world driven in one order: everybody does what they owe, and rollouts do as they are told.

For stories, for the cost of crashes, and for winding a world down. Nothing is drawn.
"""

from collections.abc import Callable, Iterator
from typing import Any

from fencepost_reference.model import NotEnabled, Own, Step
from fencepost_reference.receipts.controller import actions as controller
from fencepost_reference.receipts.controller.said import AGENT, Place
from fencepost_reference.world import World
from fencepost_reference.worlds import actions as a
from fencepost_reference.worlds.ghost import Ghost, remembered
from fencepost_reference.worlds.promises import broken
from fencepost_reference.worlds.refereeing import watched
from fencepost_reference.worlds.state import State
from fencepost_spec.vocabulary import Key

LIMIT = 5_000
"""More steps than any story has: whoever takes them goes round in circles."""

Watcher = Callable[[Any, Step], None]


def is_owed(own: Own) -> bool:
    """Whether a step has to come: what a controller may ask again, it asks."""
    return own.must or isinstance(own.action, a.Decide)


class Broken(AssertionError):
    """A promise was broken while a world was driven."""


class Endless(AssertionError):
    """A world goes on and on."""


class Drive:
    """One run of a world. Every step is asked every promise."""

    def __init__(
        self, world: World, state: State | None = None, ghost: Ghost | None = None
    ) -> None:
        self.world = world
        self.state = world.initial() if state is None else state
        self.ghost = Ghost() if ghost is None else ghost
        self.watchers: list[Watcher] = []

    def copy(self) -> "Drive":
        """Another run that goes on from here."""
        return Drive(self.world, self.state, self.ghost)

    def do(self, action: Any) -> Step:
        """One step."""
        step = self.world.step(self.state, action)
        places = self.world.setting.places
        lost = broken(places, self.state, action, step, self.ghost)
        if lost:
            told = ", ".join(f"{one.id} {one.name}" for one in lost)
            raise Broken(f"{action}: {told}{self._refused(action, step)}")
        self.ghost = remembered(places, self.ghost, self.state, action, step)
        self.state = step.state
        for watcher in self.watchers:
            watcher(action, step)
        return step

    def _refused(self, action: Any, step: Step) -> str:
        """What the referee says, if it refuses something."""
        if self.ghost.watch is None:
            return ""
        refused = watched(self.ghost.watch, self.state, action, step)[1]
        return "" if refused is None else f": {refused.rule.id} {refused.rule.says}: {refused.came}"

    def owed(self) -> Any:
        """The next step that somebody owes, or None."""
        return next((own.action for own in self.world.own(self.state) if is_owed(own)), None)

    def settle(self) -> None:
        """Everybody does what they owe until nobody owes anything."""
        for _ in range(LIMIT):
            action = self.owed()
            if action is None:
                return
            self.do(action)
        raise Endless(f"after {LIMIT} steps {self.owed()} is owed")

    def give(self, action: Any) -> bool:
        """Hand something to the controller; False when it does not take it now."""
        try:
            self.do(a.Give(action))
        except NotEnabled:
            return False
        return True

    def works(self, key: Key, *events: str) -> None:
        """A rollout takes some steps."""
        for event in events:
            self.do(a.Work(self.place_of(key), key, event))

    def place_of(self, key: Key) -> Place:
        """Where a rollout runs."""
        for number in self.world.setting.of_kind(AGENT):
            if key in self.state.handlers[number]:
                return self.world.setting.places[number]
        raise LookupError(f"{key} runs nowhere")

    def free(self) -> Iterator[tuple[Place, Key]]:
        """The rollouts that may go on now."""
        for number in self.world.setting.of_kind(AGENT):
            here = self.state.handlers[number]
            for key in sorted(here):
                if not here[key].held:
                    yield self.world.setting.places[number], key

    def finish_all(self) -> None:
        """Rollouts go on and finish, the finalizer commits, until nothing is left to be done."""
        stood: set[tuple[Place, Key]] = set()
        for turn in range(LIMIT):
            self.settle()
            if self.state.training:
                self.do(a.Finalize(self.state.training[0][0], "committed"))
                continue
            free = list(self.free())
            if not free:
                return
            one = free[turn % len(free)]
            event = self.next_of(*one)
            if event == "again" and one in stood:
                # It was let go although it is asked to park: it need not stand there for ever.
                event = self._makes_for_the_end(*one)
            stood.add(one)
            self.do(a.Work(*one, event))
        raise Endless(f"after {LIMIT} steps a rollout goes on")

    def next_of(self, place: Place, key: Key) -> str:
        """What a rollout does next that makes for its end; one that is asked to park parks."""
        number = self.world.setting.number[place]
        handler = self.state.handlers[number][key]
        execution = self.state.participants[number].executions.get(key)
        if execution is None or handler.cancelled:
            return "stop"
        if handler.asking:
            return "told"
        if handler.index < 0:
            return "boundary"
        if execution.status == "park_requested":
            return "boundary" if handler.moved else "again"
        return self._makes_for_the_end(place, key)

    def _makes_for_the_end(self, place: Place, key: Key) -> str:
        """What brings a rollout nearer to its end, at its boundary or after it."""
        number = self.world.setting.number[place]
        setting, handler = self.world.setting, self.state.handlers[number][key]
        if handler.calls < setting.model_calls:
            return "ask"
        return "change" if handler.changes < setting.changes else "finish"

    def snapshot(self) -> None:
        """A snapshot is due; it is over when nobody owes anything."""
        self.give(controller.SnapshotDue())
        self.park_all()

    def steps_of_checkpoint(self) -> Iterator[Any]:
        """What may come next in a checkpoint: the steps that are owed, then those of who parks."""
        yield from (own.action for own in self.world.own(self.state) if is_owed(own))
        for one in self.free():
            if self._is_asked(*one):
                yield a.Work(*one, self.next_of(*one))

    def next_of_checkpoint(self) -> Any:
        """The first of those, or None."""
        return next(self.steps_of_checkpoint(), None)

    def park_all(self) -> None:
        """Rollouts that are asked to park do so, and nothing else happens beside what is owed."""
        for _ in range(LIMIT):
            action = self.next_of_checkpoint()
            if action is None:
                return
            self.do(action)
        raise Endless(f"after {LIMIT} steps a rollout is asked to park")

    def crash_all(self) -> None:
        """Everybody crashes, and a new deployment starts."""
        self.do(a.Crash(True, self.world.setting.places))
        self.do(a.Start())

    def _is_asked(self, place: Place, key: Key) -> bool:
        participant = self.state.participants[self.world.setting.number[place]]
        execution = participant.executions.get(key)
        return execution is not None and execution.status == "park_requested"
