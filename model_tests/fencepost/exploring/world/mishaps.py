"""What may go wrong in a world: messages, processes, storage, snapshots that cannot be read."""

from collections.abc import Iterator
from functools import cache
from typing import Any

from fencepost.exploring.small_world import Deed
from fencepost.exploring.world.scope import Left, WorldScope
from fencepost_reference.receipts.changes import change
from fencepost_reference.receipts.controller.said import MODEL
from fencepost_reference.worlds import actions as a
from fencepost_reference.worlds.state import COMING, GOING, LOST, THERE, State

Doing = tuple[Deed, Any, Left]
"""A deed, its action (None: cut off), and what may still happen when it is done."""

deed = cache(Deed)


def spent(left: Left, what: str, done: Deed, action: Any) -> Doing:
    """A deed that may happen a few times only; after that it is cut off."""
    often: int = getattr(left, what)
    if not often:
        return deed(done.name, marks=(what.replace("_", " "),)), None, left
    return done, action, change(left, **{what: often - 1})


def mishaps(scope: WorldScope, state: State, left: Left) -> Iterator[Doing]:
    """Every mishap that the scope knows, those that are used up too."""
    for call in sorted(state.net):
        yield from of_message(scope, state, left, call)
    yield from _crashes(scope, state, left)
    if scope.left.disk_faults and state.writing is not None and state.writing.done is None:
        step = state.writing.storing.step
        yield spent(left, "disk_faults", deed(f"disk fails at {step}"), a.Write(False))
    if scope.left.damaged:
        for one in state.disk:
            number = one.snapshot.number
            if not one.damaged:
                hit = deed(f"snapshot {number} is damaged")
                yield spent(left, "damaged", hit, a.Damage(number))
    for number, place in enumerate(scope.setting.places):
        storing = state.participants[number].fence.storing
        failing = state.participants[number].failing
        for step in scope.failing if storing is not None and not failing else ():
            broken = deed(f"{place.instance} will fail at {step}")
            yield spent(left, "faults", broken, a.BreakStorage(place, step))


def of_message(scope: WorldScope, state: State, left: Left, call: str) -> Iterator[Doing]:
    """What may happen to one message beside arriving."""
    message = state.net[call]
    if message.op not in scope.lossy or not message.awaited:
        return
    if message.stage == GOING:
        yield spent(left, "lost", deed(f"request lost: {call}"), a.LoseRequest(call))
    elif message.stage in (THERE, COMING):
        marks = (f"lost answer of {message.op}",)
        gone = deed(f"answer lost: {call}", marks=marks)
        yield spent(left, "lost", gone, a.LoseAnswer(call))
    if scope.left.late and message.stage == GOING:
        yield spent(left, "late", deed(f"late: {call}"), a.Delay(call))
    if scope.left.repeats and message.stage != LOST:
        yield spent(left, "repeats", deed(f"repeated: {call}"), a.Repeat(call))


def _crashes(scope: WorldScope, state: State, left: Left) -> Iterator[Doing]:
    places = scope.setting.places
    if scope.left.agent_crashes:
        for place in places:
            if scope.crashing and place.instance not in scope.crashing:
                continue
            gone = deed(f"crash of {place.instance}", marks=("crash of a participant",))
            yield spent(left, "agent_crashes", gone, a.Crash(False, (place,)))
    if state.controller is None:
        return
    if scope.left.controller_crashes:
        gone = deed("crash of the controller", marks=("crash of the controller",))
        yield spent(left, "controller_crashes", gone, a.Crash(True))
    if scope.left.whole_crashes and (state.disk or not scope.after_snapshot):
        gone = deed("crash of all", marks=("crash of all",))
        yield spent(left, "whole_crashes", gone, a.Crash(True, places))


def time_passes(scope: WorldScope, state: State) -> Iterator[tuple[Deed, Any]]:
    """Whoever waits with a deadline has waited long enough."""
    for number, place in enumerate(scope.setting.places):
        if place.kind != MODEL and _waits(state.participants[number]):
            name = f"time passes at {place.instance}"
            yield deed(name, fair=name), a.TimePasses(place)


def _waits(participant: Any) -> bool:
    fence = participant.fence
    return bool(fence.waiting and fence.deadline)
