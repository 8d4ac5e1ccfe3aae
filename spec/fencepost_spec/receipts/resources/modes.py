"""What a server keeps and how its requests meet: checkpoint modes and concurrency contracts.

May import: attrs, rule, sources.
"""

import attrs

from fencepost_spec.receipts.sources import DECISION, GYM_2940
from fencepost_spec.rule import Rule, Source


def _rule(number: int, says: str, source: Source, *facts: str) -> Rule:
    return Rule(f"R-RMO-{number}", says, source, facts)


@attrs.frozen
class Mode:
    """`keeps` says that there are sessions at all, `exports` that they can be written down."""

    rule: Rule
    name: str
    keeps: bool
    exports: bool


@attrs.frozen
class Contract:
    """Which requests of one session run alone: those that may change it, those that read."""

    rule: Rule
    name: str
    writes_alone: bool
    reads_alone: bool


MODES: tuple[Mode, ...] = (
    Mode(
        _rule(1, "a stateless server has nothing to write down", GYM_2940, "4.5"),
        *("stateless", False, False),
    ),
    Mode(
        _rule(
            2, "a server that cannot export writes no session and blocks nothing", GYM_2940, "4.5"
        ),
        *("restart_only", True, False),
    ),
    Mode(
        _rule(3, "a server that exports writes every session that goes on", GYM_2940, "4.5", "I21"),
        *("export_restore", True, True),
    ),
)

CONTRACTS: tuple[Contract, ...] = (
    Contract(
        _rule(4, "a stateless server holds no request back for another", GYM_2940, "4.5"),
        *("stateless", False, False),
    ),
    Contract(
        _rule(5, "the requests of one session are served one after the other", GYM_2940, "4.5"),
        *("serialized_per_session", True, True),
    ),
    Contract(
        _rule(
            6,
            "reads of one session run beside anything, and changes of it one after the other",
            DECISION,
            "4.5",
        ),
        *("transactional_parallel", True, False),
    ),
)
