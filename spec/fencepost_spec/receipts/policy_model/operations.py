"""The control operations of a policy model as data: routes, order of refusals, effects.

The front and the fence are asked as an agent asks them, by the same rules. After the body comes
the role: an auxiliary instance has no checkpoint that could be stale. May import operation, the
rules, facts and refusals.
"""

from fencepost_spec.operation import REPLAY, SHARE, Check, Operation
from fencepost_spec.receipts import facts as f
from fencepost_spec.receipts import operation_rules as ops
from fencepost_spec.receipts import refusals as code
from fencepost_spec.receipts.operations import PREFIX
from fencepost_spec.receipts.policy_model import facts as m
from fencepost_spec.receipts.policy_model import refusals as own
from fencepost_spec.receipts.policy_model import rules as r

ADMISSION = f"{PREFIX}/model-admission"
CHECKPOINT = f"{PREFIX}/model-checkpoint"
OPEN_PHASES = (
    "preparing",
    "prepared",
    "committing",
    "committed_paused",
    "restoring",
    "restored_paused",
    "restore_failed_paused",
)

_BODY = Check(ops.BODY, f.not_well_formed, code.INVALID_REQUEST)
_FRONT = (Check(ops.TOKEN, f.not_authorised, code.UNAUTHORIZED), _BODY)
_ROLE = Check(r.NOT_A_POLICY, m.not_a_policy, own.NOT_A_POLICY)
_FINISHED = Check(ops.FINISHED, f.id_is_finished, code.STALE_CHECKPOINT)
_RECORDED = Check(ops.RECORDED, f.answer_is_recorded, REPLAY)
_OTHER_ID = Check(ops.OTHER_ID, f.another_id_is_active, code.CHECKPOINT_CONFLICT)
_PHASE = Check(ops.PHASE, f.phase_does_not_allow, code.INVALID_PHASE)
_LEDGER = Check(r.NO_LEDGER, m.has_no_ledger, own.NOT_CHECKPOINTABLE)
_DIRECTED = (
    *_FRONT,
    _ROLE,
    _FINISHED,
    Check(ops.OTHER_DIRECTORY, f.recorded_for_another_directory, code.CHECKPOINT_CONFLICT),
    Check(ops.OTHER_DIRECTORY, f.under_way_for_another_directory, code.CHECKPOINT_CONFLICT),
    _RECORDED,
    Check(ops.SHARED, f.same_call_is_under_way, SHARE),
    _OTHER_ID,
    _PHASE,
    _LEDGER,
)

MODEL_OPERATIONS: tuple[Operation, ...] = (
    Operation(
        "pause",
        "POST",
        f"{ADMISSION}/pause",
        r.PAUSE_EFFECT,
        (*_FRONT, _ROLE, _FINISHED, _RECORDED, _OTHER_ID, _PHASE),
        event="prepare_called",
        recorded=True,
        says="close the gate and tell how far the drain has come",
    ),
    Operation(
        "status",
        "GET",
        f"{ADMISSION}/status",
        r.STATUS_EFFECT,
        (*_FRONT, _FINISHED, _OTHER_ID, _PHASE),
        phases=OPEN_PHASES,
        says="tell what is in flight and what is refused; may wait until nothing is in flight",
    ),
    Operation(
        "resume",
        "POST",
        f"{ADMISSION}/resume",
        r.RESUME_EFFECT,
        (
            *_FRONT,
            _ROLE,
            Check(ops.FINISHING, f.finished_by_this_call, REPLAY),
            _FINISHED,
            _OTHER_ID,
            _PHASE,
        ),
        event="resume_called",
        finishes=True,
        says="finish the id and let calls in; also how to give up",
    ),
    Operation(
        "abort_inflight",
        "POST",
        f"{ADMISSION}/abort_inflight",
        r.ABORT_EFFECT,
        (
            *_FRONT,
            _ROLE,
            _FINISHED,
            Check(r.ABORT_RECORDED, f.answer_is_recorded, REPLAY),
            _OTHER_ID,
            _PHASE,
        ),
        phases=("preparing", "prepared"),
        recorded=True,
        says="refuse an attempt and cancel its calls",
    ),
    Operation(
        "commit",
        "POST",
        f"{CHECKPOINT}/commit",
        r.COMMIT_EFFECT,
        (*_DIRECTED, Check(r.QUIESCENT, m.not_quiescent, own.NOT_QUIESCENT)),
        event="commit_called",
        recorded=True,
        says="write the lineages that the roots name, then the manifest",
    ),
    Operation(
        "restore",
        "POST",
        f"{CHECKPOINT}/restore",
        r.RESTORE_EFFECT,
        _DIRECTED,
        event="restore_called",
        recorded=True,
        says="close, then install a committed ledger and refuse its sources",
    ),
    Operation(
        "capabilities",
        "GET",
        f"{PREFIX}/capabilities",
        r.CAPABILITIES_EFFECT,
        (_BODY,),
        token=False,
        fenced=False,
        says="tell what this model is and where its fence stands; needs no token",
    ),
)
