"""One attempt of one sibling, from its reservation to its seal or its end.

Decided here: which status follows which event. Not decided here: which calls reach an attempt
(`operations.py`). A sibling has no chart: its current attempt is the last one, and the others are
history. May import `chart`, guards and sources.
"""

from statemachine import State

from fencepost_spec.chart import Chart, rule
from fencepost_spec.receipts.ledger.guards import (
    is_a_restored_source,
    is_no_restored_source,
    result_is_the_same,
)
from fencepost_spec.receipts.ledger.sources import DECISION, RL_3923, RL_4265, fact


# fmt: off
class RolloutAttempt(Chart):
    """The life of the current attempt of one sibling, as the ledger knows it."""

    reserved = State(initial=True)
    dispatched = State()
    sealed = State()
    failed = State()
    abandoned = State()

    dispatch_called = (
        rule("R-LAT-1", "an attempt is dispatched once, when it was only reserved", RL_3923,
             reserved.to(dispatched), facts=fact("A2", "2.1"))
    )
    seal_called = (
        rule("R-LAT-2", "a dispatched attempt is sealed with its whole result", RL_3923,
             dispatched.to(sealed), facts=fact("A3", "A4", "I4"))
        | rule("R-LAT-3",
               "a seal that is repeated exactly is answered as before, another result is refused",
               DECISION,
               sealed.to(sealed, internal=True, cond=result_is_the_same),
               facts=fact("A5", "A4", "I3", "G12"))
    )
    abandon_called = (
        rule("R-LAT-4", "what is not sealed is given up together", RL_3923,
             reserved.to(abandoned) | dispatched.to(abandoned) | failed.to(abandoned)
             | abandoned.to(abandoned, internal=True), facts=fact("A6", "A7"))
        | rule("R-LAT-5", "a sealed sibling is kept when the others are given up", RL_3923,
               sealed.to(sealed, internal=True), facts=fact("A6", "2.2", "P4"))
    )
    retry_called = (
        rule("R-LAT-6", "an attempt that was given up stays, and the next number follows it",
             RL_4265,
             abandoned.to(abandoned, internal=True) | failed.to(failed, internal=True),
             facts=fact("A8", "4.4", "I1", "I2"))
        | rule("R-LAT-7", "a retry keeps what is reserved already", RL_4265,
               reserved.to(reserved, internal=True), facts=fact("A8", "G5"))
        | rule("R-LAT-8", "a retry keeps what is sealed", RL_4265,
               sealed.to(sealed, internal=True), facts=fact("A8", "2.2"))
    )
    restart_called = (
        rule("R-LAT-9", "a restart gives up what was dispatched, because nobody runs it any more",
             RL_4265,
             dispatched.to(abandoned), facts=fact("A6", "A7", "4.1"))
        | rule("R-LAT-10", "a restart does not burn an attempt that was only reserved", DECISION,
               reserved.to(reserved, internal=True, cond=is_no_restored_source),
               facts=fact("G5", "A6", "A10", "4.1"))
        | rule("R-LAT-11", "a reserved attempt that a continuation was taken from is given up",
               DECISION,
               reserved.to(abandoned, cond=is_a_restored_source), facts=fact("G5", "4.1", "R8"))
        | rule("R-LAT-12", "a restart leaves alone what has ended", RL_4265,
               failed.to(failed, internal=True) | abandoned.to(abandoned, internal=True),
               facts=fact("A8", "4.1"))
        | rule("R-LAT-13", "a restart reuses a sealed sibling", RL_3923,
               sealed.to(sealed, internal=True), facts=fact("4.1", "B16"))
    )
    loaded_as_failed = (
        rule("R-LAT-14", "a saved attempt may stand as failed, although nothing here writes that",
             DECISION,
             reserved.to(failed), facts=fact("G6", "A8"))
    )
# fmt: on
