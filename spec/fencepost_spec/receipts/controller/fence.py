"""The dispatch fence: attempts are sent while it is open, a checkpoint holds it frozen.

Decided here: which ids may freeze and open it. A wait of somebody who wants to register is no
state: what may not be registered is tried when the fence is open. What is registered goes on while
the fence is frozen. May import `chart`, guards and sources.
"""

from statemachine import State

from fencepost_spec.chart import Chart, rule
from fencepost_spec.receipts.controller.guards import (
    id_holds_the_fence,
    id_is_fresh,
    id_is_retired,
)
from fencepost_spec.receipts.controller.sources import RL_4117, RL_4266, fact


# fmt: off
class DispatchFence(Chart):
    """Whether attempts may be sent to the participants."""

    unfrozen = State(initial=True)
    frozen = State()

    batch_registered = (
        rule("R-CDF-1", "a batch of attempts is registered as a whole, while nothing is frozen",
             RL_4117,
             unfrozen.to(unfrozen, internal=True), facts=fact("2.6", "I19", "F1", "F2"))
    )
    freeze_called = (
        rule("R-CDF-2", "a checkpoint freezes dispatch under an id that was never used", RL_4117,
             unfrozen.to(frozen, cond=id_is_fresh), facts=fact("2.6", "I20", "F3", "F6"))
        | rule("R-CDF-3", "freezing again under the same id changes nothing", RL_4117,
               frozen.to(frozen, internal=True, cond=id_holds_the_fence),
               facts=fact("2.6", "I20", "F4", "F5"))
    )
    unfreeze_called = (
        rule("R-CDF-4", "the id that froze dispatch opens it again, and is used up", RL_4266,
             frozen.to(unfrozen, cond=id_holds_the_fence),
             facts=fact("2.6", "I20", "I21", "F7", "F9"))
        | rule("R-CDF-5", "opening again under a used-up id changes nothing", RL_4266,
               unfrozen.to(unfrozen, internal=True, cond=id_is_retired),
               facts=fact("2.6", "I20", "F8"))
    )
# fmt: on
