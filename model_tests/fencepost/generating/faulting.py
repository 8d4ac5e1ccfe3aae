"""Proposals of what goes wrong around a participant: callers, processes, storage, time."""

from collections.abc import Iterator

from fencepost.files import SIMPLE
from fencepost.generating.scene import Proposal, Scene
from fencepost.generating.working import ABANDONED
from fencepost.trace.lines import Fault, Lost, Tick
from fencepost_reference.receipts.state import FROZEN

SECOND = 1_000_000
RESTORED = ("R-EXE-4", "R-EXE-41", "R-EXP-2", "R-EXP-3", "R-REF-6", "R-OPS-12", "R-RUN-22")
"""Rules that only a process which restores something can come to."""


def propose_faults(scene: Scene) -> Iterator[Proposal]:
    """Everything that the world may do beside calls and work."""
    if scene.can("gone"):
        for call in scene.open_calls:
            weight = 0.12 * scene.rather(*ABANDONED) if call.op == "run" else 0.3
            yield Proposal(weight, Lost(0, call.id, "cancelled"))
    if scene.can("replace"):
        written = scene.state.fence.phase == "committed_paused"
        weight = scene.rather(*RESTORED) if written else 0.1
        yield Proposal(weight, Fault(0, "replace", "kept", {}), alone=True)
        yield Proposal(0.02, Fault(0, "replace", "empty", {}), alone=True)
    if scene.can("hold"):
        yield from _holds(scene)
    if scene.can("fail"):
        yield from _failures(scene)
    at_rest = scene.state.fence.active is None and not scene.state.failing
    if scene.can("fail_prepare") and at_rest:
        weight = 0.05 * scene.rather("R-OPS-32")
        yield Proposal(weight, Fault(0, "fail", None, {"step": "admission"}), alone=True)
    if scene.can("damage"):
        for directory in scene.some(scene.committed):
            change = scene.random.choice(SIMPLE)
            detail = {"path": directory, "change": change}
            weight = 0.1 * scene.rather("R-STO-11")
            yield Proposal(weight, Fault(0, "damage", None, detail), alone=True)
    if scene.can("time"):
        yield from _ticks(scene)


def _holds(scene: Scene) -> Iterator[Proposal]:
    for op in ("commit", "restore"):
        detail = {"step": "storage", "of": op}
        if op in scene.state.holds:
            yield Proposal(0.8, Fault(0, "release", None, detail), alone=True)
        elif scene.can(op):
            yield Proposal(0.1, Fault(0, "hold", None, detail), alone=True)


def _failures(scene: Scene) -> Iterator[Proposal]:
    state = scene.state
    if state.failing:
        return
    if state.fence.phase == "prepared":
        for step, rule_id in (
            ("records", "R-STO-1"),
            ("manifest", "R-STO-1"),
            ("after_manifest", "R-STO-4"),
        ):
            weight = 0.12 * scene.rather(rule_id)
            yield Proposal(weight, Fault(0, "fail", None, {"step": step}), alone=True)
    elif state.fence.active is None and scene.committed:
        yield Proposal(0.1, Fault(0, "fail", None, {"step": "read"}), alone=True)


def _ticks(scene: Scene) -> Iterator[Proposal]:
    """Time passes up to a deadline, or to somewhere before it."""
    state = scene.state
    left = [
        waiting.deadline
        for waiting in state.calls.values()
        if waiting.op == "retire" and waiting.reply is None and waiting.deadline
    ]
    if state.fence.waiting and state.fence.deadline:
        left.append(state.fence.deadline)
    ended = any(not e.handler and e.status in FROZEN for e in state.executions.values())
    soon = round(scene.soon * SECOND)
    if soon < SECOND:
        # Time is real and has to be waited for.
        left = [deadline for deadline in left if deadline <= soon]
    for deadline in sorted(left)[:1]:
        yield Proposal(
            0.5 * (scene.rather("R-EXE-29") if ended else 1.0), Tick(0, deadline), alone=True
        )
        yield Proposal(0.15, Tick(0, max(deadline // 4, 1)), alone=True)
    yield Proposal(0.04, Tick(0, soon), alone=True)
