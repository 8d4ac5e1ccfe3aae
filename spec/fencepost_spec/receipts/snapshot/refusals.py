"""The words by which a snapshot is refused, passed over or partly given up. All change nothing."""

from typing import Final

from fencepost_spec.operation import Refusal

UNREADABLE: Final = "snapshot_unreadable"
MISMATCH: Final = "snapshot_mismatch"
TOPOLOGY: Final = "unfit_topology"
CONTINUATIONS: Final = "continuation_mismatch"
RESTORE: Final = "restore_mismatch"
SELECTION: Final = "no_fitting_snapshot"

SKIP: Final = "skip"
"""The answer of a check that passes a candidate over."""
DISCARD: Final = "discard"
"""The answer of a check that gives a restored continuation up before admission opens."""

# A library has no HTTP status; 409 is what a route would answer.
REFUSALS: Final[tuple[Refusal, ...]] = tuple(
    Refusal(code, 409, True, says)
    for code, says in (
        (UNREADABLE, "a file of the directory is missing, damaged or of another shape"),
        (MISMATCH, "files of one snapshot do not belong together"),
        (TOPOLOGY, "the participants that were found cannot be checkpointed together"),
        (CONTINUATIONS, "continuations, staged rows and the ledger contradict each other"),
        (RESTORE, "participants have restored something else than was committed"),
        (SELECTION, "there is nothing that a run may honestly be restored from"),
    )
)
