"""Steps of participants, and what follows from what they show."""

from typing import Any

from fencepost_reference.model import NotEnabled, Step
from fencepost_reference.receipts import actions as agent
from fencepost_reference.receipts.changes import change
from fencepost_reference.receipts.controller.said import AGENT, MODEL
from fencepost_reference.receipts.policy_model import actions as model
from fencepost_reference.worlds import asking, telling
from fencepost_reference.worlds.actions import Inside
from fencepost_reference.worlds.handling import began, cancelled, returned
from fencepost_reference.worlds.setting import Cores, Setting
from fencepost_reference.worlds.state import COMING, LOST, THERE, Message, State
from fencepost_spec.vocabulary import Key

_ANSWERS = (agent.Answered, agent.Dropped, model.Answered)


def with_participant(state: State, number: int, participant: Any) -> State:
    """The world in which one participant stands otherwise."""
    known = state.participants
    return change(state, participants=(*known[:number], participant, *known[number + 1 :]))


def with_message(state: State, message: Message) -> State:
    """The world in which a message stands otherwise."""
    return change(state, net=state.net.set(message.call, message))


def without_message(state: State, call: str) -> State:
    """The world in which a message is gone."""
    return change(state, net=state.net.delete(call))


def message_at(state: State, action: Any, *stages: str) -> Message:
    """The message that an action is about, when it has come so far; else NotEnabled."""
    message = state.net.get(action.call)
    if message is None or message.stage not in stages:
        raise NotEnabled(action, "no such call has come so far")
    return message


def acted(cores: Cores, setting: Setting, state: State, number: int, action: Any) -> Step:
    """The world after a participant took a step; its answers are on their way."""
    place = setting.places[number]
    before = state.participants[number]
    step = cores.of(place.kind).step(before, action)
    after = with_participant(state, number, step.state)
    for output in step.outputs:
        if isinstance(output, _ANSWERS):
            after = _answered(after, number, output)
        elif place.kind == AGENT:
            after = _of_agent(after, number, output)
    return Step(after, (*step.outputs, Inside(number, before, action, step)), step.rules)


def _answered(state: State, number: int, output: Any) -> State:
    """An answer leaves its participant; when nobody waits for it, it is gone."""
    message = state.net.get(output.call)
    if message is None or message.stage != THERE:
        return state
    if not message.awaited:
        return without_message(state, message.call)
    answer = telling.told(message, output, state.participants[number])
    return with_message(state, change(message, stage=COMING, answer=answer))


def _of_agent(state: State, number: int, output: Any) -> State:
    match output:
        case agent.Began(key=Key() as key):
            return began(state, number, key, output.continuation)
        case agent.Returned():
            return returned(state, number, output)
        case agent.CancelHandler():
            return cancelled(state, number, output.key)
        case _:
            return state


def arrive(cores: Cores, setting: Setting, state: State, action: Any) -> Step:
    """A call arrives at its participant, who may answer later."""
    message = message_at(state, action, "going")
    number = setting.number[message.place]
    state = with_message(state, change(message, stage=THERE))
    if message.place.kind == MODEL and message.op == "commit":
        state = _with_indexes(cores, setting, state, message)
    return acted(cores, setting, state, number, asking.heard(message))


def _with_indexes(cores: Cores, setting: Setting, state: State, message: Message) -> State:
    """The disk is shared: a model finds the indexes that the agents wrote."""
    number = setting.number[message.place]
    for other, place in enumerate(setting.places):
        if place.kind != AGENT:
            continue
        for directory in state.participants[other].disk.values():
            if directory.kind != "committed":
                continue
            digest = telling.digest_of_part(place, directory.source)
            if digest in message.request.agents:
                found = model.SetIndex(asking.path_of(digest), asking.index_of(directory, digest))
                state = acted(cores, setting, state, number, found).state
    return state


def lose_request(state: State, action: Any) -> Step:
    """A call does not arrive."""
    message = message_at(state, action, "going")
    if not message.awaited:
        return Step(without_message(state, message.call))
    return Step(with_message(state, change(message, stage=LOST)))


def lose_answer(cores: Cores, setting: Setting, state: State, action: Any) -> Step:
    """The controller stops waiting for a call that its participant has, or has answered."""
    message = message_at(state, action, THERE, COMING)
    if not message.awaited:
        raise NotEnabled(action, "nobody waits for the answer of this call")
    gone = with_message(state, change(message, stage=LOST, answer=None))
    return Step(hung_up(cores, setting, gone, message))


def hung_up(cores: Cores, setting: Setting, state: State, message: Message) -> State:
    """The participant sees that the caller is gone, if the call is still open there."""
    number = setting.number[message.place]
    if message.call not in state.participants[number].calls:
        return state
    gone = model.Gone if message.place.kind == MODEL else agent.Gone
    after: State = acted(cores, setting, state, number, gone(message.call)).state
    return after


def delay(state: State, action: Any) -> Step:
    """The controller gives a call up that is still on its way and will arrive."""
    message = message_at(state, action, "going")
    late = f"{message.call} late"
    if not message.awaited or late in state.net:
        raise NotEnabled(action, "nobody waits for this call, or another one is late already")
    state = with_message(state, change(message, call=late, awaited=False))
    return Step(with_message(state, change(message, stage=LOST)))


def repeat(state: State, action: Any) -> Step:
    """The network delivers a call once more."""
    message = message_at(state, action, "going", THERE, COMING)
    again = f"{message.call} again"
    if not message.awaited or again in state.net:
        raise NotEnabled(action, "nobody waits for this call, or it is repeated already")
    copy = change(message, call=again, stage="going", answer=None, awaited=False)
    return Step(with_message(state, copy))
