"""One attempt as its controller knows it, from its dispatch until the participant keeps nothing.

Decided here: what a lost reply leads to, and when an attempt is released, so that the next one may
be numbered. An event without a row changes nothing: an answer may come when nobody waits for it
any more. May import `chart`, guards and sources.
"""

from statemachine import State

from fencepost_spec.chart import Chart, rule
from fencepost_spec.receipts.controller.guards import nobody_wants_it, somebody_wants_it
from fencepost_spec.receipts.controller.sources import (
    DECISION,
    RL_4265,
    RL_4265_REVIEW,
    fact,
)


# fmt: off
class DispatchedAttempt(Chart):
    """What a controller knows of one attempt, and what it still has to do for it."""

    waiting = State(initial=True)
    sent = State()
    finished = State()
    fetching = State()
    taken = State()
    acknowledged = State()
    lost = State()
    retiring = State()
    kept = State()
    adopting = State()
    released = State()
    forgotten = State(final=True)

    run_sent = (
        rule("R-CAT-1", "a registered attempt is sent", RL_4265,
             waiting.to(sent), facts=fact("2.6", "I19"))
        | rule("R-CAT-2", "a kept result that is wanted is asked for again, and nothing runs twice",
               RL_4265_REVIEW,
               kept.to(adopting, cond=somebody_wants_it), facts=fact("4.5", "B3", "L1"))
    )
    run_finished = (
        rule("R-CAT-3", "the receipt of a result is fetched", RL_4265,
             sent.to(finished) | adopting.to(finished), facts=fact("K1", "3"))
        | rule("R-CAT-21", "a result that comes after its release is asked about", DECISION,
               released.to(lost), facts=fact("L1", "4.5"))
    )
    run_refused = (
        rule("R-CAT-4", "an attempt that met a closed door is sent again under its number",
             DECISION,
             sent.to(waiting), facts=fact("2.6", "I2"))
    )
    run_failed = (
        rule("R-CAT-5", "an attempt that failed is released by its failure", RL_4265,
             sent.to(released), facts=fact("4.4", "L2"))
        | rule("R-CAT-6", "a result that could not be adopted is asked about again", DECISION,
               adopting.to(lost), facts=fact("4.5", "L2"))
    )
    run_lost = (
        rule("R-CAT-7", "after a lost reply nobody knows whether the attempt goes on",
             RL_4265_REVIEW,
             sent.to(lost) | adopting.to(lost), facts=fact("4.5", "B3"))
    )
    receipt_asked = (
        rule("R-CAT-8", "a finished attempt is asked for its receipt", RL_4265,
             finished.to(fetching), facts=fact("K1", "3"))
        | rule("R-CAT-9", "a kept result that nobody wants is acknowledged all the same", DECISION,
               kept.to(fetching, cond=nobody_wants_it), facts=fact("X3", "L1"))
    )
    receipt_came = (
        rule("R-CAT-10", "the receipt is what is acknowledged", RL_4265,
             fetching.to(taken), facts=fact("K1", "I15"))
    )
    receipt_lost = (
        rule("R-CAT-11", "a receipt that did not come is a lost reply", RL_4265_REVIEW,
             fetching.to(lost), facts=fact("B3", "4.5"))
    )
    receipt_misfits = (
        rule("R-CAT-22",
             "a receipt that names another execution or another result is a lost reply", DECISION,
             fetching.to(lost), facts=fact("K1", "I5", "1.4"))
    )
    receipt_confirmed = (
        rule("R-CAT-12", "a confirmed receipt releases its attempt", RL_4265,
             taken.to(acknowledged), facts=fact("K5", "I14"))
    )
    receipt_refused = (
        rule("R-CAT-13", "a refused receipt is asked about, for its participant may be a new one",
             DECISION,
             taken.to(lost), facts=fact("I14", "K7", "L1"))
    )
    retire_sent = (
        rule("R-CAT-14", "what is lost is retired before anything else is done about it",
             RL_4265_REVIEW,
             lost.to(retiring), facts=fact("4.5", "I2", "B3"))
    )
    retire_confirmed = (
        rule("R-CAT-15", "a retired attempt is released", RL_4265_REVIEW,
             retiring.to(released), facts=fact("4.5", "I2", "L2"))
    )
    retire_declined = (
        rule("R-CAT-16", "an attempt that finished is not retired but adopted", RL_4265_REVIEW,
             retiring.to(kept), facts=fact("4.5", "B3"))
    )
    retire_lost = (
        rule("R-CAT-17", "a retire without a confirmation is repeated", RL_4265_REVIEW,
             retiring.to(lost), facts=fact("4.5", "L2"))
    )
    let_go = (
        rule("R-CAT-18",
             "an attempt whose group is let go is asked about, whether or not it was sent",
             DECISION,
             waiting.to(lost) | sent.to(lost) | adopting.to(lost),
             facts=fact("X3", "X5", "I30"))
    )
    superseded = (
        rule("R-CAT-20", "a released attempt is forgotten when nobody waits for it",
             RL_4265_REVIEW,
             released.to(forgotten, cond=nobody_wants_it)
             | acknowledged.to(forgotten, cond=nobody_wants_it), facts=fact("I2", "4.4"))
    )
# fmt: on
