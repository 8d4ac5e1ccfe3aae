"""A resources server and everything around it as a small world: one core, one scope."""

from collections.abc import Iterable, Iterator
from typing import Any

from fencepost.exploring.core_world import CoreWorld, Doing, Here
from fencepost.exploring.renaming import Hook, renamed
from fencepost.exploring.resources.around import PARTING, here_of, parts_of
from fencepost.exploring.resources.doings import doings, said_to
from fencepost.exploring.resources.marks import marks_of
from fencepost.exploring.resources.owing import promises
from fencepost.exploring.resources.scope import ResourcesScope
from fencepost.exploring.resources.stories import stories
from fencepost.exploring.servers.around import Around
from fencepost.exploring.servers.names import (
    Forgetting,
    changed_tables,
    exchanges,
    in_order,
    of_rollout,
    ordered,
)
from fencepost.exploring.servers.scope import directory_of, text_of
from fencepost.exploring.small_world import Deed, Names, Parts
from fencepost.resources.wording import state_text
from fencepost_reference.model import Own, Step
from fencepost_reference.receipts import actions as shared
from fencepost_reference.receipts.changes import change
from fencepost_reference.receipts.resources import actions as a
from fencepost_reference.receipts.resources.ghost import Ghost, remembered
from fencepost_reference.receipts.resources.promises import PROMISES, broken
from fencepost_reference.receipts.resources.server import ResourcesCore
from fencepost_reference.receipts.resources.state import Directory, State, Storing, View
from fencepost_reference.receipts.state import Reply
from fencepost_spec.operation import Property
from fencepost_spec.receipts.resources.properties import BY_ID
from fencepost_spec.vocabulary import Key


class ResourcesWorld(CoreWorld):
    """A core in a scope."""

    always = tuple(BY_ID[name] for name in PROMISES)

    def __init__(self, scope: ResourcesScope, core: ResourcesCore | None = None) -> None:
        super().__init__(scope, core or ResourcesCore())
        self.scope = scope
        self.permutations = exchanges(scope, "prepare", "restore")
        self.eventually = promises(scope)
        self.sometimes = stories(scope)
        self.leaving = (shared.Leave,) if scope.at_once else ()
        self._said = said_to(scope)
        self._forgetting = Forgetting(scope, without_checkpoint, without_rollout)

    def beginning(self) -> Here:
        """A process that has just started, on an empty disk."""
        state = self.core.initial(self.scope.settings)
        return Here(state, Around(self.scope.left), Ghost())

    def parts_of(self, here: Here) -> Parts:
        """A state as the parts that a walk keeps."""
        return parts_of(here)

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
        """The server and what a watcher remembers after a step."""
        state: State = step.state
        if type(action) is a.Replace:
            # Callers of a process that is gone use other names, and so may take these.
            state = change(state, dead=frozenset())
        return Here(state, here.around, remembered(here.ghost, here.state, action, step))

    def own_words(self, own: Own) -> str:
        """A step that the participant takes by itself, in words."""
        subject = text_of(own.subject) if isinstance(own.subject, Key) else str(own.subject)
        if type(own.action) is a.Export:
            subject = text_of(own.action.key)
        return f"{_WORDS[type(own.action)]} {subject}"

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
    state, around, ghost = PARTING.whole(parts)
    history = changed_tables(state.history, ("finished",), lambda one: one == checkpoint)
    state = state if history is state.history else change(state, history=history)
    if directory_of(checkpoint) not in state.disk:
        directory = directory_of(checkpoint)
        ghost = changed_tables(ghost, ("written",), lambda one: one == directory)
    ghost = changed_tables(ghost, ("succeeded",), lambda one: one[0] == checkpoint)
    return PARTING.parts(state, around, ghost)


def without_rollout(parts: Parts, rollout: str) -> Parts:
    """The state without what its tables of finished things hold of a rollout."""
    state, around, ghost = PARTING.whole(parts)
    history = changed_tables(state.history, ("refused", "ended"), of_rollout(rollout))
    history = changed_tables(history, ("watermark",), lambda one: one == rollout)
    state = state if history is state.history else change(state, history=history)
    ghost = changed_tables(ghost, ("served",), of_rollout(rollout))
    return PARTING.parts(state, around, ghost)


def _reply(reply: Reply, names: Names) -> Reply:
    made: Reply = in_order("body")(reply, names)
    return made


_HOOKS: dict[type, Hook] = {
    Directory: in_order("records"),
    Storing: in_order("records"),
    View: in_order("sessions"),
    Reply: _reply,
}

_WORDS: dict[type, str] = {
    a.TakeLock: "lock of",
    a.Publish: "effect of",
    a.Export: "snapshot of",
    a.Miss: "unprepared end of the",
    a.Drop: "goes",
    a.MissRetire: "deadline of",
    shared.Conclude: "end of the",
    shared.Store: "step of the",
    shared.Leave: "answer leaves",
}
