"""What a policy model goes through beside its fence: admission, and one admitted call.

Decided here: which state follows which event. An event without a row changes nothing: closing what
is closed, reopening what is open, cancelling what is cancelled. The fence is the agent's
(`receipts.fence`). May import `chart`, the sources and `facts`.
"""

from statemachine import State

from fencepost_spec.chart import Chart, rule
from fencepost_spec.receipts.policy_model.facts import calls_are_in_flight, nothing_is_in_flight
from fencepost_spec.receipts.sources import GYM_2940


# fmt: off
class ModelAdmission(Chart):
    """Whether a policy model lets calls in, and whether those it let in have ended."""

    accepting = State(initial=True)
    draining = State()
    paused = State()

    close_called = (
        rule("R-ADM-1", "a model that closes over calls drains, and they go on to their end",
             GYM_2940,
             accepting.to(draining, cond=calls_are_in_flight), facts=("4.1", "I5"))
        | rule("R-ADM-2", "a model that closes over nothing is paused at once", GYM_2940,
               accepting.to(paused, cond=nothing_is_in_flight), facts=("4.1", "I5"))
    )
    drain_ended = (
        rule("R-ADM-3", "a draining model is paused when its last call has ended, and not before",
             GYM_2940,
             draining.to(paused, cond=nothing_is_in_flight), facts=("4.1", "I24", "P1"))
    )
    reopened = (
        rule("R-ADM-4", "resume lets a model accept again while older calls still end", GYM_2940,
             draining.to(accepting), facts=("4.1", "P2"))
        | rule("R-ADM-5", "resume lets a paused model accept again", GYM_2940,
               paused.to(accepting), facts=("4.1", "P2"))
    )


class ModelTicket(Chart):
    """One call that the gate let in, until its answer was sent whole or its task ended."""

    in_flight = State(initial=True)
    cancelled = State()
    released = State(final=True)

    abort_called = (
        rule("R-TIC-1", "an abort cancels every call of its attempt", GYM_2940,
             in_flight.to(cancelled), facts=("4.1", "5.4"))
    )
    task_ended = (
        rule("R-TIC-2", "a call holds its ticket until its answer was sent whole", GYM_2940,
             in_flight.to(released), facts=("4.1",))
        | rule("R-TIC-3", "a cancelled call holds its ticket until its task has ended", GYM_2940,
               cancelled.to(released), facts=("4.1", "I24"))
    )
# fmt: on
