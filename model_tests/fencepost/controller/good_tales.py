"""Stories of a controller that obeys: one for each good thing that must be possible."""

from typing import Any

from fencepost.controller.cases_of_checkpoints import SPOILT, discard
from fencepost.controller.cases_of_work import lost
from fencepost.controller.tales import MODEL, TOOLS, A, Tale

REST: dict[str, Any] = {"gate": "open", "active_checkpoint_id": None, "outbox": []}
ALL = (MODEL, A, TOOLS)


def half_done_cohort() -> Tale:
    """A snapshot is published while one sibling of a cohort has finished, and the other has not."""
    tale = Tale(*ALL)
    tale.submit("g", 2, whole=True)
    tale.complete("g_g0")
    other = tale.run("g_g1")
    tale.work("snapshot_due")
    tale.saved()
    tale.work("snapshot_ended", saved=True, reason="")
    tale.refuse(other, "execution_failed", 500)
    tale.complete("g_g0", 1)
    tale.complete("g_g1", 1)
    tale.train("g", ("g_g0", 1), ("g_g1", 1))
    tale.report(**REST)
    return tale


def retired_after_a_lost_reply() -> Tale:
    """A lost reply is followed by a retire, and then by the next attempt."""
    tale = Tale()
    lost(tale)
    tale.retire()
    tale.complete("g_g0", 1)
    tale.train("g", ("g_g0", 1))
    tale.report(**REST)
    return tale


def adopted_while_preparing() -> Tale:
    """A prepare finds what has finished unheard; it is adopted, and the prepare succeeds."""
    tale = Tale()
    lost(tale)
    tale.work("snapshot_due")
    tale.prepare(ready=False)
    tale.retire(name="c1", kept=True)
    tale.complete()
    tale.train()
    tale.saved()
    tale.work("snapshot_ended", saved=True, reason="")
    tale.report(**REST)
    return tale


def given_up_and_tried_again() -> Tale:
    """A storage step fails: the checkpoint is released, and the next one is published."""
    tale = Tale(*ALL)
    tale.work("snapshot_due")
    tale.held()
    tale.written()
    tale.store("sidecars", tale.snapshot(), {"code": "storage_failed"})
    tale.released()
    tale.work("snapshot_ended", saved=False, reason="storage_failed")
    tale.work("snapshot_due")
    tale.saved("c2", 1)
    tale.work("snapshot_ended", saved=True, reason="")
    tale.report(**REST)
    return tale


def continued_after_a_crash() -> Tale:
    """Everything goes; a process starts from the snapshot, and work goes on as the next attempt."""
    tale = Tale(*ALL)
    tale.work("start", snapshot=None)
    tale.submit("g", 2)
    tale.complete("g_g0")
    tale.run("g_g1")
    tale.work("snapshot_due")
    tale.saved()
    tale.work("snapshot_ended", saved=True, reason="")
    tale.restarted()
    tale.back()
    tale.complete("g_g1", 1)
    tale.train("g", ("g_g0", 0), ("g_g1", 1))
    tale.report(**REST)
    return tale


def release_asked_for_again() -> Tale:
    """The answer to a release is lost; the release is sent again, under its own id."""
    tale = Tale()
    tale.work("snapshot_due")
    tale.held()
    tale.written()
    tale.published()
    tale.lose(tale.control("resume", "c1"))
    tale.resume()
    tale.work("snapshot_ended", saved=True, reason="")
    tale.report(**REST)
    return tale


def stale_and_let_go() -> Tale:
    """A group goes stale: what runs is retired, what has finished is acknowledged."""
    tale = Tale()
    tale.submit("g", 2)
    tale.finish("g_g0")
    tale.run("g_g1")
    tale.work("stale", group_id="g")
    tale.retire("g_g1")
    tale.fetch("g_g0")
    tale.acknowledge("g_g0")
    tale.report(**REST)
    return tale


def discarded_selectively() -> Tale:
    """Of two continuations the one that needs lost resources is discarded, the other kept."""
    tale = Tale(A, TOOLS, tools="restart_only")
    tale.submit("g", 2)
    tale.run("g_g0")
    tale.run("g_g1")
    tale.work("snapshot_due")
    tale.saved(continuations=list(SPOILT))
    tale.work("snapshot_ended", saved=True, reason="")
    tale.restarted()
    tale.back(release=False)
    discard()(tale)
    tale.resume("x1")
    tale.complete("g_g0", 1)
    tale.complete("g_g1", 1)
    tale.train("g", ("g_g0", 1), ("g_g1", 1))
    tale.report(**REST)
    return tale


GOOD = {
    "R-CSO-1": half_done_cohort,
    "R-CSO-2": retired_after_a_lost_reply,
    "R-CSO-3": adopted_while_preparing,
    "R-CSO-4": given_up_and_tried_again,
    "R-CSO-5": continued_after_a_crash,
    "R-CSO-6": release_asked_for_again,
    "R-CSO-7": stale_and_let_go,
    "R-CSO-8": discarded_selectively,
}
"""Which good thing each story shows."""
