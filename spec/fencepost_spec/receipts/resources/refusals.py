"""Every code a resources server may answer with, and what it proves."""

from fencepost_spec.operation import Refusal
from fencepost_spec.receipts import refusals as shared

IDENTITY_MISMATCH = "execution_identity_mismatch"
ADMISSION_CLOSED = "resources_admission_closed"
STALE_ATTEMPT = shared.STALE_ATTEMPT
RECEIPT_EVICTED = "resource_receipt_evicted"
MUTATION_UNCERTAIN = "resource_mutation_uncertain"
RECEIPT_ERROR = "resource_request_receipt_error"
SESSION_UNBOUND = "resources_session_unbound"
REVISION_MISMATCH = "resource_revision_mismatch"
CAPACITY_EXHAUSTED = "resource_receipt_capacity_exhausted"
CHECKPOINT_ERROR = "resources_checkpoint_error"
UNSAFE_RESTORE = "unsafe_resources_restore"

_AFTER_PREPARE = ("admission stays closed", "the id stays active")

REFUSALS: tuple[Refusal, ...] = (
    *(
        shared.BY_CODE[code]
        for code in (
            shared.UNAUTHORIZED,
            shared.INVALID_REQUEST,
            shared.STALE_CHECKPOINT,
            shared.CHECKPOINT_CONFLICT,
            shared.INVALID_PHASE,
            shared.STALE_ATTEMPT,
            shared.STORAGE_FAILED,
        )
    ),
    Refusal(IDENTITY_MISMATCH, 409, True, "the headers and the path do not name one attempt"),
    Refusal(ADMISSION_CLOSED, 409, True, "no request is admitted before resume"),
    Refusal(RECEIPT_EVICTED, 409, True, "the receipts of the session are gone"),
    Refusal(
        MUTATION_UNCERTAIN,
        409,
        True,
        "a handler of the session broke off, and its effect is not known",
        effects=_AFTER_PREPARE,
    ),
    Refusal(RECEIPT_ERROR, 409, True, "the request id is missing, malformed, or used for another"),
    Refusal(SESSION_UNBOUND, 409, True, "no start has bound this session"),
    Refusal(REVISION_MISMATCH, 409, True, "the session stands at another revision"),
    Refusal(CAPACITY_EXHAUSTED, 409, True, "the session can keep no more receipts"),
    Refusal(
        CHECKPOINT_ERROR,
        409,
        True,
        "the participant cannot do this with what it holds",
        effects=(*_AFTER_PREPARE, "a key that was retired stays refused"),
    ),
    Refusal(UNSAFE_RESTORE, 409, True, "this process has served what a restore would overwrite"),
)

BY_CODE: dict[str, Refusal] = {refusal.code: refusal for refusal in REFUSALS}
