"""For every call and visible deed of a controller the ordered ladder of checks.

The first check whose question is answered with yes refuses; one of level should is reported only.
May import attrs, the rules and the questions.
"""

import attrs

from fencepost_spec.receipts.controller import call_rules as r
from fencepost_spec.receipts.controller import deed_rules as d
from fencepost_spec.receipts.controller.call_facts import QUESTIONS, Question
from fencepost_spec.rule import Rule


@attrs.frozen
class Rung:
    """One check: what is asked, and the rule that a yes breaks."""

    rule: Rule
    asks: Question


@attrs.frozen
class Deed:
    """Something that a controller does: its checks in order, and the rule for doing it.

    `at` are the kinds of participant that it may be asked of; of none it is no call.
    """

    name: str
    effect: Rule
    ladder: tuple[Rung, ...]
    says: str
    at: tuple[str, ...] = ()

    def without(self, rung: Rung) -> "Deed":
        """The deed with one check taken out."""
        return attrs.evolve(self, ladder=tuple(one for one in self.ladder if one is not rung))


def _rung(rule: Rule, name: str) -> Rung:
    return Rung(rule, QUESTIONS[name])


_FRONT = (_rung(r.PLACE, "has_no_place"), _rung(r.BODY, "is_malformed"))
_BEGIN = (
    _rung(r.ONE, "another_is_open"),
    _rung(r.NEW_ID, "id_was_used"),
    _rung(r.GONE_BACK, "is_going_back"),
)
_HOLD = (
    *_FRONT,
    _rung(r.RESTORED, "is_not_restored"),
    *_BEGIN,
    _rung(r.IN_TIME, "is_late"),
    _rung(r.FLUSHED, "is_owing"),
)
_DIRECTORY = _rung(r.DIRECTORY, "directory_is_another")

# fmt: off
DEEDS: tuple[Deed, ...] = (
    Deed("run", r.RUN, (
        *_FRONT,
        _rung(r.HANDED, "is_of_no_group"),
        _rung(r.AGENT, "has_another_agent"),
        _rung(r.SIBLING, "is_no_sibling"),
        _rung(r.ENDED, "group_has_ended"),
        _rung(r.RESERVED, "group_is_reserved"),
        _rung(r.STOPPED, "end_is_unknown"),
        _rung(r.RESTORED, "is_not_restored"),
        _rung(r.GATE, "gate_is_closed"),
        _rung(r.SEALED, "is_sealed"),
        _rung(r.NUMBERED, "is_misnumbered"),
        _rung(r.AGAIN, "is_known"),
        _rung(r.ADOPTED, "is_to_be_adopted"),
        _rung(r.RELEASED, "is_not_released"),
        _rung(r.COHORT, "cohort_goes_on"),
        _rung(r.RELAUNCH, "is_out_of_turn"),
    ), "send an attempt to its agent", ("agent",)),
    Deed("retire", r.RETIRE, (
        *_FRONT,
        _rung(r.RETIRE_ID, "id_is_wrong"),
        _rung(r.RETIRE_PHASE, "phase_forbids"),
        _rung(r.RETIRE_WANTED, "is_wanted_unsent"),
        _rung(r.RETIRE_SESSION, "session_goes_on"),
    ), "end an attempt", ("agent", "resources")),
    Deed("abort_inflight", r.RETIRE, (
        *_FRONT,
        _rung(r.RETIRE_ID, "id_is_wrong"),
        _rung(r.RETIRE_PHASE, "phase_forbids"),
        _rung(r.RETIRE_WANTED, "is_wanted_unsent"),
    ), "cancel the model calls of an attempt", ("model",)),
    Deed("completion-receipt", r.RECEIPT, (
        *_FRONT, _rung(r.RECEIPT_PLACE, "ran_elsewhere"),
    ), "fetch the receipt of a result", ("agent",)),
    *(Deed(name, r.ACKNOWLEDGE, (
        *_FRONT,
        _rung(r.RECEIVED, "is_unheard"),
        _rung(r.OWN_AGENT, "belongs_to_another_agent"),
        _rung(r.EXACT, "differs_from_told"),
        _rung(r.WANTED, "is_still_wanted"),
        _rung(r.BATCH, "leaves_some_out"),
    ), "say which results were received", ("agent",))
      for name in ("acknowledge", "acknowledge-completed")),
    Deed("pause", r.PREPARE, _HOLD, "ask a model to hold still", ("model",)),
    Deed("prepare", r.PREPARE, (
        *_HOLD,
        _rung(r.PREPARE_ORDER, "earlier_are_not_held"),
        _rung(r.DRAINED, "models_still_drain"),
    ), "ask an agent or a resources server to hold still", ("agent", "resources")),
    Deed("commit", r.COMMIT, (
        *_FRONT,
        _rung(r.OPEN_ID, "is_not_open"),
        _rung(r.GIVEN_UP, "is_going_back"),
        _rung(r.EXPORTS, "cannot_export"),
        _rung(r.PREPARED, "somebody_moves"),
        _rung(r.ONCE, "has_written"),
        _rung(r.COMMIT_ORDER, "comes_too_early"),
        _rung(r.SCOPE, "scope_is_wrong"),
        _rung(r.SESSIONS, "keeps_ended_session"),
        _DIRECTORY,
        _rung(r.NEWEST, "directory_is_published"),
    ), "have a participant write what it holds", ("agent", "model", "resources")),
    Deed("resume", r.RELEASE, (
        *_FRONT,
        _rung(r.OWN_ID, "was_not_begun"),
        _rung(r.TIME, "ends_without_time"),
        _rung(r.DISCARDED, "keeps_the_lost"),
    ), "let a participant go on", ("agent", "model", "resources")),
    Deed("restore", r.RESTORE, (
        *_FRONT,
        _rung(r.FRESH, "has_lived"),
        _rung(r.SAVED, "was_not_saved"),
        _rung(r.OTHER_ID, "id_is_of_source"),
        *_BEGIN,
        _rung(r.ECHO, "has_met_another"),
        _rung(r.RESTORE_ORDER, "earlier_are_not_restored"),
        _DIRECTORY,
    ), "have a participant become what was saved", ("agent", "model", "resources")),
    Deed("discard-restored-continuation", r.DISCARD, (
        *_FRONT,
        _rung(r.DISCARD_WHEN, "is_not_restored_paused"),
        _rung(r.DISCARD_WHAT, "can_go_on"),
    ), "drop a continuation that was restored", ("agent",)),
    *(Deed(name, r.LOOK, _FRONT, "look at a participant", ("agent", "model", "resources"))
      for name in ("status", "capabilities")),
    Deed("train", r.TRAIN, (
        _rung(r.TRAIN_HANDED, "is_of_no_group"),
        _rung(r.TRAIN_LOST, "end_is_unknown"),
        _rung(r.TRAIN_ONCE, "was_trained"),
        _rung(r.TRAIN_STALE, "was_let_go"),
        _rung(r.TRAIN_ROWS, "rows_do_not_match"),
        _rung(r.TRAIN_ATTEMPT, "row_is_not_current"),
        _rung(r.TRAIN_RESULT, "row_is_another"),
    ), "hand a finished group to the finalizer"),
    Deed("store", d.STORE, (
        _rung(d.STORE_OPEN, "is_not_open"),
        _rung(d.STORE_BACK, "is_going_back"),
        _rung(d.STORE_COMMITTED, "is_not_written"),
        _rung(d.STORE_FAILED, "step_has_failed"),
        _rung(d.STORE_ORDER, "step_is_out_of_order"),
        _rung(d.STORE_SAME, "differs_from_captured"),
        _rung(d.STORE_LOST, "end_is_unknown"),
        _rung(d.STORE_ANCHOR, "anchor_is_another"),
        _rung(d.STORE_NUMBER, "number_is_taken"),
        _rung(d.STORE_READABLE, "ledger_is_unreadable"),
        _rung(d.STORE_OWED, "owes"),
        _rung(d.STORE_KEPT, "agent_keeps"),
        _rung(d.STORE_OWNED, "ledger_holds_ended"),
        _rung(d.STORE_WHOLE, "ledger_lacks_group"),
        _rung(d.STORE_GROUP, "ledger_changes_group"),
        _rung(d.STORE_NUMBERED, "ledger_numbers_wrongly"),
        _rung(d.STORE_SEALED, "ledger_seals_wrongly"),
        _rung(d.STORE_SENT, "ledger_forgets_sent"),
        _rung(d.STORE_WRITTEN, "names_another_content"),
        _rung(d.STORE_TRAINED, "lists_trained_wrongly"),
        _rung(d.STORE_SESSIONS, "lacks_a_session"),
    ), "take a step of writing a snapshot"),
    Deed("snapshot_ended", d.END, (
        _rung(d.ENDED_TRUE, "end_is_untrue"),
    ), "say that an attempt at a snapshot is over"),
    Deed("start", d.START, (
        _rung(d.START_KNOWN, "is_not_published"),
        _rung(d.START_SILENT, "passes_over"),
        _rung(d.START_SOUND, "is_damaged"),
        _rung(d.START_STEP, "is_of_another_step"),
        _rung(d.START_NEWEST, "is_not_newest"),
    ), "start a process"),
    Deed("start_refused", d.REFUSAL, (
        _rung(d.REFUSED_START, "is_refused_in_vain"),
    ), "refuse to start, because no snapshot can be gone on from"),
)
# fmt: on
