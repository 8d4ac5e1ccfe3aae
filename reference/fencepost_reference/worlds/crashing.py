"""Processes that are gone, and those that take their place."""

from typing import Any

from immutables import Map

from fencepost_reference.model import NotEnabled
from fencepost_reference.receipts import actions as agent
from fencepost_reference.receipts.changes import change
from fencepost_reference.receipts.controller.said import AGENT, MODEL
from fencepost_reference.receipts.policy_model import actions as model
from fencepost_reference.receipts.resources import actions as resources
from fencepost_reference.worlds.handling import with_handlers
from fencepost_reference.worlds.participating import (
    hung_up,
    with_message,
    with_participant,
    without_message,
)
from fencepost_reference.worlds.setting import Cores, Setting
from fencepost_reference.worlds.state import GOING, LOST, THERE, Handler, State
from fencepost_reference.worlds.working import without_ticket
from fencepost_spec.vocabulary import Key

_NOTHING: Map[Key, Handler] = Map()


def participant_gone(
    cores: Cores, setting: Setting, state: State, number: int, *, anew: bool = False
) -> State:
    """A participant is replaced: memory and work are gone, and whoever waits for it is told.

    With a deployment that starts `anew`, a policy model begins another live ledger.
    """
    place = setting.places[number]
    for call in sorted(state.net):
        message = state.net[call]
        if message.place != place:
            continue
        if message.stage not in (GOING, THERE):
            continue
        # A call belongs to a connection, and that to a process; the next one never hears of it.
        if message.awaited:
            state = with_message(state, change(message, stage=LOST))
        else:
            state = without_message(state, call)
    if place.kind == MODEL:
        replace: Any = model.Replace(ledger_kept=not anew)
    else:
        replace = agent.Replace() if place.kind == AGENT else resources.Replace()
    step = cores.of(place.kind).step(state.participants[number], replace)
    # Callers of a process that is gone use other connections, and so may take these names.
    state = with_participant(state, number, change(step.state, dead=frozenset()))
    if place.kind == AGENT:
        for key in sorted(state.handlers[number]):
            state = without_ticket(cores, setting, state, key)
        return with_handlers(state, number, _NOTHING)
    return _calls_break_off(setting, state) if place.kind == MODEL else state


def _calls_break_off(setting: Setting, state: State) -> State:
    """Rollouts whose call of the model broke off make it again."""
    for number in setting.of_kind(AGENT):
        here = state.handlers[number]
        for key, handler in here.items():
            if handler.asking:
                here = here.set(key, change(handler, asking=False))
        state = with_handlers(state, number, here)
    return state


def controller_gone(cores: Cores, setting: Setting, state: State) -> State:
    """The controller is gone: what it sent may still arrive, and nobody hears the answers."""
    for call in sorted(state.net):
        message = state.net[call]
        state = without_message(state, call)
        if message.stage == GOING:
            late = call if not message.awaited else f"{call} late"
            state = with_message(state, change(message, call=late, awaited=False))
        elif message.stage == THERE and message.awaited:
            state = hung_up(cores, setting, state, message)
        elif message.stage == THERE:
            state = with_message(state, message)
    return change(state, controller=None, training=(), writing=None, captured=None)


def nobody_is_gone(action: object) -> NotEnabled:
    """What a crash of nobody is."""
    return NotEnabled(action, "nobody is gone")
