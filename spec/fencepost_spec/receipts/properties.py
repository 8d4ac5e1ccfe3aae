"""What must hold in every run of an agent, what must come about, and what must be possible.

Decided here: the promises, each with the statement of the facts it stands for. How a promise is
asked of a state is code of the reference (`fencepost_reference.receipts.promises`).
"""

from fencepost_spec.operation import Kind, Property
from fencepost_spec.receipts.sources import (
    DECISION,
    DERIVED,
    GYM_2940,
    GYM_2942,
    GYM_2942_REVIEW,
    GYM_3349,
    RL_4265_REVIEW,
)
from fencepost_spec.rule import Level, Rule, Source

_ALWAYS: tuple[tuple[int, str, Source, tuple[str, ...]], ...] = (
    (1, "at most one execution of a key is live", GYM_2942, ("I1", "C3")),
    (2, "a refused or acknowledged key never runs again in its process", GYM_2942, ("I2",)),
    (3, "a restored source is refused and continues only as the next attempt", GYM_2942, ("I3",)),
    (4, "no attempt below the watermark of its rollout is live", GYM_2942_REVIEW, ("I4", "A6")),
    (5, "no work is admitted between prepare and resume", GYM_2942, ("I5", "D14")),
    (6, "a written checkpoint holds no running, blocked or finished work", GYM_2942, ("I6",)),
    (
        7,
        "nothing that was counted as parked moves before a later resume",
        GYM_2942_REVIEW,
        ("I7", "A3", "R4", "R24"),
    ),
    (8, "a key is resumable or finished, never both", GYM_2942, ("I8",)),
    (9, "a finished result stays the same until its receipt is acknowledged", GYM_3349, ("I9",)),
    (10, "only an equal receipt releases a result", GYM_3349, ("I10", "B6")),
    (
        12,
        "boundary indices rise, and start above the continuation",
        GYM_2942,
        ("I12",),
    ),
    (13, "every exported record was declared as a boundary", GYM_2942, ("I13", "D16")),
    (15, "at most one id is active, and a finished id never is again", GYM_2940, ("I15",)),
    (16, "an operation of one id succeeds at most once", GYM_2940, ("I16",)),
    (
        17,
        "the fence has an active id exactly when a checkpoint is open",
        GYM_2942_REVIEW,
        ("I17", "A2"),
    ),
    (18, "a committed directory never changes", GYM_2942, ("I18", "R7")),
    (19, "a restore installs the whole directory or nothing", GYM_2942, ("I19",)),
    (20, "a restore meets no live work", GYM_2942_REVIEW, ("I20", "A4", "R16")),
    (
        21,
        "a restored record is claimed, exported, discarded or refused",
        GYM_2942_REVIEW,
        ("I21", "A7"),
    ),
    (22, "admission is closed while a checkpoint is open", GYM_2942, ("I22", "I5", "D1", "R1")),
    (28, "the result of a retired run never reaches its client", DERIVED, ("I28", "D10", "R14")),
    (29, "two attempts of a rollout are never live together", DECISION, ("I29", "R15")),
)

_EVENTUALLY: tuple[tuple[int, str, Source, tuple[str, ...], str], ...] = (
    (
        1,
        "no unacknowledged completion blocks for ever",
        RL_4265_REVIEW,
        ("P4", "P5", "B1", "B3"),
        "the controller acknowledges every receipt that it is told",
    ),
    (
        2,
        "a prepare ends by its deadline with prepared or with what is in the way",
        GYM_2942,
        ("P1", "2.4"),
        "time passes",
    ),
    (
        3,
        "resume of the active id brings the server back to rest with admission open",
        GYM_2940,
        ("P2", "D12", "3.8"),
        "a storage step that runs ends",
    ),
    (
        4,
        "every parked execution with a live client is let go by resume",
        GYM_2942_REVIEW,
        ("P3", "A5"),
        "the participant schedules what it has woken",
    ),
    (
        5,
        "once results are acknowledged and stuck runs retired, a prepare succeeds",
        DERIVED,
        ("P5", "D3", "D14"),
        "handlers that are cancelled stop",
    ),
    (
        6,
        "a failed prepare, commit or restore can be tried again or given up",
        GYM_2942,
        ("P6", "A2", "R20"),
        "the controller calls resume",
    ),
    (
        8,
        "a restored rollout runs, is discarded, retired or superseded",
        GYM_2942,
        ("P8", "R17"),
        "the controller dispatches every restored key or gives it up",
    ),
    (
        9,
        "an answer that is decided leaves, and a held task that is let go returns",
        DECISION,
        ("P1", "P3", "P7", "I17", "A2", "R3"),
        "the participant schedules what is ready",
    ),
)

_SOMETIMES: tuple[tuple[int, str, Source, tuple[str, ...]], ...] = (
    (1, "work parks at a boundary, is written, and goes on", GYM_2942, ("3.4",)),
    (2, "a restored rollout continues as its next attempt", GYM_2942, ("3.8", "I3")),
    (3, "a result is given again after a lost reply and then acknowledged", GYM_3349, ("B3", "P4")),
    (4, "a prepare that missed its deadline succeeds when it is called again", GYM_2942, ("R1",)),
    (5, "a checkpoint is given up and the work goes on", GYM_2942, ("2.1",)),
    (6, "a restored record is written again before anybody claims it", GYM_2942_REVIEW, ("A7",)),
    (7, "a replacement without a boundary is written with its continuation", DERIVED, ("D2",)),
    (8, "work is written while it stands in a frozen wait", GYM_3349, ("3.3",)),
    (9, "a retired run is replaced by its next attempt", RL_4265_REVIEW, ("B3", "3.6")),
    (10, "a refused call parks its work and is issued again after resume", GYM_2942, ("3.5",)),
    (11, "a discarded continuation starts afresh", GYM_3349, ("3.3",)),
    (12, "a second generation is restored from a second checkpoint", GYM_2942, ("3.8", "I21")),
    (13, "a restore that was refused leaves the server at work", GYM_2942, ("3.8", "P6")),
    (14, "a batch of receipts releases several results at once", GYM_3349, ("3.7",)),
)

PROPERTIES: tuple[Property, ...] = (
    *(
        Property(Rule(f"R-INV-{number}", name, source, facts), Kind.ALWAYS, name)
        for number, name, source, facts in _ALWAYS
    ),
    *(
        Property(Rule(f"R-LIV-{number}", name, source, facts), Kind.EVENTUALLY, name, fairness)
        for number, name, source, facts, fairness in _EVENTUALLY
    ),
    *(
        Property(Rule(f"R-SOM-{number}", name, source, facts, Level.INFO), Kind.SOMETIMES, name)
        for number, name, source, facts in _SOMETIMES
    ),
)

BY_ID: dict[str, Property] = {prop.id: prop for prop in PROPERTIES}

RETIRE_WAITS = Rule(
    "R-RET-1",
    "retire answers when the handler has stopped, or at its deadline that it has not",
    DERIVED,
    ("R14", "D11", "C4", "2.4"),
    Level.SHOULD,
)
PREPARE_ENDS_EARLY = Rule(
    "R-PRE-1",
    "a prepare that nothing runs for any more says at once what is in the way",
    GYM_2942,
    ("3.4", "P1"),
    Level.SHOULD,
)
"""Rules of level should that are not rows or rungs."""

SHOULD_RULES: tuple[Rule, ...] = (RETIRE_WAITS, PREPARE_ENDS_EARLY)
