"""A controller that starts looks for the snapshot from which it goes on, or refuses to start."""

from collections.abc import Awaitable, Callable
from typing import Any

from fencepost.controller.deployment import Ground, Process
from fencepost.controller.participant import Controller, SnapshotRefused

Limited = Callable[[str, Awaitable[Any]], Awaitable[Any]]


async def chosen(
    controller: Controller, ground: Ground, train_step: int, limited: Limited
) -> int | SnapshotRefused | None:
    """What a controller chooses among the snapshots that are kept; why, when it refuses.

    Whatever it goes on to do with what it was given for that comes to nothing.
    """
    process, found = Process(ground), ground.found()

    async def choose() -> int | SnapshotRefused | None:
        try:
            return await controller.choose(process, found, train_step)
        except SnapshotRefused as refused:
            return refused

    try:
        choice: int | SnapshotRefused | None = await limited("choose", choose())
    finally:
        process.alive = False
    return choice
