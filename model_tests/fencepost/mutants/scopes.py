"""The small worlds in which mutants are looked for: each a name, an alphabet, and bounds.

A scope is kept small so that all of it can be walked. What one leaves out, another has.
"""

import json
from typing import Any

import attrs

from fencepost.mutants.moves import (
    CallMove,
    Move,
    TickMove,
)
from fencepost.mutants.told import RESULTS
from fencepost.mutants.work_moves import BoundaryMove, EventMove, FinishMove
from fencepost_reference.receipts.state import Boundary, Directory
from fencepost_spec.vocabulary import Key

SECONDS = 5.0
ACTIONS_MAX = 10
ACTIONS_MAX_TWO_LIVES = 12

R1, R2 = Key("r1", 0), Key("r2", 0)
NULL, RICH, PLAIN = RESULTS


@attrs.frozen(eq=False)
class Scope:
    """A small world. `lazy` names the steps that a participant may put off."""

    name: str
    says: str
    moves: tuple[Move, ...]
    lazy: frozenset[str] = frozenset()
    actions_max: int = ACTIONS_MAX

    @property
    def tags(self) -> frozenset[str]:
        """What the alphabet exercises."""
        return frozenset(tag for move in self.moves for tag in move.tags)


def tags(*names: str) -> frozenset[str]:
    """A set of tags."""
    return frozenset(names)


def run(key: Key | None, name: str | None = None, limit: int = 1, *more: str) -> CallMove:
    """A client's run of a key, or one without identity."""
    body = {"_ng_rollout_id": key.rollout_id, "_ng_attempt_index": key.attempt} if key else {}
    shown = "without identity" if key is None else f"{key.rollout_id}.{key.attempt}"
    return CallMove(
        name or f"run {shown}",
        "run",
        json.dumps(body),
        tags("run", *more, *(() if key else ("untracked",))),
        key=key,
        limit=limit,
    )


def control(op: str, checkpoint: str, limit: int = 1, **more: Any) -> CallMove:
    """A control call of a checkpoint."""
    body: dict[str, Any] = {"checkpoint_id": checkpoint} | more
    if op != "status":
        body["deadline_in"] = SECONDS
    shown = [op, checkpoint, *(str(value) for value in more.values() if value is not True)]
    if more.get("allow_model_wait_boundary"):
        shown.append("allowing model waits")
    return CallMove(
        " ".join(shown), op, json.dumps(body), tags(op), checkpoint=checkpoint, limit=limit
    )


def keyed(op: str, checkpoint: str, key: Key, limit: int = 1) -> CallMove:
    """A control call about one key."""
    body = {
        "checkpoint_id": checkpoint,
        "rollout_id": key.rollout_id,
        "attempt_index": key.attempt,
        "deadline_in": SECONDS,
    }
    name = f"{op} {checkpoint} {key.rollout_id}.{key.attempt}"
    return CallMove(
        name, op, json.dumps(body), tags(op), key=key, checkpoint=checkpoint, limit=limit
    )


_VALID: dict[str, dict[str, Any]] = {
    "status": {"checkpoint_id": "c1"},
    "capabilities": {},
    "completion-receipt": {"rollout_id": "r1", "attempt_index": 0},
    "acknowledge": {
        "rollout_id": "r1",
        "attempt_index": 0,
        "execution_generation": 1,
        "result_identity": "x",
        "result_digest": "0" * 64,
    },
}


def call(
    op: str, key: Key | None = None, auth: str | None = None, malformed: bool = False
) -> CallMove:
    """A call without a checkpoint, or one that is not right."""
    body = {"checkpoint_id": "c1", "deadline_in": SECONDS}
    if op in ("commit", "restore"):
        body["checkpoint_dir"] = "d1"
    if op in ("retire", "discard-restored-continuation"):
        body |= {"rollout_id": "r1", "attempt_index": 0}
    body = _VALID.get(op, body)
    if op == "acknowledge-completed":
        body = {"executions": [_VALID["acknowledge"]]}
    if key is not None:
        body = {"rollout_id": key.rollout_id, "attempt_index": key.attempt}
    if malformed:
        # A query may carry more than it is asked for, so it has to lack something.
        body = {"_ng_rollout_id": 7} if op == "run" else {"extra": 7}
    shown = [op]
    if key is not None:
        shown.append(f"{key.rollout_id}.{key.attempt}")
    shown += ["without the right token"] * bool(auth) + ["in another shape"] * malformed
    tag = {"front", op} if auth or malformed else {op}
    return CallMove(" ".join(shown), op, json.dumps(body), frozenset(tag), auth, key)


def event(key: Key, name: str) -> EventMove:
    """An event of the work of a key."""
    kind = name.rpartition("_")[0]
    tag = tags("wait", kind) if kind else tags(name)
    return EventMove(f"{name} {key.rollout_id}.{key.attempt}", key, name, tag)


def finish(key: Key | None, outcome: str, result: str = "", what: str = "") -> FinishMove:
    """The end of a handler."""
    shown = "without identity" if key is None else f"{key.rollout_id}.{key.attempt}"
    return FinishMove(f"finish {shown} {what or outcome}", key, outcome, result)


def boundary(key: Key, kind: str = "next", **more: Any) -> BoundaryMove:
    """A boundary of a key."""
    shown = "" if kind == "next" else f" {kind}"
    return BoundaryMove(f"boundary {key.rollout_id}.{key.attempt}{shown}", key, kind, **more)


def committed(source: str, *records: tuple[Key, int]) -> Directory:
    """A directory as a commit of this participant leaves it."""
    listed = tuple(
        (key, Boundary(index, "", key.attempt, f"m{index}", key.capture_key))
        for key, index in records
    )
    return Directory("committed", source, None, listed)


TICK = TickMove("tick 5 s", 5_000_000)
WAITS = ("external_wait", "model_wait")
