"""One case for every check of a run, a retire, a receipt, an acknowledgement, a training."""

from typing import Any

from fencepost.controller.cases import Case, Tell, do, nothing, steps
from fencepost.controller.tales import MODEL, A, B, Tale, receipt_of
from fencepost_spec.vocabulary import Key

SUBMIT = do("submit")
DONE = steps(SUBMIT, do("complete"))
PAIR = do("submit", "g", 2, whole=True)
TWO = do("submit", "g", 2)


def lost(tale: Tale) -> None:
    """A group is run, and its reply is lost."""
    tale.submit()
    tale.lose(tale.run())


def saved(*groups: Tell, continuations: Any = ()) -> Tell:
    """Groups are handed over, a snapshot is saved, and everything starts again from it."""

    def tell(tale: Tale) -> None:
        for each in groups:
            each(tale)
        tale.saved(continuations=list(continuations))
        tale.restarted()

    return tell


def half_done(tale: Tale) -> None:
    """A cohort of two: one has finished and is acknowledged, the other has failed."""
    tale.submit("g", 2, whole=True)
    tale.complete("g_g0")
    tale.fail("g_g1")


def relaunch(tale: Tale) -> None:
    """A reserved and an admitted group are saved, restored, and the reserved one is admitted."""
    tale.submit("r", admitted=False)
    tale.submit("g")
    tale.saved()
    tale.restarted()
    tale.back()
    tale.work("admit", group_id="r", target_step=5)


def open_with_kept(tale: Tale) -> None:
    """A reply is lost, and a prepare finds that the run has finished."""
    lost(tale)
    tale.prepare(ready=False)
    tale.retire(name="c1", kept=True)


def early(tale: Tale) -> None:
    """A receipt is fetched before the result has arrived."""
    lost(tale)
    tale.retire(kept=True)
    tale.fetch()


RUN: tuple[Case, ...] = (
    Case("R-CTL-10", "run", "of no group", nothing, do("run"), steps(SUBMIT, do("run"))),
    Case("R-CTL-11", "run", "by another agent", SUBMIT, do("run", at=B), do("run"), (A, B)),
    Case("R-CTL-12", "run", "of no sibling", SUBMIT, do("run", "g_g1"), do("run", "g_g0")),
    Case("R-CTL-13", "run", "of a stale group", TWO,
         steps(do("work", "stale", group_id="g"), do("run")), do("run")),
    Case("R-CTL-14", "run", "before it is admitted", do("submit", admitted=False), do("run"),
         steps(do("work", "admit", group_id="g", target_step=5), do("run"))),
    Case("R-CTL-25", "run", "after an unknown end", steps(DONE, do("submit", "h"),
         do("train", outcome={"code": "unknown"})), do("run", "h_g0"), nothing),
    Case("R-CTL-15", "run", "before the restore", saved(SUBMIT), do("run"),
         steps(do("back"), do("run"))),
    Case("R-CTL-15", "run", "after half a restore", steps(saved(SUBMIT), do("restore")), do("run"),
         steps(do("resume", "x1"), do("run"))),
    Case("R-CTL-16", "run", "while a checkpoint is open", steps(SUBMIT, do("prepare")), do("run"),
         steps(do("resume"), do("run"))),
    Case("R-CTL-16", "run", "after a prepare whose answer was lost",
         steps(SUBMIT, lambda t: t.lose(t.control("prepare", "c1"))), do("run"),
         steps(do("resume"), do("run"))),
    Case("R-CTL-16", "run", "after a release whose answer was lost",
         steps(SUBMIT, do("prepare"), lambda t: t.lose(t.control("resume", "c1"))), do("run"),
         steps(do("resume"), do("run"))),
    Case("R-CTL-17", "run", "of what is sealed", DONE, do("run", attempt=1),
         steps(do("submit", "h"), do("run", "h_g0"))),
    Case("R-CTL-17", "run", "of a whole cohort", steps(PAIR, do("complete", "g_g0"),
         do("complete", "g_g1")), do("run", "g_g1", 1), do("train", "g", ("g_g0", 0), ("g_g1", 0))),
    Case("R-CTL-18", "run", "of the attempt after the next", steps(SUBMIT, do("fail")),
         do("run", attempt=2), do("run", attempt=1)),
    Case("R-CTL-18", "run", "of a reserved attempt's next", steps(saved(SUBMIT), do("back")),
         do("run", attempt=1), do("run", attempt=0)),
    Case("R-CTL-18", "run", "of an attempt that has ended",
         steps(SUBMIT, do("fail"), do("run", attempt=1)), do("run"), nothing),
    Case("R-CTL-19", "run", "again, while it runs", steps(SUBMIT, do("run")), do("run"),
         steps(do("lose", "q2"), do("run"))),
    Case("R-CTL-19", "run", "again, after it failed", steps(SUBMIT, do("fail")), do("run"),
         do("run", attempt=1)),
    Case("R-CTL-20", "run", "of a next one beside what has finished",
         steps(lost, do("retire", kept=True)), do("run", attempt=1), do("run", attempt=0)),
    Case("R-CTL-21", "run", "of a next one after a lost reply", lost, do("run", attempt=1),
         steps(do("retire"), do("run", attempt=1))),
    Case("R-CTL-21", "run", "of a next one after a retire without an answer",
         steps(lost, lambda t: t.lose(t.call("retire", checkpoint_id="r1", rollout_id="g_g0",
                                             attempt_index=0, deadline_in=5.0))),
         do("run", attempt=1), steps(do("retire"), do("run", attempt=1))),
    Case("R-CTL-21", "run", "of a next one after an answer that says too little",
         steps(lost, do("answer_retire", retired=True, tombstoned=False)), do("run", attempt=1),
         steps(do("retire"), do("run", attempt=1))),
    Case("R-CTL-22", "run", "of a half-done cohort in part", steps(PAIR, do("run", "g_g0"),
         do("fail", "g_g1")), do("run", "g_g1", 1),
         steps(do("retire", "g_g0"), do("run", "g_g1", 1), do("run", "g_g0", 1))),
    Case("R-CTL-22", "run", "of a cohort in which nothing failed",
         steps(PAIR, do("complete", "g_g0")), do("run", "g_g0", 1), do("run", "g_g1")),
    Case("R-CTL-23", "run", "of a reserved group first", relaunch, do("run", "r_g0"),
         steps(do("run", "g_g0"), do("run", "r_g0"))),
)  # fmt: skip


def _key(op: str, rollout: str = "g_g0", attempt: int = 0, name: str = "r1", at: Any = A) -> Tell:
    return do("call", op, at, checkpoint_id=name, rollout_id=rollout, attempt_index=attempt,
              deadline_in=5.0)  # fmt: skip


def _ending(op: str, at: Any) -> tuple[Case, ...]:
    places = (A,) if at == A else (A, at)
    return (
        Case("R-CTL-30", op, "under another id", steps(lost, do("prepare", at=at)),
             _key(op, at=at), _key(op, name="c1", at=at), places),
        Case("R-CTL-30", op, "under an id that was released",
             steps(lost, do("prepare", at=at), do("resume", at=at)),
             _key(op, name="c1", at=at), _key(op, at=at), places),
        Case("R-CTL-31", op, "after the restore", steps(saved(SUBMIT, do("run")),
             do("restore", at=at)), _key(op, attempt=5, name="x1", at=at),
             steps(do("resume", "x1", at=at), _key(op, "z_g0", at=at)), places),
        Case("R-CTL-32", op, "of what was not sent", SUBMIT, _key(op, at=at),
             steps(do("run"), _key(op, at=at)), places),
    )  # fmt: skip


_writing = do("control", "commit", "c1", checkpoint_dir="d1")
RETIRE: tuple[Case, ...] = (
    *_ending("retire", A),
    *_ending("abort_inflight", MODEL),
    Case("R-CTL-31", "retire", "after the commit", steps(lost, do("prepare"), do("commit")),
         _key("retire", name="c1"), steps(do("resume"), _key("retire"))),
    Case("R-CTL-31", "retire", "while it writes", steps(lost, do("prepare"), _writing),
         _key("retire", name="c1"),
         steps(do("refuse", "q6", "agent_checkpoint_error"), _key("retire", name="c1"))),
)  # fmt: skip


def _one(op: str, rollout: str = "g_g0", at: Any = A, **changes: Any) -> Tell:
    def tell(tale: Tale) -> None:
        from_key = receipt_of(Key(rollout, 0)) | changes
        body = {"executions": [from_key]} if op == "acknowledge-completed" else from_key
        tale.call(op, at, **body)

    return tell


def _telling(op: str) -> tuple[Case, ...]:
    done = steps(SUBMIT, do("finish"))
    return (
        Case("R-CTL-40", op, "what was never received", done, _one(op),
             steps(do("fetch"), _one(op))),
        Case("R-CTL-41", op, "another receipt", steps(done, do("fetch")),
             _one(op, result_identity="another"), _one(op)),
        Case("R-CTL-42", op, "to another agent", steps(done, do("fetch")), _one(op, at=B),
             _one(op), (A, B)),
        Case("R-CTL-43", op, "what is wanted and has not arrived", early, _one(op),
             steps(do("finish"), _one(op))),
        Case("R-CTL-44", op, "in several requests",
             steps(TWO, do("finish", "g_g0"), do("finish", "g_g1"), do("fetch", "g_g0"),
                   do("fetch", "g_g1")), _one(op), do("send", "g_g0", "g_g1")),
    )  # fmt: skip


ACKNOWLEDGE: tuple[Case, ...] = (
    Case("R-CTL-36", "completion-receipt", "of another agent", steps(SUBMIT, do("finish")),
         do("call", "completion-receipt", B, rollout_id="g_g0", attempt_index=0),
         do("fetch"), (A, B)),
    *_telling("acknowledge"),
    *_telling("acknowledge-completed"),
)  # fmt: skip

TRAIN: tuple[Case, ...] = (
    Case("R-CTL-100", "train", "of no group", nothing, do("train"), steps(DONE, do("train"))),
    Case("R-CTL-101", "train", "twice", steps(DONE, do("train")), do("train"), nothing),
    Case("R-CTL-102", "train", "of a stale group", steps(DONE, do("work", "stale", group_id="g")),
         do("train"), nothing),
    Case("R-CTL-103", "train", "after an unknown end",
         steps(DONE, do("submit", "h"), do("complete", "h_g0"),
               do("train", outcome={"code": "unknown"})), do("train", "h"), nothing),
    Case("R-CTL-104", "train", "with a row missing", steps(TWO, do("complete", "g_g0"),
         do("complete", "g_g1")), do("train", "g", ("g_g0", 0)),
         do("train", "g", ("g_g0", 0), ("g_g1", 0))),
    Case("R-CTL-105", "train", "without the receipt", steps(SUBMIT, do("finish")), do("train"),
         steps(do("fetch"), do("train"))),
    Case("R-CTL-105", "train", "with a row of a cohort that was given up",
         steps(half_done, do("complete", "g_g1", 1)), do("train", "g", ("g_g0", 0), ("g_g1", 1)),
         steps(do("complete", "g_g0", 1), do("train", "g", ("g_g0", 1), ("g_g1", 1)))),
    Case("R-CTL-106", "train", "with another result", DONE,
         do("work", "train", group_id="g",
            rows=[{"rollout_id": "g_g0", "attempt": 0, "result_digest": "b" * 64}]),
         do("train")),
)  # fmt: skip
