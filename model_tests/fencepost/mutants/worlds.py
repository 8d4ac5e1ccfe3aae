"""Small worlds around the work: runs, parks, waits, results, retires; and the list of all."""

from typing import Any

from fencepost.mutants.moves import (
    GoneMove,
    Move,
    ReceiptMove,
)
from fencepost.mutants.playing import CANCEL, END_EARLY, PARK_IN_PLACE, WAKE
from fencepost.mutants.scopes import (
    NULL,
    PLAIN,
    R1,
    R2,
    RICH,
    TICK,
    Scope,
    boundary,
    call,
    control,
    event,
    finish,
    keyed,
    run,
    tags,
)
from fencepost.mutants.worlds_of_disk import (
    ATTEMPTS,
    FENCE,
    FRONT,
    RAISES,
    RESTORES,
    STORAGE,
    SUPERSEDES,
    UNTRACKED,
)
from fencepost_spec.vocabulary import Key


def _receipts(*keys: Key) -> tuple[Move, ...]:
    shown = ", ".join(f"{key.rollout_id}.{key.attempt}" for key in keys)
    several = len(keys) > 1
    op = "acknowledge-completed" if several else "acknowledge"
    wrongs = (
        "execution_generation",
        "result_identity",
        "result_digest",
        "manifest_capture_key",
        "terminal_model_call_id",
    )
    return (
        ReceiptMove(f"{op} {shown}", op, keys, tags(op)),
        *(
            ReceiptMove(f"{op} {shown} with another {wrong}", op, keys, tags(op, "wrong"), wrong)
            for wrong in wrongs
        ),
    )


def _waits(kind: str) -> tuple[Move, ...]:
    """The alphabet of one kind of marked wait."""
    more: dict[str, Any] = {"allow_model_wait_boundary": True}
    allowed = (control("prepare", "c1", **more),) if kind == "model" else ()
    return (
        run(R1),
        boundary(R1, index_max=0),
        event(R1, f"{kind}_wait_begin"),
        event(R1, f"{kind}_wait_end"),
        event(R1, "refusal"),
        event(R1, "park"),
        control("prepare", "c1"),
        *allowed,
        TICK,
        control("resume", "c1"),
        keyed("retire", "c1", R1),
        finish(R1, "cancelled"),
        finish(R1, "failed"),
        finish(R1, "completed", PLAIN),
    )


PARKS = Scope(
    "parks",
    "one run, its boundaries and parks, two checkpoints",
    (
        run(R1),
        boundary(R1),
        boundary(R1, "same"),
        boundary(R1, "other"),
        boundary(R1, "foreign"),
        boundary(R1, "foreign same"),
        event(R1, "park"),
        control("prepare", "c1"),
        control("prepare", "c2"),
        TICK,
        control("resume", "c1"),
        control("resume", "c2"),
        finish(R1, "failed"),
        finish(R1, "completed", PLAIN),
    ),
    tags(WAKE, PARK_IN_PLACE),
)


def _frozen(kind: str) -> tuple[Move, ...]:
    """The alphabet of a frozen wait beside work that does not park in time."""
    more: dict[str, Any] = {"allow_model_wait_boundary": True} if kind == "model" else {}
    return (
        run(R1),
        boundary(R1, index_max=0),
        event(R1, f"{kind}_wait_begin"),
        event(R1, f"{kind}_wait_end"),
        run(R2),
        control("prepare", "c1", **more),
        TICK,
        finish(R1, "cancelled"),
        control("resume", "c1"),
    )


EXTERNAL_MISSED = Scope(
    "external missed", "a frozen external wait, and a prepare that misses", _frozen("external")
)
MODEL_MISSED = Scope(
    "model missed", "a frozen model wait, and a prepare that misses", _frozen("model")
)
EXTERNAL = Scope("external", "one run in an external wait", _waits("external"), tags(WAKE))
MODEL = Scope("model", "one run in a model wait", _waits("model"), tags(WAKE))
RESULTS = Scope(
    "results",
    "one run, its result and receipt, one checkpoint",
    (
        run(R1, limit=2),
        boundary(R1, index_max=0, model_call="m1"),
        finish(R1, "completed", RICH),
        finish(R1, "completed", NULL, "with null"),
        finish(R1, "failed"),
        *_receipts(R1),
        call("completion-receipt", R1),
        keyed("retire", "c1", R1),
        control("prepare", "c1"),
        control("resume", "c1"),
        TICK,
    ),
    tags(END_EARLY),
)
BATCHES = Scope(
    "batches",
    "two runs and their receipts",
    (
        run(R1),
        run(R2),
        finish(R1, "completed", RICH),
        finish(R2, "completed", PLAIN),
        *_receipts(R1),
        *_receipts(R1, R2),
        *_receipts(R2, R1),
        call("completion-receipt", R2),
    ),
)
RETIRES = Scope(
    "retires",
    "one run that is retired in every state",
    (
        run(R1),
        boundary(R1, index_max=0),
        event(R1, "park"),
        control("prepare", "c1", 2),
        TICK,
        keyed("retire", "c1", R1, 2),
        keyed("discard-restored-continuation", "c1", R1),
        finish(R1, "completed", PLAIN),
        finish(R1, "cancelled"),
        finish(R1, "failed"),
        control("commit", "c1", checkpoint_dir="d1"),
        control("resume", "c1"),
    ),
)
DISCONNECTS = Scope(
    "disconnects",
    "clients and controllers that go away",
    (
        run(R1),
        boundary(R1, index_max=0),
        event(R1, "park"),
        control("prepare", "c1", 2),
        TICK,
        GoneMove("the client of the run goes away", "run"),
        GoneMove("a caller of prepare goes away", "prepare"),
        finish(R1, "cancelled"),
        control("resume", "c1"),
        keyed("retire", "c1", R1),
        GoneMove("a caller of retire goes away", "retire"),
    ),
    tags(CANCEL),
)

SCOPES: tuple[Scope, ...] = (
    FRONT,
    PARKS,
    RESULTS,
    RETIRES,
    ATTEMPTS,
    EXTERNAL,
    MODEL,
    EXTERNAL_MISSED,
    MODEL_MISSED,
    RESTORES,
    SUPERSEDES,
    FENCE,
    UNTRACKED,
    DISCONNECTS,
    BATCHES,
    RAISES,
    STORAGE,
)
