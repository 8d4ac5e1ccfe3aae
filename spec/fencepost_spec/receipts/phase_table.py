"""Every operation of an agent in every phase. May import: `phase_table` and shared cells."""

from fencepost_spec.phase_table import REPLAYS, SHARES, TAKES_EFFECT, PhaseTable, goes
from fencepost_spec.receipts import phase_cells as c
from fencepost_spec.receipts.phase_cells import CONFLICT, INVALID, STALE

_ACTS = TAKES_EFFECT
_PREPARES = goes("preparing", "prepared", failed="preparing")
_COMMITS = goes("committing", "committed_paused", failed="prepared")
_RESTORES = goes("restoring", "restored_paused", failed="idle")
_OPENS = goes("idle")
_FREE = (_ACTS, _ACTS, _ACTS)

# fmt: off
AGENT_PHASES = PhaseTable(
    ("prepare", "status", "commit", "restore", "resume", "retire",
     "acknowledge", "acknowledge-completed", "completion-receipt",
     "discard-restored-continuation", "capabilities"),
    (
        (c.IDLE,
         (_PREPARES, _ACTS, INVALID, _RESTORES, _ACTS, _ACTS, *_FREE, INVALID, _ACTS)),
        (c.PREPARE_WAITS,
         (SHARES, _ACTS, INVALID, INVALID, _OPENS, _ACTS, *_FREE, INVALID, _ACTS)),
        (c.DEADLINE_MISSED,
         (_PREPARES, _ACTS, INVALID, INVALID, _OPENS, _ACTS, *_FREE, INVALID, _ACTS)),
        (c.PREPARED,
         (REPLAYS, _ACTS, _COMMITS, INVALID, _OPENS, _ACTS, *_FREE, INVALID, _ACTS)),
        (c.COMMITTING,
         (REPLAYS, _ACTS, SHARES, INVALID, INVALID, INVALID, *_FREE, INVALID, _ACTS)),
        (c.COMMITTED,
         (REPLAYS, _ACTS, REPLAYS, INVALID, _OPENS, INVALID, *_FREE, INVALID, _ACTS)),
        (c.RESTORING,
         (INVALID, _ACTS, INVALID, SHARES, INVALID, INVALID, *_FREE, INVALID, _ACTS)),
        (c.RESTORED,
         (INVALID, _ACTS, INVALID, REPLAYS, _OPENS, INVALID, *_FREE, _ACTS, _ACTS)),
        (c.FINISHED_ID,
         (STALE, STALE, STALE, STALE, REPLAYS, STALE, *_FREE, STALE, _ACTS)),
        (c.OTHER_ID,
         (CONFLICT, CONFLICT, CONFLICT, CONFLICT, CONFLICT, CONFLICT, *_FREE, CONFLICT, _ACTS)),
    ),
)
"""In *preparing, deadline missed* the way is clear again when prepare is called."""
# fmt: on
