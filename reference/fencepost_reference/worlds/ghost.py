"""What has to be remembered of a world to ask whether its promises were kept.

A value beside the state, folded over the steps; nobody in the world sees it.
"""

from typing import Any

import attrs
from immutables import Map

from fencepost_reference.model import Step
from fencepost_reference.receipts import actions as agent
from fencepost_reference.receipts.changes import change
from fencepost_reference.receipts.controller.actions import Storing, Submit
from fencepost_reference.receipts.controller.said import Place
from fencepost_reference.receipts.controller.watch.state import Watch
from fencepost_reference.worlds import actions as a
from fencepost_reference.worlds.asked import remembered_inside
from fencepost_reference.worlds.refereeing import watched
from fencepost_reference.worlds.state import State
from fencepost_spec.vocabulary import Key

_NO_GROUPS: Map[str, int] = Map()


@attrs.frozen(slots=False)
class Ghost:
    """What a watcher remembers.

    `siblings` is how many each group was handed over with, `finished` the attempts that have ever
    finished well, `begun` those that began while this controller lived, and `written` the steps
    that are done of the snapshot that is being written. `watch` is what a referee knows, if one
    watches; `inside` what is remembered of each participant, where its own promises are asked.
    """

    siblings: Map[str, int] = _NO_GROUPS
    finished: frozenset[Key] = frozenset()
    begun: frozenset[Key] = frozenset()
    written: tuple[str, ...] = ()
    watch: Watch | None = None
    inside: tuple[Any, ...] = ()


@attrs.frozen(eq=False)
class Moment:
    """One step: what was before it, what was done, what came of it, and what was remembered."""

    places: tuple[Place, ...]
    before: State
    action: Any
    step: Step
    ghost: Ghost

    @property
    def after(self) -> State:
        """The world that the step led to."""
        state: State = self.step.state
        return state


def keys_begun(step: Step) -> tuple[Key, ...]:
    """The attempts whose work starts in a step."""
    return tuple(
        output.key
        for output in step.outputs
        if isinstance(output, agent.Began) and isinstance(output.key, Key)
    )


def keys_finished(before: State, after: State) -> tuple[Key, ...]:
    """The attempts that have just finished well."""
    found: list[Key] = []
    for was, now in zip(before.participants, after.participants, strict=True):
        if was is now or not hasattr(now, "executions"):
            continue
        for key, one in now.executions.items():
            if one.status != "completed_unacknowledged":
                continue
            known = was.executions.get(key)
            if known is None or known.status != one.status:
                found.append(key)
    return tuple(found)


def remembered(
    places: tuple[Place, ...], ghost: Ghost, before: State, action: Any, step: Step
) -> Ghost:
    """What is remembered after a step."""
    changes: dict[str, Any] = {}
    if isinstance(action, a.Give) and isinstance(action.action, Submit):
        group = action.action
        changes["siblings"] = ghost.siblings.set(group.group_id, group.siblings)
    fresh = keys_finished(before, step.state)
    if fresh:
        changes["finished"] = ghost.finished | set(fresh)
    if isinstance(action, a.Start):
        changes |= {"begun": frozenset[Key](), "written": ()}
    begun = keys_begun(step)
    if begun:
        changes["begun"] = changes.get("begun", ghost.begun) | set(begun)
    for output in step.outputs:
        if isinstance(output, Storing) and output.step == "sidecars":
            changes["written"] = ()
    if isinstance(action, a.Write) and action.ok and before.writing is not None:
        done = before.writing.storing.step
        changes["written"] = () if done == "rename" else (*ghost.written, done)
    if ghost.inside:
        changes["inside"] = remembered_inside(places, ghost.inside, before, action, step)
    if ghost.watch is not None:
        changes["watch"] = watched(ghost.watch, before, action, step)[0]
    return change(ghost, **changes) if changes else ghost
