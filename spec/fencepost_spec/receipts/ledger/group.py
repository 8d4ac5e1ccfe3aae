"""One prompt group: whether it is admitted, and how far it is from the training data.

Decided here: which phase and status follow which event. A status without a row for an event
refuses it (`operations.py` says by which rule). May import `chart`, guards and sources.
"""

from statemachine import State

from fencepost_spec.chart import Chart, rule
from fencepost_spec.receipts.ledger.guards import all_are_sealed, some_are_unsealed
from fencepost_spec.receipts.ledger.sources import DECISION, RL_3923, RL_4265, fact


# fmt: off
class GroupAdmission(Chart):
    """Whether a prompt group may be dispatched."""

    reserved = State(initial=True)
    admitted = State()

    admission_called = (
        rule("R-LPH-1", "a group is admitted once, with a target step and a weight version",
             RL_3923,
             reserved.to(admitted), facts=fact("2.3", "G11"))
    )
    dispatch_called = (
        rule("R-LPH-2", "only an admitted group is dispatched", RL_3923,
             admitted.to(admitted, internal=True), facts=fact("A2", "I28"))
    )


class PromptGroup(Chart):
    """The status of a prompt group, from its reservation to the end of its ownership."""

    generating = State(initial=True)
    ready_to_finalize = State()
    finalizing = State()
    finalization_unknown = State()
    removed = State(final=True)

    sibling_sealed = (
        rule("R-LGR-1", "the last seal makes the group ready", RL_3923,
             generating.to(ready_to_finalize, cond=all_are_sealed), facts=fact("P2", "I7"))
        | rule("R-LGR-2", "a group with an unsealed sibling goes on generating", RL_3923,
               generating.to(generating, internal=True, cond=some_are_unsealed),
               facts=fact("A3", "I7"))
    )
    cohort_sealed = (
        rule("R-LGR-3", "a cohort is sealed as one, which makes the group ready", RL_3923,
             generating.to(ready_to_finalize), facts=fact("A4", "P2", "I6"))
    )
    abandon_called = (
        rule("R-LGR-4", "a group whose siblings are given up goes on generating", RL_3923,
             generating.to(generating, internal=True), facts=fact("P3", "A6", "A7"))
        | rule("R-LGR-5", "a ready group has nothing to give up", RL_3923,
               ready_to_finalize.to(ready_to_finalize, internal=True), facts=fact("P4"))
    )
    retry_called = (
        rule("R-LGR-6", "a group is retried while it generates", RL_3923,
             generating.to(generating, internal=True), facts=fact("A8", "P3"))
    )
    restart_called = (
        rule("R-LGR-7", "a group that generates or is ready survives a restart", RL_4265,
             generating.to(generating, internal=True)
             | ready_to_finalize.to(ready_to_finalize, internal=True), facts=fact("4.1", "I8"))
    )
    checkpoint_asked = (
        rule("R-LGR-8", "a group is saved while it generates or is ready", RL_3923,
             generating.to(generating, internal=True)
             | ready_to_finalize.to(ready_to_finalize, internal=True), facts=fact("2.3", "I8"))
    )
    finalization_started = (
        rule("R-LGR-9", "a ready group is finalized once", RL_3923,
             ready_to_finalize.to(finalizing), facts=fact("P5"))
    )
    finalization_lost = (
        rule("R-LGR-10", "a finalizer that failed after its submission leaves an unknown end",
             RL_3923,
             finalizing.to(finalization_unknown), facts=fact("P6"))
    )
    inputs_asked = (
        rule("R-LGR-11", "the finalizer's inputs are there once every sibling is sealed", RL_3923,
             ready_to_finalize.to(ready_to_finalize, internal=True)
             | finalizing.to(finalizing, internal=True)
             | finalization_unknown.to(finalization_unknown, internal=True),
             facts=fact("2.3", "I7"))
    )
    given_up = (
        rule("R-LGR-12", "a group can be let go in every status", DECISION,
             generating.to(removed) | ready_to_finalize.to(removed) | finalizing.to(removed)
             | finalization_unknown.to(removed),
             facts=fact("P7", "P8", "P9", "P10", "G8", "B15"))
    )
    found_canonical = (
        rule("R-LGR-13", "a group that is training data already is owned by nobody here", RL_3923,
             generating.to(removed) | ready_to_finalize.to(removed) | finalizing.to(removed)
             | finalization_unknown.to(removed), facts=fact("P11", "I9"))
    )
# fmt: on
