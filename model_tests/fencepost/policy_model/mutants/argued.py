"""Mutants of a policy model that nothing refuses, and rules that no mutant breaks: why."""

from collections.abc import Mapping

EQUIVALENT: Mapping[str, str] = {
    "fence without prepare_called in preparing to preparing": "a repeated pause is replayed",
    "fence without prepare_missed in preparing to preparing": "a pause has no deadline",
    "fence without restore_refused in restoring to idle": "a model fails closed instead",
    "admission with close_called in accepting to paused whatever nothing_is_in_flight": (
        "the row before it takes every case in which a call is in flight"
    ),
    "resume without R-OPS-4": "resume alone finishes an id, and its answer is replayed",
    "commit without R-MOP-3": "a prepared model has no call in flight, and lets none in",
}
"""Faults that are none; the walk of a small world agrees."""

_AGENTS = "it belongs to the agent: a model answers a pause at once and fails closed"
_SHOWN_BEFORE = (
    "a broken one shows first by the check, row or answer that guards it, which is named"
)
_UNMADE = "no mutant has been made for it yet; the checks and rows around it have theirs"
UNBROKEN: Mapping[str, str] = {
    "R-FEN-2": _AGENTS,
    "R-FEN-4": _AGENTS,
    "R-FEN-11": _AGENTS,
    "R-MOP-3": "a prepared model has no call in flight, and lets none in",
    "R-MOP-15": _SHOWN_BEFORE,
    "R-MOP-18": _UNMADE,
    "R-GAT-5": _SHOWN_BEFORE,
    "R-GAT-7": _UNMADE,
    "R-GAT-8": _UNMADE,
    "R-MOP-12": _SHOWN_BEFORE,
    "R-MOP-21": "what a core decides is always rendered whole; only another program leaves out",
    "R-CUS-30": _UNMADE,
    "R-CUS-32": _UNMADE,
    "R-PMI-2": _SHOWN_BEFORE,
    "R-PMI-3": _SHOWN_BEFORE,
    "R-PMI-8": _UNMADE,
    "R-PMI-13": _SHOWN_BEFORE,
}
"""Rules that no mutant breaks."""

_TWO_COMMITS = (
    "two commits have to be made, one with a root and one without, and a process that restored "
    "the first has to repeat the second; no directory but one that was committed can be put"
)
LONGER: Mapping[str, tuple[int, str]] = {
    "existing without R-CUS-14": (14, _TWO_COMMITS),
}
"""Mutants for which more actions are allowed than for the others, and why no fewer will do."""
