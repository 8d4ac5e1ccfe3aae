"""Lives of a policy model before a walk: served, written, and restored in a new process."""

from fencepost.policy_model.enabled import DEADLINE_US, INDEXES
from fencepost.policy_model.files import document_of, index_of
from fencepost.policy_model.walking import ModelWalk
from fencepost_reference.receipts.policy_model import actions as a
from fencepost_reference.receipts.policy_model.state import Index, Root, Row
from fencepost_spec.vocabulary import Key

DIRECTORY = "d1"


def lead_through(walk: ModelWalk, generations: int) -> None:
    """Let so many processes serve a call, write it, end, and be followed by one that restores."""
    for generation in range(generations):
        key = Key("r1", generation)
        serve(walk, key, Row(f"g{generation}"))
        root = Root(key, key.capture_key, f"g{generation}")
        commit(walk, INDEXES[0], (root,))
        walk.take(a.Replace(ledger_kept=False))
        called(walk, "restore", walk.world.checkpoint, directory=DIRECTORY)
        called(walk, "resume", walk.state.fence.active)
        if generation + 1 < generations:
            walk.take(a.SetDirectory(DIRECTORY, None))


def serve(walk: ModelWalk, key: Key, *rows: Row) -> None:
    """A call of the data plane, from the gate to its end."""
    ticket = walk.world.ticket
    walk.take(a.Admit(ticket, key))
    for row in rows:
        walk.take(a.Record(ticket, row))
    walk.take(a.Release(ticket))
    walk.settle()


def commit(walk: ModelWalk, path: str, roots: tuple[Root, ...]) -> None:
    """Pause, and write what the roots name."""
    index = index_of(path, [document_of(root) for root in roots])
    walk.take(a.SetIndex(path, index))
    called(walk, "pause", walk.world.checkpoint)
    called(walk, "commit", walk.state.fence.active, directory=DIRECTORY, indexes=(path, index))


def called(
    walk: ModelWalk,
    op: str,
    checkpoint: str | None,
    directory: str | None = None,
    indexes: tuple[str, Index] | None = None,
    key: Key | None = None,
) -> None:
    """Call an operation and wait until it is answered with a success."""
    named = () if indexes is None else ((indexes[0], indexes[1].digest),)
    request = a.Request(checkpoint, DEADLINE_US, directory, named, key)
    call = a.Call(walk.world.call, op, request)
    walk.take(call)
    walk.settle()
    assert walk.answers[call.id].status == 200, walk.told(f"{op}: {walk.answers[call.id]}")
