"""Every case, and what a referee makes of it."""

from fencepost.controller import cases_at_rest as r
from fencepost.controller import cases_of_checkpoints as c
from fencepost.controller import cases_of_sessions as h
from fencepost.controller import cases_of_snapshots as s
from fencepost.controller import cases_of_starts as b
from fencepost.controller import cases_of_work as w
from fencepost.controller.cases import Case
from fencepost.controller.oracle import Oracle
from fencepost.controller.tales import Tale
from fencepost_reference.receipts.controller.watch.core import Watcher

CASES: tuple[Case, ...] = (
    *c.fronts(), *w.RUN, *w.RETIRE, *w.ACKNOWLEDGE, *w.TRAIN,
    *c.PREPARE, *c.COMMIT, *c.RELEASE, *c.RESTORE, *c.DISCARD,
    *s.STORE, *s.END, *s.START, *r.REPORTS, *r.STALLS,
    *h.SESSIONS, *b.STARTS,
)  # fmt: skip


def judged(tale: Tale, watcher: Watcher | None = None) -> tuple[str, int] | None:
    """The rule that refuses a tale, and the line; or the last remark; or None."""
    oracle = Oracle(tale.header, watcher)
    refusal = oracle.feed_all(tale.lines)
    if refusal is not None:
        rule = refusal.mismatch.rule
        return ("none" if rule is None else rule.id), refusal.line.seq
    if oracle.notes:
        line, rule, _ = oracle.notes[-1]
        return rule.id, line
    return None
