"""What makes a directory a checkpoint: how it is written, and every check before it is believed.

Decided here: the sentences. Each check of the reader carries one of them (see the reference), so a
reader without one is another value. Not decided here: how bytes are laid out. May import: `rule`,
`sources`.
"""

from fencepost_spec.receipts.sources import DECISION, GYM_2942, GYM_3349
from fencepost_spec.rule import Rule, Source


def _rule(number: int, says: str, source: Source, *facts: str) -> Rule:
    return Rule(f"R-STO-{number}", says, source, facts)


# Writing.
PAYLOADS_FIRST = _rule(
    1,
    "every payload is durable under its name before the manifest becomes visible",
    GYM_2942,
    *("6", "I18"),
)
IMMUTABLE = _rule(
    2, "a directory with a visible manifest is never written again", GYM_2942, "6", "I18", "R7"
)
SAME_CHECKPOINT = _rule(
    3,
    "a directory that another checkpoint id committed is refused to everyone else",
    GYM_2942,
    *("6", "I18"),
)
SAME_RECORDS = _rule(
    4,
    "a repeated commit is accepted exactly when its records are the committed ones",
    DECISION,
    *("R7", "I18"),
)
BUILDABLE = _rule(
    5, "records that cannot be saved refuse the commit before anything is written", DECISION, "N10"
)

# Reading: what no reader can do without.
COMMITTED = _rule(
    10, "a directory without a manifest is no checkpoint", GYM_2942, "6", "I18", "R20"
)
READABLE = _rule(
    11,
    "what cannot be read or made sense of is refused with its name and the reason",
    DECISION,
    *("R20", "I19"),
)

# Reading: checks, each of which could be left out.
IN_PLACE = _rule(
    20,
    "the directories below the checkpoint directory are real ones, and lead nowhere else",
    DECISION,
    *("6", "R25", "I19"),
)
MANIFEST_TEXT = _rule(
    21, "the manifest is JSON that a correct writer can have written", DECISION, "N8", "N9"
)
MANIFEST_SHAPE = _rule(
    22,
    "the manifest has exactly the members and the schema version of its model",
    GYM_3349,
    *("6", "I19", "G10", "R25"),
)
INSTANCE = _rule(23, "the manifest names the instance that reads it", GYM_2942, "6", "I18", "I19")
PART_NAMES = _rule(
    24,
    "parts are numbered from zero without a gap, so no name is used twice or leads elsewhere",
    GYM_3349,
    *("6", "R25", "I19"),
)
REFERENCES = _rule(
    25, "the manifest refers to the index files of its own directory", GYM_3349, "6", "R25"
)
PART_DIGESTS = _rule(
    26, "each part has the size and digest that the manifest gives", GYM_2942, "6", "I18", "I19"
)
INDEX_DIGESTS = _rule(
    27,
    "each index file has the size and digest that the manifest gives",
    GYM_3349,
    *("6", "I18", "I19"),
)
INDEX_LINES = _rule(
    28, "each line of the record index is exactly one entry", DECISION, "N8", "N9", "G10"
)
ROOT_LINES = _rule(
    29, "each line of the continuation index is exactly one root", DECISION, "N8", "N9", "G10"
)
RECORD_COUNTS = _rule(
    30, "manifest, references and index files agree on how many lines there are", GYM_3349, "6"
)
INDEX_ORDER = _rule(
    31, "the record index is sorted by key and names no key twice", GYM_3349, "6", "I19", "N9"
)
MEMBER_NAMES = _rule(32, "a member has a plain name that leads nowhere", DECISION, "6", "R25")
PART_FORM = _rule(
    33, "a part holds plain files and nothing else, to its last byte", DECISION, "6", "N9"
)
PART_COUNTS = _rule(34, "each part has as many members as the manifest gives", GYM_3349, "6", "I19")
PART_LIMITS = _rule(35, "no part is empty or larger than a part may be", GYM_3349, "6", "N9")
MEMBER_ORDER = _rule(
    36,
    "the parts hold the members of the record index, in its order and nothing more",
    GYM_3349,
    *("6", "I19"),
)
MEMBER_DIGESTS = _rule(
    37, "each member has the size and digest that the record index gives", GYM_3349, "6", "I19"
)
RECORD_TEXT = _rule(
    38, "each record is JSON that a correct writer can have written", DECISION, "N8", "N9"
)
RECORD_SHAPE = _rule(
    39,
    "each record has exactly the members of its model, in a schema version that can be read",
    GYM_3349,
    *("1.2", "6", "G10", "B8"),
)
RECORD_IDENTITY = _rule(
    40, "each record belongs to the key under which it is indexed", GYM_3349, "6", "I19"
)
ROOTS = _rule(
    41,
    "the continuation index is what the records say: their model calls and their revisions",
    GYM_3349,
    *("6", "I19"),
)

WRITER_RULES: tuple[Rule, ...] = (
    PAYLOADS_FIRST,
    IMMUTABLE,
    SAME_CHECKPOINT,
    SAME_RECORDS,
    BUILDABLE,
)
FLOOR_RULES: tuple[Rule, ...] = (COMMITTED, READABLE)
CHECK_RULES: tuple[Rule, ...] = (
    IN_PLACE,
    MANIFEST_TEXT,
    MANIFEST_SHAPE,
    INSTANCE,
    PART_NAMES,
    REFERENCES,
    PART_DIGESTS,
    INDEX_DIGESTS,
    INDEX_LINES,
    ROOT_LINES,
    RECORD_COUNTS,
    INDEX_ORDER,
    MEMBER_NAMES,
    PART_FORM,
    PART_COUNTS,
    PART_LIMITS,
    MEMBER_ORDER,
    MEMBER_DIGESTS,
    RECORD_TEXT,
    RECORD_SHAPE,
    RECORD_IDENTITY,
    ROOTS,
)
STORAGE_RULES: tuple[Rule, ...] = (*WRITER_RULES, *FLOOR_RULES, *CHECK_RULES)
