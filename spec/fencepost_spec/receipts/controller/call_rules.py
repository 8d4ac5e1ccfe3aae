"""What a controller may do: the rules of its calls, and of the deeds that are seen.

Where each stands in which ladder is data of `calls.py`. The facts of the controller's side are
given first, those of the participants' side second. May import rule and sources.
"""

from fencepost_spec.receipts.ledger.sources import (
    DECISION,
    DERIVED,
    RL_3923,
    RL_4265,
    RL_4265_REVIEW,
    fact,
)
from fencepost_spec.receipts.sources import GYM_2942
from fencepost_spec.rule import Level, Rule, Source


def rule_of(
    number: int,
    says: str,
    source: Source,
    ledger: str,
    receipts: str = "",
    level: Level = Level.MUST,
) -> Rule:
    """A rule of this family; the numbers of its facts are separated by spaces."""
    facts = (*fact(*ledger.split()), *receipts.split())
    return Rule(f"R-CTL-{number}", says, source, facts, level)


# Any call.
BODY = rule_of(1, "a call is one that its participant can read", GYM_2942, "1.5", "2.4")
PLACE = rule_of(2, "a call goes to a participant that has the operation", RL_4265, "1.6 V25")
LOOK = rule_of(3, "a look changes nothing", GYM_2942, "1.6", "2.1")

# Run.
HANDED = rule_of(10, "only what was handed over is run", RL_3923, "A1 2.3")
AGENT = rule_of(11, "a group is run by its own agent", RL_4265, "A3 1.4 V5")
SIBLING = rule_of(12, "what is run is one of its group's siblings", RL_3923, "1.1 V6")
ENDED = rule_of(
    13, "nothing is run for a group that was trained, let go, or has gone stale", RL_3923,
    "I9 I30 4.3 P9 P10",
)  # fmt: skip
RESERVED = rule_of(14, "a group is run only once it was admitted", RL_3923, "I28 A2")
RESTORED = rule_of(
    15, "nothing is begun before everything that was saved is restored", RL_4265, "4.1 L4 V14"
)
GATE = rule_of(
    16, "from the first prepare of an id to the last release nothing is run but what has finished",
    RL_4265, "I19 I21 F2 S4 S12", "2.6",
)  # fmt: skip
SEALED = rule_of(17, "what is sealed is not run again", RL_3923, "4.3 I3 A5 B16")
NUMBERED = rule_of(
    18, "attempts are numbered without gaps, and a reserved one is not burned", RL_4265,
    "I1 I26 A8 4.4 G5", "1.1",
)  # fmt: skip
AGAIN = rule_of(
    19, "an attempt is sent again only while nobody knows what became of it", RL_4265, "F1 I2 4.4",
    "3.2",
)  # fmt: skip
ADOPTED = rule_of(
    20, "what has finished is adopted as the attempt it is, and no next one takes its place",
    RL_4265_REVIEW, "4.5 B3", "B3",
)  # fmt: skip
RELEASED = rule_of(
    21, "a next attempt follows only when its agent has let go of the last", RL_4265_REVIEW,
    "4.5 I2 B3 L1 L2", "3.6 B3",
)  # fmt: skip
COHORT = rule_of(
    22, "a cohort that recovers as a whole is given up and run again as a whole", RL_3923,
    "A7 A8 I6 4.3",
)  # fmt: skip
RELAUNCH = rule_of(
    23, "restored groups that were admitted are launched before those that were not", RL_4265,
    "L8 4.1",
)  # fmt: skip
STOPPED = rule_of(
    25, "nothing is begun after a finalization with an unknown end", RL_3923, "P6 2.3"
)
RUN = rule_of(24, "an attempt is sent to its agent", RL_4265, "1.1 A2")

# Retire and abort.
RETIRE_ID = rule_of(
    30, "retire carries the id that is open, and never one that was released", RL_4265_REVIEW,
    "4.5", "B4 3.6",
)  # fmt: skip
RETIRE_PHASE = rule_of(
    31, "nothing is retired between the commit or restore and the release", RL_4265_REVIEW, "4.5",
    "B4 3.6",
)  # fmt: skip
RETIRE_WANTED = rule_of(
    32, "what was not sent is not retired while its group wants it", DERIVED, "X5 I26", "3.6"
)
RETIRE_SESSION = rule_of(
    34, "the session of what goes on is not ended", DERIVED, "1.7 I26", "4.5 I25 I5"
)
RETIRE = rule_of(33, "an attempt is ended where it runs", RL_4265_REVIEW, "4.5", "3.6")

# Receipts and acknowledgements.
RECEIPT_PLACE = rule_of(
    36, "a receipt is asked of the agent that ran the attempt", RL_4265, "1.4 I5"
)
RECEIPT = rule_of(37, "a receipt is fetched", RL_4265, "K1 1.5", "3.7")
RECEIVED = rule_of(
    40, "nothing is acknowledged whose receipt was not received", RL_4265, "I14 3 K1", "3.7"
)
EXACT = rule_of(
    41, "a receipt is given back exactly as its agent told it", RL_4265, "I14 I16 K3x 1.4", "3.7"
)
OWN_AGENT = rule_of(
    42, "a result is acknowledged at the agent that has it", RL_4265, "3 I5 2.4", "1.3"
)
WANTED = rule_of(
    43, "a result that is still wanted is not let go before it is here", RL_4265_REVIEW,
    "4.5 I15 K2s", "B3 I11",
)  # fmt: skip
BATCH = rule_of(
    44, "everything that is owed to one agent goes in one request", RL_4265_REVIEW, "B4 L10 3",
    "B5", Level.SHOULD,
)  # fmt: skip
ACKNOWLEDGE = rule_of(45, "an agent is told what was received", RL_4265, "K4 1.5", "3.7 C13")

# Prepare.
ONE = rule_of(
    50, "a checkpoint begins only when every participant has confirmed the release of the last",
    DERIVED, "X1 F5 I20 L4 S1", "2.3",
)  # fmt: skip
NEW_ID = rule_of(
    51, "an id names one checkpoint and is never used for another", RL_4265, "I20 F6 1.8", "2.3"
)
GONE_BACK = rule_of(
    52, "a checkpoint that is being released is not prepared again", RL_4265, "F6 I20", "2.3"
)
IN_TIME = rule_of(
    53, "a checkpoint whose time is over is released, and not prepared again", RL_4265, "S6 B2",
    "2.4",
)  # fmt: skip
FLUSHED = rule_of(
    54, "what was owed when a snapshot fell due is acknowledged before the prepare", RL_4265,
    "S5 3 L5", "B5",
)  # fmt: skip
PREPARE_ORDER = rule_of(
    55, "models are paused before agents park, and agents have parked before resources close",
    RL_4265, "2.6", "2.6",
)  # fmt: skip
DRAINED = rule_of(
    56, "a model is drained before agents are asked to park", RL_4265, "2.6", "2.6", Level.SHOULD
)
TIME = rule_of(
    149, "who is released because a checkpoint came to nothing is left time for it", RL_4265, "2.6"
)
PREPARE = rule_of(57, "a participant is asked to hold still", RL_4265, "S6 2.6", "2.6")

# Commit.
OPEN_ID = rule_of(60, "what is written belongs to the checkpoint that is open", RL_4265, "S7 I20")
PREPARED = rule_of(
    61, "nothing is written before every participant holds still", RL_4265, "S7 2.6", "2.6"
)
GIVEN_UP = rule_of(
    62, "a checkpoint that is being released is not written", RL_4265, "S7 F7", "2.3"
)
COMMIT_ORDER = rule_of(
    63, "agents write before models, and models before resources", RL_4265, "I24 2.6", "2.6"
)
SCOPE = rule_of(64, "a model writes what all agents together refer to", RL_4265, "I24 1.7", "4.4")
DIRECTORY = rule_of(65, "one checkpoint has one directory", DECISION, "S7 1.7", "R5 D6")
NEWEST = rule_of(
    148, "nothing is written under the name that the newest snapshot was written under", DECISION,
    "I22", "I18", Level.SHOULD,
)  # fmt: skip
ONCE = rule_of(66, "who has written is not asked to write again", DECISION, "S7", "D5 D6")
EXPORTS = rule_of(
    67, "exactly those that can be restored are asked to write", RL_4265, "V14 1.6", "4.5"
)
SESSIONS = rule_of(
    69, "a server writes no session of an attempt that its agent has let go of", DERIVED, "X3 1.7",
    "4.5 D15 I25",
)  # fmt: skip
COMMIT = rule_of(68, "a participant writes what it holds", RL_4265, "S7 2.6", "2.6")

# Release.
OWN_ID = rule_of(
    70, "a release names the checkpoint that was begun there", RL_4265, "I20 S12 F9", "2.3"
)
DISCARDED = rule_of(
    71, "what cannot go on is discarded before anything runs again", RL_4265, "4.3 I27 4.1"
)
RELEASE = rule_of(72, "a participant is let go on, or told that all is over", RL_4265, "S12 2.6 F7")

# Restore.
FRESH = rule_of(80, "a restore is the first thing that a process does", RL_4265, "4.1 2.6", "R16")
SAVED = rule_of(81, "what is restored is what the process was started from", RL_4265, "4.1 V25")
OTHER_ID = rule_of(
    82, "a restore does not carry the id of what it restores", RL_4265, "4.1 I20", "1.1"
)
RESTORE_ORDER = rule_of(
    83, "models are restored before agents, and agents before resources", RL_4265, "2.6", "2.6"
)
ECHO = rule_of(
    84, "a restore that found another checkpoint than the one saved is not gone on with", RL_4265,
    "V22 V23 4.1",
)  # fmt: skip
RESTORE = rule_of(85, "a participant becomes what was saved", RL_4265, "4.1 2.6", "2.6")

# Discard.
DISCARD_WHEN = rule_of(
    90, "a continuation is discarded after its agent has restored and before the release", RL_4265,
    "4.3 4.1", "2.2",
)  # fmt: skip
DISCARD_WHAT = rule_of(
    91, "only what nobody wants, or what needs something that cannot be restored, is discarded",
    RL_4265, "I27 4.3 X5 G5",
)  # fmt: skip
DISCARD = rule_of(92, "a restored continuation is dropped", RL_4265, "4.3", "3.3")

# Training.
TRAIN_HANDED = rule_of(100, "only what was handed over is trained on", RL_3923, "2.3 I3")
TRAIN_ONCE = rule_of(101, "a group is trained on once", RL_3923, "I3 I9 I10 P7")
TRAIN_STALE = rule_of(102, "a group that was let go is not trained on", RL_3923, "P9 P10 I30")
TRAIN_LOST = rule_of(
    103, "nothing is trained on after a finalization with an unknown end", RL_3923, "P6 2.3"
)
TRAIN_ROWS = rule_of(
    104, "each sibling gives exactly one row, in their order", RL_3923, "I3 I7 A4 P5 I6"
)
TRAIN_ATTEMPT = rule_of(
    105, "a row is by the current attempt, whose result and receipt are here", RL_4265,
    "I3 I4 I5 I15",
)  # fmt: skip
TRAIN_RESULT = rule_of(106, "a row is the result that its attempt has given", RL_4265, "I5 1.4")
TRAIN = rule_of(107, "a finished group is handed to the finalizer", RL_3923, "P5 P7")
