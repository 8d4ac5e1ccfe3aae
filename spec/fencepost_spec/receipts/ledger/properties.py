"""What must hold in every run of a ledger, what must come about, and what must be possible.

Decided here: the promises, each with the statement of the facts it stands for. How a promise is
asked of a state is code of the reference (`fencepost_reference.receipts.ledger.promises`).
"""

from fencepost_spec.operation import Kind, Property
from fencepost_spec.receipts.ledger.sources import (
    DECISION,
    DERIVED,
    RL_3923,
    RL_4265,
    RL_4265_REVIEW,
    fact,
)
from fencepost_spec.rule import Level, Rule, Source

_ALWAYS: tuple[tuple[int, str, Source, tuple[str, ...]], ...] = (
    (1, "attempts of a sibling are only ever added at the end", RL_4265, ("I1",)),
    (2, "a next attempt exists only where the one before was given up", RL_4265, ("I2",)),
    (3, "a sealed result stays what it is until its group is let go", RL_3923, ("I3", "A5")),
    (4, "there is a result exactly where an attempt is sealed", RL_4265, ("I4",)),
    (5, "a result belongs to the attempt that holds it", RL_4265_REVIEW, ("I5",)),
    (6, "a cohort is never seen half sealed", RL_3923, ("I6",)),
    (7, "a group left generating exactly when all its siblings are sealed", RL_3923, ("I7",)),
    (8, "no saved state holds a group that is being finalized", RL_3923, ("I8",)),
    (14, "an obligation goes by its exact receipt, or is dropped on purpose", RL_4265, ("I14",)),
    (15, "what is owed for a sealed attempt is its own receipt and agent", RL_4265, ("I15",)),
    (16, "what is owed for an execution keeps its content", RL_4265, ("I16", "K3x")),
    (28, "a reserved group was never dispatched, and an admission agrees with itself", RL_3923,
     ("I28", "G11", "V12")),
    (31, "what was saved is read back, and means the same", RL_4265_REVIEW,
     ("I31", "G7", "V1-V13")),
    (32, "two executions never share a capture key", DERIVED, ("I32", "1.1", "B22")),
    (40, "a refused operation changes nothing", DECISION, ("G2", "A5", "K3x")),
)  # fmt: skip

_EVENTUALLY: tuple[tuple[int, str, Source, tuple[str, ...], str], ...] = (
    (
        1, "every finished execution can be acknowledged while its attempt is current",
        RL_4265_REVIEW, ("L1", "L6", "B1", "K2p'", "L3"),
        "the controller records a receipt when it arrives",
    ),
    (
        2, "every attempt that was dispatched is sealed, or given up and followed by the next",
        RL_4265, ("L2", "A8", "4.4"), "the controller gives up what does not finish",
    ),
    (
        5, "every obligation that is confirmed goes", RL_4265, ("L5", "K5", "X7"),
        "participants confirm what they are told",
    ),
    (
        15, "every group can be let go, or become training data", DECISION,
        ("B15", "G8", "P7", "P10"), "the controller lets go of what it gives up",
    ),
)  # fmt: skip

_SOMETIMES: tuple[tuple[int, str, Source, tuple[str, ...]], ...] = (
    (1, "a sibling is sealed before a restart, and reused after it", RL_3923, ("4.3", "B16")),
    (2, "a cohort is acknowledged early, given up, and finished by the next attempts", RL_4265,
     ("L6",)),
    (3, "an obligation is released, recorded again, and released again", RL_4265, ("K8", "X7")),
    (4, "a group is finalized and owned no more", RL_3923, ("P7",)),
    (5, "a saved ledger is read, bound and saved again as it was", RL_4265, ("4.1",)),
)  # fmt: skip

PROPERTIES: tuple[Property, ...] = (
    *(
        Property(Rule(f"R-LIN-{number}", name, source, fact(*facts)), Kind.ALWAYS, name)
        for number, name, source, facts in _ALWAYS
    ),
    *(
        Property(
            Rule(f"R-LLV-{number}", name, source, fact(*facts)), Kind.EVENTUALLY, name, fairness
        )
        for number, name, source, facts, fairness in _EVENTUALLY
    ),
    *(
        Property(
            Rule(f"R-LSO-{number}", name, source, fact(*facts), Level.INFO), Kind.SOMETIMES, name
        )
        for number, name, source, facts in _SOMETIMES
    ),
)

BY_ID: dict[str, Property] = {prop.id: prop for prop in PROPERTIES}
