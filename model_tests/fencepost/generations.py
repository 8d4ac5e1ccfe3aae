"""Checkpoints in a row: work, a checkpoint, a crash, a restore, and the next process goes on.

A walk is led through whole lives of a participant, so that what comes by chance afterwards meets
restored work, claimed or not, in the second process and later.
"""

from fencepost.enabled_calls import asked
from fencepost.showing import boundary_of
from fencepost.walking import Walk
from fencepost_reference.receipts import actions as a
from fencepost_spec.vocabulary import Key


def lead_through(walk: Walk, generations: int, *, claims: bool) -> None:
    """Lead a walk through so many checkpoints and crashes; `claims` lets restored work run."""
    for _ in range(generations):
        _one_generation(walk, claims)


def _one_generation(walk: Walk, claims: bool) -> None:
    for key in sorted(walk.state.pending) if claims else ():
        _run(walk, key)
    fresh = walk.world.rollouts[walk.world.checkpoints % len(walk.world.rollouts)]
    known = {key.rollout_id for key in (*walk.state.executions, *walk.state.pending)}
    if fresh not in known:
        _run(walk, Key(fresh, walk.state.history.watermark.get(fresh, -1) + 1))
    checkpoint = walk.world.checkpoint
    walk.take(asked(walk.world, "prepare", checkpoint))
    for key in sorted(walk.state.executions):
        # Restored work stands at the record it was given, other work at a boundary of its own.
        restored = walk.state.executions[key].continuation is not None
        record = None if restored else boundary_of(key, 0, "m0", 0)
        event = "park" if restored else "boundary"
        walk.take(a.Work(event, key, walk.number, boundary=record))
    walk.settle()
    directory = f"d-{checkpoint}"
    walk.take(asked(walk.world, "commit", checkpoint, directory=directory))
    walk.settle()
    walk.take(a.Replace())
    restoring = walk.world.checkpoint
    walk.take(asked(walk.world, "restore", restoring, directory=directory))
    walk.settle()
    walk.take(asked(walk.world, "resume", restoring))
    walk.settle()


def _run(walk: Walk, key: Key) -> None:
    walk.take(a.Run(walk.world.call, key))
    walk.settle()
