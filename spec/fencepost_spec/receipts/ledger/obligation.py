"""What the controller owes a participant: the acknowledgement of one finished execution.

Obligations outlive their groups. Being sent is no status: until a reply covers exactly what was
asked, a row is pending. May import `chart`, guards and sources.
"""

from statemachine import State

from fencepost_spec.chart import Chart, rule
from fencepost_spec.receipts.ledger.guards import row_is_the_same
from fencepost_spec.receipts.ledger.sources import DECISION, RL_4265, fact


# fmt: off
class AcknowledgementObligation(Chart):
    """The acknowledgement that is owed for one execution."""

    absent = State(initial=True)
    pending = State()

    recorded = (
        rule("R-LOB-1", "a finished execution is owed an acknowledgement, also once more", RL_4265,
             absent.to(pending), facts=fact("K2s", "K2p", "K2p'", "K8", "X7", "G3"))
        | rule("R-LOB-2", "an obligation is recorded again only as it is", RL_4265,
               pending.to(pending, internal=True, cond=row_is_the_same),
               facts=fact("K3", "K3x", "I16"))
    )
    released = (
        rule("R-LOB-3", "the exact receipt that was confirmed releases its obligation", RL_4265,
             pending.to(absent, cond=row_is_the_same), facts=fact("K5", "I14"))
        | rule("R-LOB-4", "releasing what is not pending changes nothing", RL_4265,
               absent.to(absent, internal=True), facts=fact("2.4",))
    )
    discarded = (
        rule("R-LOB-5", "obligations to a process that is gone are dropped and counted", DECISION,
             pending.to(absent), facts=fact("K7", "G3"))
    )
# fmt: on
