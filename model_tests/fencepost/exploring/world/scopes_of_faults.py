"""Tiny worlds that are made for one kind of wrong controller each: what it needs, and no more.

A walk of each is over in less than a second, so whoever looks for a known fault has it at once.
"""

from typing import Any

from fencepost.exploring.world.scope import Left, WorldScope
from fencepost_reference.receipts.controller.actions import Submit
from fencepost_reference.worlds.setting import Setting

_ONE = (Submit("g1", 1, "sibling", "a1"),)
_COHORT = (Submit("g1", 2, "prompt_group", "a1"),)
_RESERVED = (
    Submit("g1", 1, "sibling", "a1", admitted=False),
    Submit("g2", 1, "sibling", "a1"),
)
_TOOLS = Setting(resources=("tools",), changes=1)


def _quiet(name: str, says: str, **how: Any) -> WorldScope:
    """A world without snapshots, or with so many as are left."""
    return WorldScope(f"world-tiny-{name}", says, boundaries=False, snapshots=False, **how)


SCOPES_OF_FAULTS: tuple[WorldScope, ...] = (
    _quiet(
        "quiet-lost",
        "one rollout, the answer of its run is lost, and no snapshot is ever due",
        groups=_ONE,
        left=Left(groups=1, lost=1),
        lossy=("run",),
    ),
    _quiet(
        "quiet-cohort",
        "a prompt group of two that recovers as a whole, a failure, and no snapshot is ever due",
        groups=_COHORT,
        left=Left(groups=1, fails=1),
    ),
    _quiet(
        "quiet-stale",
        "one rollout, its group goes stale, and no snapshot is ever due",
        groups=_ONE,
        left=Left(groups=1, stale=1),
    ),
    _quiet(
        "reserved",
        "a group that a sampler may admit, one that it has admitted, and no snapshot is ever due",
        groups=_RESERVED,
        left=Left(groups=2),
    ),
    _quiet(
        "unreleased",
        "no work: a referee watches two snapshots, a step that fails, and a release that is lost",
        watched=True,
        left=Left(snapshots=2, disk_faults=1, lost=1),
        lossy=("resume",),
    ),
    _quiet(
        "orphan",
        "one rollout that is written, its group goes stale, and a crash of all after a snapshot",
        groups=_ONE,
        after_snapshot=True,
        left=Left(groups=1, snapshots=1, stale=1, whole_crashes=1),
    ),
    _quiet(
        "level",
        "a referee watches work that is recovered by siblings, a snapshot, and a crash of all",
        groups=_ONE,
        after_snapshot=True,
        watched=True,
        target_level="sibling",
        left=Left(groups=1, snapshots=1, whole_crashes=1),
    ),
    _quiet(
        "relaunch",
        "a referee watches a reserved and an admitted group, a snapshot, and a crash of all",
        groups=_RESERVED,
        after_snapshot=True,
        watched=True,
        ends=False,
        left=Left(groups=2, snapshots=1, whole_crashes=1),
    ),
    _quiet(
        "sessions",
        "a referee watches a rollout that has a session at a server, a failure, and one snapshot",
        setting=_TOOLS,
        groups=_ONE,
        watched=True,
        left=Left(groups=1, snapshots=1, fails=1),
    ),
    _quiet(
        "sessions-lost",
        "a referee watches a rollout, one snapshot, and a crash of the server of its session",
        setting=_TOOLS,
        groups=_ONE,
        crashing=("tools",),
        watched=True,
        ends=False,
        left=Left(groups=1, snapshots=1, agent_crashes=1),
    ),
)
