"""One case for everything that is asked of a report: what it says, and what is left undone."""

from typing import Any

from fencepost.controller.cases import Case, Tell, do, nothing, steps
from fencepost.controller.cases_of_checkpoints import discard, row
from fencepost.controller.cases_of_snapshots import READY
from fencepost.controller.cases_of_work import DONE, SUBMIT, TWO, half_done, lost, saved
from fencepost.controller.tales import A, B, Tale, receipt_of
from fencepost_spec.vocabulary import Key

REST = "rest"
AT_REST = do("report")


def told(**body: Any) -> Tell:
    """A report that says this."""
    return do("report", **body)


def _owed() -> list[dict[str, Any]]:
    return [{"receipt": receipt_of(Key("g_g0", 0)), "agent_name": "a"}]


def _unready(tale: Tale) -> None:
    """A prepare waits for an agent."""
    tale.submit()
    tale.run()
    tale.prepare(ready=False)


RUNNING = [{"rollout_id": "g_g0", "attempt": 0}]
ON_ITS_WAY = steps(SUBMIT, do("finish"), do("fetch"), do("train"), do("send"))
REPORTS: tuple[Case, ...] = (
    Case("R-CIN-1", REST, "the gate is told open", _unready, told(gate="open"),
         told(gate="closed")),
    Case("R-CIN-2", REST, "another id is told", _unready, told(active_checkpoint_id=None),
         told(active_checkpoint_id="c1")),
    Case("R-CIN-3", REST, "something runs that was not sent", nothing, told(running=RUNNING),
         steps(SUBMIT, do("run"), told(running=RUNNING))),
    Case("R-CIN-4", REST, "what is owed is not told", ON_ITS_WAY, told(outbox=[]),
         told(outbox=_owed())),
    Case("R-CIN-4", REST, "what was never received is told", steps(SUBMIT, do("run")),
         told(outbox=_owed()), told(outbox=[])),
    Case("R-CIN-5", REST, "an attempt is not told", steps(SUBMIT, do("fail"), do("run", attempt=1)),
         told(groups=[{"group_id": "g", "attempts": [1]}]),
         told(groups=[{"group_id": "g", "attempts": [2]}])),
    Case("R-CIN-6", REST, "a group is not told", steps(SUBMIT, do("run")), told(groups=[]),
         told(groups=[{"group_id": "g"}])),
    Case("R-CIN-6", REST, "training data is told", steps(DONE, do("train")),
         told(groups=[{"group_id": "g"}]), told(groups=[])),
)  # fmt: skip


def _fell_due(tale: Tale) -> None:
    """A checkpoint was given up, and its first release was lost."""
    tale.prepare()
    tale.lose(tale.control("commit", "c1", checkpoint_dir="d1"))
    tale.lose(tale.control("resume", "c1"))


def _with_orphan(tale: Tale) -> None:
    tale.saved(continuations=[row("z_g0", {})])
    tale.restarted()


def _unanswered(tale: Tale) -> None:
    """A checkpoint is released while the answer to its prepare is awaited, and then arrives."""
    call = tale.control("prepare", "c1")
    tale.submit()
    tale.resume()
    tale.report(gate="closed")
    tale.refuse(call, "stale_checkpoint")


def _stale_in_release(tale: Tale) -> None:
    """A group goes stale and its run finishes while the answer to a release is awaited."""
    tale.submit()
    run = tale.run()
    tale.prepare(ready=False)
    tale.control("resume", "c1")
    tale.work("stale", group_id="g")
    tale.reply(run, {"id": "result-g_g0", "reward": 1.0})


STALLS: tuple[Case, ...] = (
    Case("R-CEV-1", REST, "a finished sibling of a cohort that was given up",
         steps(do("submit", "g", 2, whole=True), do("finish", "g_g0"), do("fail", "g_g1")),
         AT_REST, steps(do("fetch", "g_g0"), do("acknowledge", "g_g0"), do("run", "g_g0", 1),
                        do("run", "g_g1", 1), AT_REST)),
    Case("R-CEV-1", REST, "a result that nobody adopts", steps(lost, do("retire", kept=True)),
         AT_REST, steps(do("complete"), do("train"), AT_REST)),
    Case("R-CEV-1", REST, "a result of a stale group, once the release is confirmed",
         _stale_in_release, steps(do("reply", "q5", {"state": "accepting"}), AT_REST),
         steps(AT_REST, do("reply", "q5", {"state": "accepting"}), do("fetch"),
               do("acknowledge"), AT_REST)),
    Case("R-CEV-2", REST, "a reply that was lost", lost, AT_REST,
         steps(do("retire"), do("run", attempt=1), AT_REST)),
    Case("R-CEV-2", REST, "an attempt that failed", steps(SUBMIT, do("fail")), AT_REST,
         steps(do("run", attempt=1), AT_REST)),
    Case("R-CEV-2", REST, "a cohort that was given up", half_done, AT_REST,
         steps(do("run", "g_g0", 1), do("run", "g_g1", 1), AT_REST)),
    Case("R-CEV-3", REST, "a release that was lost", _fell_due, AT_REST,
         steps(do("resume"), AT_REST)),
    Case("R-CEV-3", REST, "a commit that was lost",
         steps(do("prepare"), lambda t: t.lose(t.control("commit", "c1", checkpoint_dir="d1"))),
         AT_REST, steps(do("resume"), AT_REST)),
    Case("R-CEV-3", REST, "a prepare after its time",
         steps(_unready, do("work", "deadline", checkpoint_id="c1")), AT_REST,
         steps(do("resume"), AT_REST)),
    Case("R-CEV-3", REST, "a participant that was not told",
         steps(do("held"), do("resume")), AT_REST, steps(do("resume", at=B), AT_REST), (A, B)),
    Case("R-CEV-3", REST, "a snapshot that was published", steps(READY, do("published")), AT_REST,
         steps(do("resume"), AT_REST)),
    Case("R-CEV-4", REST, "a row that was sent once",
         steps(SUBMIT, do("finish"), do("fetch"), do("train"), lambda t: t.lose(t.send())), AT_REST,
         steps(do("acknowledge"), AT_REST)),
    Case("R-CEV-5", REST, "a snapshot that fell due", do("work", "snapshot_due"), AT_REST,
         steps(do("work", "snapshot_ended", saved=False, reason="no"), AT_REST)),
    Case("R-CEV-6", REST, "a group that is done", DONE, AT_REST, steps(do("train"), AT_REST)),
    Case("R-CEV-7", REST, "a group that was never sent", SUBMIT, AT_REST,
         steps(do("run"), AT_REST)),
    Case("R-CEV-7", REST, "a group that waited for an answer", _unanswered, AT_REST, nothing),
    Case("R-CEV-7", REST, "a restored group", steps(saved(SUBMIT), do("back")), AT_REST,
         steps(do("run"), AT_REST)),
    Case("R-CEV-8", REST, "a run of a stale group",
         steps(SUBMIT, do("run"), do("work", "stale", group_id="g")), AT_REST,
         steps(do("retire"), AT_REST)),
    Case("R-CEV-8", REST, "a lost run of a group that was given up",
         steps(TWO, do("fail", "g_g0"), do("run", "g_g1")), told(groups=[]),
         steps(do("retire", "g_g1"), told(groups=[]))),
    Case("R-CEV-9", REST, "a continuation of nobody", steps(_with_orphan, do("back")), AT_REST,
         steps(do("retire", "z_g0", 1), AT_REST)),
    Case("R-CEV-9", REST, "a continuation of nobody, kept at the restore",
         steps(_with_orphan, do("restore"), do("resume", "x1")), AT_REST, nothing),
    Case("R-CEV-10", REST, "a restore", saved(SUBMIT), AT_REST,
         steps(do("back"), do("run"), AT_REST)),
    Case("R-CEV-10", REST, "half a restore", steps(saved(SUBMIT), do("restore")), AT_REST,
         steps(do("resume", "x1"), do("run"), AT_REST)),
)  # fmt: skip
DISCARDED = steps(_with_orphan, do("restore"), discard("z_g0"), do("resume", "x1"), AT_REST)
