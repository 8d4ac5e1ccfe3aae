"""What must hold in every run of a resources server, what must come about, what must be possible.

Decided here: the promises. How each is asked of a step is code of the reference
(`fencepost_reference.receipts.resources.promises`).
"""

from fencepost_spec.operation import Kind, Property
from fencepost_spec.receipts.sources import (
    DECISION,
    DERIVED,
    GYM_2940,
    GYM_2942_REVIEW,
    GYM_3349,
)
from fencepost_spec.rule import Level, Rule, Source

_ALWAYS: tuple[tuple[int, str, Source, tuple[str, ...]], ...] = (
    (1, "no handler starts for a refused key", GYM_2940, ("I2", "4.5")),
    (2, "the source of a restored session is refused and has none", GYM_2940, ("I3",)),
    (3, "no session stands below the watermark of its rollout", GYM_2942_REVIEW, ("I4", "A6")),
    (4, "no handler of a gated request starts while admission is closed", GYM_2940, ("I5", "C6")),
    (5, "nothing moves in a prepared checkpoint before resume", GYM_2940, ("I5", "I22")),
    (6, "a request that is refused changes no session", GYM_2940, ("I14",)),
    (7, "a request is served at most once, also after a restore", GYM_3349, ("I13", "4.5")),
    (8, "a revision rises by one with each change and never falls", GYM_2940, ("1.4", "4.5")),
    (9, "requests that run alone never run together", GYM_2940, ("4.5",)),
    (10, "at most one id is active here, and a finished one never again", GYM_2940, ("I15",)),
    (11, "an operation succeeds at most once for an id here", GYM_2940, ("I16",)),
    (12, "this fence has an active id exactly when it is not at rest", GYM_2942_REVIEW, ("I17",)),
    (13, "the server never changes a directory that is committed", GYM_2940, ("I18",)),
    (14, "a restore installs every session of its directory or none", GYM_2940, ("I19",)),
    (15, "a restore meets a server that has served nothing stateful", GYM_2940, ("I20", "R16")),
    (16, "a written checkpoint has every session that goes on", GYM_2942_REVIEW, ("I21", "A7")),
    (17, "between prepare and resume admission is closed", GYM_2940, ("I22", "D1", "R1")),
    (18, "what cannot be written down is in no checkpoint", GYM_3349, ("4.5", "D15")),
    (19, "restored revisions are those that the agents name", GYM_3349, ("I25", "D18")),
)

_EVENTUALLY: tuple[tuple[int, str, Source, tuple[str, ...], str], ...] = (
    (
        1,
        "a prepare of sessions ends by its deadline, prepared or with what is in the way",
        GYM_2940,
        ("P1", "2.4"),
        "time passes",
    ),
    (
        2,
        "a storage step of sessions that runs ends",
        GYM_2940,
        ("P2", "P6"),
        "the storage is not held",
    ),
    (
        3,
        "an uncertain session can be retired, and then a prepare succeeds",
        DERIVED,
        ("D4", "P5"),
        "handlers end",
    ),
    (
        4,
        "a request whose lock is free goes on, and an answer that is decided leaves",
        GYM_2940,
        ("P7", "4.5"),
        "the participant schedules what is ready",
    ),
    (
        5,
        "a retire ends when the lock is free, or at its deadline",
        DERIVED,
        ("D15", "4.5"),
        "time passes, or handlers end",
    ),
    (
        6,
        "resume brings the server back to rest with admission open, from every phase",
        GYM_2940,
        ("P2", "I17", "R3"),
        "a storage step that runs ends; the controller calls resume, and hears the answer first",
    ),
)

_SOMETIMES: tuple[tuple[int, str, Source, tuple[str, ...]], ...] = (
    (1, "a session is written, restored and goes on as the next attempt", GYM_2940, ("4.5",)),
    (2, "a request sent again after a restore is answered from its receipt", GYM_3349, ("I13",)),
    (3, "an uncertain session is retired and the next prepare succeeds", DERIVED, ("D4",)),
    (
        4,
        "a prepare that missed a locked session succeeds when it is called again",
        DECISION,
        ("R1",),
    ),
    (5, "a request that waited for its lock is refused under it", GYM_2940, ("4.5",)),
    (6, "a restored session that nobody used is written again", GYM_2942_REVIEW, ("A7",)),
    (7, "a server started for a restore serves after it", GYM_2940, ("4.5",)),
    (8, "a server that cannot export is prepared with its sessions", GYM_2940, ("4.5",)),
    (9, "a server that exports nothing refuses the sessions of another mode", DECISION, ("I19",)),
    (
        10,
        "a later attempt supersedes a session, and starts a restored one afresh",
        DECISION,
        ("R17",),
    ),
    (11, "a session is not restored to a key that was retired", GYM_2940, ("I2", "R16")),
)

PROPERTIES: tuple[Property, ...] = (
    *(
        Property(Rule(f"R-RIN-{number}", name, source, facts), Kind.ALWAYS, name)
        for number, name, source, facts in _ALWAYS
    ),
    *(
        Property(Rule(f"R-RLI-{number}", name, source, facts), Kind.EVENTUALLY, name, fairness)
        for number, name, source, facts, fairness in _EVENTUALLY
    ),
    *(
        Property(Rule(f"R-RSO-{number}", name, source, facts, Level.INFO), Kind.SOMETIMES, name)
        for number, name, source, facts in _SOMETIMES
    ),
)

BY_ID: dict[str, Property] = {prop.id: prop for prop in PROPERTIES}
