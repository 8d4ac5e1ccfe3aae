"""The operations of a ledger as data: the order of refusals, and what each does.

The order of a ladder: the cut, the values, the group, its phase and status, then what is asked of
siblings and results. A participant may ask in another order; that it refuses is what counts. May
import operation, the rules, facts and refusals.
"""

import attrs

from fencepost_spec.operation import Check
from fencepost_spec.receipts.ledger import facts as f
from fencepost_spec.receipts.ledger import operation_rules as r
from fencepost_spec.receipts.ledger import refusals as code
from fencepost_spec.rule import Rule


@attrs.frozen
class LedgerOperation:
    """One operation: the ordered checks that refuse it, and the rule for what it does.

    `then` are the checks that follow those of the results it is given; an operation that is given
    none has no such checks. `event` is the event of the group's chart that it is, or None; `cut`
    says that it needs a live cut.
    """

    name: str
    effect: Rule
    ladder: tuple[Check, ...]
    says: str
    event: str | None = None
    cut: bool = True
    then: tuple[Check, ...] = ()

    @property
    def checks(self) -> tuple[Check, ...]:
        """Every check of its own, in order."""
        return (*self.ladder, *self.then)

    def without(self, check: Check) -> "LedgerOperation":
        """This operation with one rung taken out."""
        return attrs.evolve(
            self,
            ladder=tuple(one for one in self.ladder if one is not check),
            then=tuple(one for one in self.then if one is not check),
        )


_CUT = Check(r.CUT, f.cut_is_not_live, code.CUT)
_VALUES = Check(r.VALUES, f.values_are_wrong, code.VALUE)
_KNOWN = Check(r.UNKNOWN, f.group_is_unknown, code.UNKNOWN)
_STATUS = Check(r.STATUS, f.status_does_not_allow, code.STATUS)
_SIBLINGS = Check(r.SIBLINGS, f.sibling_is_unknown, code.SIBLINGS)
_SIBLING_ONLY = Check(r.SIBLING_ONLY, f.granularity_is_another, code.GRANULARITY)
_COHORT_ONLY = Check(r.COHORT_ONLY, f.granularity_is_another, code.GRANULARITY)
_AGENT = Check(r.AGENT, f.agent_is_another, code.AGENT)
_NOT_DISPATCHED = Check(r.NOT_DISPATCHED, f.attempts_do_not_allow, code.ATTEMPT)
_NOT_SEALED = Check(r.NOT_SEALED, f.attempts_do_not_allow, code.ATTEMPT)
_NO_RECEIPT = Check(r.NO_RECEIPT, f.receipt_is_missing, code.RECEIPT)
_CONFLICT = Check(r.CONFLICT, f.differs_from_pending, code.OBLIGATION)
_AS_OWED = Check(r.SEALED_AS_OWED, f.differs_from_pending, code.OBLIGATION)
_LEFT_ALONE = Check(r.NO_ROW, f.attempts_do_not_allow, code.ATTEMPT)
_UNSAFE = Check(r.UNSAFE, f.a_group_is_unsafe, code.UNSAFE)
_UNBOUND_SAVE = Check(r.UNBOUND_SAVE, f.a_prompt_is_unbound, code.UNBOUND)
_FRONT = (_CUT, _VALUES)
_GROUP = (*_FRONT, _KNOWN)

RESULT_CHECKS: tuple[Check, ...] = (
    Check(r.GATE, f.gate_names_another, code.IDENTITY),
    Check(r.GATE_RECEIPT, f.receipt_names_another, code.IDENTITY),
    Check(r.COMPLETED_ROLLOUT, f.completion_names_another_rollout, code.IDENTITY),
    Check(r.COMPLETED_ATTEMPT, f.completion_names_another_attempt, code.IDENTITY),
)
"""What every result is asked, between the two parts of a ladder."""

# fmt: off
OPERATIONS: tuple[LedgerOperation, ...] = (
    LedgerOperation(
        "reserve_group", r.RESERVE,
        (*_FRONT, Check(r.TAKEN, f.group_is_taken, code.TAKEN),
         Check(r.ADMISSION, f.admission_disagrees, code.ADMISSION)),
        "own a new prompt group"),
    LedgerOperation(
        "mark_group_admitted", r.ADMIT,
        (*_GROUP, Check(r.ADMITTED_TWICE, f.phase_does_not_allow, code.PHASE)),
        "admit a reserved group and those of its admission"),
    LedgerOperation(
        "mark_group_dispatched", r.DISPATCH,
        (*_GROUP, Check(r.NOT_ADMITTED, f.phase_does_not_allow, code.PHASE),
         Check(r.UNBOUND, f.prompt_is_unbound, code.UNBOUND), _SIBLINGS,
         Check(r.DISPATCHED_ONCE, f.attempts_do_not_allow, code.ATTEMPT)),
        "say that attempts are about to be sent out"),
    LedgerOperation(
        "mark_sibling_sealed", r.SEAL,
        (*_GROUP, _SIBLING_ONLY, _SIBLINGS), "keep the result of one sibling", "sibling_sealed",
        then=(_NOT_DISPATCHED, _AGENT, _AS_OWED)),
    LedgerOperation(
        "mark_group_sealed", r.SEAL_GROUP,
        (*_GROUP, _COHORT_ONLY, Check(r.WHOLE, f.cohort_is_not_whole, code.SIBLINGS),
         Check(r.ONE_AGENT, f.agents_are_several, code.AGENT)),
        "keep the results of a cohort", "cohort_sealed",
        then=(_NOT_DISPATCHED, _AGENT, _AS_OWED)),
    LedgerOperation(
        "abandon_unsealed", r.ABANDON, (*_GROUP, _STATUS, _LEFT_ALONE),
        "give up what is not sealed", "abandon_called"),
    LedgerOperation(
        "prepare_incomplete_retry", r.RETRY,
        (*_GROUP, _STATUS, Check(r.STILL_RUNNING, f.attempts_do_not_allow, code.ATTEMPT)),
        "number the next attempts", "retry_called"),
    LedgerOperation(
        "record_sealed_sibling_acknowledgement", r.RECORD_SIBLING,
        (*_GROUP, _SIBLING_ONLY, _SIBLINGS, _NOT_SEALED, _NO_RECEIPT, _CONFLICT),
        "owe the acknowledgement of one sealed sibling"),
    LedgerOperation(
        "record_sealed_group_acknowledgements", r.RECORD_GROUP,
        (*_GROUP, _NOT_SEALED, _NO_RECEIPT, _CONFLICT),
        "owe the acknowledgements of a sealed group"),
    LedgerOperation(
        "record_partial_group_acknowledgement", r.RECORD_PARTIAL,
        (*_GROUP, _COHORT_ONLY, _SIBLINGS),
        "owe the acknowledgement of a finished sibling of a cohort",
        then=(_NOT_DISPATCHED, _NO_RECEIPT, _AGENT, _CONFLICT)),
    LedgerOperation(
        "mark_completed_executions_acknowledged", r.RELEASE,
        (*_FRONT, Check(r.TWICE, f.an_execution_is_listed_twice, code.VALUE),
         Check(r.OTHER_ROW, f.differs_from_pending, code.OBLIGATION)),
        "take confirmed rows off what is owed"),
    LedgerOperation(
        "discard_pending_acknowledgements", r.DISCARD_OWED, (_VALUES,),
        "drop what is owed to a process that is gone", cut=False),
    LedgerOperation(
        "finalization_inputs", r.INPUTS, (_VALUES, _KNOWN, _STATUS),
        "tell what the finalizer needs", "inputs_asked", cut=False),
    LedgerOperation(
        "mark_finalization_started", r.FINALIZE, (*_GROUP, _STATUS),
        "say that the finalizer is about to be asked", "finalization_started"),
    LedgerOperation(
        "mark_finalization_unknown", r.LOSE, (*_GROUP, _STATUS),
        "say that nobody knows how the finalization ended", "finalization_lost"),
    LedgerOperation(
        "discard_group", r.DISCARD, (*_GROUP, _STATUS),
        "let a group go: finalized, dropped, stale or given up", "given_up"),
    LedgerOperation(
        "discard_canonical_groups", r.DISCARD_CANONICAL, (_VALUES,),
        "let go the groups that are training data already", "found_canonical", cut=False),
    LedgerOperation(
        "bind_runtime_prompt", r.BIND,
        (_VALUES, _KNOWN, Check(r.PROMPT, f.prompt_is_another, code.PROMPT)),
        "give a loaded group its prompt again", cut=False),
    LedgerOperation(
        "assert_checkpoint_safe", r.SAFE, (_VALUES, _UNSAFE),
        "say whether the ledger may be saved", "checkpoint_asked", cut=False),
    LedgerOperation(
        "state_dict", r.SAVE, (_VALUES, _UNSAFE, _UNBOUND_SAVE),
        "tell the whole ledger in plain values", "checkpoint_asked", cut=False),
    LedgerOperation(
        "build_rollout_recovery_state", r.SIDECAR, (_VALUES, _UNSAFE, _UNBOUND_SAVE),
        "tell the file that lies beside a snapshot", "checkpoint_asked", cut=False),
    LedgerOperation(
        "load_state_dict", r.LOAD,
        (_VALUES, Check(r.NOT_EMPTY, f.ledger_is_not_empty, code.NOT_EMPTY)),
        "become the ledger that was saved", cut=False),
    LedgerOperation(
        "load", r.LOAD, (_VALUES,),
        "read the file beside a snapshot into a new ledger", cut=False),
    LedgerOperation(
        "prepare_for_restart", r.RESTART, (_VALUES, _UNSAFE, _LEFT_ALONE),
        "give up what the last process ran", "restart_called", cut=False),
)
# fmt: on
