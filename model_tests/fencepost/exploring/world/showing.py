"""A state of a world, in one line."""

from fencepost.exploring.world.doings import text_of
from fencepost.exploring.world.parts import Standing
from fencepost.layout import DOT
from fencepost_reference.worlds.setting import Setting
from fencepost_reference.worlds.viewing import gate_is_open, groups, owed


def shown(standing: Standing, setting: Setting) -> str:
    """The controller, then each participant, then what lies on disk."""
    world = standing.world
    said = ["gate open" if gate_is_open(world.controller) else "gate closed"]
    said += [f"owns {group}" for group in groups(world.controller)]
    said += [f"owes {text_of(key)}" for key in owed(world.controller)]
    for place, participant in zip(setting.places, world.participants, strict=True):
        fence = participant.fence
        active = "" if fence.active is None else f" ({fence.active})"
        said.append(f"{place.instance} {fence.phase}{active}")
        for key in sorted(getattr(participant, "executions", {})):
            status = participant.executions[key].status.replace("_", " ")
            said.append(f"{text_of(key)} {status}")
    said += [f"open: {call}" for call in sorted(world.net)]
    said += [f"snapshot {one.snapshot.number}" for one in world.disk]
    return DOT.join(said)
