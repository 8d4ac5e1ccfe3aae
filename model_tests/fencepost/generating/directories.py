"""A case of its own: one good checkpoint, copied and spoilt in every way that we know of.

Each spoilt copy must be refused and change nothing; then the good one is restored. Nothing is drawn
here: the same case is played each time.
"""

from collections.abc import Iterator

from fencepost.damage import DAMAGES
from fencepost.driven import REST
from fencepost.generating.scene import LONG, control
from fencepost.trace.lines import Call, Fault, JsonObject, Line, Work


def script() -> Iterator[Line]:
    """Two rollouts with model calls are written down, the process is replaced, and so on."""
    rollouts = ("r1", "r2")
    for number, rollout_id in enumerate(rollouts, start=1):
        yield from _then(Call(0, "run", f"q{number}", {"_ng_rollout_id": rollout_id}))
        yield from _then(_boundary(rollout_id, 0))
    yield from _then(Call(0, "prepare", "q3", control("c1")))
    for rollout_id in rollouts:
        yield from _then(_boundary(rollout_id, 1))
    yield from _then(Call(0, "commit", "q4", control("c1", checkpoint_dir="good")))
    yield from _then(Fault(0, "replace", "kept", {}))
    for number, damage in enumerate(DAMAGES, start=1):
        name = f"bad-{number}"
        yield Fault(0, "copy", None, {"to": name, "from": "good"})
        yield Fault(0, "damage", None, {"path": name, "change": damage.name})
        request = control(f"x{number}", LONG, checkpoint_dir=name)
        yield from _then(Call(0, "restore", f"x{number}", request))
    yield from _then(Call(0, "restore", "q5", control("c2", checkpoint_dir="good")))
    yield from _then(Call(0, "resume", "q6", control("c2")))
    yield from _then(Call(0, "run", "q7", {"_ng_rollout_id": "r1", "_ng_attempt_index": 1}))
    yield from _then(Work(0, "finish", "r1", 1, {"outcome": "failed"}, "ok"))


def _then(line: Line) -> Iterator[Line]:
    yield line
    yield REST


def _boundary(rollout_id: str, index: int) -> Work:
    detail: JsonObject = {
        "boundary_index": index,
        "boundary_kind": "turn_complete",
        "turn_index": index,
        "model_call_id": f"m-{rollout_id}-{index}",
        "resource_state_revisions": {"tools": index},
        "output_items": [{"type": "message", "index": index}],
    }
    return Work(0, "boundary", rollout_id, 0, detail, "ok")
