"""A policy model and everything around it as a small world: one core, one scope."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import attrs

from fencepost.exploring.core_world import CoreWorld, Doing, Here
from fencepost.exploring.policy_model.around import PARTING, here_of
from fencepost.exploring.policy_model.doings import doings, said_to
from fencepost.exploring.policy_model.marks import marks_of
from fencepost.exploring.policy_model.owing import promises
from fencepost.exploring.policy_model.scope import ModelScope
from fencepost.exploring.policy_model.stories import stories
from fencepost.exploring.renaming import Hook, renamed
from fencepost.exploring.servers.around import Around
from fencepost.exploring.servers.names import (
    Forgetting,
    changed_tables,
    exchanges,
    of_rollout,
    ordered,
)
from fencepost.exploring.small_world import Deed, Names, Parts
from fencepost.policy_model.wording import state_text
from fencepost_reference.model import Own, Step
from fencepost_reference.receipts.changes import change
from fencepost_reference.receipts.policy_model import actions as a
from fencepost_reference.receipts.policy_model.core import ModelCore
from fencepost_reference.receipts.policy_model.promises import (
    PROMISES,
    Ghost,
    broken,
    remembered,
)
from fencepost_reference.receipts.policy_model.state import Checkpoint, History, State, View
from fencepost_spec.operation import Property
from fencepost_spec.receipts.policy_model.properties import BY_ID


class ModelWorld(CoreWorld):
    """A core in a scope."""

    always = tuple(BY_ID[name] for name in PROMISES)

    def __init__(self, scope: ModelScope, core: ModelCore | None = None) -> None:
        super().__init__(scope, core or ModelCore())
        self.scope = scope
        self.permutations = exchanges(scope, "restore")
        self.eventually = promises()
        self.sometimes = stories(scope)
        self.leaving = (a.Leave,) if scope.at_once else ()
        self._said = said_to(scope)
        self._forgetting = Forgetting(scope, without_checkpoint, without_rollout)

    def beginning(self) -> Here:
        """A process that has just started, on an empty disk."""
        state = change(State(), role=self.scope.role)
        return Here(state, Around(self.scope.left), Ghost())

    def parts_of(self, here: Here) -> Parts:
        """A state as the parts that a walk keeps."""
        return PARTING.parts(here.state, here.around, here.ghost)

    def here_of(self, parts: Parts) -> Here:
        """The state that the parts were taken from."""
        return here_of(parts)

    def doings(self, here: Here) -> Iterator[Doing]:
        """Everything that the world may do now."""
        return doings(self.scope, self._said, here.state, here.around)

    def broken(self, here: Here, action: Any, step: Step) -> Iterable[Property]:
        """Every `always` that a step breaks."""
        return broken(here.state, action, step, here.ghost)

    def marks(self, here: Here, action: Any, step: Step) -> Iterable[str]:
        """What a step shows to those who look for a `sometimes`."""
        return marks_of(here.state, action, step)

    def after_step(self, here: Here, action: Any, step: Step) -> Here:
        """The model and what a watcher remembers after a step."""
        state: State = step.state
        if type(action) is a.Replace:
            # Callers of a process that is gone use other names, and so may take these.
            state = change(state, dead=frozenset())
        return Here(state, here.around, remembered(here.ghost, here.state, action, step))

    def own_words(self, own: Own) -> str:
        """A step that the participant takes by itself, in words."""
        return f"{_WORDS[type(own.action)]} {own.subject}"

    def forgotten(self, parts: Parts, /) -> Iterator[tuple[Deed, Parts]]:
        """Every way to give back a name that nothing mentions any more."""
        return self._forgetting.ways(parts)

    def renamed(self, value: Any, names: Names) -> Any:
        """A part, or a text, in which names are exchanged."""
        return ordered(renamed(value, names, _HOOKS))

    def show(self, parts: Parts) -> str:
        """A state, in one line."""
        return state_text(here_of(parts).state)


def without_checkpoint(parts: Parts, checkpoint: str) -> Parts:
    """The state without what its tables of finished things hold of a checkpoint id."""
    state, around, ghost = _with_history(
        parts, lambda kept: changed_tables(kept, ("finished",), lambda one: one == checkpoint)
    )
    ghost = changed_tables(ghost, ("succeeded",), lambda one: one[0] == checkpoint)
    return PARTING.parts(state, around, ghost)


def without_rollout(parts: Parts, rollout: str) -> Parts:
    """The state without what its tables of finished things hold of a rollout."""

    def left_of(kept: History) -> History:
        kept = changed_tables(kept, ("refused", "sources"), of_rollout(rollout))
        return changed_tables(kept, ("mark",), lambda one: one == rollout)

    state, around, ghost = _with_history(parts, left_of)
    ghost = changed_tables(ghost, ("refused", "sources"), of_rollout(rollout))
    return PARTING.parts(state, around, ghost)


def _with_history(
    parts: Parts, left_of: Callable[[History], History]
) -> tuple[State, Around, Ghost]:
    """The three sides with less history: what is remembered, and what a restore started over."""
    state, around, ghost = PARTING.whole(parts)
    history = left_of(state.history)
    state = state if history is state.history else change(state, history=history)
    if ghost.before is not None:
        lineages, before = ghost.before
        kept = left_of(before)
        ghost = ghost if kept is before else change(ghost, before=(lineages, kept))
    return state, around, ghost


def _in_order(value: Checkpoint, _names: Mapping[str, str]) -> Checkpoint:
    return attrs.evolve(
        value,
        lineages=tuple(sorted(value.lineages)),
        tombstones=tuple(sorted(value.tombstones)),
        sources=tuple(sorted(value.sources)),
        roots=tuple(sorted(value.roots)),
    )


def _view_in_order(value: View, _names: Mapping[str, str]) -> View:
    tickets = tuple(sorted(value.tickets))
    return attrs.evolve(value, tickets=tickets, refused=tuple(sorted(value.refused)))


_HOOKS: dict[type, Hook] = {Checkpoint: _in_order, View: _view_in_order}

_WORDS: dict[type, str] = {
    a.EndDrain: "end of the",
    a.Read: "look of",
    a.CancelTask: "cancellation of",
    a.Store: "step of the",
    a.Leave: "answer leaves",
}
