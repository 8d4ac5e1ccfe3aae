"""What controller, participants, network and disk do by themselves, in a few words."""

from typing import Any

from fencepost.exploring.world.doings import text_of
from fencepost_reference.receipts import actions as agent
from fencepost_reference.receipts.controller import actions as controller
from fencepost_reference.worlds import actions as a
from fencepost_reference.worlds.setting import Setting
from fencepost_reference.worlds.state import State
from fencepost_spec.vocabulary import Key


def named(action: Any) -> str:
    """An own step of a world, in words."""
    match action:
        case a.Decide():
            return _decided(action.action)
        case a.Act():
            return f"{action.place.instance}: {_acted(action.action)}"
        case a.Arrive():
            return f"arrives: {action.call}"
        case a.Return():
            return f"answered: {action.call}"
        case a.Write():
            return "the disk writes"
        case _:
            return "the disk tells"


def class_of(action: Any, world: State, setting: Setting) -> str:
    """The class of fairness that an own step belongs to.

    A run that arrives at a closed door is another thing than one that arrives at an open one. A
    group is registered whatever the order of its siblings.
    """
    if isinstance(action, a.Decide) and isinstance(action.action, controller.Register):
        return f"own registers {action.action.keys[0].rollout_id.rpartition('_')[0]}"
    name = f"own {named(action)}"
    if isinstance(action, a.Arrive):
        message = world.net[action.call]
        participant = world.participants[setting.number[message.place]]
        if message.op == "run" and participant.accepting:
            return f"{name} while open"
    return name


def _decided(action: Any) -> str:
    match action:
        case controller.Call():
            return action.call
        case controller.Register():
            return "registers " + " ".join(text_of(key) for key in action.keys)
        case controller.Finalize():
            return f"hands over {action.group_id}"
        case controller.Capture():
            return "captures"
        case controller.StoreStep():
            return f"stores {action.step}"
        case controller.Conclude():
            return "concludes"
        case _:
            return _by_fields(action)


def _acted(action: Any) -> str:
    match action:
        case agent.LetGo(key=Key() as key) | agent.Begin(key=Key() as key):
            what = "begins" if isinstance(action, agent.Begin) else "lets go"
            return f"{what} {text_of(key)}"
        case agent.Leave():
            return f"answers {action.call}"
        case agent.Conclude():
            return "ends prepare"
        case agent.Store():
            return "stores"
        case _:
            return _by_fields(action)


def _by_fields(action: Any) -> str:
    """The name of an action, and what it is about."""
    about = [getattr(action, name) for name in getattr(action, "__match_args__", ())]
    words = [text_of(one) if isinstance(one, Key) else str(one) for one in about]
    return " ".join([type(action).__name__.lower(), *words])
