"""Every operation of a policy model in every phase. May import: `phase_table`, shared cells."""

from fencepost_spec.phase_table import (
    REPLAYS,
    SHARES,
    TAKES_EFFECT,
    Cell,
    PhaseTable,
    Situation,
    goes,
)
from fencepost_spec.receipts import phase_cells as c
from fencepost_spec.receipts.phase_cells import CONFLICT, INVALID, STALE
from fencepost_spec.receipts.policy_model.refusals import NOT_A_POLICY

IN_FLIGHT = Situation("idle, calls in flight", "idle", "calls that were let in have not ended")
DRAINING = Situation(
    "preparing, calls in flight", "preparing", "calls that were let in have not ended"
)
DRAINED = Situation(
    "preparing, drained", "preparing", "the last call has ended, and no status has told so"
)
FAILED = Situation("restore_failed_paused", "restore_failed_paused")
AUXILIARY = Situation("auxiliary", "idle", "the instance is a judge or a simulator")

_ACTS = TAKES_EFFECT
_CLOSES = goes("prepared")
_DRAINS = goes("preparing")
_TELLS = goes("prepared")
_COMMITS = goes("committing", "committed_paused", failed="prepared")
_RESTORES = goes("restoring", "restored_paused", failed="restore_failed_paused")
_CANNOT = goes("restoring", "restore_failed_paused")
_OPENS = goes("idle")
_NO_POLICY = Cell(NOT_A_POLICY)

# fmt: off
MODEL_PHASES = PhaseTable(
    ("pause", "status", "resume", "abort_inflight", "commit", "restore", "capabilities"),
    (
        (c.IDLE,       (_CLOSES, INVALID, _ACTS, INVALID, INVALID, _RESTORES, _ACTS)),
        (IN_FLIGHT,    (_DRAINS, INVALID, _ACTS, INVALID, INVALID, _CANNOT, _ACTS)),
        (DRAINING,     (REPLAYS, _ACTS, _OPENS, _ACTS, INVALID, INVALID, _ACTS)),
        (DRAINED,      (REPLAYS, _TELLS, _OPENS, _ACTS, INVALID, INVALID, _ACTS)),
        (c.PREPARED,   (REPLAYS, _ACTS, _OPENS, _ACTS, _COMMITS, INVALID, _ACTS)),
        (c.COMMITTING, (REPLAYS, _ACTS, INVALID, INVALID, SHARES, INVALID, _ACTS)),
        (c.COMMITTED,  (REPLAYS, _ACTS, _OPENS, INVALID, REPLAYS, INVALID, _ACTS)),
        (c.RESTORING,  (INVALID, _ACTS, INVALID, INVALID, INVALID, SHARES, _ACTS)),
        (c.RESTORED,   (INVALID, _ACTS, _OPENS, INVALID, INVALID, REPLAYS, _ACTS)),
        (FAILED,       (INVALID, _ACTS, _OPENS, INVALID, INVALID, _RESTORES, _ACTS)),
        (c.FINISHED_ID, (STALE, STALE, REPLAYS, STALE, STALE, STALE, _ACTS)),
        (c.OTHER_ID,   (CONFLICT, CONFLICT, CONFLICT, CONFLICT, CONFLICT, CONFLICT, _ACTS)),
        (AUXILIARY,    (_NO_POLICY, INVALID, _NO_POLICY, _NO_POLICY, _NO_POLICY, _NO_POLICY,
                        _ACTS)),
    ),
)
"""The abort is of an attempt that this id has not aborted; one that it has is replayed."""
# fmt: on
