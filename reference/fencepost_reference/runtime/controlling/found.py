"""What a folder of snapshots is told beside the controller, and what a process finds in it."""

from collections.abc import Mapping

import attrs

from fencepost_reference.receipts.controller import actions as a
from fencepost_reference.receipts.snapshot.values import Snapshot


@attrs.frozen
class Beside:
    """What a snapshot holds that a controller does not know by itself.

    Without `sampler_dispatch_index` the sampler has reached the last step that a group is for.
    The last two members are taken over from the snapshot that a process goes on from.
    """

    current_epoch: int = 0
    sampler_dispatch_index: int | None = None
    mutation_version: int = 0
    rolled_back_train_group_count: int = 0
    partition_id: str = "train"
    sampler_name: str = "window"
    dataloader: bytes = b""
    config: bytes = b""
    reserve: bytes = b""
    batch_shortfall: Mapping[int, int] = attrs.field(factory=dict[int, int])
    """How many groups each training step is short of, because they were let go."""
    sampler_stamps_target_steps: bool = False


@attrs.frozen
class Found:
    """What a process begins with: the snapshot to go on from, if any, and a number that is free.

    `passed_over` are newer snapshots that were not taken, each with why. They stay where they are.
    """

    number: int
    snapshot: a.Snapshot | None = None
    files: Snapshot | None = None
    passed_over: tuple[tuple[int, str], ...] = ()
