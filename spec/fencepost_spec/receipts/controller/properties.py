"""What a controller promises: what its reports always say, what is never left undone at rest.

Decided here: the promises. How they are asked is code of the reference. That every call and deed is
legal is promised by the ladders of `calls.py`.
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

_ALWAYS: tuple[tuple[int, str, str, Source, str], ...] = (
    (1, "gate_is_told_wrongly", "no gate is open before every release is confirmed", RL_4265,
     "I21 L4 S12"),
    (2, "id_is_told_wrongly", "the id that is open is told until it is released", RL_4265,
     "I20 S12"),
    (3, "running_is_told_wrongly", "what runs is what was sent and not answered", RL_4265,
     "F1 F11"),
    (4, "owed_is_told_wrongly", "what is owed is what was received and not confirmed",
     RL_4265_REVIEW, "I14 I15 I16 B1"),
    (5, "attempts_are_told_wrongly", "a group has the attempts that were sent and at most one more",
     RL_4265, "I1 I2"),
    (6, "groups_are_told_wrongly", "a group is held from when it is handed over until it has ended",
     RL_3923, "I9 B15"),
)  # fmt: skip
"""Asked of every report at rest."""

_EVENTUALLY: tuple[tuple[int, str, str, Source, str, str], ...] = (
    (1, "blocks_for_ever", "no completion blocks for ever because nobody acknowledges it",
     RL_4265_REVIEW,
     "L1 L3 L6 B1 B3", "participants answer"),
    (2, "is_left_lost", "what was sent is finished, or released and followed by the next",
     RL_4265_REVIEW, "L2 4.5", "participants answer"),
    (3, "stays_closed", "a checkpoint that goes no further is released, under its own id", RL_4265,
     "L4 X1 S12", "participants answer"),
    (4, "stays_owed", "what is owed is sent until it is confirmed", RL_4265, "L5 K6",
     "participants answer"),
    (5, "is_never_attempted", "a snapshot that fell due is attempted, and its end is told", RL_4265,
     "L3", "participants answer"),
    (6, "is_never_trained", "a finished group is trained on", RL_3923, "I3 P5",
     "the finalizer answers"),
    (7, "is_never_launched", "an admitted group is launched while the gate is open", RL_4265,
     "L8 P3 L2", "participants answer"),
    (8, "is_left_running", "what was let go is let go by its agent, too", DERIVED, "X3 I30",
     "participants answer"),
    (9, "is_left_installed", "a restored continuation that nobody wants is let go", DERIVED, "X5",
     "participants answer"),
    (10, "is_never_restored", "a restore that was begun comes to its end", DECISION, "4.1 L4",
     "participants answer"),
)  # fmt: skip
"""Asked at every report at rest: what is left undone there is a stall."""

_SOMETIMES: tuple[tuple[int, str, Source, str], ...] = (
    (1, "a snapshot is published while a cohort is half done", RL_4265_REVIEW, "L6 B2 .B2"),
    (2, "a lost reply is followed by a retire, and then by the next attempt", RL_4265_REVIEW,
     "4.5"),
    (3, "what finished unheard is adopted while a checkpoint is prepared", RL_4265_REVIEW, "4.5"),
    (4, "a checkpoint is given up, and the next one is published", RL_4265, "L4"),
    (5, "a process starts from a snapshot, and work goes on as the next attempt", RL_4265, "4.3"),
    (6, "a release is asked for again until it is confirmed", RL_4265, "S12 X1"),
    (7, "a group goes stale, and what it ran is let go", DERIVED, "X3"),
    (8, "a continuation that cannot go on is discarded, and another is kept", RL_4265, "I27"),
)  # fmt: skip


def _facts(text: str) -> tuple[str, ...]:
    """The numbers in a text; those of the participants' side have a dot before them."""
    own = [one for one in text.split() if one[0] != "."]
    return (*fact(*own), *(one[1:] for one in text.split() if one[0] == "."))


PROPERTIES: tuple[Property, ...] = (
    *(
        Property(Rule(f"R-CIN-{number}", says, source, _facts(facts)), Kind.ALWAYS, says)
        for number, _, says, source, facts in _ALWAYS
    ),
    *(
        Property(
            Rule(f"R-CEV-{number}", says, source, _facts(facts)),
            Kind.EVENTUALLY, says, fairness,
        )
        for number, _, says, source, facts, fairness in _EVENTUALLY
    ),
    *(
        Property(
            Rule(f"R-CSO-{number}", says, source, _facts(facts), Level.INFO),
            Kind.SOMETIMES, says,
        )
        for number, says, source, facts in _SOMETIMES
    ),
)  # fmt: skip

BY_ID: dict[str, Property] = {prop.id: prop for prop in PROPERTIES}
AT_REPORT: tuple[tuple[str, Rule], ...] = tuple(
    (name, BY_ID[f"R-CIN-{number}"].rule) for number, name, *_ in _ALWAYS
)
"""What is asked of a report, and the rule that a yes breaks."""
AT_REST: tuple[tuple[str, Rule], ...] = tuple(
    (name, BY_ID[f"R-CEV-{number}"].rule) for number, name, *_ in _EVENTUALLY
)
"""What is asked at rest, and the rule that a yes breaks."""
