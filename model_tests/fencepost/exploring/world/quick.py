"""What takes no transition of its own: steps that nobody can come between, in a fixed order.

A message that cannot be lost any more is carried at once, and a participant does at once what it
owes. Both only take what was there into account, and what they do, later steps of others would have
found done as well; so no promise can tell the difference but by how long it took.
"""

from typing import Any

from fencepost.exploring.world.scope import NETWORK, PARTICIPANTS, STORAGE, Left, WorldScope
from fencepost_reference.receipts.actions import Store as AgentStore
from fencepost_reference.receipts.policy_model.actions import Store as ModelStore
from fencepost_reference.world import World
from fencepost_reference.worlds import actions as a
from fencepost_reference.worlds.state import LOST, State

_STORES = (AgentStore, ModelStore)


class Quick:
    """Which own steps of a world are taken at once in a scope."""

    def __init__(self, scope: WorldScope, world: World) -> None:
        self._scope, self._world = scope, world
        self._cores = [world.cores.of(place.kind) for place in scope.setting.places]

    def next(self, state: State, left: Left) -> Any:
        """The own step that is taken before anybody else does anything; None: there is none."""
        at_once = self._scope.at_once
        if PARTICIPANTS in at_once:
            for place, core, participant in zip(
                self._scope.setting.places, self._cores, state.participants, strict=True
            ):
                for own in core.own(participant):
                    if own.must and self._may_hurry(own.action, left):
                        return a.Act(place, own.action)
        if NETWORK in at_once:
            for call in sorted(state.net):
                message = state.net[call]
                # What nobody waits for any more may take its time.
                if message.stage == "there" or not message.awaited:
                    continue
                if self._may_be_lost(message, left):
                    continue
                return a.Arrive(call) if message.stage == "going" else a.Return(call)
        if STORAGE in at_once and state.writing is not None:
            if state.writing.done is not None:
                return a.Tell()
            if not left.disk_faults:
                return a.Write(True)
        return None

    def pressing(self, state: State, left: Left) -> str | None:
        """A message that arrives or is lost before anything else happens; None: there is none.

        Where messages are carried at once, one that may be lost is, too: it is lost or it arrives.
        """
        if NETWORK not in self._scope.at_once:
            return None
        for call in sorted(state.net):
            message = state.net[call]
            if message.stage != "there" and self._may_be_lost(message, left):
                return call
        return None

    def _may_hurry(self, action: Any, left: Left) -> bool:
        if not isinstance(action, _STORES):
            return True
        return STORAGE in self._scope.at_once and not left.faults

    def _may_be_lost(self, message: Any, left: Left) -> bool:
        if message.stage == LOST or not message.awaited:
            return False
        may = bool(left.lost or left.late or left.repeats)
        return may and message.op in self._scope.lossy
