"""What cannot be killed or broken, and why: each by name, one sentence.

A mutant that does the same as the intact participant in every place of its scopes needs no
argument. One that differs and is not refused stands here, or the matrix fails.
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
