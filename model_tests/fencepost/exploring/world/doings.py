"""What may come from outside in a scope: work for the controller, and the rollouts' own steps."""

from collections.abc import Iterator
from typing import Any

from fencepost.exploring.world.mishaps import Doing, deed, mishaps, spent, time_passes
from fencepost.exploring.world.numbering import is_idle
from fencepost.exploring.world.scope import Left, WorldScope
from fencepost_reference.receipts.changes import change
from fencepost_reference.receipts.controller import actions as controller
from fencepost_reference.receipts.controller.said import AGENT, MODEL, RESOURCES, Place
from fencepost_reference.worlds import actions as a
from fencepost_reference.worlds.state import Handler, State
from fencepost_reference.worlds.viewing import reserved
from fencepost_spec.vocabulary import Key


def doings(scope: WorldScope, state: State, left: Left, *, owed: bool = False) -> Iterator[Doing]:
    """Everything that may come from outside now, in a stable order.

    `owed` says that controller, participants, network or disk owe a step.
    """
    yield from _given(scope, state, left)
    for number in scope.setting.of_kind(AGENT):
        place = scope.setting.places[number]
        for key in sorted(state.handlers[number]):
            handler = state.handlers[number][key]
            execution = state.participants[number].executions.get(key)
            status = "gone" if execution is None else execution.status
            if not handler.held:
                yield from _works(scope, state, left, place, key, handler, status)
    if not scope.patient or not (owed or _somebody_parks(scope, state)):
        comes = deed("the deadline comes", fair="the deadline comes")
        yield comes, a.Give(controller.DeadlinePassed()), left
        for done, action in time_passes(scope, state):
            yield done, action, left
    yield from mishaps(scope, state, left)


def _is_open(scope: WorldScope, state: State, kind: str) -> bool:
    """Whether who is asked now is not refused for a checkpoint."""
    (number,) = scope.setting.of_kind(kind)
    participant = state.participants[number]
    if kind == MODEL:
        return bool(participant.admission == "accepting")
    return bool(participant.accepting)


def _somebody_parks(scope: WorldScope, state: State) -> bool:
    """Whether a rollout is asked to park, and can do so."""
    for number in scope.setting.of_kind(AGENT):
        executions = state.participants[number].executions
        for key, handler in state.handlers[number].items():
            asked = key in executions and executions[key].status == "park_requested"
            if not handler.held and (asked or handler.cancelled):
                return True
    return False


def text_of(key: Key) -> str:
    """A key as one word."""
    return f"{key.rollout_id}.{key.attempt}"


def _given(scope: WorldScope, state: State, left: Left) -> Iterator[Doing]:
    """What the controller is handed, and told by trainer and clock."""
    if left.groups:
        group = scope.groups[len(scope.groups) - left.groups]
        after = change(left, groups=left.groups - 1)
        yield deed(f"submit {group.group_id}"), a.Give(group), after
    # A sampler admits a group when it likes, or never.
    for group_id in () if state.controller is None else reserved(state.controller):
        yield deed(f"{group_id} is admitted"), a.Give(controller.Admit(group_id)), left
    if scope.busy or is_idle(state.controller):
        due = deed("a snapshot is due", fair="a snapshot is due")
        if scope.snapshots:
            yield due, a.Give(controller.SnapshotDue()), left
        else:
            yield spent(left, "snapshots", due, a.Give(controller.SnapshotDue()))
    if scope.left.steps:
        stepped = deed("the trainer steps")
        yield spent(left, "steps", stepped, a.Give(controller.TrainerStepped()))
    if scope.left.stale:
        for group in scope.groups:
            stale = deed(f"{group.group_id} goes stale", marks=(f"stale {group.group_id}",))
            yield spent(left, "stale", stale, a.Give(controller.GoneStale(group.group_id)))
    for group_id, _ in state.training:
        name = f"finalizer commits {group_id}"
        yield deed(name, fair=name), a.Finalize(group_id, "committed"), left
        if scope.left.drops:
            dropped = deed(f"finalizer drops {group_id}", marks=(f"dropped {group_id}",))
            yield spent(left, "drops", dropped, a.Finalize(group_id, "dropped"))


def _works(
    scope: WorldScope,
    state: State,
    left: Left,
    place: Place,
    key: Key,
    handler: Handler,
    status: str,
) -> Iterator[Doing]:
    """The next step of one rollout."""

    def step(event: str, words: str, fair: str | None) -> tuple[Any, Any]:
        name = f"{text_of(key)} {words}"
        return deed(name, fair=None if fair is None else f"{fair} {text_of(key)}"), a.Work(
            place, key, event
        )

    if handler.cancelled or status == "gone":
        yield (*step("stop", "stops", "stops"), left)
        return
    setting = scope.setting
    if handler.asking:
        yield (*step("told", "hears the model", "goes on"), left)
    else:
        asks = handler.calls < setting.model_calls
        changes = handler.changes < setting.changes
        if asks:
            fair = "goes on" if _is_open(scope, state, MODEL) else None
            yield (*step("ask", "calls the model", fair), left)
        if changes:
            fair = "goes on" if _is_open(scope, state, RESOURCES) else None
            yield (*step("change", "changes its session", fair), left)
        parks = status == "park_requested"
        rises = handler.index + 1 < setting.boundaries or handler.moved
        if rises and (parks or scope.boundaries):
            yield (*step("boundary", "reaches a boundary", "parks" if parks else "goes on"), left)
        elif parks and not handler.moved and handler.index >= 0:
            yield (*step("again", "is at its boundary", "parks"), left)
        if scope.ends and not asks and not changes:
            yield (*step("finish", "finishes", "finishes"), left)
    if scope.left.fails:
        done, action = step("fail", "fails", None)
        yield spent(left, "fails", done, action)
