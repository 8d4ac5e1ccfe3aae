"""What must hold in every run of a policy model, what must come about, what must be possible.

How a promise is asked of a state is code of the reference.
"""

from fencepost_spec.operation import Kind, Property
from fencepost_spec.receipts.sources import DECISION, DERIVED, GYM_2940
from fencepost_spec.rule import Level, Rule, Source

_ALWAYS: tuple[tuple[int, str, Source, tuple[str, ...]], ...] = (
    (1, "no call is let in while a checkpoint is open", GYM_2940, ("I5", "I22")),
    (2, "a call of a refused attempt is never let in", GYM_2940, ("I2",)),
    (3, "no call of a source, or of an attempt below one, is let in", DECISION, ("I3", "I4")),
    (4, "a paused model has no call in flight", GYM_2940, ("I24", "4.1")),
    (5, "a call leaves only when its task has ended", GYM_2940, ("I24",)),
    (6, "a model is closed exactly while a checkpoint is open", GYM_2940, ("I22", "P2")),
    (7, "a prepared model stays paused until resume", GYM_2940, ("I22", "I6")),
    (8, "no row reaches the ledger while a checkpoint is prepared", DERIVED, ("I18", "4.4")),
    (9, "a committed ledger never changes", GYM_2940, ("I18", "R7")),
    (10, "a restored ledger holds the whole checkpoint, and refuses all its sources", GYM_2940,
     ("I19", "I3")),
    (11, "a restore that fails changes neither ledger nor refusals", DECISION, ("I19",)),
    (12, "a model has at most one active id, and none that is finished", GYM_2940, ("I15",)),
    (13, "an operation of an id succeeds at most once at a model", GYM_2940, ("I16",)),
    (14, "the fence of a model has an active id exactly when it is not idle", GYM_2940,
     ("I17", "A2")),
    (15, "every committed root has one boundary row and no aborted attempt", GYM_2940, ("I26",)),
    (16, "a committed lineage is the live one, restored rows included", GYM_2940, ("I21", "4.4")),
    (17, "an auxiliary model never closes", GYM_2940, ("I30",)),
)  # fmt: skip

_EVENTUALLY: tuple[tuple[int, str, Source, tuple[str, ...], str], ...] = (
    (1, "a drain ends when its calls have ended", GYM_2940, ("P1", "4.1"),
     "every call that was let in or cancelled ends"),
    (2, "a status that waits answers when nothing runs, or at its deadline", GYM_2940,
     ("2.4", "P1"), "time passes"),
    (3, "a commit or restore of a ledger ends", GYM_2940, ("P2",), "a storage step that runs ends"),
    (4, "a failed commit or restore of a ledger can be tried again or given up", GYM_2940,
     ("P6", "D12"), "the controller calls resume, and hears the answer first"),
    (5, "an answer that a model has decided leaves", DECISION, ("P7",),
     "the participant schedules what is ready"),
)  # fmt: skip

_SOMETIMES: tuple[tuple[int, str, Source, tuple[str, ...]], ...] = (
    (1, "a model drains, is written, and lets calls in again", GYM_2940, ("4.1",)),
    (2, "a restored rollout calls the model as its next attempt", GYM_2940, ("4.4", "I3")),
    (3, "an aborted call ends, and the drain ends with it", GYM_2940, ("4.1", "I24")),
    (4, "a failed restore is tried again under its id and succeeds", GYM_2940, ("4.4", "P6")),
    (5, "a failed restore is given up by resume", GYM_2940, ("4.4", "P6")),
    (6, "a restored lineage is written again before any new call", GYM_2940, ("4.4", "I21")),
)

MODEL_PROPERTIES: tuple[Property, ...] = (
    *(
        Property(Rule(f"R-PMI-{number}", name, source, facts), Kind.ALWAYS, name)
        for number, name, source, facts in _ALWAYS
    ),
    *(
        Property(Rule(f"R-PML-{number}", name, source, facts), Kind.EVENTUALLY, name, fairness)
        for number, name, source, facts, fairness in _EVENTUALLY
    ),
    *(
        Property(Rule(f"R-PMS-{number}", name, source, facts, Level.INFO), Kind.SOMETIMES, name)
        for number, name, source, facts in _SOMETIMES
    ),
)

BY_ID: dict[str, Property] = {prop.id: prop for prop in MODEL_PROPERTIES}
