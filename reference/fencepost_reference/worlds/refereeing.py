"""The referee in a world: what it sees of each step, and whether it refuses any of it."""

from collections.abc import Iterator
from typing import Any

import attrs

from fencepost_reference.model import Step
from fencepost_reference.receipts.controller import actions as controller
from fencepost_reference.receipts.controller.said import Place
from fencepost_reference.receipts.controller.watch import seen as s
from fencepost_reference.receipts.controller.watch.core import Refused, Watcher
from fencepost_reference.receipts.controller.watch.state import Settings, Watch
from fencepost_reference.worlds import actions as a
from fencepost_reference.worlds.state import State
from fencepost_reference.worlds.storing import newest

_WATCHER = Watcher()
_VISIBLE = (
    controller.Sent,
    controller.Training,
    controller.Storing,
    controller.SnapshotEnded,
)


def watch_of(places: tuple[Place, ...], target_level: str = "turn") -> Watch:
    """What a referee knows before anything was seen. Everybody can be saved."""
    saved = tuple((place, "export_restore") for place in places)
    return _WATCHER.initial(Settings(saved, target_level))


def seen_in(before: State, action: Any, step: Step) -> Iterator[Any]:
    """What a referee sees of one step, in order."""
    match action:
        case a.Give():
            yield _given(action.action, step)
        case a.Return():
            answer = before.net[action.call].answer
            lost = controller.Lost(action.call)
            yield lost if answer is None else controller.Answered(action.call, answer)
        case a.Finalize():
            yield controller.Trained(action.group_id, action.outcome)
        case a.Tell():
            assert before.writing is not None
            assert before.writing.done is not None
            yield controller.Stored(before.writing.done)
        case a.Crash():
            if action.controller:
                yield s.Replaced(None)
            yield from (s.Replaced(place) for place in action.places)
        case a.Start():
            found = newest(before)
            yield controller.Start(None if found is None else found.snapshot)
            # The trainer starts where the snapshot stands, or from its beginning.
            yield s.Stepped(step.state.controller.step)
        case _:
            pass
    yield from (output for output in step.outputs if isinstance(output, _VISIBLE))


def _given(action: Any, step: Step) -> Any:
    if isinstance(action, controller.TrainerStepped):
        return s.Stepped(step.state.controller.step)
    return action


def watched(watch: Watch, before: State, action: Any, step: Step) -> tuple[Watch, Refused | None]:
    """What a referee knows after a step, and what it refuses of it; that it does not learn."""
    if isinstance(action, a.Clear):
        return attrs.evolve(watch, published=()), None  # Whoever did it says so.
    for seen in seen_in(before, action, step):
        judged = _WATCHER.step(watch, seen)
        if isinstance(judged, Refused):
            return watch, judged
        watch = judged.state
    return watch, None
