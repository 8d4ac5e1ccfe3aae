"""One snapshot, from the moment it is due until it is visible or given up.

Decided here: what comes after what, and that a failure leaves the last snapshot alone. May import
`chart`, guards and sources.
"""

from statemachine import State

from fencepost_spec.chart import Chart, rule
from fencepost_spec.receipts.controller.guards import (
    nothing_is_owed,
    something_is_owed,
    step_has_changed,
    step_is_unchanged,
)
from fencepost_spec.receipts.controller.sources import RL_3924, RL_4117, RL_4265, fact


# fmt: off
class SnapshotPublication(Chart):
    """How far a snapshot is from being visible."""

    idle = State(initial=True)
    gated = State()
    prepared = State()
    committed = State()
    captured = State()
    described = State()
    sealed = State()
    published = State()
    given_up = State()

    snapshot_due = (
        rule("R-CPB-1", "a snapshot begins by closing the gate", RL_4117,
             idle.to(gated), facts=fact("2.5",))
    )
    participants_prepared = (
        rule("R-CPB-2", "nothing is committed before all are prepared", RL_4117,
             gated.to(prepared), facts=fact("2.5",))
    )
    participants_committed = (
        rule("R-CPB-3", "nothing is captured before all have committed", RL_4117,
             prepared.to(committed), facts=fact("2.5",))
    )
    capture_called = (
        rule("R-CPB-4", "what is saved is captured at one moment, with nothing owed", RL_4265,
             committed.to(captured, cond=(step_is_unchanged, nothing_is_owed)),
             facts=fact("2.5", "I17", "I23"))
        | rule("R-CPB-5", "a snapshot of another training step is given up", RL_3924,
               committed.to(given_up, cond=step_has_changed), facts=fact("2.5", "I23"))
        | rule("R-CPB-6", "a snapshot with an acknowledgement owed is given up", RL_4265,
               committed.to(given_up, cond=something_is_owed), facts=fact("3", "I17"))
    )
    sidecars_written = (
        rule("R-CPB-7", "the manifest follows the sidecars", RL_3924,
             captured.to(described), facts=fact("2.5", "I22"))
    )
    manifest_written = (
        rule("R-CPB-8", "the rename follows the manifest", RL_3924,
             described.to(sealed), facts=fact("2.5", "I22"))
    )
    renamed = (
        rule("R-CPB-9", "a snapshot is visible by one rename", RL_3924,
             sealed.to(published), facts=fact("2.5", "I22"))
    )
    storing_failed = (
        rule("R-CPB-10", "a snapshot that cannot be written is given up, and the last one stays",
             RL_3924,
             captured.to(given_up) | described.to(given_up) | sealed.to(given_up),
             facts=fact("2.5", "I22", "L4"))
    )
    gave_up = (
        rule("R-CPB-11", "a snapshot is given up when its participants fail or take too long",
             RL_4117,
             gated.to(given_up) | prepared.to(given_up),
             facts=fact("2.5", "L4"))
    )
    concluded = (
        rule("R-CPB-12", "the next snapshot comes after the end of this one", RL_4117,
             published.to(idle) | given_up.to(idle), facts=fact("2.5", "I20"))
    )
# fmt: on
