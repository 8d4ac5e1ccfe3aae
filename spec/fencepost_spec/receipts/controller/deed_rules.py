"""What a controller may do besides calling: snapshots, their end, and the start of a process.

May import rule, sources and the rules of calls.
"""

from fencepost_spec.receipts.controller.call_rules import rule_of
from fencepost_spec.receipts.controller.sources import DECISION, DERIVED, RL_3924, RL_4265
from fencepost_spec.receipts.ledger.sources import RL_3923
from fencepost_spec.rule import Level

# Snapshots.
STORE_OPEN = rule_of(
    110, "a snapshot belongs to the checkpoint that is open", RL_4265, "S7 S10 I20"
)
STORE_COMMITTED = rule_of(
    111, "a snapshot holds what every participant that can be restored has written", RL_4265,
    "S7 V14 I24",
)  # fmt: skip
STORE_BACK = rule_of(
    112, "a checkpoint that is being released is never published", RL_4265, "S12 S7 I22 I23"
)
STORE_ORDER = rule_of(
    113, "sidecars are written first, then the manifest, and the rename publishes them once",
    RL_3924, "I22 S11 1.8",
)  # fmt: skip
STORE_SAME = rule_of(114, "what is published is what was captured", RL_3924, "I13 I22 S10")
STORE_FAILED = rule_of(
    115, "a snapshot of which a step has failed is never published", RL_3924, "I22 S11"
)
STORE_OWED = rule_of(116, "no snapshot holds what is still owed", RL_4265, "I17 3 S10")
STORE_KEPT = rule_of(
    117, "no snapshot is published while an agent keeps a result that nobody acknowledged", RL_4265,
    "I17 I18", "3.4",
)  # fmt: skip
STORE_ANCHOR = rule_of(
    118, "a snapshot names the step of the trainer that is durable", RL_3924, "I23 S2 S9"
)
STORE_NUMBER = rule_of(
    119, "a snapshot has a number above all that were published", DECISION, "1.8 I22"
)
STORE_READABLE = rule_of(
    120, "the ledger of a snapshot can be read back", RL_4265, "V1-V13 I8 I31 I6 I4 I7 B5"
)
STORE_OWNED = rule_of(
    121, "no group is in the ledger of a snapshot that is training data or was let go", RL_3923,
    "I9 P7 P9",
)  # fmt: skip
STORE_WHOLE = rule_of(
    122, "every group that is not finished is in the snapshot", RL_3923, "I9 B15 I3"
)
STORE_SEALED = rule_of(
    123, "an attempt is saved as sealed exactly when its result is here, with its own receipt",
    RL_4265, "I5 I15 I4 3 B16",
)  # fmt: skip
STORE_NUMBERED = rule_of(
    124, "a saved sibling has every attempt that was sent, and at most one more", RL_4265,
    "I1 I2 I26 4.4",
)  # fmt: skip
STORE_SENT = rule_of(125, "an attempt that was sent is not saved as reserved", RL_4265, "A2 G5 4.3")
STORE_GROUP = rule_of(
    126, "a saved group is the one that was handed over", RL_3923, "1.2 4.2 V5 V6 I28"
)
STORE_WRITTEN = rule_of(
    127, "a snapshot names what its participants said that they wrote", RL_4265, "V15 V22 I13 1.7"
)
STORE_TRAINED = rule_of(
    128, "a snapshot lists the groups that are training data and no others", RL_3923, "I12 I9 I10"
)
STORE_LOST = rule_of(
    129, "nothing is saved after a finalization with an unknown end", RL_3923, "I8 P6"
)
STORE_SESSIONS = rule_of(
    131, "a snapshot has the sessions that its continuations go on with", DERIVED, "1.7 S10",
    "I25 D17",
)  # fmt: skip
STORE = rule_of(130, "a snapshot is written step by step", RL_3924, "S11 I22")
ENDED_TRUE = rule_of(
    135, "a snapshot counts as saved exactly when its rename was done", RL_3924, "I22 S11 S12"
)
END = rule_of(136, "the end of an attempt at a snapshot is told", DECISION, "S11 S12")

# Start.
START_KNOWN = rule_of(140, "a process starts from a published snapshot", RL_3924, "4.1 I22")
START_SILENT = rule_of(141, "what was published is not passed over in silence", RL_4265, "4.1")
START_NEWEST = rule_of(
    142, "a process starts from the newest snapshot", RL_4265, "4.1", level=Level.SHOULD
)
START_SOUND = rule_of(
    144, "a snapshot that is damaged is not gone on from", RL_4265, "4.1 I13 V15 V16"
)
START_STEP = rule_of(
    145, "a process goes on from a snapshot of the step at which the trainer stands", RL_3924,
    "4.1 I23",
)  # fmt: skip
REFUSED_START = rule_of(
    146, "a start is refused only where the newest snapshot is damaged", DECISION, "4.1"
)
REFUSAL = rule_of(
    147, "a process that can go on from no snapshot says so, and begins nothing", RL_4265, "4.1 B19"
)
START = rule_of(143, "a process starts, from a snapshot or from nothing", RL_4265, "4.1")
