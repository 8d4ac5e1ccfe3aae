"""Stories that vary what a drawn world varies seldom: paths, reasons, and names that look alike.

Each takes the words of a rule one by one: how a path ends, which call failed, how long a lineage
is, how many calls, keys and ids there are.
"""

from fencepost.policy_model.custody_stories import ROOT, counted, served
from fencepost.policy_model.enabled import INDEXES, REASONS
from fencepost.policy_model.generations import called, commit
from fencepost.policy_model.paths import FREE_PATHS, GATED_PATHS
from fencepost.policy_model.telling import DIR, M1, R1, Story, admit, ask, put, refused
from fencepost.policy_model.walking import ModelWalk
from fencepost_reference.receipts.policy_model import actions as a
from fencepost_reference.receipts.policy_model.state import Root, Row
from fencepost_spec.vocabulary import Key

ROWS_MANY = 40
CALLS_MANY = 9
NAMES_MANY = 6
_SECOND = 1_000_000
_LONG = "rollout-0123456789abcdef0123456789abcdef-"
_CHECKPOINT = "checkpoint-0123456789abcdef0123456789abcdef-"


def _paths(walk: ModelWalk) -> None:
    called(walk, "pause", "c1")
    for path in (*GATED_PATHS, *FREE_PATHS):
        admit(walk, None, path)
    admit(walk, R1, "/ng-rollout/r1/v1/responses")
    admit(walk, R1, "/ng-rollout/r1/v1/responses/more")


def _long_lineage(walk: ModelWalk) -> None:
    served(walk, M1, *(Row(f"n{number}") for number in range(1, ROWS_MANY)))
    commit(walk, INDEXES[0], (ROOT,))
    walk.take(a.Replace(ledger_kept=False))
    called(walk, "restore", "x1", DIR)
    called(walk, "resume", "x1")
    counted(walk)


def _other_reasons(walk: ModelWalk) -> None:
    rows = [Row(f"f{number}", reason) for number, reason in enumerate(REASONS)]
    served(walk, *rows)
    called(walk, "pause", "c1")
    for row in rows:
        indexes = put(walk, Root(R1, "r1", row.call_id))
        refused(walk, "commit", "c1", "ledger_mismatch", directory=DIR, indexes=indexes)


def _tried_again(walk: ModelWalk) -> None:
    served(walk, *(Row("m1", reason, "s1") for reason in REASONS), Row("m1", None, "s1"))
    commit(walk, INDEXES[0], (ROOT,))


def _names(walk: ModelWalk) -> None:
    one, two = Key(f"{_LONG}1", 0), Key(f"{_LONG}2", 0)
    first, second = f"{_CHECKPOINT}1", f"{_CHECKPOINT}2"
    tickets = [admit(walk, one), admit(walk, two)]
    ask(walk, "pause", first)
    called(walk, "abort_inflight", first, key=one)
    for ticket in tickets:
        walk.take(a.Release(ticket))
    walk.settle()
    called(walk, "resume", first)
    for key in (one, two):
        admit(walk, key)
    ask(walk, "pause", second)
    called(walk, "resume", second)


def _numbers(walk: ModelWalk) -> None:
    tenth = Key("r1", 10)
    served(walk, key=tenth)
    commit(walk, INDEXES[0], (Root(tenth, "r1-a10", "m1"),))
    walk.take(a.Replace(ledger_kept=False))
    called(walk, "restore", "x1", DIR)
    called(walk, "resume", "x1")
    for attempt in (9, 10, 11, 100):
        admit(walk, Key("r1", attempt))


def _alike(walk: ModelWalk) -> None:
    """An attempt whose number begins like another's is another."""
    ticket = admit(walk, Key("r1", 10))
    ask(walk, "pause", "c1")
    called(walk, "abort_inflight", "c1", key=Key("r1", 1))
    walk.take(a.Release(ticket))
    walk.settle()
    called(walk, "resume", "c1")
    for attempt in (1, 10):
        admit(walk, Key("r1", attempt))


def _crowd(walk: ModelWalk) -> None:
    tickets = [admit(walk, Key("r1", 0)) for _ in range(CALLS_MANY)]
    ask(walk, "pause", "c1")
    for ticket in tickets:
        walk.take(a.Release(ticket))
        walk.settle()
    called(walk, "status", "c1")


def _remembered(walk: ModelWalk) -> None:
    keys = [Key(f"r{number}", 0) for number in range(NAMES_MANY)]
    called(walk, "pause", "c1")
    for key in keys:
        called(walk, "abort_inflight", "c1", key=key)
    called(walk, "commit", "c1", DIR)
    called(walk, "resume", "c1")
    for key in keys:
        admit(walk, key)


def _finished(walk: ModelWalk) -> None:
    names = [f"c{number}" for number in range(1, NAMES_MANY + 1)]
    for name in names:
        called(walk, "resume", name)
    for name in names:
        refused(walk, "pause", name, "stale_checkpoint")


def _waits_longer(walk: ModelWalk) -> None:
    admit(walk, R1)
    ask(walk, "pause", "c1")
    ask(walk, "status", "c1", waits=True, timeout=4 * _SECOND)
    for _ in range(4):
        walk.settle()
        walk.take(a.Tick(_SECOND))
    walk.settle()


WORDS: tuple[Story, ...] = (
    Story("paths that end like a route, and others", ("R-GAT-6",), _paths),
    Story("a long lineage", ("R-FEN-17",), _long_lineage),
    Story("calls that failed for other reasons", ("R-CUS-7",), _other_reasons),
    Story("a call that failed, and then did not", (), _tried_again),
    Story("rollouts and checkpoints whose names begin alike", ("R-GAT-2",), _names),
    Story("attempts are numbers", ("R-GAT-3",), _numbers),
    Story("attempts whose numbers begin alike", ("R-GAT-2",), _alike),
    Story("many calls in flight", ("R-ADM-3",), _crowd),
    Story("many attempts are refused", ("R-GAT-2",), _remembered),
    Story("many checkpoints are finished", ("R-OPS-4",), _finished),
    Story("a status waits for longer", (), _waits_longer),
)
"""Told like the other stories; none is the witness of a property."""
