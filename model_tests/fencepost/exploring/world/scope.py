"""How small a world is: who is there, what is handed over, and how often each thing may go wrong.

A scope is a value. What one leaves out is cut off where the world would have done it, and is
reported as cut; what never happens in a scope is not there.
"""

from typing import Any

import attrs

from fencepost_reference.worlds.setting import Setting
from fencepost_spec.receipts.controller.target_level import Level

NETWORK, PARTICIPANTS, STORAGE = "network", "participants", "storage"
AT_ONCE = frozenset({NETWORK, PARTICIPANTS, STORAGE})
"""What may be done in the same transition: carrying messages, answering, and steps of storage."""


@attrs.frozen(slots=False)
class Left:
    """How often each thing may still happen in one trace."""

    groups: int = 0
    snapshots: int = 0
    steps: int = 0
    stale: int = 0
    fails: int = 0
    lost: int = 0
    late: int = 0
    repeats: int = 0
    agent_crashes: int = 0
    controller_crashes: int = 0
    whole_crashes: int = 0
    faults: int = 0
    disk_faults: int = 0
    damaged: int = 0
    drops: int = 0


@attrs.frozen(eq=False, slots=False)
class WorldScope:
    """A world around a controller.

    `groups` are handed over in order. Those of `lossy` are the calls whose request or answer may be
    lost, those of `crashing` the only participants that crash alone; with `after_snapshot` all
    crash together only where a snapshot lies. With `snapshots` a snapshot may be due again and
    again, for ever; else only as often as is `left`; while a checkpoint is open, only where `busy`.
    Where `watched`, a referee sees all of it; it forgets nothing, so there is no cycle. Where
    `strict`, participants are asked their own promises too.
    Where `patient`, deadlines are longer than anybody needs who can go on. With `boundaries`
    rollouts record boundaries before they are asked to park, too. Where not `ends` none finishes by
    itself, and no promise of progress is asked.
    `target_level` is the level at which the controller is to recover work. `at_once` says what
    takes no transition of its own; `pool` gives names of checkpoints back that nothing mentions any
    more. `shows` are the ids of the `sometimes` that this world has to be able to show.
    """

    name: str
    says: str
    setting: Setting = attrs.field(factory=Setting)
    groups: tuple[Any, ...] = ()
    left: Left = attrs.field(factory=Left)
    lossy: tuple[str, ...] = ()
    failing: tuple[str, ...] = ()
    crashing: tuple[str, ...] = ()
    after_snapshot: bool = False
    snapshots: bool = True
    busy: bool = False
    watched: bool = False
    strict: bool = False
    patient: bool = True
    boundaries: bool = True
    ends: bool = True
    target_level: Level = "turn"
    at_once: frozenset[str] = AT_ONCE
    pool: bool = True
    shows: tuple[str, ...] = ()
