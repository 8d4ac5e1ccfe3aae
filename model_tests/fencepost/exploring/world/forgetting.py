"""Checkpoint ids that nobody mentions any more, and the states in which they are free again.

Ids count up for ever, and a participant refuses a finished one for ever; so no state would ever
come again, and every promise of progress would hold for want of cycles. While the controller has no
checkpoint open, the ids that something live mentions (a message, a fence, a directory, a published
snapshot) are numbered anew from 1, in their order, and what participants remember of all others
is dropped. Nobody says those in their old sense again: the controller only mints ids above its
counter, and no message carries them. Ids are compared for being equal and in their order, never
with a number of their own; so the state goes on as the old one would have.
"""

import re
from typing import Any

import attrs
from immutables import Map

from fencepost.exploring.renaming import renamed, words_of
from fencepost.exploring.world.numbering import counter_of, is_idle, with_counter
from fencepost.exploring.world.parts import Standing
from fencepost_reference.receipts.changes import change
from fencepost_reference.receipts.controller.actions import Snapshot
from fencepost_reference.worlds.state import State

_LETTERS = "cdr"
_NUMBERED = re.compile(r"[cdr]([0-9]+)")


class Forgetting:
    """Gives numbers of checkpoints back. Looks at each value once."""

    def __init__(self) -> None:
        # By identity, together with the value itself, so that it stays what it is.
        self._numbers: dict[int, tuple[Any, frozenset[int]]] = {}

    def forgotten(self, standing: Standing) -> Standing:
        """The state with its checkpoints numbered anew, or the very same one."""
        world = standing.world
        if not is_idle(world.controller):
            return standing
        used = sorted(self._used(world))
        anew = {number: place for place, number in enumerate(used, 1)}
        if counter_of(world.controller) == len(used) + 1:
            return standing
        names = {
            f"{letter}{old}": f"{letter}{new}" for old, new in anew.items() for letter in "cdr"
        }
        participants = tuple(_without(one, used, names) for one in world.participants)
        world = change(
            world,
            controller=with_counter(world.controller, names, len(used) + 1),
            participants=participants,
            net=_renamed(world.net, names),
            disk=_disk(world.disk, anew, names),
        )
        return Standing(world, standing.left, standing.ghost)

    def _used(self, world: State) -> frozenset[int]:
        """The numbers that something live mentions."""
        found: set[int] = set()
        for message in world.net.values():
            found |= self._of(message)
        for one in world.disk:
            found |= self._of(one.snapshot.checkpoint_id) | self._of(one.snapshot.participants)
        for participant in world.participants:
            found |= self._of(participant.fence) | self._of(participant.disk)
            found |= self._of(participant.calls)
            if hasattr(participant, "indexes"):
                found |= self._of(participant.indexes)
        return frozenset(found)

    def _of(self, value: Any) -> frozenset[int]:
        known = self._numbers.get(id(value))
        if known is None or known[0] is not value:
            numbers = [_NUMBERED.fullmatch(word) for word in words_of(value)]
            found = frozenset(int(one[1]) for one in numbers if one is not None)
            known = self._numbers[id(value)] = (value, found)
        return known[1]


def _renamed(value: Any, names: dict[str, str]) -> Any:
    return renamed(value, names, {})


def _without(participant: Any, used: list[int], names: dict[str, str]) -> Any:
    """A participant that remembers no id but those that are used, under their new numbers."""
    history = participant.history
    live = {f"{letter}{number}" for number in used for letter in "cr"}
    kept: Map[str, Any] = participant.history.finished
    finished: Map[str, Any] = Map(
        {names.get(one, one): _renamed(reply, names) for one, reply in kept.items() if one in live}
    )
    fresh = {
        name: _renamed(getattr(participant, name), names)
        for name in ("fence", "disk", "calls", "indexes")
        if hasattr(participant, name)
    }
    return change(participant, history=change(history, finished=finished), **fresh)


def _disk(disk: Any, anew: dict[int, int], names: dict[str, str]) -> Any:
    """The published snapshots, under their new numbers."""
    found: list[Any] = []
    for one in disk:
        snapshot: Snapshot = one.snapshot
        number = anew[int(snapshot.checkpoint_id[1:])]
        changed = attrs.evolve(
            snapshot,
            number=number,
            checkpoint_id=f"c{number}",
            participants=_renamed(snapshot.participants, names),
        )
        found.append(attrs.evolve(one, snapshot=changed))
    return tuple(found)
