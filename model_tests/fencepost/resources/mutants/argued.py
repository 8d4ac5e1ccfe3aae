"""Mutants that nothing refuses, and why that is right: each by name, one sentence."""

from collections.abc import Mapping

_POLICY_MODEL = "a resources server never stands in restore_failed_paused, a policy model does"
_ASKED_AGAIN = "the same is asked under the lock, which is free at once where this could hold"
_DEFAULT = "what the specification does not name is handled as this entry says, so none can tell"

SURVIVORS: Mapping[str, str] = {
    "fence without restore_called in restore_failed_paused to restoring": _POLICY_MODEL,
    "fence without restore_failed_closed in restoring to restore_failed_paused": _POLICY_MODEL,
    "fence without resume_called in restore_failed_paused to idle": _POLICY_MODEL,
    "status allowed in restore_failed_paused": _POLICY_MODEL,
    "retire allowed in restore_failed_paused": _POLICY_MODEL,
    "session with retire_called in unbound to retired whatever nothing_runs": (
        "the row for a handler that runs stands before it and answers first"
    ),
    "session without retire_called in retired to retired": (
        "the key is refused already, and the answer is the same"
    ),
    "resume without R-OPS-4 id_is_finished": (
        "only resume finishes an id, so a repeat is answered by the check before"
    ),
    "capabilities without R-OPS-2 not_well_formed": (
        "a query may carry more than it is asked for, and capabilities are asked for nothing"
    ),
    "arrival without R-RRQ-10 starts_what_has_ended": _ASKED_AGAIN,
    "routes without all others": _DEFAULT,
    "modes without restart_only": _DEFAULT,
    "contracts without stateless": _DEFAULT,
    "blockers without retiring": (
        "a retired session whose lock is free may go at any time, so no trace shows whether a "
        "prepare waited for it; one whose handler runs is in the way as a handler"
    ),
}
"""Mutants that differ from the intact server at most where nobody can see it."""
