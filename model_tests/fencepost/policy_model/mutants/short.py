"""Stories that are told to mutants only: the shortest ways to see what a longer story shows too."""

from fencepost.policy_model.enabled import INDEXES
from fencepost.policy_model.generations import DIRECTORY, called, commit, serve
from fencepost.policy_model.telling import M1, R1, Story, ask, put, refused
from fencepost.policy_model.walking import ModelWalk
from fencepost_reference.receipts.policy_model import actions as a
from fencepost_reference.receipts.policy_model.state import Root

_ROOT = Root(R1, "r1", "m1")


def _written(walk: ModelWalk) -> None:
    """One call is served and written; the process and its ledger end."""
    serve(walk, R1, M1)
    commit(walk, INDEXES[0], (_ROOT,))
    walk.take(a.Replace(ledger_kept=False))


def _written_again(walk: ModelWalk) -> None:
    _written(walk)
    called(walk, "restore", "x1", DIRECTORY)
    called(walk, "resume", "x1")
    indexes = put(walk, Root(R1.next(), "r1", "m1"))
    called(walk, "pause", "c9")
    ask(walk, "commit", "c9", directory="d2", indexes=indexes)
    walk.settle()


def _committed_by_an_heir(walk: ModelWalk) -> None:
    _written(walk)
    called(walk, "restore", "x1", DIRECTORY)
    called(walk, "resume", "x1")
    called(walk, "pause", "c1")
    indexes = put(walk, _ROOT)
    refused(walk, "commit", "c1", "ledger_mismatch", directory=DIRECTORY, indexes=indexes)


def _written_after_a_failure(walk: ModelWalk) -> None:
    _written(walk)
    walk.take(a.FailStorage("copy"))
    ask(walk, "restore", "x1", directory=DIRECTORY)
    walk.settle()
    called(walk, "resume", "x1")
    called(walk, "pause", "c9")
    called(walk, "commit", "c9", "d2")


SHORT: tuple[Story, ...] = (
    Story("restored, and written again", (), _written_again),
    Story("the same commit by a process that restored it", (), _committed_by_an_heir),
    Story("written after a restore that failed", (), _written_after_a_failure),
)
"""These stories."""
