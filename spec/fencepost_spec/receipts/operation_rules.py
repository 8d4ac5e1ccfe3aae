"""The rules of the control operations: what refuses a call, and what it does when nothing does.

Where each stands in which ladder is data of `operations.py`. May import rule and sources.
"""

from fencepost_spec.receipts.sources import (
    DECISION,
    GYM_2940,
    GYM_2942,
    GYM_2942_REVIEW,
    GYM_3349,
    RL_4265_REVIEW,
)
from fencepost_spec.rule import Rule, Source


def _rule(number: int, says: str, source: Source, *facts: str) -> Rule:
    return Rule(f"R-OPS-{number}", says, source, facts)


TOKEN = _rule(
    1, "a call without the right token is refused before anything is looked at", GYM_2940, "2.5"
)
BODY = _rule(2, "a body of another shape is refused and changes nothing", GYM_2940, "5.1", "10")
FINISHING = _rule(
    3, "the call that finished an id is answered again as before", GYM_2940, "2.1", "I15", "R23"
)
FINISHED = _rule(4, "a finished id never acts again", GYM_2940, "2.1", "2.3", "I15")
OTHER_DIRECTORY = _rule(
    5, "one id is committed or restored with one directory", DECISION, "R5", "D6"
)
RECORDED = _rule(
    6,
    "a recorded answer is given again in every later phase of its id",
    GYM_2940,
    "2.1",
    "I16",
    "D5",
    "R6",
    "R23",
)
SHARED = _rule(
    7,
    "the same call twice is one operation, and it belongs to all its callers",
    GYM_2940,
    "2.1",
    "I16",
    "R11",
    "P1",
)
OTHER_ID = _rule(
    8,
    "at most one id is active, also after a prepare that missed its deadline",
    GYM_2940,
    "2.1",
    "2.2",
    "I15",
    "R1",
    "D1",
)
PHASE = _rule(9, "an operation acts only in its phases", GYM_2940, "2.1", "2.2", "I15", "I17")
COMMIT_READY = _rule(
    10, "a commit asks again whether everything is ready", GYM_2942, "3.4", "I6", "R14"
)
RESTORE_LIVE = _rule(
    11, "a restore is refused while anything is live", GYM_2942_REVIEW, "I20", "A4", "R16"
)
RESTORE_RETAINED = _rule(
    12, "a restore is refused while a finished result is retained", DECISION, "R16", "I20"
)
RESTORE_PENDING = _rule(
    13,
    "a restore is refused while restored records wait, never merged with them",
    DECISION,
    "R16",
    "I20",
    "I3",
    "P8",
)
DISCARD_LIVE = _rule(14, "a started replacement is not discarded", GYM_3349, "3.3")
NO_RECEIPT = _rule(15, "a receipt exists while its result is retained", GYM_3349, "3.7")

PREPARE_EFFECT = _rule(
    20,
    "prepare closes admission, asks running work to park, and ends prepared, or by its deadline "
    "with what is in the way",
    GYM_2942,
    "3.4",
    "I5",
    "I6",
    "P1",
    "P5",
)
STATUS_EFFECT = _rule(21, "status tells the present state and moves nothing", GYM_2942, "5.3")
COMMIT_EFFECT = _rule(
    22,
    "commit writes what is left at a boundary and what nobody has claimed, manifest last",
    GYM_2942,
    "6",
    "3.4",
    "I18",
    "R24",
    "R8",
)
RESTORE_EFFECT = _rule(
    23, "restore installs all records of a directory or none", GYM_2942, "3.8", "I19", "I3"
)
RESUME_EFFECT = _rule(
    24, "resume finishes the id, opens admission and lets parked work go on", GYM_2942, "2.1", "P2"
)
RETIRE_EFFECT = _rule(
    25, "retire stops an abandoned attempt and refuses its key", GYM_2942, "3.6", "I28", "B4"
)
ACKNOWLEDGE_EFFECT = _rule(
    26,
    "a receipt that was told is accepted in every phase and needs no id",
    GYM_3349,
    "3.7",
    "2.2",
    "R18",
    "D3",
)
BATCH_EFFECT = _rule(
    27, "a batch of acknowledgements is taken whole or not at all", GYM_3349, "3.7", "I10"
)
RECEIPT_EFFECT = _rule(
    28,
    "the receipt of a retained result can be asked for at any time, of a null one too",
    RL_4265_REVIEW,
    "3.7",
    "1.3",
    "P4",
    "R18",
    "D3",
)
DISCARD_EFFECT = _rule(
    29, "discard drops a restored record and says whether there was one", GYM_3349, "3.3", "P8"
)
CAPABILITIES_EFFECT = _rule(
    30, "capabilities tell the phase and the active id as they are", GYM_2940, "5.2", "D1", "R1"
)

PREPARE_RAISED = _rule(
    32,
    "a prepare that raises before it has closed anything leaves the fence idle and open",
    DECISION,
    "R1",
    "P6",
)
SHAPE = _rule(31, "an answer has the declared shape", GYM_2942, "5.1", "5.3")
