"""What a controller is told: groups, admissions, snapshots that are due, steps, deadlines."""

from collections.abc import Awaitable
from typing import Protocol

import attrs

from fencepost.controller.deployment import Ground
from fencepost.controller.participant import Controller, Group
from fencepost.trace.lines import JsonObject


class Given(Protocol):
    """Who tells it, and what was told before."""

    controller: Controller
    ground: Ground
    groups: dict[str, Group]
    submitted: int
    train_step: int

    def checkpoint(self) -> str | None:
        """The checkpoint whose preparation may be waited for, or None."""
        ...


def telling_of(
    driver: Given, event: str, detail: JsonObject
) -> tuple[JsonObject, Awaitable[None]] | None:
    """What the controller is told, as its line says it, and the call that tells it."""
    controller, group_id = driver.controller, detail.get("group_id", "")
    known = driver.groups.get(group_id)
    match event:
        case "submit" if known is None:
            group = Group(**detail)
            needed = {group.granularity, "admit"}
            if group.admitted:
                needed.discard("admit")
            known_agent = group.agent in driver.ground.scene.agents
            if not needed <= controller.capabilities or not known_agent:
                return None
            driver.groups[group_id] = group
            driver.submitted += 1
            return detail, controller.submit(group)
        case "admit" if known is not None and not known.admitted:
            driver.groups[group_id] = attrs.evolve(known, admitted=True)
            return detail, controller.admit(group_id, detail["target_step"])
        case "snapshot_due" if not driver.ground.saving:
            driver.ground.saving = True
            return {}, controller.snapshot_due()
        case "trainer_stepped":
            driver.train_step += 1
            step = {"train_step": driver.train_step}
            return step, controller.trainer_stepped(driver.train_step)
        case "stale" if known is not None and group_id not in driver.ground.trained:
            return detail, controller.stale(group_id)
        case "deadline" if (checkpoint := driver.checkpoint()) is not None:
            return {"checkpoint_id": checkpoint}, controller.deadline(checkpoint)
        case _:
            return None
