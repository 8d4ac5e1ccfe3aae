"""Small worlds around the fence and the disk: directories, restores, attempts, wrong requests."""

from fencepost.mutants.moves import DirectoryMove, FailMove, GoneMove, ReplaceMove
from fencepost.mutants.playing import STORE
from fencepost.mutants.scopes import (
    ACTIONS_MAX_TWO_LIVES,
    PLAIN,
    R1,
    TICK,
    Scope,
    boundary,
    call,
    committed,
    control,
    event,
    finish,
    keyed,
    run,
    tags,
)
from fencepost.participant import OPERATIONS
from fencepost_spec.vocabulary import Key

R1A1, R1A2 = Key("r1", 1), Key("r1", 2)
RESTORED = DirectoryMove("copy d1 (r1.0@1)", "d1", committed("c0", (R1, 1)))
RESTORED_TWO = DirectoryMove("copy d2 (r1.1@3)", "d2", committed("c9", (R1A1, 3)))
R3, R4 = Key("r3", 0), Key("r4", 0)
PAIR = DirectoryMove("copy d0 (r3.0@0, r4.0@2)", "d0", committed("c9", (R3, 0), (R4, 2)))
EMPTY = DirectoryMove("copy d0 (nothing)", "d0", committed("c0"))

RESTORES = Scope(
    "restores",
    "a directory that another process left, restored and claimed",
    (
        RESTORED,
        control("restore", "x1", checkpoint_dir="d1"),
        control("restore", "x2", checkpoint_dir="d1"),
        control("resume", "x1"),
        keyed("discard-restored-continuation", "x1", R1A1),
        keyed("retire", "c1", R1A1),
        run(R1),
        run(R1A1),
        boundary(R1A1, index_max=2),
        boundary(R1A1, "other"),
        event(R1A1, "park"),
        finish(R1A1, "failed"),
        control("prepare", "c1"),
        control("commit", "c1", checkpoint_dir="d3"),
        control("resume", "c1"),
    ),
)

SUPERSEDES = Scope(
    "supersedes",
    "a restored record, and a later attempt that takes its place",
    (
        RESTORED,
        control("restore", "x1", checkpoint_dir="d1"),
        control("resume", "x1"),
        keyed("discard-restored-continuation", "x1", R1A1),
        keyed("retire", "c1", R1A1),
        run(R1A1),
        run(R1A2),
        finish(R1A2, "failed"),
        control("prepare", "c1"),
        control("commit", "c1", checkpoint_dir="d3"),
    ),
)

ATTEMPTS = Scope(
    "attempts",
    "attempts of one rollout, one after another",
    (
        run(R1),
        run(R1A1),
        run(R1A2),
        finish(R1, "completed", PLAIN),
        finish(R1A1, "failed"),
        finish(R1A1, "cancelled"),
        GoneMove("the client of a run goes away", "run"),
        keyed("retire", "c1", R1),
        keyed("retire", "c1", R1A1),
        RESTORED_TWO,
        control("restore", "x1", checkpoint_dir="d2"),
        control("resume", "x1"),
    ),
    actions_max=8,
)

FENCE = Scope(
    "fence",
    "no work: operations, ids, directories and phases",
    (
        PAIR,
        control("prepare", "c1"),
        control("prepare", "c2"),
        control("status", "c1"),
        control("commit", "c1", 2, checkpoint_dir="d1"),
        control("commit", "c1", checkpoint_dir="d2"),
        control("commit", "c2", checkpoint_dir="d1"),
        control("restore", "c1", 2, checkpoint_dir="d0"),
        control("restore", "c1", checkpoint_dir="d2"),
        control("restore", "c2", checkpoint_dir="d0"),
        control("resume", "c1"),
        control("resume", "c2"),
        keyed("retire", "c1", R1),
        keyed("discard-restored-continuation", "c1", R1A1),
        call("capabilities"),
    ),
    tags(STORE),
)

STORAGE = Scope(
    "storage",
    "a checkpoint written, with storage faults and a crash anywhere, and read again",
    (
        run(R1),
        boundary(R1, index_max=0, model_call="m1"),
        control("prepare", "c1"),
        FailMove("the records fail", "records"),
        FailMove("the manifest fails", "manifest"),
        FailMove("the step after the manifest fails", "after_manifest"),
        FailMove("reading fails", "read"),
        control("commit", "c1", checkpoint_dir="d1"),
        DirectoryMove("damage d1", "d1", None),
        ReplaceMove(),
        control("restore", "x1", checkpoint_dir="d1"),
    ),
    tags(STORE),
    ACTIONS_MAX_TWO_LIVES,
)

FRONT = Scope(
    "front",
    "requests that are not right",
    (
        run(R1, limit=1),
        call("run", malformed=True),
        *(
            call(op, auth=auth, malformed=malformed)
            for op in OPERATIONS
            for auth, malformed in (("wrong", False), (None, True))
        ),
    ),
    actions_max=2,
)

UNTRACKED = Scope(
    "untracked",
    "runs without an identity",
    (
        EMPTY,
        run(None),
        finish(None, "completed", PLAIN),
        finish(None, "failed"),
        control("prepare", "c1"),
        TICK,
        control("commit", "c1", checkpoint_dir="d0"),
        control("restore", "x1", checkpoint_dir="d0"),
        control("resume", "c1"),
        control("resume", "x1"),
        GoneMove("the client of a run goes away", "run"),
    ),
)

RAISES = Scope(
    "raises",
    "a prepare that cannot close admission",
    (
        run(R1),
        FailMove("closing admission fails", "prepare", "admission", tags("admission")),
        control("prepare", "c1"),
        control("prepare", "c2"),
        control("status", "c1"),
        control("resume", "c1"),
        call("capabilities"),
        TICK,
    ),
)
