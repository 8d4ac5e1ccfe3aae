"""Every code an agent may answer with, and what it proves."""

from fencepost_spec.operation import Refusal

UNAUTHORIZED = "unauthorized"
INVALID_REQUEST = "invalid_request"
STALE_CHECKPOINT = "stale_checkpoint"
CHECKPOINT_CONFLICT = "checkpoint_conflict"
INVALID_PHASE = "invalid_phase"
STALE_ATTEMPT = "stale_attempt"
DUPLICATE_EXECUTION = "duplicate_execution"
ADMISSION_CLOSED = "agent_admission_closed"
PREPARE_INCOMPLETE = "agent_prepare_incomplete"
CHECKPOINT_ERROR = "agent_checkpoint_error"
ACKNOWLEDGEMENT_ERROR = "completed_execution_acknowledgement_error"
NOT_PARKED = "not_parked"
CANCELLED = "cancelled"
STORAGE_FAILED = "storage_failed"

REFUSALS: tuple[Refusal, ...] = (
    Refusal(UNAUTHORIZED, 401, True, "the bearer token is missing or wrong; nothing was asked"),
    Refusal(INVALID_REQUEST, 422, True, "the body or query does not have the declared shape"),
    Refusal(STALE_CHECKPOINT, 409, True, "this checkpoint id has been resumed and is dead"),
    Refusal(CHECKPOINT_CONFLICT, 409, True, "another id, or another directory, is open"),
    Refusal(INVALID_PHASE, 409, True, "the operation has no place in this phase"),
    Refusal(STALE_ATTEMPT, 409, True, "this attempt has ended here and never runs again"),
    Refusal(DUPLICATE_EXECUTION, 409, True, "the key, or an older attempt of it, is live"),
    Refusal(ADMISSION_CLOSED, 409, True, "no new work is admitted before resume"),
    Refusal(
        PREPARE_INCOMPLETE,
        409,
        True,
        "not everything is at a boundary; the answer counts what is in the way",
        effects=("admission stays closed", "the id stays active", "what has parked stays parked"),
    ),
    Refusal(CHECKPOINT_ERROR, 409, True, "the participant cannot do this with what it holds"),
    Refusal(ACKNOWLEDGEMENT_ERROR, 409, True, "no retained result has exactly this receipt"),
    Refusal(NOT_PARKED, 409, True, "no prepare is active; issue the refused call again, later"),
    Refusal(CANCELLED, 499, True, "the held task was cancelled"),
    Refusal(
        STORAGE_FAILED,
        500,
        False,
        "a storage step failed; the manifest may or may not be visible",
        effects=("payloads may lie in the directory", "the manifest may be visible"),
    ),
)

BY_CODE: dict[str, Refusal] = {refusal.code: refusal for refusal in REFUSALS}
