"""What a controller decides where no chart does: one switch for each decision.

Every switch has the intended value as its default; the others are what known controllers did, or
what a careless one would do. A faulty controller is another value of `Policy`. May import: attrs,
rule, sources.
"""

from typing import Any, Literal

import attrs

from fencepost_spec.receipts.controller.sources import (
    DECISION,
    DERIVED,
    RL_3924,
    RL_4117,
    RL_4265,
    RL_4265_REVIEW,
    RL_4266,
    fact,
)
from fencepost_spec.rule import Rule, Source

Kinds = tuple[str, ...]


@attrs.frozen
class Policy:
    """One value for each decision. The names of other values say what is wrong about them."""

    acknowledging: Literal["on_arrival", "whole_groups", "at_group_end", "twice"] = "on_arrival"
    recording: Literal["with_the_seal", "later"] = "with_the_seal"
    lost_reply: Literal["retire", "rerun"] = "retire"
    kept_result: Literal["adopt", "rerun"] = "adopt"
    blockers: Literal["release", "ignore"] = "release"
    letting_go: Literal["release", "forget"] = "release"
    receipts: Literal["own", "another"] = "own"
    removal: Literal["confirmed", "unanswered"] = "confirmed"
    dispatch: Literal["open_gate", "any_gate"] = "open_gate"
    flush: Literal["before_prepare", "never"] = "before_prepare"
    published_outbox: Literal["empty", "any"] = "empty"
    published_step: Literal["same", "any"] = "same"
    published_storage: Literal["written", "failed"] = "written"
    rollback: Literal["all_attempted", "answered_only"] = "all_attempted"
    release: Literal["until_confirmed", "once"] = "until_confirmed"
    gate: Literal["after_release", "before_release"] = "after_release"
    failed_rollback: Literal["keep_id", "new_id"] = "keep_id"
    orphans: Literal["discard", "ignore"] = "discard"
    sessions: Literal["end", "keep", "end_only"] = "end"
    restart_only: Literal["start_over", "continue"] = "start_over"
    reserved: Literal["keep", "burn"] = "keep"
    relaunch: Literal["admitted_first", "reserved_first", "ledger_order"] = "admitted_first"
    prepare_order: Kinds = ("model", "agent", "resources")
    commit_order: Kinds = ("agent", "model", "resources")
    restore_order: Kinds = ("model", "agent", "resources")
    release_order: Kinds = ("resources", "agent", "model")


@attrs.frozen
class Decision:
    """What one switch decides: the rule that its intended value obeys."""

    rule: Rule
    switch: str


def _decided(
    number: int, switch: str, says: str, source: Source, *facts: str, group: str = "CAT"
) -> Decision:
    return Decision(Rule(f"R-{group}-{number}", says, source, fact(*facts)), switch)


# fmt: off
DECISIONS: tuple[Decision, ...] = (
    _decided(40, "acknowledging",
             "an acknowledgement is owed when its result arrives, and not when its group is whole",
             RL_4265_REVIEW, "K2p'", "B1", "B2", "L6", "L1"),
    _decided(41, "recording", "an acknowledgement is recorded in the cut of its seal", RL_4265,
             "3", "I15"),
    _decided(42, "lost_reply", "no next attempt is numbered while a lost one may go on",
             RL_4265_REVIEW, "I2", "4.5", "B3"),
    _decided(43, "kept_result", "a kept result is adopted and not made again", RL_4265_REVIEW,
             "4.5", "B3"),
    _decided(44, "blockers", "every result that holds up a prepare is released", RL_4265_REVIEW,
             "4.5", "L3"),
    _decided(45, "letting_go", "who lets a group go releases its attempts, too", DECISION,
             "X3", "P9", "I30", "L2"),
    _decided(46, "receipts", "the receipt that is sent is the receipt that came", RL_4265,
             "3", "I5"),
    _decided(47, "removal", "an acknowledgement is owed until its answer covers it", RL_4265,
             "K4", "K5", "K6", "I14", "L5"),
    _decided(20, "dispatch", "nothing is dispatched while a checkpoint is open", RL_4117, "I19",
             group="CDF"),
    _decided(40, "flush", "the outbox is empty before participants are asked to close", RL_4265,
             "2.5", "3", group="CPB"),
    _decided(41, "published_outbox", "nothing is owed in a snapshot", RL_4265, "3", "I17",
             group="CPB"),
    _decided(42, "published_step", "a snapshot belongs to one step of the trainer", RL_3924,
             "2.5", "I23", group="CPB"),
    _decided(43, "published_storage", "what was not written is not published", RL_3924,
             "2.5", "I22", group="CPB"),
    _decided(40, "rollback",
             "a participant is remembered before it is asked, for a lost reply is rolled back too",
             RL_4266, "2.6", "L4", group="CTX"),
    _decided(41, "release", "a release is repeated under the same id until it is confirmed",
             RL_4117, "2.5", "I20", "L4", "B20", group="CTX"),
    _decided(42, "gate", "the gate opens after the release is confirmed", RL_4117, "I21", "2.5",
             group="CTX"),
    _decided(43, "failed_rollback", "there is no new id while an old one is not released",
             DECISION, "X1", "I20", "L4", group="CTX"),
    _decided(44, "orphans", "a continuation that no unfinished work will take up is discarded",
             DECISION, "X5", "4.2", group="CTX"),
    _decided(50, "sessions",
             "sessions are written of what goes on, and of all of it", DERIVED,
             "1.7", "X3", group="CTX"),
    _decided(45, "restart_only",
             "work that depends on what cannot be restored does not continue",
             RL_4266, "4.3", "I27", "I26", group="CTX"),
    _decided(48, "reserved", "a restart keeps attempts that were only reserved", DECISION, "G5"),
    _decided(49, "relaunch", "admitted groups are launched before any reserved one is waited for",
             RL_3924, "4.1", "L8"),
    _decided(46, "prepare_order", "models close first, then agents, then resources", RL_4266,
             "2.6", group="CTX"),
    _decided(47, "commit_order", "agents commit before the models that their indexes scope",
             RL_4266, "2.6", "I24", group="CTX"),
    _decided(48, "restore_order", "models restore first, then agents, then resources", RL_4266,
             "2.6", "4.1", group="CTX"),
    _decided(49, "release_order", "resources open first, then agents, then models", RL_4266,
             "2.6", group="CTX"),
)
# fmt: on

POLICY = Policy()
"""The intended decisions."""


@attrs.frozen
class Fault:
    """A controller that decides one thing otherwise: its name says what it does wrong."""

    name: str
    policy: Policy
    facts: tuple[str, ...]


def _fault(name: str, *facts: str, **switches: Any) -> Fault:
    return Fault(name, attrs.evolve(POLICY, **switches), fact(*facts))


# fmt: off
FAULTS: tuple[Fault, ...] = (
    _fault("acknowledges only whole groups", "B1", "B2",
           acknowledging="whole_groups", blockers="ignore"),
    _fault("acknowledges only at the end of a group", "B1", "B4",
           acknowledging="at_group_end", blockers="ignore"),
    _fault("seals first and records later", "I15", recording="later"),
    _fault("reruns after a lost reply without retiring", "B3",
           lost_reply="rerun", blockers="ignore"),
    _fault("reruns what it could adopt", "B3", kept_result="rerun", blockers="ignore"),
    _fault("ignores what holds up a prepare", "4.5", blockers="ignore"),
    _fault("lets a group go and forgets its attempts", "X3",
           letting_go="forget", blockers="ignore"),
    _fault("acknowledges another receipt", "I5", receipts="another"),
    _fault("removes an obligation without an answer", "I14", removal="unanswered"),
    _fault("dispatches while frozen", "I19", dispatch="any_gate"),
    _fault("does not flush before prepare", "2.5", flush="never"),
    _fault("publishes with a full outbox", "I17", published_outbox="any", flush="never"),
    _fault("publishes although the step has changed", "I23", published_step="any"),
    _fault("publishes after failed storage", "I22", published_storage="failed"),
    _fault("forgets who lost the reply to a prepare", "2.6", rollback="answered_only"),
    _fault("does not repeat a release", "L4", release="once"),
    _fault("opens the gate before the release is confirmed", "I21", gate="before_release"),
    _fault("takes a new id although the old one is not released", "X1",
           failed_rollback="new_id"),
    _fault("ignores orphan continuations", "X5", orphans="ignore"),
    _fault("writes sessions of attempts that are over", "X3", sessions="keep"),
    _fault("publishes continuations without their sessions", "1.7", sessions="end_only"),
    _fault("keeps continuations that cannot go on", "I27", restart_only="continue"),
    _fault("burns reserved attempts", "A10", reserved="burn"),
    _fault("relaunches reserved groups first", "L8", relaunch="reserved_first"),
    _fault("relaunches in the order of the ledger", "L8", relaunch="ledger_order"),
    _fault("owes again what was released, when its cohort is sealed", "X7", "K8",
           acknowledging="twice"),
    _fault("commits models first", "I24", commit_order=("model", "agent", "resources")),
)
# fmt: on
