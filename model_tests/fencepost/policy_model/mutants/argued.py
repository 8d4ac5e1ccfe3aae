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

UNBROKEN: Mapping[str, str] = {}
"""Rules that no mutant breaks."""
