"""What a `/run` gets: the ladder of admission, and the ladder of one acknowledged receipt."""

from fencepost_spec.operation import REPLAY, Check
from fencepost_spec.receipts import facts as f
from fencepost_spec.receipts import refusals as code
from fencepost_spec.receipts.sources import (
    DECISION,
    GYM_2942,
    GYM_2942_REVIEW,
    GYM_3349,
)
from fencepost_spec.rule import Rule, Source


def _rule(number: int, says: str, source: Source, *facts: str) -> Rule:
    return Rule(f"R-RUN-{number}", says, source, facts)


RUN_LADDER: tuple[Check, ...] = (
    Check(
        _rule(
            1, "a run body of another shape is refused and starts nothing", DECISION, "1.1", "I27"
        ),
        f.not_well_formed,
        code.INVALID_REQUEST,
    ),
    Check(
        _rule(2, "an acknowledged key never runs again", GYM_3349, "3.2", "I2"),
        f.run_is_acknowledged,
        code.STALE_ATTEMPT,
    ),
    Check(
        _rule(3, "a refused key never runs again", GYM_2942, "3.2", "I2", "I3", "R17"),
        f.run_is_refused,
        code.STALE_ATTEMPT,
    ),
    Check(
        _rule(
            4,
            "an attempt below the highest known one of its rollout is refused",
            GYM_2942_REVIEW,
            "I4",
            "A6",
            "R17",
        ),
        f.run_is_below_watermark,
        code.STALE_ATTEMPT,
        free=True,
    ),
    Check(
        _rule(
            5,
            "a finished result is given again, a null one too, until it is acknowledged",
            GYM_2942,
            "3.2",
            "I9",
            "D3",
            "R18",
            "P4",
        ),
        f.run_is_completed,
        REPLAY,
    ),
    Check(
        _rule(6, "a live key is not started twice", GYM_2942, "3.2", "I1", "C3"),
        f.run_is_live,
        code.DUPLICATE_EXECUTION,
    ),
    Check(
        _rule(
            7,
            "nothing is admitted while admission is closed, with or without an identity",
            GYM_2942,
            "3.2",
            "I5",
            "D14",
            "R19",
        ),
        f.admission_is_closed,
        code.ADMISSION_CLOSED,
        free=True,
    ),
    Check(
        _rule(
            8,
            "a new attempt waits until the older one of its rollout has ended or was retired",
            DECISION,
            "R15",
            "I29",
        ),
        f.older_attempt_is_live,
        code.DUPLICATE_EXECUTION,
    ),
)
"""Asked in this order when a `/run` arrives; when none answers, the run is admitted."""

RECEIPT_LADDER: tuple[Check, ...] = (
    Check(
        Rule(
            "R-ACK-1",
            "a key that was acknowledged accepts only the receipt it was released by",
            GYM_3349,
            ("3.7", "I10"),
        ),
        f.differs_from_acknowledged,
        code.ACKNOWLEDGEMENT_ERROR,
    ),
    Check(
        Rule(
            "R-ACK-2",
            "only a retained result is released",
            GYM_3349,
            ("3.7", "I10", "D13"),
        ),
        f.has_nothing_to_release,
        code.ACKNOWLEDGEMENT_ERROR,
    ),
    Check(
        Rule(
            "R-ACK-3",
            "a result is released by its exact receipt only",
            GYM_3349,
            ("3.7", "I10", "B6"),
        ),
        f.differs_from_retained,
        code.ACKNOWLEDGEMENT_ERROR,
    ),
)
"""Asked for every receipt of a batch before any is released."""

ADMITTED = _rule(9, "an admitted run starts its handler", GYM_2942, "3.2", "I1")
UNTRACKED = _rule(
    10, "work without identity records nothing, and goes on", DECISION, "1.1", "R19", "D14"
)

ON_DISK = _rule(
    20, "a directory that another commit made is never rewritten", GYM_2942, "6", "I18", "R7"
)
UNREADABLE = _rule(
    21,
    "a directory that is absent, partial or damaged is refused with a code, and changes nothing",
    DECISION,
    "R20",
    "R25",
    "I19",
    "3.8",
)
REPLACEMENT_REFUSED = _rule(
    22,
    "a record is restored only when its next attempt can still be claimed",
    DECISION,
    "R16",
    "I2",
    "I3",
    "P8",
)
STORAGE_STEP = _rule(
    23,
    "a storage step that fails leaves what was visible before, or all of it",
    GYM_2942,
    "6",
    "I18",
    "P6",
)
"""Rules that a storage step answers by."""

DISK_RULES: tuple[Rule, ...] = (ON_DISK, UNREADABLE, REPLACEMENT_REFUSED, STORAGE_STEP)
