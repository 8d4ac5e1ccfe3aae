"""What a check of a controller's ladder may ask. Each question has a name and a sentence.

A question is answered from what was seen: yes is wrong. The answers are code of the reference
(`fencepost_reference.receipts.controller.watch`). May import attrs only.
"""

import attrs


@attrs.frozen
class Question:
    """Something that may be wrong with a call or deed."""

    name: str
    says: str


def _all(**named: str) -> dict[str, Question]:
    return {name: Question(name, says) for name, says in named.items()}


QUESTIONS: dict[str, Question] = _all(
    # Any call.
    is_malformed="its body is not one that the operation takes",
    has_no_place="there is no such participant, or it has no such operation",
    # Run.
    is_of_no_group="its group was never handed over",
    has_another_agent="its group is run by another agent",
    is_no_sibling="its group has no such sibling",
    group_has_ended="its group was trained, let go, or has gone stale",
    group_is_reserved="its group was not admitted",
    is_not_restored="something that was saved is not restored yet",
    gate_is_closed="a participant has not confirmed its release, and this has not finished",
    is_sealed="its result is here and is kept",
    is_misnumbered="it is neither the current attempt nor the next of one that was sent",
    is_known="what became of the attempt is known, or it still runs",
    is_to_be_adopted="the attempt before it has finished, and its agent keeps the result",
    is_not_released="its agent may still run, or keep, the attempt before it",
    cohort_goes_on="its cohort was not given up as a whole",
    is_out_of_turn="a restored group that was admitted waits to be launched",
    # Retire.
    id_is_wrong="another id is open, or its id was released",
    phase_forbids="its participant is writing, has written, or has restored, and was not released",
    is_wanted_unsent="it was not sent, and its group wants it",
    session_goes_on="its agent may still run it, and its group wants it",
    # Receipts.
    ran_elsewhere="it ran on another agent",
    is_unheard="its receipt was never received",
    differs_from_told="its receipt is not what the agent told",
    belongs_to_another_agent="another agent told its receipt",
    is_still_wanted="its result has not arrived, and its group wants it",
    leaves_some_out="more is owed to the agent than is sent",
    # Prepare.
    another_is_open="an earlier checkpoint is not released by everybody",
    id_was_used="its id named another checkpoint here",
    is_going_back="its checkpoint is being released",
    is_late="the time of its checkpoint is over",
    is_owing="what was owed when the snapshot fell due is still owed",
    earlier_are_not_held="a participant that comes before it does not hold still",
    models_still_drain="a model has calls in flight",
    # Commit.
    is_not_open="its checkpoint is not the one that is open",
    somebody_moves="a participant does not hold still",
    comes_too_early="a participant that comes before it has not written",
    scope_is_wrong="it does not name exactly what the agents wrote",
    directory_is_another="its checkpoint has another directory",
    directory_is_published="the newest snapshot was written there",
    has_written="it has written already",
    cannot_export="its participant cannot be restored",
    keeps_ended_session="it holds the session of an attempt that was let go of",
    # Release.
    was_not_begun="nothing was begun there under its id",
    ends_without_time="the checkpoint was not published, and the deadline is over",
    keeps_the_lost="a continuation that cannot go on was not discarded",
    # Restore.
    has_lived="the process has run or prepared something before",
    was_not_saved="the process was not started from a snapshot that has this participant",
    id_is_of_source="its id is that of what is restored",
    earlier_are_not_restored="a participant that comes before it has not restored",
    has_met_another="a participant has restored something else",
    # Discard.
    is_not_restored_paused="its agent has not restored, or is released",
    can_go_on="its group wants the continuation, and everything that it needs is restored",
    # Training.
    was_trained="it was trained on before",
    was_let_go="it was let go, or has gone stale",
    end_is_unknown="nobody knows how a finalization ended",
    rows_do_not_match="its rows are not one for each sibling, in order",
    row_is_not_current="a row is not by a current attempt that has a result and a receipt",
    row_is_another="a row is not the result of its attempt",
    # Snapshots.
    is_not_written="a participant that can be restored has not written",
    step_is_out_of_order="it is not the next step",
    differs_from_captured="it is not what the steps before it have written",
    step_has_failed="a step before it has failed",
    owes="something is still owed",
    agent_keeps="an agent keeps a result that nobody acknowledged",
    anchor_is_another="the step of the trainer is another",
    number_is_taken="its number is not above all that were published",
    ledger_is_unreadable="its ledger cannot be read back",
    ledger_holds_ended="its ledger holds a group that has ended",
    ledger_lacks_group="its ledger lacks a group that has not ended",
    ledger_seals_wrongly="its ledger holds another result than the one that is here",
    ledger_numbers_wrongly="its ledger has other attempts than those that were sent",
    ledger_forgets_sent="its ledger calls an attempt reserved that was sent",
    ledger_changes_group="its ledger holds a group that is not as it was handed over",
    names_another_content="it does not name what its participants wrote",
    lists_trained_wrongly="it does not list exactly the groups that are training data",
    lacks_a_session="a continuation in it has a session that no server has written",
    end_is_untrue="it says saved and is not published, or is and says not",
    # Start.
    is_not_published="no snapshot of that number was published",
    passes_over="a snapshot was published, and the process starts from none",
    is_damaged="it cannot be read as it was written any more",
    is_of_another_step="the trainer stands at another step",
    is_not_newest="a newer snapshot was published, and can be read",
    is_refused_in_vain="the newest snapshot is as it was written",
)  # fmt: skip
"""Every question by its name."""
