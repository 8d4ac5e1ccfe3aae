"""Proposals of what the work does: boundaries, parks, waits, refusals from further down, ends."""

from collections.abc import Iterator
from typing import Any

from fencepost.generating.scene import Proposal, Scene
from fencepost.handlers import CANCELLED, Worker
from fencepost.trace.lines import JsonObject, Work
from fencepost_reference.receipts.state import COUNTED, FROZEN, Execution
from fencepost_spec.vocabulary import Key, digest_of

MOVING = frozenset({"running", "park_requested"})
ABANDONED = ("R-EXE-29", "R-EXE-33", "R-EXE-36", "R-EXE-39", "R-REF-5")
"""Rules about work whose handler has ended while it stood at a boundary."""


def propose_work(scene: Scene) -> Iterator[Proposal]:
    """Everything that the handlers may do which run and are not held."""
    for worker in scene.workers:
        if not worker.alive:
            continue
        if worker.rollout_id is None or worker.attempt is None:
            yield from _unidentified(scene, worker)
            continue
        execution = scene.state.executions.get(Key(worker.rollout_id, worker.attempt))
        if execution is not None and execution.call not in scene.state.calls:
            # The server cancels the handler of a client that has gone.
            yield _end(scene, worker, 0.3 * scene.rather(*ABANDONED), CANCELLED)
        if worker.cancelled:
            yield from _stopping(scene, worker, execution)
        elif worker.held is not None:
            yield _end(scene, worker, 0.06, "failed")
        elif execution is not None and execution.status in MOVING:
            yield from _moving(scene, worker, execution)
        elif execution is not None and execution.status in COUNTED:
            yield from _counted(scene, worker, execution)
        else:
            if scene.can("boundary"):
                yield _event(worker, 0.3, "boundary", boundary_index=99)
            yield _end(scene, worker, 1.5, "failed")
            yield _end(scene, worker, 0.5, "completed")


def _event(worker: Worker, weight: float, event: str, /, **detail: Any) -> Proposal:
    return Proposal(weight, Work(0, event, worker.rollout_id, worker.attempt, detail, "ok"))


def end_of(worker: Worker, outcome: str, result: Any = None) -> Work:
    """The end of a handler."""
    detail: JsonObject = {"outcome": outcome}
    if outcome == "completed":
        detail["result"] = result
    named = worker.rollout_id is None
    return Work(0, "finish", worker.rollout_id, worker.attempt, detail, "ok", anonymous=named)


def _end(scene: Scene, worker: Worker, weight: float, outcome: str) -> Proposal:
    """How a handler ends. Nothing happens beside it: who hears of it first is not seen."""
    result: Any = {"id": f"result-{worker.rollout_id}-{worker.attempt}", "reward": 1.0}
    drawn = scene.random.random()
    if drawn < 0.1:
        result = None
    elif drawn < 0.2:
        result = {"response": {"id": f"response-{worker.rollout_id}"}}
    elif drawn < 0.25:
        result = {"id": "", "text": "without a name"}
    return Proposal(weight, end_of(worker, outcome, result), alone=True)


def _unidentified(scene: Scene, worker: Worker) -> Iterator[Proposal]:
    yield _end(scene, worker, 1.5 if worker.cancelled else 0.4, "failed")
    yield _end(scene, worker, 0.4, "completed")
    if worker.cancelled:
        yield _end(scene, worker, 3.0, CANCELLED)
    elif worker.idle and scene.can("boundary"):
        yield _event(worker, 0.2, "boundary", boundary_index=0)


def _stopping(scene: Scene, worker: Worker, execution: Execution | None) -> Iterator[Proposal]:
    """A cancelled handler ends; late, and maybe with a result all the same."""
    yield _end(scene, worker, 2.0, CANCELLED)
    yield _end(scene, worker, 0.3, "failed")
    if execution is None or execution.status not in COUNTED:
        yield _end(scene, worker, 0.5, "completed")


def _moving(scene: Scene, worker: Worker, execution: Execution) -> Iterator[Proposal]:
    asked = execution.status == "park_requested"
    if execution.wait is not None:
        yield from _inside_wait(scene, worker, execution)
    else:
        yield from _boundaries(scene, worker, execution, 4.0 if asked else 1.5)
        for wait in ("model", "external"):
            if scene.can(f"{wait}_wait"):
                wanted = scene.rather("R-EXE-15", "R-EXE-22", "R-EXE-29")
                yield _event(worker, 0.4 * wanted**0.5, f"{wait}_wait_begin")
        if scene.can("park"):
            fresh = execution.boundary is None and execution.continuation is not None
            wanted = scene.rather("R-EXP-2") if fresh else 1.0
            yield _event(worker, (0.8 if asked else 0.2) * wanted, "park")
    yield _end(scene, worker, 0.4, "completed")
    yield _end(scene, worker, 0.12, "failed")


def _inside_wait(scene: Scene, worker: Worker, execution: Execution) -> Iterator[Proposal]:
    wanted = scene.rather("R-EXE-15", "R-EXE-22") if execution.refusal else 1.0
    yield _event(worker, 1.5 * wanted, f"{execution.wait}_wait_end")
    if scene.can("refusal") and not execution.refusal:
        wanted = scene.rather("R-EXE-15", "R-EXE-22") if execution.status in FROZEN else 1.0
        yield _event(worker, 0.4 * wanted, "refusal", code="checkpoint_parked")


def _counted(scene: Scene, worker: Worker, execution: Execution) -> Iterator[Proposal]:
    """Frozen work whose handler still acts: its reply comes, or it is refused."""
    if execution.status in FROZEN and execution.wait is not None:
        yield from _inside_wait(scene, worker, execution)
    if scene.can("park") and execution.wait is None:
        yield _event(worker, 3.0 * scene.rather("R-EXE-15"), "park")
    if scene.can("boundary"):
        yield next(_boundaries(scene, worker, execution, 0.15))
    yield _end(scene, worker, 0.15, "failed")


def _boundaries(
    scene: Scene, worker: Worker, execution: Execution, weight: float
) -> Iterator[Proposal]:
    """The next boundary, and some that are refused or change nothing."""
    if not scene.can("boundary"):
        return
    before = execution.boundary or execution.continuation
    index = 0 if before is None else before.index + scene.random.choice((1, 1, 1, 3))
    fresh = boundary_detail(worker.rollout_id, worker.attempt, index)
    yield _event(worker, weight, "boundary", **fresh)
    if execution.boundary is not None:
        same = repeated(worker, execution)
        if same is not None:
            yield _event(
                worker, 0.5 if execution.status == "park_requested" else 0.2, "boundary", **same
            )
    if before is not None:
        lower = boundary_detail(
            worker.rollout_id, worker.attempt, max(0, before.index - scene.random.choice((0, 1)))
        ) | {"output_items": [{"type": "another"}]}
        yield _event(worker, 0.2, "boundary", **lower)
    other = {"rollout_id": "r9", "attempt_index": worker.attempt}
    yield _event(worker, 0.15, "boundary", **fresh, record=other)


def boundary_detail(rollout_id: str | None, attempt: int | None, index: int) -> JsonObject:
    """The record of a boundary: every third has no model call, every fourth uses resources."""
    detail: JsonObject = {
        "boundary_index": index,
        "boundary_kind": "turn_complete",
        "turn_index": index // 2,
        "model_call_id": None if index % 3 == 2 else f"call-{rollout_id}-{attempt}-{index}",
        "resource_state_revisions": {"tools": index} if index % 4 == 1 else {},
        "output_items": [{"type": "message", "index": index}],
    }
    return detail


def repeated(worker: Worker, execution: Execution) -> JsonObject | None:
    """The record that was committed last, when it can be made again."""
    boundary = execution.boundary
    if boundary is None:
        return None
    detail = boundary_detail(worker.rollout_id, worker.attempt, boundary.index)
    return detail if digest_of(detail) == boundary.digest else None
