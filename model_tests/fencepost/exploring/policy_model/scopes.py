"""The named worlds around a policy model, from those of seconds to those for a night.

Each tiny one is about one thing and can be walked with and without every reduction.
"""

from fencepost.exploring.policy_model.scope import ModelScope

_STORAGE = ("records", "manifest", "after_manifest", "read", "copy")

MODEL_SCOPES: tuple[ModelScope, ...] = (
    ModelScope(
        "model-tiny",
        "two calls that may be exchanged, a drain, and one checkpoint that may be written",
        rollouts=2,
        ops=("pause", "status", "commit", "resume"),
        shows=("R-PMS-1",),
    ),
    ModelScope(
        "model-tiny-aborts",
        "one rollout of two attempts whose calls may be aborted, one checkpoint",
        attempts=2,
        ops=("pause", "resume", "abort_inflight"),
        shows=("R-PMS-3",),
    ),
    ModelScope(
        "model-tiny-ids",
        "no call: two checkpoint ids that may be exchanged, storage that fails once",
        checkpoints=2,
        faults=1,
        ops=("pause", "commit", "restore", "resume"),
        calls=False,
        failing=_STORAGE,
        damages=True,
        shows=("R-PMS-4", "R-PMS-5"),
    ),
    ModelScope(
        "model-tiny-ledger",
        "one lineage, an index of what rests on it, a commit that names it",
        rows=2,
        indexes=True,
        wrongly=True,
        ops=("pause", "commit", "resume"),
    ),
    ModelScope(
        "model-tiny-crash",
        "one lineage that is written, lost with its ledger, and restored to the next attempt",
        attempts=2,
        rows=1,
        keeps=1,
        indexes=True,
        crashes=1,
        ops=("pause", "commit", "restore", "resume"),
        restarts=(("crash", False),),
        shows=("R-PMS-2", "R-PMS-6"),
    ),
    ModelScope(
        "model-tiny-copies",
        "one lineage that is written, lost with its ledger, and restored with one failure",
        rows=1,
        indexes=True,
        crashes=1,
        faults=1,
        ops=("pause", "commit", "restore", "resume"),
        failing=("copy", "read"),
        restarts=(("crash", False),),
        damages=True,
        pool=False,
    ),
    ModelScope(
        "model-tiny-callers",
        "one call, a status that waits, and a caller that goes away",
        lost=1,
        ops=("pause", "status", "resume"),
        at_once=False,
    ),
    ModelScope(
        "model-tiny-auxiliary",
        "one call of a model that is there for something else, and never closes",
        ops=("pause", "status", "commit", "restore", "resume", "abort_inflight"),
        role="auxiliary",
    ),
    ModelScope(
        "model-small",
        "two rollouts whose calls may be aborted, a status that waits, one checkpoint",
        rollouts=2,
        ops=("pause", "status", "commit", "resume", "abort_inflight"),
        shows=("R-PMS-1", "R-PMS-3"),
    ),
    ModelScope(
        "model-medium",
        "two rollouts of two attempts, two checkpoints, a crash, a lost reply, failing storage",
        rollouts=2,
        attempts=2,
        checkpoints=2,
        crashes=1,
        lost=1,
        faults=1,
        rows=1,
        indexes=True,
        ops=("pause", "status", "commit", "restore", "resume", "abort_inflight"),
        failing=_STORAGE,
        restarts=(("crash", True), ("crash that loses the ledger", False)),
        damages=True,
    ),
)
