"""Attempts that were refused at the door and that nobody remembers, and their numbers.

A controller that numbers attempt after attempt, each refused for the sake of an older one, never
comes to the same state again. But such attempts never began: an agent remembers at most that they
are refused, and the controller forgets one when it numbers the next. Where nothing else knows an
attempt and the one before it, the older is dropped and the younger takes its number. Attempts of a
rollout are compared in their order, and the two were next to each other; nobody asks for the older
again, and of the younger all is kept that was known. Published snapshots keep their numbers: who
starts from one finds participants that know no other attempts.
"""

from typing import Any

import attrs
from immutables import Map

from fencepost.exploring.world.numbering import is_idle
from fencepost.exploring.world.parts import Standing
from fencepost_reference.receipts.changes import change
from fencepost_reference.receipts.controller.said import AGENT, MODEL
from fencepost_reference.receipts.ledger.state import Group
from fencepost_reference.worlds.ghost import Ghost
from fencepost_reference.worlds.setting import Setting
from fencepost_reference.worlds.state import State
from fencepost_spec.vocabulary import Key

_GIVEN_UP = frozenset({"abandoned", "failed"})


class Folding:
    """Drops attempts that nobody has seen."""

    def __init__(self, setting: Setting) -> None:
        self._setting = setting

    def folded(self, standing: Standing) -> Standing:
        """The state with fewer attempts in its ledger, or the very same one."""
        world = standing.world
        if not is_idle(world.controller):
            return standing
        for name, group in world.controller.ledger.groups.items():
            for index in range(len(group.siblings)):
                while self._may_fold(world, standing.ghost, name, index):
                    world = _without(world, name, index)
        if world is standing.world:
            return standing
        return Standing(world, standing.left, standing.ghost)

    def _may_fold(self, world: State, ghost: Ghost, name: str, index: int) -> bool:
        group: Group = world.controller.ledger.groups[name]
        sibling = group.siblings[index]
        if len(sibling) < 3 or sibling[-2].status not in _GIVEN_UP:
            return False
        rollout, last = group.rollout_id(index), len(sibling) - 1
        younger, older = Key(rollout, last), Key(rollout, last - 1)
        if older in world.controller.works or younger in world.controller.ledger.owed:
            return False
        return not any(self._is_known(world, ghost, key) for key in (older, younger))

    def _is_known(self, world: State, ghost: Ghost, key: Key) -> bool:
        """Whether anything but the ledger and the controller's own list mentions an attempt."""
        if key in ghost.begun or key in ghost.finished:
            return True
        if any(one.request.key == key for one in world.controller.calls.values()):
            return True
        if any(one.request.key == key for one in world.net.values()):
            return True
        if any(key in here for here in world.handlers):
            return True
        return any(
            _remembers(place.kind, participant, key)
            for place, participant in zip(self._setting.places, world.participants, strict=True)
        )


def _remembers(kind: str, participant: Any, key: Key) -> bool:
    """Whether a participant has anything about an attempt but that it is refused."""
    history = participant.history
    if kind == AGENT:
        known = [participant.executions, participant.pending, history.acknowledged]
    elif kind == MODEL:
        known = [history.sources]
        marked = history.mark.get(key.rollout_id, -1) >= key.attempt
        if marked or key.capture_key in participant.lineages:
            return True
    else:
        known = [participant.sessions, history.ended]
    if kind != MODEL and history.watermark.get(key.rollout_id, -1) >= key.attempt:
        return True
    return any(key in table for table in known)


def _without(world: State, name: str, index: int) -> State:
    """The world in which the attempt before the last is dropped, and the last takes its number."""
    group: Group = world.controller.ledger.groups[name]
    rollout, sibling = group.rollout_id(index), group.siblings[index]
    older, younger = Key(rollout, len(sibling) - 2), Key(rollout, len(sibling) - 1)
    siblings = (
        *group.siblings[:index],
        (*sibling[:-2], sibling[-1]),
        *group.siblings[index + 1 :],
    )
    controller = world.controller
    controller = change(
        controller,
        ledger=controller.ledger.with_group(attrs.evolve(group, siblings=siblings)),
        works=_moved(controller.works, older, younger),
    )
    participants = tuple(
        change(
            one,
            history=change(one.history, refused=_moved(one.history.refused, older, younger)),
        )
        for one in world.participants
    )
    return change(world, controller=controller, participants=participants)


def _moved(table: "Map[Key, Any]", older: Key, younger: Key) -> "Map[Key, Any]":
    """The table in which the older key is what the younger one was."""
    if older in table:
        table = table.delete(older)
    return table.delete(younger).set(older, table[younger]) if younger in table else table
