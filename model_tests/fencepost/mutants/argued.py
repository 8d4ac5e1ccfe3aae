"""What cannot be killed or broken, and why: each by name, one sentence.

A mutant that differs and is not refused stands here, or the matrix fails. One that does the same
as the intact participant in every place of its scopes has its reason here beside that walk.
"""

from collections.abc import Mapping

_PERMITTED = (
    "parking in place is allowed and never owed (R4): a participant that lets such work wake, and "
    "parks it at its next boundary, is right as well"
)
SURVIVORS: Mapping[str, str] = {
    "execution without parked_in_place in park_requested to parked_with_boundary": _PERMITTED,
    "execution without parked_in_place in park_requested to parked_without_boundary": _PERMITTED,
    "execution without retire_called in acknowledged": (
        "an acknowledged key never runs again by R-RUN-2, so it cannot be seen whether a retire "
        "refuses it once more"
    ),
    "execution without retire_called in retired": (
        "the key is refused already and the answer is the same; only the reason that is kept "
        "beside the key differs"
    ),
    "execution without retire_called in retiring": (
        "a repeated retire then answers before the handler has stopped, which is against R-RET-1, "
        "a rule of level should: it is noted and refuses nothing"
    ),
    "capabilities without R-OPS-2": (
        "a query may carry more than it is asked for, and capabilities are asked for nothing"
    ),
    "refuses without superseded": (
        "a superseded attempt lies below the watermark that its successor raised (R-WAT-1), and "
        "the watermark answers with the same code"
    ),
}
"""Mutants that differ from the intact participant and obey every rule of level must."""

_POLICY_MODEL = "it belongs to the policy model: an agent never stands in restore_failed_paused"
_BEFORE = "the row before it takes every case in which the guard says no"
_STAYS = "its row leads back to where it starts, and without a row all stays as it is"
_HELD = "both rows leave frozen work where it stands, and what has come is known from itself"
_FROZEN = ("external_wait_frozen", "model_wait_frozen")
_PARKED = ("parked_with_boundary", *_FROZEN)
_IN_PLACE = "execution with parked_in_place in park_requested to parked_without_boundary"
EQUIVALENT: Mapping[str, str] = {
    "execution with park_called in park_requested (R-EXE-14) whatever has_no_record": _BEFORE,
    "execution with wait_entered in park_requested (R-EXE-18) whatever has_no_record": _BEFORE,
    **{
        f"execution with wait_left in {state} (R-EXE-21) whatever reply_came": _HELD
        for state in _FROZEN
    },
    **{
        f"execution with wait_left in {state} (R-EXE-22) whatever refusal_came": _BEFORE
        for state in _FROZEN
    },
    "execution with prepare_called in running (R-EXE-25) whatever cannot_freeze": (
        "the rows before it take every case in which a wait may freeze"
    ),
    f"{_IN_PLACE} whatever has_no_record": _BEFORE,
    **{
        f"execution with prepare_withdrawn in {state} (R-EXE-29) whatever handler_has_ended": (
            _BEFORE
        )
        for state in _FROZEN
    },
    **{
        f"execution with {event} in {state} ({rule}) whatever handler_has_ended": _BEFORE
        for event, rule in (("resume_called", "R-EXE-33"), ("retire_called", "R-EXE-39"))
        for state in _PARKED
    },
    "fence without prepare_missed in preparing": _STAYS,
    "fence without restore_called in restore_failed_paused": _POLICY_MODEL,
    "fence without restore_failed_closed in restoring": _POLICY_MODEL,
    "fence without resume_called in restore_failed_paused": _POLICY_MODEL,
    "execution without acknowledge_called in acknowledged": _STAYS,
    "resume without R-OPS-4": "only a resume finishes an id, and its repeat is answered before",
    "discard-restored-continuation without R-OPS-14": (
        "nothing is live between a restore and its resume, so the check never answers"
    ),
    "retire allowed in restore_failed_paused": _POLICY_MODEL,
    "discard-restored-continuation allowed in restore_failed_paused": _POLICY_MODEL,
}
"""Mutants that do nothing otherwise in any place that was walked, each with the reason."""

_PROGRESS = (
    "it speaks of every way on from a state, which the explorer asks of whole graphs and no single "
    "trace can break"
)
UNBROKEN: Mapping[str, str] = {
    "R-FEN-9": _POLICY_MODEL,
    "R-FEN-12": _POLICY_MODEL,
    "R-FEN-18": _POLICY_MODEL,
    "R-RUN-10": "no variation of a core holds what has no key; only another program does",
    "R-EXE-46": "its row moves nothing; a repeated acknowledgement that is refused breaks R-OPS-26",
    "R-OPS-14": "nothing is live between a restore and its resume, so its check is never reached",
    "R-OPS-20": "it is named where no nearer rule of a prepare is known",
    "R-OPS-31": "what a core decides is always rendered whole; only another program leaves out",
    "R-REF-6": "a superseded attempt is refused by the watermark too",
    "R-LIV-1": "only a version without acknowledgements breaks it, as recorded traces do",
    "R-LIV-5": _PROGRESS,
    "R-LIV-6": _PROGRESS,
    "R-LIV-8": _PROGRESS,
    "R-PRE-1": "it is of level should, and a prepare that waits for its deadline is right as well",
}
"""Rules that no mutant breaks."""
