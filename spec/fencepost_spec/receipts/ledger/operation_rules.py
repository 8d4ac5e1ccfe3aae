"""The rules of a ledger's operations: what refuses a call, and what it does when nothing does.

Where each stands in which ladder is data of `operations.py`. May import rule and sources.
"""

from fencepost_spec.receipts.ledger.sources import (
    DECISION,
    DERIVED,
    RL_3923,
    RL_4265,
    RL_4265_REVIEW,
    fact,
)
from fencepost_spec.rule import Rule, Source


def _rule(number: int, says: str, source: Source, *facts: str) -> Rule:
    return Rule(f"R-LOP-{number}", says, source, fact(*facts))


# What refuses.
CUT = _rule(1, "a ledger changes inside a live mutation cut only", RL_3923, "2", "B18")
VALUES = _rule(
    2,
    "a name, number, reward or receipt is checked where it enters, so that what was accepted "
    "can be saved and loaded",
    DECISION, "G7", "G9", "1.1", "1.2", "V3", "V13",
)  # fmt: skip
UNKNOWN = _rule(3, "an operation names a group that the ledger holds", RL_3923, "2.3")
TAKEN = _rule(4, "a group id is reserved once while its group is held", RL_3923, "A1", "V4")
ADMISSION = _rule(
    5, "a group joins an admission with its phase and its target step", DECISION, "G11", "V12",
    "I28",
)  # fmt: skip
ADMITTED_TWICE = _rule(6, "a second admission is refused", RL_3923, "2.3", "I28")
NOT_ADMITTED = _rule(7, "what is not admitted is not dispatched", RL_3923, "A2", "I28")
STATUS = _rule(8, "an operation acts only in the statuses that have a row for it", RL_3923, "2.3")
UNBOUND = _rule(9, "a loaded group is not used before its prompt is bound again", RL_3923, "1.2")
SIBLING_ONLY = _rule(
    10, "siblings are sealed and acknowledged one by one only where they are kept so", RL_3923,
    "A3", "K2s", "I6",
)  # fmt: skip
COHORT_ONLY = _rule(
    11, "a cohort is sealed, and acknowledged early, only where it recovers as a whole", RL_3923,
    "A4", "K2p'",
)  # fmt: skip
SIBLINGS = _rule(12, "a generation index is one of the group's", RL_3923, "1.1", "A2", "A3")
WHOLE = _rule(13, "a cohort is sealed with a result of every sibling", RL_3923, "A4", "I6")
ONE_AGENT = _rule(14, "one cohort is finished by one agent", RL_4265, "A4")
AGENT = _rule(
    15, "every result of a group names the agent that its other results name", RL_4265, "A3",
    "G4",
)  # fmt: skip
DISPATCHED_ONCE = _rule(17, "of several attempts all are dispatched or none", RL_3923, "A2")
NOT_DISPATCHED = _rule(
    18, "only a dispatched attempt gets a result, and it keeps the one it has", RL_3923, "A3",
    "A4", "A5", "I3",
)  # fmt: skip
STILL_RUNNING = _rule(19, "nothing is retried while an attempt runs", RL_4265, "A8", "I2", "4.4")
NOT_SEALED = _rule(20, "what is not sealed is not acknowledged as sealed", RL_4265, "K2s", "K2p")
NO_RECEIPT = _rule(
    21, "an acknowledgement is owed only where a completion receipt is there", RL_4265, "K2s", "3"
)
CONFLICT = _rule(
    22, "what is owed for an execution never changes its content", RL_4265, "K3x", "I16"
)
TWICE = _rule(23, "a list of confirmed rows names each execution once", RL_4265, "2.4")
OTHER_ROW = _rule(
    24, "a confirmation of another content than the pending one releases nothing, of the whole "
    "list", RL_4265, "2.4", "I14", "G2",
)  # fmt: skip
UNSAFE = _rule(
    25, "nothing is saved or restarted while a group is being finalized", RL_3923, "I8", "2.3"
)
UNBOUND_SAVE = _rule(26, "nothing is saved before every prompt is bound again", RL_3923, "1.2")
PROMPT = _rule(27, "a group is bound to the prompt that it was reserved for", RL_3923, "4.1", "V13")
NOT_EMPTY = _rule(28, "a saved state is loaded into an empty ledger", RL_3923, "4.1")
SEALED_AS_OWED = _rule(
    29, "a result that is sealed has the receipt that is owed for it already", DERIVED, "I16",
    "K3x", "X7",
)  # fmt: skip

NO_ROW = _rule(
    30, "an attempt whose status has no row for what is asked refuses it", RL_3923, "2.1"
)

# What a result must name.
GATE = Rule(
    "R-LRC-1", "a result came under the capture key of the current attempt", RL_4265_REVIEW,
    fact("A3", "I5", "1.3", "B12", "I2"),
)  # fmt: skip
GATE_RECEIPT = Rule(
    "R-LRC-2", "a gate receipt names the capture key of the current attempt", RL_4265_REVIEW,
    fact("A3", "I5", "1.3", "B12"),
)  # fmt: skip
COMPLETED_ROLLOUT = Rule(
    "R-LRC-3", "a completion receipt names the logical rollout", RL_4265_REVIEW,
    fact("A3", "I5", "1.4", "B12"),
)  # fmt: skip
COMPLETED_ATTEMPT = Rule(
    "R-LRC-4", "a completion receipt names the current attempt", RL_4265_REVIEW,
    fact("A3", "I5", "1.4", "B12"),
)  # fmt: skip

# What is done.
RESERVE = _rule(
    40, "a reserved group has one reserved attempt for every generation", RL_3923, "A1", "P1",
    "1.1",
)  # fmt: skip
ADMIT = _rule(
    41, "an admission admits all its groups, with one target step and weight version", DECISION,
    "G11", "2.3",
)  # fmt: skip
DISPATCH = _rule(42, "the attempts that are named are dispatched, or all", RL_3923, "A2", "2.1")
SEAL = _rule(
    43, "a seal keeps the receipts, the reward, the mask, the staged rows and the agent", RL_4265,
    "A3", "I4", "1.3",
)  # fmt: skip
SEAL_GROUP = _rule(44, "a cohort is sealed in one step", RL_4265, "A4", "I6")
ABANDON = _rule(
    45, "giving up ends every unsealed attempt and leaves what is owed as it is", RL_3923, "A6",
    "A7", "P3", "2.4",
)  # fmt: skip
RETRY = _rule(
    46, "a retry numbers a next attempt for every sibling that was given up, and no other",
    RL_4265, "A8", "4.4", "I1",
)  # fmt: skip
RECORD_SIBLING = _rule(
    47, "the acknowledgement of a sealed sibling is owed with its exact receipt", RL_4265, "K2s",
    "I15",
)  # fmt: skip
RECORD_GROUP = _rule(
    48, "the acknowledgements of a sealed cohort are owed together", RL_4265, "K2p", "K3x", "I15"
)
RECORD_PARTIAL = _rule(
    49, "the acknowledgement of a finished sibling is owed before its cohort is sealed",
    RL_4265_REVIEW, "K2p'", "B1", "L6", "L1",
)  # fmt: skip
RELEASE = _rule(
    50, "a confirmed acknowledgement is owed no more, and every other still is", RL_4265, "K5",
    "K6", "I14",
)  # fmt: skip
DISCARD_OWED = _rule(
    51, "what is owed to a process that was not restored is dropped and counted", RL_4265, "K7"
)
INPUTS = _rule(
    52, "the finalizer gets the result of every sibling, in their order", RL_3923, "P5", "1.1",
    "I3",
)  # fmt: skip
FINALIZE = _rule(53, "finalization is marked before it is asked for", RL_3923, "P5")
LOSE = _rule(54, "a finalization that may have happened is marked as unknown", RL_3923, "P6")
DISCARD = _rule(
    55, "a group that is let go is owned no more, and what is owed for it still is", DECISION,
    "P7", "P8", "P9", "P10", "G8", "2.4", "B15",
)  # fmt: skip
DISCARD_CANONICAL = _rule(
    56, "groups that are training data already are let go and counted", RL_3923, "P11", "I9"
)
BIND = _rule(57, "a bound group may be used and saved again", RL_3923, "1.2", "4.1")
SAFE = _rule(58, "a ledger says whether it may be saved, and changes nothing", RL_3923, "I8")
SAVE = _rule(
    59, "a saved state holds every group, attempt and obligation in plain values, the "
    "obligations by agent, rollout and attempt", RL_4265_REVIEW, "1.2", "B5", "I31", "V1-V13",
)  # fmt: skip
SIDECAR = _rule(
    60, "the file of a snapshot holds the ledger, the shortfall and how steps are stamped",
    RL_4265, "1.2",
)  # fmt: skip
LOAD = _rule(
    61, "a loaded ledger is the one that was saved, its prompts unbound", RL_4265, "4.1", "V1-V13",
    "1.2",
)  # fmt: skip
RESTART = _rule(
    62, "a restart gives up what ran and keeps what is sealed, reserved or ready", RL_4265, "4.1",
    "A6", "A7", "G5", "4.2",
)  # fmt: skip
