"""One checkpoint or restore as the participants go through it, from the first call to the last.

Decided here: in which order a controller asks what of all of them. The order of kinds within one
phase is policy (`policy.py`). May import `chart`, guards and sources.
"""

from statemachine import State

from fencepost_spec.chart import Chart, rule
from fencepost_spec.receipts.controller.guards import (
    all_are_released,
    references_fit,
    some_are_held,
)
from fencepost_spec.receipts.controller.sources import DECISION, RL_4117, RL_4266, fact


# fmt: off
class CheckpointTransaction(Chart):
    """How far all participants together are with the one open id."""

    idle = State(initial=True)
    preparing = State()
    prepared = State()
    committing = State()
    committed = State()
    restoring = State()
    restored = State()
    releasing = State()

    prepare_called = (
        rule("R-CTX-1", "a checkpoint begins when the first participant is asked to close",
             RL_4266,
             idle.to(preparing), facts=fact("2.5", "2.6"))
    )
    prepare_finished = (
        rule("R-CTX-2", "prepared means that every participant said so", RL_4266,
             preparing.to(prepared), facts=fact("2.6", "L3"))
    )
    commit_called = (
        rule("R-CTX-3", "participants commit when all of them are prepared", RL_4266,
             prepared.to(committing), facts=fact("2.5", "I24"))
    )
    commit_finished = (
        rule("R-CTX-4", "a commit counts when what the models kept belongs to what the agents kept",
             RL_4266,
             committing.to(committed, cond=references_fit), facts=fact("I24", "I25", "V18", "V19"))
    )
    restore_called = (
        rule("R-CTX-5", "a restore has an id of its own", RL_4266,
             idle.to(restoring), facts=fact("4.1", "I20"))
    )
    restore_finished = (
        rule("R-CTX-6", "work is let in after every participant has restored what was committed",
             RL_4266,
             restoring.to(restored), facts=fact("4.1", "V22", "V23"))
    )
    given_up = (
        rule("R-CTX-7", "a checkpoint that fails is released wherever it was attempted", RL_4266,
             preparing.to(releasing) | prepared.to(releasing) | committing.to(releasing)
             | committed.to(releasing), facts=fact("2.5", "2.6", "L4", "X1"))
    )
    release_called = (
        rule("R-CTX-8", "a published checkpoint is released", RL_4117,
             committed.to(releasing), facts=fact("2.5", "L4"))
        | rule("R-CTX-9", "a restore is released when what must not go on was discarded", RL_4266,
               restored.to(releasing), facts=fact("4.1", "4.3", "I27"))
    )
    release_confirmed = (
        rule("R-CTX-10", "one confirmed release is not all", DECISION,
             releasing.to(releasing, internal=True, cond=some_are_held),
             facts=fact("I20", "I21", "X1"))
        | rule("R-CTX-11", "a checkpoint is over when everybody who was attempted is released",
               RL_4266,
               releasing.to(idle, cond=all_are_released), facts=fact("2.6", "I21", "L4"))
    )
# fmt: on
