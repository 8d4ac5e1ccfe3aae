"""The named worlds around a resources server, from those of seconds to those for a night.

Each tiny one is about one thing and can be walked with and without every reduction.
"""

from fencepost.exploring.resources.scope import ResourcesScope
from fencepost_reference.receipts.resources.state import Settings

_PARALLEL = Settings(contract="transactional_parallel")
_RESTART_ONLY = Settings(mode="restart_only")
_STATELESS = Settings(mode="stateless", contract="stateless")
_EXPECTING = Settings(restore_expected=True)
_WRONG = ("revision", "input", "identity", "headers", "nameless")
_STORAGE = ("records", "manifest", "after_manifest", "read", "install")

RESOURCES_SCOPES: tuple[ResourcesScope, ...] = (
    ResourcesScope(
        "resources-tiny",
        "one session that is started, changed and ended, one checkpoint that may be written",
        ops=("prepare", "commit", "resume"),
        asks=("start", "m1", "end"),
        shows=("R-RSO-4", "R-RSO-5"),
    ),
    ResourcesScope(
        "resources-tiny-ids",
        "no session: two checkpoint ids that may be exchanged, storage that fails once",
        checkpoints=2,
        faults=1,
        ops=("prepare", "status", "commit", "restore", "resume"),
        asks=(),
        failing=_STORAGE,
    ),
    ResourcesScope(
        "resources-tiny-retire",
        "one session whose handlers may break off, and its retire",
        ops=("prepare", "resume", "retire"),
        asks=("start",),
        outcomes=("returns", "fails", "breaks off"),
        failing=("retire_hook", "export"),
        faults=1,
        shows=("R-RSO-3",),
    ),
    ResourcesScope(
        "resources-tiny-pair",
        "two sessions, and snapshots of one after the other",
        rollouts=2,
        ops=("prepare", "resume"),
        asks=("start",),
    ),
    ResourcesScope(
        "resources-tiny-exchanged",
        "two sessions that may be exchanged, retired at rest",
        rollouts=2,
        ops=("retire", "resume"),
        asks=("start",),
        outcomes=("returns", "breaks off"),
    ),
    ResourcesScope(
        "resources-tiny-crash",
        "one session that is written, lost in a crash, and restored to its next attempt",
        attempts=2,
        crashes=1,
        ops=("prepare", "commit", "restore", "resume"),
        asks=("start",),
        later=("m1", "start"),
        restarts=(("crash", _EXPECTING),),
        shows=("R-RSO-1", "R-RSO-2", "R-RSO-6", "R-RSO-7", "R-RSO-10"),
    ),
    ResourcesScope(
        "resources-tiny-late",
        "a restore that comes when something was served, or to an attempt that was retired",
        attempts=2,
        crashes=1,
        ops=("prepare", "commit", "restore", "resume", "retire"),
        asks=("start",),
        later=(),
        gives_up=(1,),
        shows=("R-RSO-11",),
    ),
    ResourcesScope(
        "resources-tiny-requests",
        "one session, a lost reply, requests that are wrong, receipts that are taken away",
        lost=1,
        ops=(),
        asks=("start", "m1"),
        wrong=_WRONG,
        settings=Settings(capacity=2),
        evicts=True,
    ),
    ResourcesScope(
        "resources-tiny-reads",
        "one session, reads that run beside its changes",
        ops=("prepare", "resume"),
        asks=("start", "read"),
        settings=_PARALLEL,
        at_once=False,
    ),
    ResourcesScope(
        "resources-tiny-modes",
        "one session that cannot be written, and a server of another mode after a crash",
        ops=("prepare", "commit", "restore", "resume"),
        asks=("start",),
        crashes=1,
        restarts=(("crash to another mode", _RESTART_ONLY), ("crash to no state", _STATELESS)),
        shows=("R-RSO-8", "R-RSO-9"),
    ),
    ResourcesScope(
        "resources-tiny-outcomes",
        "one session, changes and reads whose handlers refuse or break off",
        ops=(),
        asks=("start", "m1", "read"),
        outcomes=("returns", "fails", "breaks off"),
    ),
    ResourcesScope(
        "resources-tiny-install",
        "one session that is written, lost in a crash, and refused once by its environment",
        crashes=1,
        faults=1,
        ops=("prepare", "commit", "restore", "resume"),
        asks=("start",),
        failing=("install",),
        pool=False,
    ),
    ResourcesScope(
        "resources-tiny-afresh",
        "one session that is written, restored to its next attempt, and begun afresh there",
        attempts=2,
        crashes=1,
        ops=("prepare", "commit", "restore", "resume"),
        asks=("start",),
        later=("begin",),
        restarts=(("crash", _EXPECTING),),
        pool=False,
    ),
    ResourcesScope(
        "resources-tiny-agents",
        "no session: a checkpoint in which an agent names one, a crash, and its restore",
        crashes=1,
        ops=("prepare", "commit", "restore", "resume"),
        asks=(),
        agents=True,
    ),
    ResourcesScope(
        "resources-tiny-start",
        "one session that is started, and a checkpoint that waits for it",
        ops=("prepare", "resume"),
        asks=("start",),
    ),
    ResourcesScope(
        "resources-tiny-parting",
        "one session whose start may break off, and its retire",
        ops=("retire",),
        asks=("start",),
        outcomes=("returns", "breaks off"),
    ),
    ResourcesScope(
        "resources-tiny-storing",
        "no session: one checkpoint that is written",
        ops=("prepare", "commit", "resume"),
        asks=(),
    ),
    ResourcesScope(
        "resources-small",
        "two sessions that are written together, and retired, one checkpoint",
        rollouts=2,
        ops=("prepare", "commit", "resume", "retire"),
        asks=("start",),
    ),
    ResourcesScope(
        "resources-medium",
        "two sessions of two attempts, two checkpoints, a crash, a lost reply, failing storage",
        rollouts=2,
        attempts=2,
        checkpoints=2,
        crashes=1,
        lost=1,
        faults=1,
        ops=("prepare", "commit", "restore", "resume", "retire"),
        asks=("start", "m1", "read", "end"),
        outcomes=("returns", "breaks off"),
        failing=_STORAGE,
    ),
)
