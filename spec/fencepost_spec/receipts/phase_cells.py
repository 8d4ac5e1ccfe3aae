"""The cells and situations that the tables of all participants share.

May import: `phase_table` and refusals.
"""

from fencepost_spec.phase_table import FINISHED, OTHER, Cell, Situation
from fencepost_spec.receipts import refusals as code

INVALID = Cell(code.INVALID_PHASE)
STALE = Cell(code.STALE_CHECKPOINT)
CONFLICT = Cell(code.CHECKPOINT_CONFLICT)

IDLE = Situation("idle", "idle", "no checkpoint is open, and nothing runs here")
PREPARED = Situation("prepared", "prepared")
COMMITTING = Situation("committing", "committing")
COMMITTED = Situation("committed_paused", "committed_paused")
RESTORING = Situation("restoring", "restoring")
RESTORED = Situation("restored_paused", "restored_paused")
FINISHED_ID = Situation("finished id", "idle", "the id has been resumed", FINISHED)
OTHER_ID = Situation("other id", "prepared", "another id is prepared", OTHER)
PREPARE_WAITS = Situation(
    "preparing, prepare waits", "preparing", "something runs, and the deadline has not come"
)
DEADLINE_MISSED = Situation(
    "preparing, deadline missed", "preparing", "the prepare has said what is in the way"
)
