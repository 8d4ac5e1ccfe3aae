"""The operations of an agent as data: routes, the order of refusals, replays, what each does.

The order of a ladder is the order in which a participant must ask: token, body, then the fence
(the finishing answer replayed, finished id, recorded answer, shared call, other id, phase), then
the participant itself. May import operation, the rules, facts and refusals.
"""

from fencepost_spec.operation import REPLAY, SHARE, Check, Operation
from fencepost_spec.receipts import facts as f
from fencepost_spec.receipts import refusals as code
from fencepost_spec.receipts.operation_rules import (
    ACKNOWLEDGE_EFFECT,
    BATCH_EFFECT,
    BODY,
    CAPABILITIES_EFFECT,
    COMMIT_EFFECT,
    COMMIT_READY,
    DISCARD_EFFECT,
    DISCARD_LIVE,
    FINISHED,
    FINISHING,
    NO_RECEIPT,
    OTHER_DIRECTORY,
    OTHER_ID,
    PHASE,
    PREPARE_EFFECT,
    RECEIPT_EFFECT,
    RECORDED,
    RESTORE_EFFECT,
    RESTORE_LIVE,
    RESTORE_PENDING,
    RESTORE_RETAINED,
    RESUME_EFFECT,
    RETIRE_EFFECT,
    SHARED,
    STATUS_EFFECT,
    TOKEN,
)

PREFIX = "/ng-control/v1"
AGENT = f"{PREFIX}/agent-checkpoint"


_FRONT = (
    Check(TOKEN, f.not_authorised, code.UNAUTHORIZED),
    Check(BODY, f.not_well_formed, code.INVALID_REQUEST),
)
_OPEN_FRONT = (Check(BODY, f.not_well_formed, code.INVALID_REQUEST),)


def _finished() -> tuple[Check, ...]:
    return (Check(FINISHED, f.id_is_finished, code.STALE_CHECKPOINT),)


def _recorded(directory: bool) -> tuple[Check, ...]:
    elsewhere = (
        Check(OTHER_DIRECTORY, f.recorded_for_another_directory, code.CHECKPOINT_CONFLICT),
        Check(OTHER_DIRECTORY, f.under_way_for_another_directory, code.CHECKPOINT_CONFLICT),
    )
    same = (
        Check(RECORDED, f.answer_is_recorded, REPLAY),
        Check(SHARED, f.same_call_is_under_way, SHARE),
    )
    return elsewhere + same if directory else same


def _fence() -> tuple[Check, ...]:
    return (
        Check(OTHER_ID, f.another_id_is_active, code.CHECKPOINT_CONFLICT),
        Check(PHASE, f.phase_does_not_allow, code.INVALID_PHASE),
    )


OPERATIONS: tuple[Operation, ...] = (
    Operation(
        "prepare",
        "POST",
        f"{AGENT}/prepare",
        PREPARE_EFFECT,
        _FRONT + _finished() + _recorded(False) + _fence(),
        event="prepare_called",
        recorded=True,
        says="close admission and park everything at a boundary",
    ),
    Operation(
        "status",
        "GET",
        f"{AGENT}/status",
        STATUS_EFFECT,
        _FRONT + _finished() + (Check(OTHER_ID, f.another_id_is_active, code.CHECKPOINT_CONFLICT),),
        says="tell what runs, what is parked, what is in the way",
    ),
    Operation(
        "commit",
        "POST",
        f"{AGENT}/commit",
        COMMIT_EFFECT,
        _FRONT
        + _finished()
        + _recorded(True)
        + _fence()
        + (Check(COMMIT_READY, f.not_ready, code.CHECKPOINT_ERROR),),
        event="commit_called",
        recorded=True,
        says="write the records, then the manifest",
    ),
    Operation(
        "restore",
        "POST",
        f"{AGENT}/restore",
        RESTORE_EFFECT,
        _FRONT
        + _finished()
        + _recorded(True)
        + _fence()
        + (
            Check(RESTORE_LIVE, f.something_is_live, code.CHECKPOINT_ERROR),
            Check(RESTORE_RETAINED, f.something_is_unacknowledged, code.CHECKPOINT_ERROR),
            Check(RESTORE_PENDING, f.something_is_pending, code.CHECKPOINT_ERROR),
        ),
        event="restore_called",
        recorded=True,
        says="install a committed directory under the next attempts",
    ),
    Operation(
        "resume",
        "POST",
        f"{AGENT}/resume",
        RESUME_EFFECT,
        (*_FRONT, Check(FINISHING, f.finished_by_this_call, REPLAY), *_finished(), *_fence()),
        event="resume_called",
        finishes=True,
        says="finish the id, open admission, let everything go on; also how to give up",
    ),
    Operation(
        "retire",
        "POST",
        f"{AGENT}/retire",
        RETIRE_EFFECT,
        _FRONT + _finished() + _fence(),
        phases=("idle", "preparing", "prepared"),
        says="stop an attempt for good",
    ),
    Operation(
        "acknowledge",
        "POST",
        f"{AGENT}/acknowledge",
        ACKNOWLEDGE_EFFECT,
        _FRONT,
        fenced=False,
        says="release one result by its receipt",
    ),
    Operation(
        "acknowledge-completed",
        "POST",
        f"{AGENT}/acknowledge-completed",
        BATCH_EFFECT,
        _FRONT,
        fenced=False,
        says="release several results, all or none",
    ),
    Operation(
        "completion-receipt",
        "GET",
        f"{AGENT}/completion-receipt",
        RECEIPT_EFFECT,
        (*_FRONT, Check(NO_RECEIPT, f.key_has_no_result, code.ACKNOWLEDGEMENT_ERROR)),
        fenced=False,
        says="tell the receipt of a retained result",
    ),
    Operation(
        "discard-restored-continuation",
        "POST",
        f"{AGENT}/discard-restored-continuation",
        DISCARD_EFFECT,
        _FRONT
        + _finished()
        + _fence()
        + (Check(DISCARD_LIVE, f.key_is_live, code.DUPLICATE_EXECUTION),),
        phases=("restored_paused",),
        says="let a restored attempt start afresh",
    ),
    Operation(
        "capabilities",
        "GET",
        f"{PREFIX}/capabilities",
        CAPABILITIES_EFFECT,
        _OPEN_FRONT,
        token=False,
        fenced=False,
        says="tell what this server is and where its fence stands; needs no token",
    ),
)
