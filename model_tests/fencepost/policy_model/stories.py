"""Stories of a policy model: each a witness that something is possible, or that a check is asked.

A story leads a core through actions; its lines are what a check plays first, before it draws.
"""

from fencepost.policy_model.custody_stories import CUSTODY, ROOT, counted, served
from fencepost.policy_model.enabled import INDEXES
from fencepost.policy_model.files import index_of
from fencepost.policy_model.generations import called, commit, lead_through
from fencepost.policy_model.phases import PHASES, front, in_phase, shared_restore
from fencepost.policy_model.telling import DIR, M1, M2, R1, R2, Story, admit, ask, put, refused
from fencepost.policy_model.walking import ModelWalk
from fencepost.policy_model.word_stories import WORDS
from fencepost_reference.receipts.policy_model import actions as a
from fencepost_reference.receipts.policy_model.state import Root
from fencepost_spec.vocabulary import Key


def _cycle(walk: ModelWalk) -> None:
    ticket = admit(walk, R1)
    walk.take(a.Record(ticket, M1))
    ask(walk, "pause", "c1")
    admit(walk, R2)
    ask(walk, "status", "c1", waits=True)
    walk.settle()
    walk.take(a.Release(ticket))
    walk.settle()
    called(walk, "commit", "c1", DIR, (INDEXES[0], index_of(INDEXES[0], [])))


def _drains(walk: ModelWalk) -> None:
    put(walk)
    _cycle(walk)
    called(walk, "resume", "c1")
    admit(walk, R2)


def _restored(walk: ModelWalk) -> None:
    lead_through(walk, 1)
    for attempt in range(3):
        admit(walk, Key("r1", attempt))


def _aborts(walk: ModelWalk) -> None:
    ticket = admit(walk, R1)
    ask(walk, "pause", "c1")
    called(walk, "abort_inflight", "c1", key=R1)
    called(walk, "abort_inflight", "c1", key=R1)
    admit(walk, R1)
    walk.take(a.Release(ticket))
    walk.settle()
    called(walk, "status", "c1")
    called(walk, "commit", "c1", DIR)
    called(walk, "abort_inflight", "c1", key=R1)
    called(walk, "resume", "c1")
    admit(walk, R1)


def _fails_twice(walk: ModelWalk) -> None:
    served(walk)
    served(walk, M2, key=R2)
    roots = (ROOT, Root(R2, "r2", "m2"))
    commit(walk, INDEXES[0], roots)
    walk.take(a.Replace(ledger_kept=False))
    walk.take(a.FailStorage("read"))
    ask(walk, "restore", "x1", directory=DIR)
    walk.settle()
    walk.take(a.FailStorage("copy"))
    ask(walk, "restore", "x1", directory=DIR)
    walk.settle()
    called(walk, "status", "x1")
    called(walk, "restore", "x1", DIR)
    called(walk, "resume", "x1")


def _half_copied(walk: ModelWalk) -> None:
    served(walk)
    served(walk, M2, key=R2)
    commit(walk, INDEXES[0], (ROOT, Root(R2, "r2", "m2")))
    walk.take(a.Replace(ledger_kept=False))
    ask(walk, "restore", "x1", directory=DIR)
    walk.take(a.Store())
    walk.take(a.Store())
    walk.take(a.FailStorage("copy"))
    walk.settle()
    called(walk, "resume", "x1")
    counted(walk)


def _tombstones(walk: ModelWalk) -> None:
    called(walk, "pause", "c1")
    called(walk, "abort_inflight", "c1", key=R2)
    called(walk, "commit", "c1", DIR)
    walk.take(a.Replace())
    called(walk, "restore", "x1", DIR)
    called(walk, "resume", "x1")
    admit(walk, R2)


def _given_up(walk: ModelWalk) -> None:
    refused(walk, "restore", "x1", "ledger_mismatch", directory=DIR)
    admit(walk, R1)
    called(walk, "resume", "x1")
    admit(walk, R1)
    called(walk, "pause", "c1")


def _written_again(walk: ModelWalk) -> None:
    lead_through(walk, 1)
    root = Root(Key("r1", 1), "r1", "g0")
    walk.take(a.SetDirectory(DIR, None))
    commit(walk, INDEXES[0], (root,))


def _over_calls(walk: ModelWalk) -> None:
    served(walk)
    commit(walk, INDEXES[0], (ROOT,))
    walk.take(a.Replace(ledger_kept=False))
    ticket = admit(walk, R2)
    refused(walk, "restore", "x1", "ledger_not_quiescent", directory=DIR)
    walk.take(a.Release(ticket))
    called(walk, "restore", "x1", DIR)


def _jumped(walk: ModelWalk) -> None:
    later = Key("r1", 2)
    served(walk, key=later)
    commit(walk, INDEXES[0], (Root(later, "r1-a2", "m1"),))
    walk.take(a.Replace(ledger_kept=False))
    called(walk, "restore", "x1", DIR)
    called(walk, "resume", "x1")
    admit(walk, R1)
    admit(walk, Key("r1", 3))


def _gate(walk: ModelWalk) -> None:
    admit(walk, None, agrees=False)
    for route in ("/v1/responses", "/v1/chat/completions", "/v1/messages"):
        walk.take(a.Release(admit(walk, None, route)))
    called(walk, "pause", "c1")
    for route in ("/v1/responses", "/v1/chat/completions", "/v1/messages", "/v1/models"):
        admit(walk, None, route)


def _shared(walk: ModelWalk) -> None:
    called(walk, "pause", "c1")
    walk.take(a.HoldStorage("commit"))
    first = ask(walk, "commit", "c1", directory=DIR)
    ask(walk, "commit", "c1", directory=DIR)
    refused(walk, "commit", "c1", "checkpoint_conflict", directory="d2")
    refused(walk, "resume", "c1", "invalid_phase")
    walk.take(a.Gone(first))
    walk.take(a.FreeStorage("commit"))


def _resumed(walk: ModelWalk) -> None:
    ticket = admit(walk, R1)
    ask(walk, "pause", "c1")
    ask(walk, "status", "c1", waits=True)
    walk.settle()
    called(walk, "resume", "c1")
    called(walk, "resume", "c1")
    refused(walk, "pause", "c1", "stale_checkpoint")
    called(walk, "resume", "c2")
    refused(walk, "status", "c3", "invalid_phase")
    walk.take(a.Release(ticket))
    called(walk, "pause", "c4")
    refused(walk, "pause", "c5", "checkpoint_conflict")
    called(walk, "capabilities", None)


def _waits(walk: ModelWalk) -> None:
    admit(walk, R1)
    ask(walk, "pause", "c1")
    ask(walk, "status", "c1", waits=True, timeout=1_000_000)
    walk.settle()
    walk.take(a.Tick(1_000_000))
    walk.settle()
    refused(walk, "commit", "c1", "invalid_phase", directory=DIR)


def _auxiliary(walk: ModelWalk) -> None:
    for op, directory in (("pause", None), ("resume", None), ("commit", DIR), ("restore", DIR)):
        refused(walk, op, "c1", "not_a_policy_instance", directory=directory)
    refused(walk, "abort_inflight", "c1", "not_a_policy_instance", key=R1)
    refused(walk, "status", "c1", "invalid_phase")
    admit(walk, R1)


def _ledgerless(walk: ModelWalk) -> None:
    refused(walk, "restore", "x1", "ledger_not_checkpointable", directory=DIR)
    walk.take(a.Release(admit(walk, R1)))
    called(walk, "pause", "c1")
    refused(walk, "commit", "c1", "ledger_not_checkpointable", directory=DIR)


STORIES: tuple[Story, ...] = (
    Story(
        "drains, is written, goes on",
        ("R-ADM-1", "R-ADM-3", "R-MOP-12", "R-GAT-4"),
        _drains,
        shows="R-PMS-1",
    ),
    Story(
        "restored, continues as N + 1",
        ("R-MRF-3", "R-GAT-2", "R-ADM-5"),
        _restored,
        shows="R-PMS-2",
    ),
    Story(
        "an aborted call ends",
        ("R-TIC-1", "R-TIC-3", "R-MOP-17", "R-MRF-1"),
        _aborts,
        shows="R-PMS-3",
    ),
    Story(
        "a failed restore is tried again",
        ("R-FEN-9", "R-FEN-12", "R-CUS-31"),
        _fails_twice,
        shows="R-PMS-4",
    ),
    Story("a failed copy is taken back", ("R-CUS-31", "R-FEN-18"), _half_copied),
    Story("an aborted attempt is restored as one", ("R-MRF-2",), _tombstones),
    Story(
        "a failed restore is given up",
        ("R-FEN-18", "R-CUS-20", "R-ADM-2"),
        _given_up,
        shows="R-PMS-5",
    ),
    Story("a restored lineage is written again", ("R-FEN-17",), _written_again, shows="R-PMS-6"),
    Story("a restore over calls in flight", ("R-CUS-25",), _over_calls),
    Story("an attempt below a source", ("R-GAT-3", "R-MRF-4"), _jumped),
    Story("every route of the gate", ("R-GAT-1", "R-GAT-6", "R-GAT-10", "R-GAT-12"), _gate),
    *CUSTODY,
    *WORDS,
    Story("a commit that is shared", ("R-OPS-7", "R-OPS-9"), _shared),
    Story("resume ends what waits", ("R-MOP-20", "R-OPS-3", "R-OPS-4", "R-FEN-13"), _resumed),
    Story("a status waits for its deadline", ("R-OPS-9",), _waits),
    Story("a judge is asked", ("R-MOP-1",), _auxiliary, role="auxiliary"),
    Story("a model without a ledger", ("R-MOP-2",), _ledgerless, ledger="none"),
    Story("wrong tokens and bodies", ("R-OPS-1", "R-OPS-2"), front),
    Story("a restore that is shared", ("R-OPS-5", "R-OPS-6", "R-OPS-7"), shared_restore),
    *(Story(f"every call in {phase}", ("R-OPS-4", "R-OPS-9"), in_phase(phase)) for phase in PHASES),
)
