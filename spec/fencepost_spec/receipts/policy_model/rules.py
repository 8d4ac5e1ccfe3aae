"""The rules of a policy model that no chart carries: its gate, its operations and its words.

May import rule and sources.
"""

from fencepost_spec.receipts.sources import DECISION, DERIVED, GYM_2940
from fencepost_spec.rule import Rule, Source


def _rule(group: str, number: int, says: str, source: Source, *facts: str) -> Rule:
    return Rule(f"R-{group}-{number}", says, source, facts)


# The gate.
IDENTITY = _rule(
    "GAT", 1, "a call whose headers and path do not name one attempt is refused before all else",
    GYM_2940, "1.1", "I27",
)  # fmt: skip
REFUSED = _rule(
    "GAT", 2, "a call of a refused attempt is stale, whether the model is open or closed",
    GYM_2940, "4.1", "I2", "I3",
)  # fmt: skip
BELOW = _rule(
    "GAT", 3, "a call of an attempt below a restored source is stale", DECISION, "I4", "A6", "4.4"
)
CLOSED = _rule(
    "GAT", 4, "a closed model lets no call in, with or without an identity",
    GYM_2940, "4.1", "I5", "I22", "I14",
)  # fmt: skip
ADMITTED = _rule("GAT", 5, "a call that nothing refuses is let in at once", GYM_2940, "4.1", "P2")
UNGATED = _rule(
    "GAT", 6, "calls on other routes are never gated and hold no ticket", GYM_2940, "4.1", "P7"
)
RETRY_AFTER = _rule(
    "GAT", 7, "a parked call is told to try again after a second", GYM_2940, "4.1", "5.1"
)
TICKET = _rule(
    "GAT", 8, "a call that was not let in, or has ended, does nothing more", DERIVED, "4.1", "I14"
)

# Operations.
NOT_A_POLICY = _rule(
    "MOP", 1, "a judge or simulator is asked for no checkpoint and takes part in none",
    GYM_2940, "4.1", "I30",
)  # fmt: skip
NO_LEDGER = _rule(
    "MOP", 2, "a server without a ledger refuses to commit and restore, and closes nothing",
    GYM_2940, "4.4",
)  # fmt: skip
QUIESCENT = _rule(
    "MOP", 3, "the ledger is copied only while no call is in flight", GYM_2940, "4.4", "I24"
)
PAUSE_EFFECT = _rule(
    "MOP", 10, "pause closes and answers at once how far the drain has come",
    GYM_2940, "4.1", "2.2", "5.4",
)  # fmt: skip
STATUS_EFFECT = _rule(
    "MOP", 11, "status tells admission and calls as they are, and waits for paused when asked to",
    GYM_2940, "4.1", "5.4", "2.4",
)  # fmt: skip
TOLD_PAUSED = _rule(
    "MOP", 12, "the checkpoint is prepared when a pause or a status has told that nothing runs",
    GYM_2940, "4.1", "2.2",
)  # fmt: skip
COMMIT_EFFECT = _rule(
    "MOP", 13, "commit writes the lineages that the given roots name, and counts what it leaves",
    GYM_2940, "4.4", "6", "I26", "I21",
)  # fmt: skip
RESTORE_EFFECT = _rule(
    "MOP", 14, "restore closes, checks the whole directory, copies it, then refuses its sources",
    GYM_2940, "4.4", "I19", "I3",
)  # fmt: skip
RESUME_EFFECT = _rule(
    "MOP", 15, "resume finishes the id of a model and lets calls in", GYM_2940, "2.1", "4.1", "P2"
)
ABORT_EFFECT = _rule(
    "MOP", 16, "an abort refuses its attempt and counts the calls that it cancels",
    GYM_2940, "4.1", "5.4",
)  # fmt: skip
ABORT_RECORDED = _rule(
    "MOP", 17, "an abort of one attempt is answered once for each checkpoint",
    GYM_2940, "5.4", "2.2", "I16",
)  # fmt: skip
CAPABILITIES_EFFECT = _rule(
    "MOP", 18, "a model tells its role, its workers, its phase and its active id",
    GYM_2940, "5.2", "4.3",
)  # fmt: skip
CANCELS = _rule(
    "MOP", 19, "the task of every aborted call sees its cancellation", GYM_2940, "4.1", "I24"
)
WAITS_END = _rule(
    "MOP", 20, "resume ends a status that waits, which is then stale", DECISION, "R3", "A2", "I17"
)
SHAPE = _rule("MOP", 21, "an answer of a model has the declared shape", GYM_2940, "5.1", "5.4")

# Storage.
STORAGE_STEP = _rule(
    "CUS", 30, "a copy that fails leaves the manifest unseen, or the whole checkpoint visible",
    GYM_2940, "6", "I18", "P6",
)  # fmt: skip
COPY_UNDONE = _rule(
    "CUS", 31, "a restore that fails takes back what it had copied into the ledger",
    DECISION, "I19", "P6", "4.4",
)  # fmt: skip
LEDGER_ROW = _rule(
    "CUS", 32, "a row reaches the ledger only while its call is in flight", DERIVED, "I18", "4.4"
)
REPEAT_COMMIT = _rule(
    "CUS", 33, "a directory that holds this very commit is accepted and not written again",
    GYM_2940, "6", "R7", "I18",
)  # fmt: skip

OTHER_RULES: tuple[Rule, ...] = (
    ADMITTED,
    UNGATED,
    RETRY_AFTER,
    TICKET,
    TOLD_PAUSED,
    CANCELS,
    WAITS_END,
    SHAPE,
    STORAGE_STEP,
    COPY_UNDONE,
    LEDGER_ROW,
    REPEAT_COMMIT,
)
"""Rules that are no row, no rung and no effect."""
