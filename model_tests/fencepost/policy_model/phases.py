"""Stories about the fence: every call in every phase, wrong tokens, calls that are shared."""

from collections.abc import Callable

from fencepost.policy_model.generations import called
from fencepost.policy_model.telling import DIR, R1, admit, ask, refused
from fencepost.policy_model.walking import ModelWalk
from fencepost_reference.receipts.policy_model import actions as a

OPERATIONS = ("pause", "status", "resume", "abort_inflight", "commit", "restore")
FINISHED, OWN, OTHER = "f1", "own", "other"


def _prepared(walk: ModelWalk) -> None:
    called(walk, "pause", OWN)


def _preparing(walk: ModelWalk) -> None:
    admit(walk, R1)
    called(walk, "pause", OWN)


def _committing(walk: ModelWalk) -> None:
    _prepared(walk)
    walk.take(a.HoldStorage("commit"))
    ask(walk, "commit", OWN, directory=DIR)


def _committed(walk: ModelWalk) -> None:
    _prepared(walk)
    called(walk, "commit", OWN, DIR)


def _restoring(walk: ModelWalk) -> None:
    called(walk, "pause", "w1")
    called(walk, "commit", "w1", DIR)
    called(walk, "resume", "w1")
    walk.take(a.HoldStorage("restore"))
    ask(walk, "restore", OWN, directory=DIR)


def _restored(walk: ModelWalk) -> None:
    _restoring(walk)
    walk.take(a.FreeStorage("restore"))
    walk.settle()


def _failed(walk: ModelWalk) -> None:
    refused(walk, "restore", OWN, "ledger_mismatch", directory=DIR)


_REACH: dict[str, Callable[[ModelWalk], None]] = {
    "idle": lambda _walk: None,
    "preparing": _preparing,
    "prepared": _prepared,
    "committing": _committing,
    "committed_paused": _committed,
    "restoring": _restoring,
    "restored_paused": _restored,
    "restore_failed_paused": _failed,
}
PHASES = tuple(_REACH)


def in_phase(phase: str) -> Callable[[ModelWalk], None]:
    """Each operation, for the id that is open, for a finished one and for another, in one phase."""

    def tell(walk: ModelWalk) -> None:
        for op in OPERATIONS:
            for checkpoint in (OWN, FINISHED, OTHER):
                called(walk, "resume", FINISHED)
                _REACH[phase](walk)
                assert walk.state.fence.phase == phase, walk.told(f"not in {phase}")
                directory = DIR if op in ("commit", "restore") else None
                key = R1 if op == "abort_inflight" else None
                ask(walk, op, checkpoint, directory=directory, key=key)
                walk.settle()
                walk.take(a.Replace(disk_kept=False))

    return tell


def front(walk: ModelWalk) -> None:
    """Every operation without its token, and with a body of another shape."""
    for op in OPERATIONS:
        ask(walk, op, OWN, authorised=False)
        walk.settle()
        ask(walk, op, OWN, well_formed=False)
        walk.settle()
    ask(walk, "capabilities", None, well_formed=False)
    walk.settle()


def shared_restore(walk: ModelWalk) -> None:
    """A restore is asked for twice, with its directory and with another, during and after."""
    _restoring(walk)
    ask(walk, "restore", OWN, directory=DIR)
    refused(walk, "restore", OWN, "checkpoint_conflict", directory="d2")
    walk.take(a.FreeStorage("restore"))
    walk.settle()
    called(walk, "restore", OWN, DIR)
    refused(walk, "restore", OWN, "checkpoint_conflict", directory="d2")
