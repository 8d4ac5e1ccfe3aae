"""How a snapshot directory comes to be, and goes. May import: sources, rule."""

from typing import Final

from fencepost_spec.receipts.snapshot.sources import DECISION, RL_3924, fact
from fencepost_spec.rule import Rule, Source


def _rule(number: int, says: str, source: Source, *facts: str) -> Rule:
    return Rule(f"R-SNW-{number}", says, source, fact(*facts))


HIDDEN: Final = _rule(
    1, "a snapshot is made under a temporary name, its manifest last", RL_3924, "I22", "1.8", "S3"
)
DURABLE: Final = _rule(
    2, "every file and name of a snapshot is durable before it becomes visible", RL_3924, "I22"
)
ONE_RENAME: Final = _rule(
    3, "one rename makes a snapshot visible, and its name is made durable", RL_3924, "I22", "2.5"
)
BELIEVABLE: Final = _rule(
    4, "nothing is published that would be refused when it is read", DECISION, "2.5", "I22", "B19"
)
UNTOUCHED: Final = _rule(
    5, "nothing that fails touches a snapshot that was published before", RL_3924, "I22", "2.5"
)
PRUNED: Final = _rule(
    6,
    "a snapshot that is not kept leaves its name in one durable rename before any of it goes",
    RL_3924,
    *("1.8", "2.5"),
)
AFTERWARDS: Final = _rule(
    7,
    "a failure after the rename is no failure of the snapshot, and one before it is told from it",
    DECISION,
    *("B19", "B20", "I22"),
)
CLEARED: Final = _rule(
    8, "what an earlier process left unfinished is taken away at the next start", DECISION, "1.8"
)
FRESH_NUMBER: Final = _rule(
    9, "a new snapshot has a higher number than any that is there", DECISION, "1.8", "I22"
)
KEPT: Final = _rule(
    10, "a snapshot that would be refused is none of those that are kept", DECISION, "2.5", "4.1"
)

WRITER_RULES: Final[tuple[Rule, ...]] = (
    HIDDEN,
    DURABLE,
    ONE_RENAME,
    BELIEVABLE,
    UNTOUCHED,
    PRUNED,
    AFTERWARDS,
    CLEARED,
    FRESH_NUMBER,
    KEPT,
)
