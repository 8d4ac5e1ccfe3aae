"""What keeps a checkpoint from being prepared, what refuses a key, what raises a watermark.

Each entry is a rule with the one thing it adds. May import: attrs, rule, sources, refusals.
"""

from collections.abc import Callable

import attrs

from fencepost_spec.receipts.keys import Raises, Refuses
from fencepost_spec.receipts.resources import refusals as code
from fencepost_spec.receipts.sources import DECISION, DERIVED, GYM_2940, GYM_2942_REVIEW, GYM_3349
from fencepost_spec.rule import Rule, Source


def _rule(number: int, says: str, source: Source, *facts: str) -> Rule:
    return Rule(f"R-RPO-{number}", says, source, facts)


@attrs.frozen
class Standing:
    """How many sessions stand where, and what runs."""

    running: int = 0
    untracked_running: int = 0
    untracked: bool = False
    uncertain: int = 0
    evicted: int = 0
    retiring: int = 0


@attrs.frozen
class Blocker:
    """Something in the way of a prepare.

    With a code the prepare fails at once; without one it waits until its deadline. `always` counts
    it for servers that export nothing as well.
    """

    rule: Rule
    name: str
    holds: Callable[[Standing], bool]
    code: str | None = None
    always: bool = False


def requests_run(standing: Standing) -> bool:
    """A handler of a session runs."""
    return standing.running > 0


def untracked_requests_run(standing: Standing) -> bool:
    """A handler of a request without identity runs."""
    return standing.untracked_running > 0


def untracked_state(standing: Standing) -> bool:
    """A request without identity may have changed something."""
    return standing.untracked


def uncertain_sessions(standing: Standing) -> bool:
    """A session is uncertain."""
    return standing.uncertain > 0


def evicted_sessions(standing: Standing) -> bool:
    """A session has lost its receipts."""
    return standing.evicted > 0


def retiring_sessions(standing: Standing) -> bool:
    """A session that was retired has not gone."""
    return standing.retiring > 0


BLOCKERS: tuple[Blocker, ...] = (
    Blocker(
        _rule(1, "state that belongs to no rollout cannot be written down", GYM_2940, "4.5", "D14"),
        *("untracked", untracked_state, code.CHECKPOINT_ERROR),
    ),
    Blocker(
        _rule(2, "an uncertain session cannot be written down", GYM_3349, "4.5", "D4"),
        *("uncertain", uncertain_sessions, code.MUTATION_UNCERTAIN),
    ),
    Blocker(
        _rule(
            3,
            "a session without its receipts cannot be written down",
            DECISION,
            *("4.5", "I13"),
        ),
        *("evicted", evicted_sessions, code.RECEIPT_EVICTED),
    ),
    Blocker(
        _rule(
            4,
            "nothing is prepared while a handler runs, the start of a session included",
            GYM_2940,
            *("4.5", "I5", "C6"),
        ),
        *("running", requests_run, None, True),
    ),
    Blocker(
        _rule(
            5, "nothing is prepared while a request without identity runs", DERIVED, "4.5", "D14"
        ),
        *("untracked running", untracked_requests_run, None, True),
    ),
    Blocker(
        _rule(6, "nothing is prepared while a retired session has not gone", DERIVED, "D15", "R14"),
        *("retiring", retiring_sessions, None, False),
    ),
)


@attrs.frozen
class Kept:
    """A part of a session that a snapshot keeps."""

    rule: Rule
    name: str


SNAPSHOT: tuple[Kept, ...] = (
    Kept(_rule(10, "a snapshot keeps the revision", GYM_2940, "4.5", "I25"), "revision"),
    Kept(
        _rule(
            11,
            "a snapshot keeps the receipts, so that a request that is sent again after a restore "
            "is not served twice",
            GYM_3349,
            *("4.5", "I13"),
        ),
        "receipts",
    ),
)


@attrs.frozen
class Exported:
    """A standing in which a session is written down."""

    rule: Rule
    status: str


EXPORTED: tuple[Exported, ...] = (
    Exported(_rule(12, "a bound session is written down", GYM_2940, "4.5"), "bound"),
    Exported(
        _rule(
            13,
            "a restored session that nobody has used is written down again",
            GYM_2942_REVIEW,
            *("A7", "I21"),
        ),
        "restored",
    ),
)


REFUSES: tuple[Refuses, ...] = (
    Refuses(
        _rule(20, "retire refuses its key, before it waits for anything", GYM_2940, "4.5", "D15"),
        "retired",
    ),
    Refuses(
        _rule(21, "a restore refuses the attempt that it continues", GYM_2940, "4.5", "I3"),
        "source",
    ),
)


RAISES: tuple[Raises, ...] = (
    Raises(
        _rule(23, "a start that succeeded raises the watermark", DECISION, "R17", "I4"), "start"
    ),
    Raises(
        _rule(
            24,
            "a restored source raises the watermark, so that no older attempt is served",
            GYM_2942_REVIEW,
            *("R17", "I4", "A6"),
        ),
        "restore",
    ),
)
