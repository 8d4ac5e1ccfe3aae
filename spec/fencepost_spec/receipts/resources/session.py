"""One session of a resources server, by the key of its rollout, from the first mention to the last.

Decided here: which state follows which event. Not decided here: whether a request is admitted
(`handling.py`), what blocks a checkpoint and what is written (`policy.py`). The revision, the
receipts and the watermark are facts, not states. May import `chart`, sources.
"""

import attrs
from statemachine import State

from fencepost_spec.chart import Chart, rule
from fencepost_spec.receipts.sources import DECISION, DERIVED, GYM_2940, GYM_2942_REVIEW, GYM_3349


@attrs.frozen
class SessionFacts:
    """What is known about one key when an event reaches it."""

    handler_runs: bool = False


def handler_runs(facts: SessionFacts) -> bool:
    """A request of the key has its handler running."""
    return facts.handler_runs


def nothing_runs(facts: SessionFacts) -> bool:
    """No request of the key has its handler running."""
    return not facts.handler_runs


# fmt: off
class ResourcesSession(Chart):
    """The life of one key `(rollout id, attempt)` in a resources server."""

    unbound = State(initial=True)
    restored = State()
    bound = State()
    uncertain = State()
    evicted = State()
    ended = State()
    retiring = State()
    retired = State()

    start_published = (
        rule("R-RSE-1", "a start that succeeded binds the session, at the first revision", GYM_2940,
             unbound.to(bound), facts=("4.5",))
        | rule("R-RSE-2",
               "a start of a restored session that nothing has used starts it afresh", DECISION,
               restored.to(bound), facts=("4.5", "P8"))
    )
    mutation_published = (
        rule("R-RSE-3", "a mutation that succeeded raises the revision of its session", GYM_2940,
             bound.to(bound, internal=True), facts=("4.5", "1.4"))
        | rule("R-RSE-4", "the first mutation of a restored session goes on from its revision",
               GYM_2940,
               restored.to(bound), facts=("4.5", "I3"))
    )
    terminal_published = (
        rule("R-RSE-5", "a terminal request that succeeded ends the session", GYM_2940,
             bound.to(ended) | restored.to(ended), facts=("4.5",))
    )
    handler_broke = (
        rule("R-RSE-6",
             "a handler that broke off leaves its session uncertain: nobody knows what it changed",
             GYM_3349,
             unbound.to(uncertain) | bound.to(uncertain) | restored.to(uncertain), facts=("4.5",))
    )
    receipts_evicted = (
        rule("R-RSE-7", "a session that lost its receipts cannot tell a repeat from a new request",
             GYM_3349,
             bound.to(evicted, cond=nothing_runs) | restored.to(evicted, cond=nothing_runs),
             facts=("4.5", "I13"))
    )
    snapshot_installed = (
        rule("R-RSE-8", "a restored session waits under the next attempt", GYM_2940,
             unbound.to(restored), facts=("4.5", "I3"))
    )
    source_restored = (
        rule("R-RSE-9", "the attempt that a snapshot was taken from is refused from then on",
             GYM_2940,
             unbound.to(retired), facts=("4.5", "I3"))
    )
    superseded = (
        rule("R-RSE-10", "a later attempt that starts takes the place of an older session",
             GYM_2942_REVIEW,
             bound.to(retired) | restored.to(retired) | uncertain.to(retired)
             | evicted.to(retired), facts=("A6", "I4", "R17"))
    )
    retire_called = (
        rule("R-RSE-11", "retire refuses the key at once and then waits for the session's lock",
             GYM_2940,
             bound.to(retiring) | restored.to(retiring) | uncertain.to(retiring)
             | evicted.to(retiring), facts=("4.5", "I28", "D4", "D15"))
        | rule("R-RSE-12", "retire of a key whose first start still runs waits for it",
               DECISION,
               unbound.to(retiring, cond=handler_runs), facts=("4.5", "R14"))
        | rule("R-RSE-13", "retire of a key without a session refuses its first start", GYM_2940,
               unbound.to(retired, cond=nothing_runs) | ended.to(retired), facts=("4.5", "I2"))
        | rule("R-RSE-14", "retire may be repeated", GYM_2940,
               retiring.to(retiring, internal=True) | retired.to(retired, internal=True),
               facts=("4.5", "P6"))
    )
    lock_freed = (
        rule("R-RSE-15", "a retired session goes when its lock is free, and its snapshot with it",
             DERIVED,
             retiring.to(retired), facts=("4.5", "D15", "R14"))
    )
# fmt: on
