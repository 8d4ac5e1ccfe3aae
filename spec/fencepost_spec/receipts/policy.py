"""What counts as ready, what is exported, which fields make a receipt, what refuses a key.

Each entry is a rule with the one thing it adds, so that leaving one out is a variation of the
specification that something must notice.
"""

from collections.abc import Callable

import attrs

from fencepost_spec.receipts.keys import Raises, Refuses
from fencepost_spec.receipts.sources import (
    DECISION,
    DERIVED,
    GYM_2942,
    GYM_2942_REVIEW,
    GYM_3349,
)
from fencepost_spec.rule import Rule, Source


@attrs.frozen
class Counts:
    """How many keys stand where. `running` includes those asked to park."""

    running: int = 0
    parked_with_boundary: int = 0
    parked_without_boundary: int = 0
    completed_unacknowledged: int = 0
    retiring: int = 0
    untracked: int = 0


@attrs.frozen
class Blocker:
    """Something that keeps a checkpoint from being written, by name and count."""

    rule: Rule
    name: str
    count: Callable[[Counts], int]


def _rule(group: str, number: int, says: str, source: Source, *facts: str) -> Rule:
    return Rule(f"R-{group}-{number}", says, source, facts)


def running(counts: Counts) -> int:
    """Keys that run or are asked to park."""
    return counts.running


def parked_without_boundary(counts: Counts) -> int:
    """Keys that are parked and have nothing to export."""
    return counts.parked_without_boundary


def completed_unacknowledged(counts: Counts) -> int:
    """Keys whose finished result is retained."""
    return counts.completed_unacknowledged


def retiring(counts: Counts) -> int:
    """Retired keys whose handler has not stopped."""
    return counts.retiring


def untracked(counts: Counts) -> int:
    """Runs without an identity."""
    return counts.untracked


BLOCKERS: tuple[Blocker, ...] = (
    Blocker(
        _rule("RDY", 1, "nothing is ready while work runs", GYM_2942, "3.4", "I6"),
        "running",
        running,
    ),
    Blocker(
        _rule("RDY", 2, "work parked without a record blocks a checkpoint", GYM_2942, "3.4", "I6"),
        "parked_without_boundary",
        parked_without_boundary,
    ),
    Blocker(
        _rule(
            "RDY",
            3,
            "a finished result blocks a checkpoint until it is acknowledged",
            GYM_2942,
            "3.4",
            "I6",
            "I8",
            "B1",
        ),
        "completed_unacknowledged",
        completed_unacknowledged,
    ),
    Blocker(
        _rule(
            "RDY",
            4,
            "a retired handler blocks a checkpoint until it has stopped",
            DERIVED,
            "R14",
            "D11",
            "I24",
            "I28",
        ),
        "retiring",
        retiring,
    ),
    Blocker(
        _rule(
            "RDY",
            5,
            "a run without identity blocks a checkpoint while it runs",
            DERIVED,
            "R19",
            "D14",
        ),
        "untracked",
        untracked,
    ),
)


@attrs.frozen
class Export:
    """A kind of record that a commit writes."""

    rule: Rule
    name: str


EXPORTS: tuple[Export, ...] = (
    Export(_rule("EXP", 1, "a parked boundary is written", GYM_2942, "3.4", "I13"), "own_boundary"),
    Export(
        _rule(
            "EXP",
            2,
            "a replacement without a boundary of its own is written with its continuation, "
            "under its own key",
            DERIVED,
            "R8",
            "D2",
            "I21",
        ),
        "continuation",
    ),
    Export(
        _rule(
            "EXP",
            3,
            "a restored record that nobody has claimed is written again, under its replacement's "
            "key",
            GYM_2942_REVIEW,
            "R8",
            "A7",
            "I21",
            "C10",
        ),
        "pending",
    ),
)


@attrs.frozen
class ReceiptField:
    """A field of a completion receipt that an acknowledgement must repeat."""

    rule: Rule
    name: str


RECEIPT_FIELDS: tuple[ReceiptField, ...] = tuple(
    ReceiptField(
        _rule(
            "REC", number, f"an acknowledgement repeats {says}", GYM_3349, "1.3", "3.7", "I10", "B6"
        ),
        name,
    )
    for number, (name, says) in enumerate(
        (
            ("execution_generation", "the generation of the execution that finished"),
            ("result_identity", "the identity of the result"),
            ("result_digest", "the digest of the result"),
            ("manifest_capture_key", "the capture key of the last committed boundary"),
            ("terminal_model_call_id", "the model call of the last committed boundary"),
        ),
        start=1,
    )
)


REFUSES: tuple[Refuses, ...] = (
    Refuses(_rule("REF", 1, "a failed run refuses its key", GYM_2942, "1.4", "I2"), "failed"),
    Refuses(_rule("REF", 2, "a cancelled run refuses its key", GYM_2942, "1.4", "I2"), "cancelled"),
    Refuses(
        _rule("REF", 3, "retire refuses its key, also one that never ran", GYM_2942, "3.6", "I2"),
        "retired",
    ),
    Refuses(
        _rule("REF", 4, "a restore refuses the attempt it continues", GYM_2942, "3.8", "I3"),
        "source",
    ),
    Refuses(
        _rule(
            "REF",
            5,
            "work retired at resume for want of a handler refuses its key",
            DECISION,
            "R13",
        ),
        "orphan",
    ),
    Refuses(
        _rule("REF", 6, "a superseded replacement is refused from then on", DECISION, "R17"),
        "superseded",
    ),
)


RAISES: tuple[Raises, ...] = (
    Raises(
        _rule("WAT", 1, "an attempt that begins raises the watermark", DECISION, "R17", "I29"),
        "begin",
    ),
    Raises(
        _rule(
            "WAT",
            2,
            "a restore raises the watermark, so that every attempt up to its source is refused",
            GYM_2942_REVIEW,
            "R17",
            "I4",
            "A6",
        ),
        "restore",
    ),
)
