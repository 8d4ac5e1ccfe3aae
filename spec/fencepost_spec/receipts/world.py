"""What must hold of a controller and its participants together.

Decided here: the promises that no process can keep alone, each with the statement of the facts it
stands for. How they are asked of a state is code of the reference (`fencepost_reference.worlds`).
"""

from collections.abc import Iterator

from fencepost_spec.operation import Kind, Property
from fencepost_spec.receipts.ledger.sources import RL_3923, RL_4265, RL_4265_REVIEW, fact
from fencepost_spec.receipts.sources import DERIVED
from fencepost_spec.rule import Level, Rule, Source

RL_3924 = Source("RL #3924", "periodic snapshots: capture under a barrier, publication by a rename")

_ALWAYS: tuple[tuple[int, str, Source, tuple[str, ...]], ...] = (
    (1, "a prompt group is trained with one row for each of its siblings", RL_3923, ("I3",)),
    (2, "no prompt group is trained twice, and no result", RL_3923, ("I3",)),
    (3, "only what a rollout has finished with is trained", RL_3923, ("I3", "I5")),
    (4, "when a snapshot is published nothing is owed, and no agent keeps a result", RL_4265,
     ("I17",)),
    (5, "a snapshot is published when everything in it is written, and not before", RL_3924,
     ("I22",)),
    (6, "a published snapshot can be read by whoever starts from it", RL_3924, ("I22", "I31")),
    (7, "nothing that happens later changes a published snapshot", RL_3924, ("I22",)),
    (8, "admission opens again only when no participant is held by the checkpoint", RL_4265,
     ("I21",)),
    (9, "an attempt begins once while its controller lives", RL_4265, ("I2", "I3")),
    (10, "no attempt begins anywhere beside a live one of its rollout", RL_4265_REVIEW, ("I2",)),
    (11, "a referee that sees what the controller does refuses none of it", RL_4265_REVIEW,
     ("2.6", "4.5")),
    (12, "a controller knows every attempt that its ledger calls dispatched", RL_4265_REVIEW,
     ("L2",)),
)  # fmt: skip

_KEEPS_GOING = (
    "whatever is possible again and again is done: what somebody owes, a message that arrives,"
    " a run that arrives while its agent is open, a rollout that finishes"
)

_EVENTUALLY: tuple[tuple[int, str, Source, tuple[str, ...], str], ...] = (
    (1, "no finished result that is not acknowledged blocks for ever", RL_4265_REVIEW,
     ("L1", "L3"), _KEEPS_GOING + "; a snapshot is due again and again"),
    (2, "every prompt group that was handed over is trained or let go", RL_4265_REVIEW,
     ("L2",), _KEEPS_GOING + "; the finalizer answers; the sampler has admitted the group"),
    (3, "every attempt at a checkpoint ends with admission open", RL_4265, ("L4",),
     _KEEPS_GOING + "; a snapshot is due again and again"),
    (4, "every acknowledgement that is owed is made", RL_4265, ("L5",),
     _KEEPS_GOING + "; a snapshot is due again and again"),
    (5, "every participant that a checkpoint holds is released", RL_4265, ("L4", "I21"),
     _KEEPS_GOING + "; a snapshot is due again and again"),
    (6, "a snapshot is published again and again", RL_4265, ("L3",),
     _KEEPS_GOING + "; a snapshot is due again and again; deadlines are long enough"),
    (7, "an attempt that nobody waits for is forgotten by its controller", RL_4265_REVIEW, ("L2",),
     _KEEPS_GOING + "; a snapshot is due again and again; the finalizer answers"),
    (8, "a continuation that was restored is taken up, superseded or discarded", DERIVED,
     ("X5", "R17"),
     _KEEPS_GOING + "; a snapshot is due again and again; the finalizer answers"),
)  # fmt: skip

_SOMETIMES: tuple[tuple[int, str, Source, tuple[str, ...]], ...] = (
    (1, "a finished result whose answer was lost is adopted, and trained", RL_4265_REVIEW,
     ("4.5", "B3")),
    (2, "a half-done prompt group is in a snapshot, restored from it, and finished", RL_4265,
     ("4.3",)),
    (3, "a release that nobody confirmed is called again under the same id", RL_4265, ("I20",)),
    (4, "a snapshot fails half-way, and the one before it is restored", RL_3924, ("I22",)),
    (5, "a rollout goes on from where an earlier attempt of it was parked", RL_4265, ("4.3",)),
)  # fmt: skip

PROPERTIES: tuple[Property, ...] = (
    *(
        Property(Rule(f"R-WLD-{number}", name, source, fact(*facts)), Kind.ALWAYS, name)
        for number, name, source, facts in _ALWAYS
    ),
    *(
        Property(
            Rule(f"R-WEV-{number}", name, source, fact(*facts)), Kind.EVENTUALLY, name, fairness
        )
        for number, name, source, facts, fairness in _EVENTUALLY
    ),
    *(
        Property(
            Rule(f"R-WSO-{number}", name, source, fact(*facts), Level.INFO), Kind.SOMETIMES, name
        )
        for number, name, source, facts in _SOMETIMES
    ),
)

BY_ID: dict[str, Property] = {prop.id: prop for prop in PROPERTIES}

CARRIES = Rule(
    "R-NET-1",
    "a message that is under way arrives in the end, or is lost and waited for in vain",
    DERIVED,
    fact("4.5"),
)
DISK_ANSWERS = Rule(
    "R-NET-2",
    "the disk does in the end what it is asked for, or says that it failed",
    RL_3924,
    fact("I22"),
)


def world_rules() -> tuple[Rule, ...]:
    """All rules of a controller and its participants together."""
    return (*(prop.rule for prop in PROPERTIES), CARRIES, DISK_ANSWERS)


def world_places() -> Iterator[tuple[str, str]]:
    """The id of a rule and where it is used, in words."""
    for prop in PROPERTIES:
        yield prop.id, f"property: {prop.kind.value}"
    yield CARRIES.id, "network of a world"
    yield DISK_ANSWERS.id, "disk of a world"
