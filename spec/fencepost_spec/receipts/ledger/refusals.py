"""Every code by which a ledger of this project refuses. All are definite and change nothing."""

from fencepost_spec.operation import Refusal

CUT = "cut_not_live"
VALUE = "invalid_value"
UNKNOWN = "unknown_group"
TAKEN = "duplicate_group"
ADMISSION = "admission_conflict"
PHASE = "wrong_phase"
STATUS = "wrong_status"
UNBOUND = "prompt_not_bound"
GRANULARITY = "wrong_granularity"
SIBLINGS = "wrong_siblings"
AGENT = "agent_conflict"
ATTEMPT = "wrong_attempt_status"
IDENTITY = "identity_mismatch"
RECEIPT = "no_completion_receipt"
OBLIGATION = "obligation_conflict"
UNSAFE = "checkpoint_unsafe"
PROMPT = "prompt_mismatch"
NOT_EMPTY = "ledger_not_empty"
UNREADABLE = "unreadable_state"

# A method has no HTTP status; 409 is what a route would answer.
REFUSALS: tuple[Refusal, ...] = tuple(
    Refusal(code, 409, True, says)
    for code, says in (
        (CUT, "the mutation cut is not live"),
        (VALUE, "a value is missing, too much, of another type, or out of its domain"),
        (UNKNOWN, "no group of that id is held"),
        (TAKEN, "a group of that id is held"),
        (ADMISSION, "groups of one admission would disagree"),
        (PHASE, "the group is not admitted, or is admitted already"),
        (STATUS, "the status of the group does not allow it"),
        (UNBOUND, "a loaded group has no prompt yet"),
        (GRANULARITY, "the group recovers the other way"),
        (SIBLINGS, "the siblings named are not those of the group"),
        (AGENT, "the results of one group name several agents"),
        (ATTEMPT, "the status of an attempt does not allow it"),
        (IDENTITY, "a result belongs to another execution"),
        (RECEIPT, "there is no completion receipt to acknowledge"),
        (OBLIGATION, "what is owed for one execution would have two contents"),
        (UNSAFE, "a group is being finalized, or its finalization has an unknown end"),
        (PROMPT, "the prompt is another than the group's"),
        (NOT_EMPTY, "a ledger is loaded before anything else is done with it"),
        (UNREADABLE, "the saved state is not one that this version writes"),
    )
)
