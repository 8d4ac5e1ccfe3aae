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
    "compared without method": "only what is posted has a receipt, so the method is always POST",
    "modes without restart_only": _DEFAULT,
    "contracts without stateless": _DEFAULT,
    "blockers without retiring": (
        "a retired session whose lock is free may go at any time, so no trace shows whether a "
        "prepare waited for it; one whose handler runs is in the way as a handler"
    ),
}
"""Mutants that differ from the intact server at most where nobody can see it."""

DIFFERING = frozenset({"blockers without retiring"})
"""Those of them that are known to differ, further on than they are walked here."""

_SHOWN_BEFORE = (
    "a broken one shows first by the check, row or answer that guards it, which is named"
)
_UNMADE = "no mutant has been made for it yet; the checks and rows around it have theirs"
_DISK = "the writer and reader of directories keep it, and their checks have tests of their own"
_READ = "it says how a request is read, before a core hears of it"
UNBROKEN: Mapping[str, str] = {
    "R-FEN-9": _POLICY_MODEL,
    "R-FEN-12": _POLICY_MODEL,
    "R-FEN-18": _POLICY_MODEL,
    "R-ROP-10": _SHOWN_BEFORE,
    "R-ROP-14": _SHOWN_BEFORE,
    "R-ROP-17": _UNMADE,
    "R-ROP-18": _UNMADE,
    "R-ROP-20": _UNMADE,
    "R-ROP-23": _UNMADE,
    "R-ROP-24": "what a core decides is always rendered whole; only another program leaves out",
    "R-RRQ-22": _UNMADE,
    "R-RRQ-26": _UNMADE,
    "R-RRT-8": _DEFAULT,
    "R-RMO-2": _DEFAULT,
    "R-RMO-4": _DEFAULT,
    "R-RPO-6": "whether a prepare waited for a session that may go at any time cannot be seen",
    "R-RRT-9": _READ,
    "R-RRT-11": _READ,
    "R-RUN-21": _DISK,
    "R-RUN-22": _DISK,
    "R-RUN-23": _DISK,
    "R-RIN-1": _SHOWN_BEFORE,
    "R-RIN-9": _SHOWN_BEFORE,
    "R-RIN-11": _SHOWN_BEFORE,
    "R-RIN-15": _SHOWN_BEFORE,
}
"""Rules that no mutant breaks."""
