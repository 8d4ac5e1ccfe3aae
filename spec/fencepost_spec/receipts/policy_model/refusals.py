"""The codes that only a policy model answers with, and what each proves."""

from fencepost_spec.operation import Refusal
from fencepost_spec.receipts import refusals as shared

CHECKPOINT_PARKED = "checkpoint_parked"
IDENTITY_MISMATCH = "execution_identity_mismatch"
NOT_A_POLICY = "not_a_policy_instance"
LEDGER_MISMATCH = "ledger_mismatch"
NOT_CHECKPOINTABLE = "ledger_not_checkpointable"
NOT_QUIESCENT = "ledger_not_quiescent"
MISSING_WORKERS = "missing_workers"
RETRY_AFTER_SECONDS = 1
"""What the header `retry-after` of a parked call says."""

MODEL_REFUSALS: tuple[Refusal, ...] = (
    Refusal(CHECKPOINT_PARKED, 409, True, "the model is closed; issue the same call after resume"),
    Refusal(IDENTITY_MISMATCH, 409, True, "the headers and the path do not name one attempt"),
    Refusal(NOT_A_POLICY, 409, True, "judges and simulators are not paused, written or restored"),
    Refusal(
        LEDGER_MISMATCH,
        409,
        True,
        "what was asked for and what lies in the ledger or the directory do not fit",
        effects=("after a restore: the model stays closed, and its id active",),
    ),
    Refusal(NOT_CHECKPOINTABLE, 409, True, "this server keeps no ledger"),
    Refusal(NOT_QUIESCENT, 409, True, "calls are still in flight"),
    Refusal(MISSING_WORKERS, 409, True, "a worker did not report; it is not taken for drained"),
)

ANSWERED: tuple[Refusal, ...] = (
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
    *MODEL_REFUSALS,
)
"""Every code that a policy model may answer with."""

BY_CODE: dict[str, Refusal] = {
    **shared.BY_CODE,
    **{refusal.code: refusal for refusal in MODEL_REFUSALS},
}
