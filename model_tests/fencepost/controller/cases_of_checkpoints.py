"""One case for every check of a prepare, a commit, a release, a restore, a discard."""

from collections.abc import Iterator
from typing import Any

from fencepost.controller.cases import Case, Tell, do, nothing, steps
from fencepost.controller.cases_of_work import SUBMIT, saved
from fencepost.controller.tales import MODEL, TOOLS, A, B, Tale, reference
from fencepost_spec.receipts.controller.referee import REFEREE

ALL = (MODEL, A, TOOLS)
_PLACES = {"agent": A, "model": MODEL, "resources": TOOLS}
FINISHED = steps(SUBMIT, do("finish"), do("fetch"))


def row(rollout: str, revisions: Any, attempt: int = 0) -> dict[str, Any]:
    """A row of an agent's index."""
    return {
        "rollout_id": rollout,
        "attempt_index": attempt,
        "capture_key": rollout,
        "last_committed_model_call_id": None,
        "resource_state_revisions": revisions,
    }


def _again(op: str, at: Any) -> Iterator[Case]:
    """What a pause and a prepare have in common about earlier checkpoints."""
    begin = do("control", op, "c2", at)
    first = steps(SUBMIT, do("prepare", "c1", at))
    gone = steps(first, do("resume", "c1", at))
    yield Case("R-CTL-50", op, "beside another", steps(first, do("control", "resume", "c1", at)),
               begin, steps(do("resume", "c1", at), begin), (at,))  # fmt: skip
    yield Case("R-CTL-51", op, "under an id that was used",
               steps(gone, do("prepare", "c3", at), do("resume", "c3", at)),
               do("control", op, "c1", at), begin, (at,))  # fmt: skip
    yield Case("R-CTL-52", op, "while it is released", gone, do("control", op, "c1", at), begin,
               (at,))  # fmt: skip


def _beginning(op: str, at: Any) -> Iterator[Case]:
    """What a pause and a prepare have in common."""
    begin = do("control", op, "c2", at)
    places = (at,) if at == A else (MODEL, A)
    yield Case("R-CTL-15", op, "before the restore", saved(SUBMIT, do("run")), begin,
               steps(do("back"), begin), places)  # fmt: skip
    yield from _again(op, at)
    yield Case("R-CTL-53", op, "after its time",
               steps(SUBMIT, do("prepare", "c2", at, ready=False),
                     do("work", "deadline", checkpoint_id="c2")),
               begin, do("resume", "c2", at), (at,))  # fmt: skip
    yield Case("R-CTL-54", op, "while something is owed",
               steps(FINISHED, do("work", "snapshot_due")), begin,
               steps(do("acknowledge"), begin), places)  # fmt: skip


PREPARE: tuple[Case, ...] = (
    *_beginning("pause", MODEL),
    *_beginning("prepare", A),
    Case("R-CTL-55", "prepare", "of an agent before the models", nothing, do("prepare"),
         steps(do("prepare", at=MODEL), do("prepare")), ALL),
    Case("R-CTL-55", "prepare", "of resources before the agents", do("prepare", at=MODEL),
         do("prepare", at=TOOLS), steps(do("prepare"), do("prepare", at=TOOLS)), ALL),
    Case("R-CTL-56", "prepare", "of an agent while a model drains",
         do("prepare", at=MODEL, ready=False), do("prepare"), nothing, ALL),
)  # fmt: skip

HELD = do("held")
COMMIT: tuple[Case, ...] = (
    Case("R-CTL-60", "commit", "under another id", HELD, do("commit", "c2"), do("commit"), (A,)),
    Case("R-CTL-62", "commit", "while it is released", steps(HELD, do("resume", at=B)),
         do("commit"), do("resume"), (A, B)),
    Case("R-CTL-67", "commit", "of what cannot be restored", steps(HELD, do("commit")),
         do("commit", at=TOOLS), nothing, (A, TOOLS), "restart_only"),
    Case("R-CTL-61", "commit", "before all hold still", do("prepare"), do("commit"),
         steps(do("prepare", at=B), do("commit")), (A, B)),
    Case("R-CTL-61", "commit", "after a prepare that was not ready",
         lambda t: t.reply(t.control("prepare", "c1"), {"ready_to_commit": False}), do("commit"),
         do("resume"), (A,)),
    Case("R-CTL-66", "commit", "twice", steps(HELD, do("commit")), do("commit"),
         do("resume"), (A,)),
    Case("R-CTL-63", "commit", "of a model before the agents", HELD, do("commit", at=MODEL),
         steps(do("commit"), do("commit", at=MODEL)), ALL),
    Case("R-CTL-64", "commit", "of a model without an agent's index",
         steps(HELD, do("commit"), do("commit", at=B)),
         do("commit", at=MODEL, continuation_indexes=[reference("a", "c1")]),
         do("commit", at=MODEL), (MODEL, A, B)),
    Case("R-CTL-65", "commit", "into another directory", steps(HELD, do("commit")),
         do("commit", at=B, path="d2"), do("commit", at=B), (A, B)),
    Case("R-CTL-148", "commit", "over the newest snapshot", steps(do("saved"), do("held", "c2")),
         do("commit", "c2", path="d1"), do("commit", "c2", path="d2"), (A,)),
)  # fmt: skip

SPOILT = (row("g_g0", {"tools": 1}), row("g_g1", {}))
RESTARTED = saved(do("submit", "g", 2), do("run", "g_g0"), do("run", "g_g1"),
                  continuations=SPOILT)  # fmt: skip


def discard(rollout: str = "g_g0", attempt: int = 1, name: str = "x1") -> Tell:
    """A continuation is discarded."""

    def tell(tale: Tale) -> None:
        call = tale.call("discard-restored-continuation", A, checkpoint_id=name,
                         rollout_id=rollout, attempt_index=attempt, deadline_in=5.0)  # fmt: skip
        tale.reply(call, {"discarded": True})

    return tell


RELEASE: tuple[Case, ...] = (
    Case("R-CTL-70", "resume", "under another id", do("prepare"), do("control", "resume", "c2"),
         do("control", "resume", "c1"), (A,)),
    Case("R-CTL-149", "resume", "with a deadline that is over", do("prepare"),
         do("control", "resume", "c1", deadline_in=0.0), do("control", "resume", "c1"), (A,)),
    Case("R-CTL-71", "resume", "before what is lost was discarded",
         steps(RESTARTED, do("back", release=False)), do("resume", "x1"),
         steps(discard(), do("resume", "x1"), do("run", "g_g1", 1), do("run", "g_g0", 1)),
         (A, TOOLS), "restart_only"),
    Case("R-CTL-71", "resume", "before what needs an unknown server was discarded",
         steps(saved(do("submit"), do("run"), continuations=(row("g_g0", {"ghost": 1}),)),
               do("back", release=False)),
         do("resume", "x1"), steps(discard(), do("resume", "x1")), (A,)),
    Case("R-CTL-71", "resume", "before what is lost and wanted was discarded",
         steps(saved(do("submit"), do("run"), continuations=(SPOILT[0], row("z_g0", {"tools": 1}))),
               do("back", release=False)),
         do("resume", "x1"), steps(discard(), do("resume", "x1"), do("retire", "z_g0", 1)),
         (A, TOOLS), "restart_only"),
    Case("R-CTL-71", "resume", "before what must start over was discarded",
         steps(RESTARTED, do("back", release=False), discard()), do("resume", "x1"),
         steps(discard("g_g1"), do("resume", "x1"), do("resume", "x1", at=TOOLS),
               do("run", "g_g1", 1), do("run", "g_g0", 1)),
         (A, TOOLS), level="sibling"),
)  # fmt: skip

_RESTORE = do("control", "restore", "x1", A, checkpoint_dir="s1")


def _other(tale: Tale) -> None:
    """An agent restores something else than what was saved."""
    call = tale.control("restore", "x1", A, checkpoint_dir="s1")
    tale.reply(call, tale.committed("c9", A) | {"records": 0, "source_checkpoint_id": "c9"})


RESTORE: tuple[Case, ...] = (
    Case("R-CTL-80", "restore", "after a run", steps(saved(SUBMIT), do("back"), do("run")),
         do("control", "restore", "x2", A, checkpoint_dir="s1"), nothing, (A,)),
    Case("R-CTL-81", "restore", "from nothing", do("work", "start", snapshot=None), _RESTORE,
         nothing, (A,)),
    Case("R-CTL-82", "restore", "under the id of its source", saved(SUBMIT),
         do("control", "restore", "c1", A, checkpoint_dir="s1"), _RESTORE, (A,)),
    Case("R-CTL-50", "restore", "beside another", steps(saved(SUBMIT), do("restore", "x1")),
         do("control", "restore", "x2", B, checkpoint_dir="s1"), do("restore", at=B), (A, B)),
    Case("R-CTL-51", "restore", "under an id that was used",
         steps(saved(SUBMIT), do("restore", "x1"), do("resume", "x1"), do("restore", "x2", at=B),
               do("resume", "x2", B)),
         do("control", "restore", "x1", A, checkpoint_dir="s1"),
         do("control", "restore", "x3", A, checkpoint_dir="s1"), (A, B)),
    Case("R-CTL-52", "restore", "while it is released",
         steps(saved(SUBMIT), do("restore", "x1"), do("resume", "x1")),
         do("control", "restore", "x1", B, checkpoint_dir="s1"), nothing, (A, B)),
    Case("R-CTL-84", "restore", "after one that found something else",
         steps(saved(SUBMIT), _other), do("restore", at=B), do("resume", "x1"), (A, B)),
    Case("R-CTL-83", "restore", "of an agent before the models", saved(SUBMIT), _RESTORE,
         steps(do("restore", at=MODEL), _RESTORE), ALL),
    Case("R-CTL-65", "restore", "from another directory", steps(saved(SUBMIT), do("restore")),
         do("restore", at=B, path="s2"), do("restore", at=B), (A, B)),
)  # fmt: skip

DISCARD: tuple[Case, ...] = (
    Case("R-CTL-90", "discard-restored-continuation", "before the restore", RESTARTED, discard(),
         steps(do("restore"), discard()), (A, TOOLS), "restart_only"),
    Case("R-CTL-90", "discard-restored-continuation", "after the release",
         steps(RESTARTED, do("restore"), discard(), do("control", "resume", "x1")), discard(),
         nothing, (A, TOOLS), "restart_only"),
    Case("R-CTL-91", "discard-restored-continuation", "of what can go on",
         steps(RESTARTED, do("restore")), discard("g_g1"), discard("g_g0"),
         (A, TOOLS), "restart_only"),
    Case("R-CTL-91", "discard-restored-continuation", "of what was not restored",
         steps(RESTARTED, do("restore")), discard("q_g0"), discard("g_g1"),
         (A, TOOLS), level="sibling"),
)  # fmt: skip


def fronts() -> Iterator[Case]:
    """For every call one to nobody, and one whose body cannot be read."""
    for deed in REFEREE.deeds.values():
        for kind in deed.at[:1]:
            at = _PLACES[kind]
            nobody = type(at)(kind, "nobody")
            yield Case("R-CTL-2", deed.name, "at nobody", nothing, do("call", deed.name, nobody),
                       nothing, ALL)  # fmt: skip
            yield Case("R-CTL-1", deed.name, "with a body of something else", nothing,
                       do("call", deed.name, at, surplus=1), nothing, ALL)  # fmt: skip
