"""Every operation of a resources server in every phase. May import: `phase_table`, shared cells."""

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
from fencepost_spec.receipts.resources.refusals import CHECKPOINT_ERROR

AWAITED = Situation(
    "idle, restore awaited", "idle", "the server was started for a restore that has not come"
)

_ACTS = TAKES_EFFECT
_PREPARES = goes("preparing", "prepared", failed="preparing")
_COMMITS = goes("committing", "committed_paused", failed="prepared")
_RESTORES = goes("restoring", "restored_paused", failed="idle")
_OPENS = goes("idle")
_NOT_YET = Cell(CHECKPOINT_ERROR)

# fmt: off
RESOURCES_PHASES = PhaseTable(
    ("prepare", "status", "commit", "restore", "resume", "retire", "capabilities"),
    (
        (c.IDLE,            (_PREPARES, INVALID, INVALID, _RESTORES, _ACTS, _ACTS, _ACTS)),
        (AWAITED,           (_NOT_YET, INVALID, INVALID, _RESTORES, _NOT_YET, _ACTS, _ACTS)),
        (c.PREPARE_WAITS,   (SHARES, _ACTS, INVALID, INVALID, _OPENS, _ACTS, _ACTS)),
        (c.DEADLINE_MISSED, (_PREPARES, _ACTS, INVALID, INVALID, _OPENS, _ACTS, _ACTS)),
        (c.PREPARED,        (REPLAYS, _ACTS, _COMMITS, INVALID, _OPENS, _ACTS, _ACTS)),
        (c.COMMITTING,      (REPLAYS, _ACTS, SHARES, INVALID, INVALID, INVALID, _ACTS)),
        (c.COMMITTED,       (REPLAYS, _ACTS, REPLAYS, INVALID, _OPENS, INVALID, _ACTS)),
        (c.RESTORING,       (INVALID, _ACTS, INVALID, SHARES, INVALID, INVALID, _ACTS)),
        (c.RESTORED,        (INVALID, _ACTS, INVALID, REPLAYS, _OPENS, INVALID, _ACTS)),
        (c.FINISHED_ID,     (STALE, STALE, STALE, STALE, REPLAYS, STALE, _ACTS)),
        (c.OTHER_ID,        (CONFLICT, CONFLICT, CONFLICT, CONFLICT, CONFLICT, CONFLICT, _ACTS)),
    ),
)
"""In *preparing, deadline missed* the way is clear again when prepare is called."""
# fmt: on
