"""Faults of a deployment: of its network, its disks, its finalizer, and of whole processes."""

import json
from typing import Any

import attrs

from fencepost.controller.damage import HOWS, PARTS
from fencepost.controller.deployment import STORE_STEPS, Ground
from fencepost.controller.network import LET_GO, ON_THE_WAY, Fate
from fencepost.controller.participant import Damage
from fencepost.trace.lines import Fault, JsonObject, is_list, is_object

FINALIZER = "finalizer"
CALM = "calm"
DAMAGE = "damage"
ENDS = ("dropped", "unknown")
"""How a finalizer may end beside committing, when it is told to."""


async def broken(ground: Ground, action: Fault) -> bool:
    """Put a fault in, and write it down; False when there is no such thing to break."""
    detail, part = action.detail, ground.part(action.at)
    if part is not None and action.name == LET_GO:
        if not ground.network.is_held(part.standing.at, detail["of"]):
            return False
        ground.record.emit(action)
        return ground.network.let_go(part.standing.at, detail["of"])
    if part is not None and action.name in ON_THE_WAY:
        ground.network.arm(Fate(action.name, part.standing.at, detail["of"]))
    elif part is not None and action.name == "fail":
        await part.fail(detail["step"])
    elif action.name == "fail" and detail.get("step") in STORE_STEPS:
        ground.failing.append(detail["step"])
    elif action.name == DAMAGE:
        return _damaged(ground, action)
    elif action.name == CALM:
        ground.calm()
    elif action.name == FINALIZER and detail.get("outcome") in ENDS:
        ground.finalizer.append(detail["outcome"])
    else:
        return False
    ground.record.emit(action)
    return True


def _damaged(ground: Ground, action: Fault) -> bool:
    """A snapshot that is kept is damaged; the line names it, counted back from the newest."""
    part, how, back = (action.detail.get(name) for name in ("part", "how", "back"))
    kept = ground.found()
    if part not in PARTS or how not in HOWS or not isinstance(back, int) or back >= len(kept):
        return False
    number = kept[back].number
    if number in ground.damaged:
        return False
    ground.damaged[number] = Damage(part, how)
    detail = action.detail | {"snapshot": number}
    ground.record.emit(attrs.evolve(action, detail=detail))
    return True


def groups_in(snapshot: JsonObject) -> set[str]:
    """The groups that a snapshot's ledger holds."""
    ledger: Any = snapshot.get("ledger")
    ledger = json.loads(ledger) if isinstance(ledger, str) else ledger
    groups: Any = ledger.get("groups") if is_object(ledger) else None
    listed = list(groups.values()) if is_object(groups) else groups
    if not is_list(listed):
        return set()
    return {str(one.get("group_id")) for one in listed if is_object(one)}
