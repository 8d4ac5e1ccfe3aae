"""Stories about the ledger: roots that do not fit, commits that are repeated, restores refused."""

from collections.abc import Callable, Sequence

import attrs

from fencepost.policy_model.enabled import INDEXES
from fencepost.policy_model.generations import called, commit, serve
from fencepost.policy_model.telling import DIR, M1, M2, R1, R2, Story, ask, put, refused
from fencepost.policy_model.walking import ModelWalk
from fencepost_reference.receipts.policy_model import actions as a
from fencepost_reference.receipts.policy_model.state import Checkpoint, Root, Row
from fencepost_spec.vocabulary import Key

ROOT = Root(R1, "r1", "m1")
TWICE = Root(R1, "r1", "m2")
OTHER = Root(R2, "r2", "m1")
STORED = Row("m1", storage_key="s1")


def served(walk: ModelWalk, *rows: Row, key: Key = R1) -> None:
    serve(walk, key, *(rows or (M1,)))


def roots(bad: Sequence[Root], rows: Sequence[Row] = (M1,)) -> Callable[[ModelWalk], None]:
    """A commit whose roots do not fit."""

    def tell(walk: ModelWalk) -> None:
        served(walk, *rows)
        served(walk, *rows, key=R2)
        indexes = put(walk, *bad)
        called(walk, "pause", "c1")
        refused(walk, "commit", "c1", "ledger_mismatch", directory=DIR, indexes=indexes)

    return tell


def no_index(walk: ModelWalk) -> None:
    called(walk, "pause", "c1")
    indexes = ((INDEXES[0], f"{'0' * 64} 1 1"),)
    refused(walk, "commit", "c1", "ledger_mismatch", directory=DIR, indexes=indexes)


def aborted_root(walk: ModelWalk) -> None:
    served(walk)
    indexes = put(walk, ROOT)
    called(walk, "pause", "c1")
    called(walk, "abort_inflight", "c1", key=R1)
    refused(walk, "commit", "c1", "ledger_mismatch", directory=DIR, indexes=indexes)
    called(walk, "commit", "c1", DIR)


def damaged_root(walk: ModelWalk) -> None:
    served(walk)
    walk.take(a.DamageLineage("r1"))
    indexes = put(walk, ROOT)
    called(walk, "pause", "c1")
    refused(walk, "commit", "c1", "ledger_mismatch", directory=DIR, indexes=indexes)


def again(change: Callable[[ModelWalk], tuple[Root, ...]]) -> Callable[[ModelWalk], None]:
    """The next process commits the same id into the same directory, with something changed."""

    def tell(walk: ModelWalk) -> None:
        served(walk, M1, M2)
        commit(walk, INDEXES[0], (ROOT,))
        walk.take(a.Replace())
        indexes = put(walk, *change(walk))
        called(walk, "pause", "c1")
        name = ask(walk, "commit", "c1", directory=DIR, indexes=indexes)
        walk.settle()
        assert walk.answers[name].code in (None, "ledger_mismatch"), walk.told("the commit")

    return tell


def other_rows(walk: ModelWalk) -> tuple[Root, ...]:
    served(walk, Row("m3"))
    return (ROOT,)


def other_server(walk: ModelWalk) -> tuple[Root, ...]:
    here = walk.state.disk[DIR]
    walk.take(a.SetDirectory(DIR, attrs.evolve(here, server="another")))
    return (ROOT,)


def spoiled(walk: ModelWalk) -> tuple[Root, ...]:
    walk.take(a.SetDirectory(DIR, attrs.evolve(walk.state.disk[DIR], damaged=True)))
    return (ROOT,)


def other_tombstones(walk: ModelWalk) -> None:
    called(walk, "pause", "c1")
    called(walk, "commit", "c1", DIR)
    walk.take(a.Replace())
    called(walk, "pause", "c1")
    called(walk, "abort_inflight", "c1", key=R2)
    refused(walk, "commit", "c1", "ledger_mismatch", directory=DIR)


def other_sources(walk: ModelWalk) -> None:
    served(walk)
    called(walk, "pause", "c1")
    called(walk, "commit", "c1", "d2")
    called(walk, "resume", "c1")
    commit(walk, INDEXES[0], (ROOT,))
    walk.take(a.Replace())
    called(walk, "restore", "x1", DIR)
    called(walk, "resume", "x1")
    called(walk, "pause", "c1")
    refused(walk, "commit", "c1", "ledger_mismatch", directory="d2")


def other_id(walk: ModelWalk) -> None:
    called(walk, "pause", "c1")
    called(walk, "commit", "c1", DIR)
    called(walk, "resume", "c1")
    called(walk, "pause", "c2")
    refused(walk, "commit", "c2", "ledger_mismatch", directory=DIR)


def spoilt_source(spoil: Callable[[Checkpoint], Checkpoint]) -> Callable[[ModelWalk], None]:
    """A restore of a directory that somebody spoilt."""

    def tell(walk: ModelWalk) -> None:
        served(walk)
        commit(walk, INDEXES[0], (ROOT,))
        walk.take(a.Replace(ledger_kept=False))
        walk.take(a.SetDirectory(DIR, spoil(walk.state.disk[DIR])))
        refused(walk, "restore", "x1", "ledger_mismatch", directory=DIR)
        called(walk, "resume", "x1")
        counted(walk)

    return tell


def counted(walk: ModelWalk) -> None:
    """A commit without roots tells how many lineages lie in the ledger."""
    called(walk, "pause", walk.world.checkpoint)
    called(walk, "commit", walk.state.fence.active, "d3")


def full_ledger(*rows: Row, key: Key) -> Callable[[ModelWalk], None]:
    """A restore into a ledger that holds something already."""

    def tell(walk: ModelWalk) -> None:
        served(walk)
        commit(walk, INDEXES[0], (ROOT,))
        walk.take(a.Replace(ledger_kept=False))
        serve(walk, key, *rows)
        refused(walk, "restore", "x1", "ledger_mismatch", directory=DIR)

    return tell


def failing_commit(walk: ModelWalk) -> None:
    served(walk)
    indexes = put(walk, ROOT)
    called(walk, "pause", "c1")
    for step in ("records", "manifest", "after_manifest"):
        walk.take(a.FailStorage(step))
        ask(walk, "commit", "c1", directory=DIR, indexes=indexes)
        walk.settle()
    name = ask(walk, "commit", "c1", directory=DIR, indexes=indexes)
    walk.settle()
    assert walk.answers[name].status == 200
    called(walk, "commit", "c1", DIR)
    refused(walk, "commit", "c1", "checkpoint_conflict", directory="d2")


CUSTODY: tuple[Story, ...] = (
    Story("an index that is not there", ("R-CUS-1",), no_index),
    Story("a root twice", ("R-CUS-2",), roots((ROOT, ROOT))),
    Story("two roots of one lineage", ("R-CUS-3",), roots((ROOT, TWICE), (M1, M2))),
    Story("a root of an aborted attempt", ("R-CUS-4",), aborted_root),
    Story("a root without lineage", ("R-CUS-5",), roots((Root(Key("r3", 0), "r3", "m1"),))),
    Story("a lineage that is damaged", ("R-CUS-6",), damaged_root),
    Story("a call that failed", ("R-CUS-7",), roots((ROOT,), (Row("m1", "aborted"),))),
    Story("a call twice", ("R-CUS-8",), roots((ROOT,), (M1, M1))),
    Story("a storage key twice", ("R-CUS-9",), roots((ROOT, OTHER), (STORED,))),
    Story("the same commit again", ("R-CUS-33",), again(lambda _walk: (ROOT,))),
    Story("a damaged commit again", ("R-CUS-10",), again(spoiled)),
    Story("another id in the directory", ("R-CUS-11",), other_id),
    Story("another server in the directory", ("R-CUS-12",), again(other_server)),
    Story("other tombstones", ("R-CUS-13",), other_tombstones),
    Story("other sources", ("R-CUS-14",), other_sources),
    Story("other roots", ("R-CUS-15",), again(lambda _walk: (TWICE,))),
    Story("other rows", ("R-CUS-16",), again(other_rows)),
    Story("a manifest of nonsense", ("R-CUS-21",), spoilt_source(lambda _: Checkpoint("garbled"))),
    Story("a newer manifest", ("R-CUS-22",), spoilt_source(lambda _: Checkpoint("newer"))),
    Story(
        "another server's ledger",
        ("R-CUS-23",),
        spoilt_source(lambda here: attrs.evolve(here, server="another")),
    ),
    Story(
        "a lineage of another digest",
        ("R-CUS-24",),
        spoilt_source(lambda here: attrs.evolve(here, damaged=True)),
    ),
    Story("a ledger with strangers", ("R-CUS-26",), full_ledger(M1, key=R2)),
    Story("a ledger that differs", ("R-CUS-27",), full_ledger(M2, key=R1)),
    Story("a commit that fails", ("R-FEN-7", "R-CUS-30", "R-OPS-5", "R-OPS-6"), failing_commit),
)
"""Each way in which the ledger is not copied, and what happens when it is copied again."""
