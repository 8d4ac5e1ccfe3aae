"""What is around a ledger: what its controller holds in memory, what is on disk, what may yet fail.

A file is kept as the ledger that it was made from: to save changes nothing, so what a core would
save of it can be worked out when it is read.
"""

from typing import Any

import attrs
from immutables import Map

from fencepost.exploring.core_world import Here
from fencepost.exploring.parting import Parting
from fencepost_reference.receipts.changes import change
from fencepost_reference.receipts.ledger.state import Group, State
from fencepost_spec.receipts.ledger.values import CompletedExecution
from fencepost_spec.vocabulary import Key

_EMPTY: Map[Any, Any] = Map()

UP, DOWN, READ = "up", "down", "read"
CRASHES, FAULTS = range(2)


@attrs.frozen
class Finished:
    """An execution that has ended: whose it was, and whether nobody waits for it any more."""

    agent: str
    over: bool = False


@attrs.frozen(slots=False)
class Held:
    """A ledger with its reservations numbered from zero: only their order is ever asked for."""

    groups: Map[str, Group] = _EMPTY
    owed: Map[Key, CompletedExecution] = _EMPTY


@attrs.frozen(slots=False)
class Around:
    """Whether the controller is up, the file, what has finished, and what may yet fail.

    `stage` is down while a new process has not read the file of the last one, and read until it
    has given up what that one ran. `left` is how many crashes and failures to write may come.
    """

    stage: str = UP
    disk: State | None = None
    finished: Map[Key, Finished] = _EMPTY
    left: tuple[int, int] = (0, 0)

    def less(self, which: int) -> "Around":
        """What is around when one more of that kind has happened."""
        left = list(self.left)
        left[which] -= 1
        return change(self, left=(left[0], left[1]))


PARTING = Parting(Held, Around)


def numbered(state: State) -> State:
    """The ledger with its reservations numbered from zero, in the order that they have."""
    ordered = state.ordered()
    if all(group.number == number for number, group in enumerate(ordered)):
        fits = state.reserved == len(ordered)
        return state if fits else attrs.evolve(state, reserved=len(ordered))
    groups = {
        group.group_id: attrs.evolve(group, number=number) for number, group in enumerate(ordered)
    }
    return State(Map(groups), state.owed, len(ordered))


def parts_of(here: Here) -> tuple[Any, ...]:
    """A state as the parts that a walk keeps."""
    state: State = here.state
    return PARTING.parts(Held(state.groups, state.owed), here.around)


def here_of(parts: tuple[Any, ...]) -> Here:
    """The state that the parts were taken from."""
    held, around = PARTING.whole(parts)
    return Here(State(held.groups, held.owed, len(held.groups)), around, None)


def state_of(parts: tuple[Any, ...]) -> State:
    """The ledger alone."""
    held: Held = PARTING.value(0, parts)
    return State(held.groups, held.owed, len(held.groups))


def around_of(parts: tuple[Any, ...]) -> Around:
    """What is around it alone."""
    around: Around = PARTING.value(1, parts)
    return around


def current(state: State | None) -> frozenset[Key]:
    """The executions that the current attempts of a ledger are."""
    if state is None:
        return frozenset()
    return frozenset(key for group in state.groups.values() for key in group.executions())


def kept(state: State, around: Around) -> Around:
    """What is around, without what has finished and is current nowhere any more."""
    gone = set(around.finished) - current(state) - current(around.disk)
    finished = around.finished
    for key in gone:
        finished = finished.delete(key)
    return change(around, finished=finished) if gone else around
