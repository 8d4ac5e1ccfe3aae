"""Brings a world to rest: everything goes on, ends, is acknowledged or runs on, then one prepare.

The order is that of a controller that gives everything up; what it relies on is what the progress
properties promise. Like everything else it asks only for what the participant has: what nobody can
wind down without a further operation stays as it is, and `lacking` names that operation.
"""

from collections.abc import Iterator

from fencepost.generating.keyed import receipt_body, receipt_of
from fencepost.generating.runs import body_of
from fencepost.generating.scene import Scene, control, keyed
from fencepost.generating.working import MOVING, end_of
from fencepost.handlers import CANCELLED, Worker
from fencepost.trace.lines import Fault, Line
from fencepost_spec.vocabulary import Key

ROUNDS_MAX = 40


def next_steps(scene: Scene) -> list[Line]:
    """What to do in this round; nothing when everything has ended and admission is open."""
    for stage in _stages(scene):
        found = list(stage)
        if found:
            return found
    return []


def _stages(scene: Scene) -> Iterator[Iterator[Line]]:
    yield _storage(scene)
    yield _resume(scene)
    yield _ends(scene)
    yield _acknowledgements(scene)
    yield _pending(scene)


def _storage(scene: Scene) -> Iterator[Line]:
    """What is held was held by the harness, so it can let it go."""
    for op in sorted(scene.state.holds):
        yield Fault(0, "release", None, {"step": "storage", "of": op})


def _resume(scene: Scene) -> Iterator[Line]:
    active = scene.state.fence.active
    if active is not None and scene.can("resume"):
        yield scene.call("resume", control(active))


def _ends(scene: Scene) -> Iterator[Line]:
    """Every handler that can ends; what is held has been let go by resume."""
    for worker in scene.workers:
        if worker.alive:
            yield _end(scene, worker)


def _end(scene: Scene, worker: Worker) -> Line:
    if worker.cancelled:
        return end_of(worker, CANCELLED)
    if worker.held is not None:
        return end_of(worker, "failed")
    key = None if worker.rollout_id is None else Key(worker.rollout_id, worker.attempt or 0)
    execution = None if key is None else scene.state.executions.get(key)
    if _can_release(scene) and execution is not None and execution.status in MOVING:
        return end_of(worker, "completed", {"id": f"last-{worker.rollout_id}"})
    return end_of(worker, "failed")


def _can_release(scene: Scene) -> bool:
    return scene.can("acknowledge") or scene.can("acknowledge-completed")


def _acknowledgements(scene: Scene) -> Iterator[Line]:
    """Every result that is retained is released: one by one, or all at once."""
    bodies = [
        receipt_body(key, receipt)
        for key in scene.completed
        if (receipt := receipt_of(scene, key)) is not None
    ]
    if scene.can("acknowledge"):
        for body in bodies:
            yield scene.call("acknowledge", body)
    elif bodies and _can_release(scene):
        yield scene.call("acknowledge-completed", {"executions": bodies})


def _pending(scene: Scene) -> Iterator[Line]:
    """Restored records: the first one runs, the others are given up, or wait for their turn."""
    state = scene.state
    if not state.accepting:
        return
    for number, key in enumerate(sorted(state.pending)):
        if number == 0:
            yield scene.call("run", body_of(key))
        elif scene.can("retire"):
            name = f"{scene.names.fresh_checkpoint}-{number}"
            yield scene.call("retire", control(name, **keyed(key)))


def lacking(scene: Scene) -> str | None:
    """The operation without which what is left cannot come to its end; None when it is not that."""
    state = scene.state
    if state.fence.active is not None and not scene.can("resume"):
        return "resume"
    if scene.completed and not _can_release(scene):
        return "acknowledge"
    return next((op for op in ("prepare", "resume") if not scene.can(op)), None)


def at_rest(scene: Scene) -> bool:
    """Whether nothing is left that could keep a prepare from succeeding."""
    state = scene.state
    return not (state.executions or state.pending or state.untracked or state.fence.active)


def last_prepare(scene: Scene) -> Line:
    """The prepare that must succeed."""
    return scene.call("prepare", control(scene.names.fresh_checkpoint))


def last_resume(scene: Scene) -> Line:
    """The resume after it."""
    return scene.call("resume", control(scene.state.fence.active or "never"))
