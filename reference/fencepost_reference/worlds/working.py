"""The next step of a rollout: at its agent, its policy model, or its resources server."""

from typing import Any

from fencepost_reference.model import NotEnabled, Step
from fencepost_reference.receipts import actions as agent
from fencepost_reference.receipts.changes import change
from fencepost_reference.receipts.controller.said import MODEL, RESOURCES
from fencepost_reference.receipts.policy_model import actions as model
from fencepost_reference.receipts.policy_model.state import Row
from fencepost_reference.receipts.resources import actions as resources
from fencepost_reference.receipts.resources.state import Outcome
from fencepost_reference.worlds.actions import Work
from fencepost_reference.worlds.handling import (
    boundary_of,
    finished,
    parked,
    token_of,
    with_handler,
)
from fencepost_reference.worlds.participating import acted
from fencepost_reference.worlds.setting import Cores, Setting
from fencepost_reference.worlds.state import Handler, State
from fencepost_spec.vocabulary import Key

PARKED_CODES = frozenset({"checkpoint_parked", "resource_admission_closed", "admission_closed"})


def work(cores: Cores, setting: Setting, state: State, action: Work) -> Step:
    """A rollout takes its next step."""
    number = setting.number[action.place]
    handler = state.handlers[number].get(action.key)
    if handler is None or handler.held:
        raise NotEnabled(action, "no rollout of this key is free to go on")
    match action.event:
        case "boundary" | "again":
            return _boundary(cores, setting, state, action, handler)
        case "finish" | "fail" | "stop":
            return _ends(cores, setting, state, action)
        case "ask":
            return _asks(cores, setting, state, action, handler)
        case "told":
            return _told(cores, setting, state, action, handler)
        case "change":
            return _changes(cores, setting, state, action, handler)
        case _:
            raise NotEnabled(action, "rollouts do no such thing")


def _boundary(cores: Cores, setting: Setting, state: State, action: Work, handler: Handler) -> Step:
    """A boundary of its own that rises, or the one where it stands once more."""
    number, key = setting.number[action.place], action.key
    index = handler.index + (action.event == "boundary")
    made = boundary_of(setting, key, handler, index)
    told = agent.Work("boundary", key, token_of(key), boundary=made)
    stands = (handler.call, handler.revision)
    held = change(handler, held="boundary", index=index, marked=stands)
    return acted(cores, setting, with_handler(state, number, key, held), number, told)


def _ends(cores: Cores, setting: Setting, state: State, action: Work) -> Step:
    number, key = setting.number[action.place], action.key
    outcome = {"finish": "completed", "fail": "failed", "stop": "cancelled"}[action.event]
    left = without_ticket(cores, setting, with_handler(state, number, key, None), key)
    return acted(cores, setting, left, number, finished(key, outcome))


def without_ticket(cores: Cores, setting: Setting, state: State, key: Key) -> State:
    """The call of a policy model ends with the rollout that made it."""
    for number in setting.of_kind(MODEL):
        if _ticket(key) in state.participants[number].tickets:
            state = acted(cores, setting, state, number, model.Release(_ticket(key))).state
    return state


def _ticket(key: Key) -> str:
    return f"call {key.rollout_id} {key.attempt}"


def _parks(cores: Cores, setting: Setting, state: State, action: Work, code: str | None) -> Step:
    """A rollout that was refused: for a checkpoint it parks, for anything else it fails."""
    number, key = setting.number[action.place], action.key
    if code not in PARKED_CODES:
        return _ends(cores, setting, state, Work(action.place, key, "fail"))
    held = change(state.handlers[number][key], held="park")
    return acted(cores, setting, with_handler(state, number, key, held), number, parked(key))


def _asks(cores: Cores, setting: Setting, state: State, action: Work, handler: Handler) -> Step:
    """A rollout calls the policy model; the gate lets the call in, or refuses it."""
    (at,) = setting.of_kind(MODEL)
    number, key = setting.number[action.place], action.key
    if handler.asking:
        raise NotEnabled(action, "this rollout waits for an answer of the model")
    step = acted(cores, setting, state, at, model.Admit(_ticket(key), key))
    code = step.outputs[0].code
    if code is not None:
        return _parks(cores, setting, step.state, action, code)
    asking = with_handler(step.state, number, key, change(handler, asking=True))
    return Step(asking, step.outputs, step.rules)


def _told(cores: Cores, setting: Setting, state: State, action: Work, handler: Handler) -> Step:
    """The answer of the policy model arrives, and its row is in the ledger."""
    (at,) = setting.of_kind(MODEL)
    number, key = setting.number[action.place], action.key
    if not handler.asking:
        raise NotEnabled(action, "this rollout waits for no answer of the model")
    capture_key, call_id = key.capture_key, f"m{handler.calls + 1}"
    row = Row(call_id, storage_key=f"{capture_key}.{call_id}")
    wrote = acted(cores, setting, state, at, model.Record(_ticket(key), row))
    step = acted(cores, setting, wrote.state, at, model.Release(_ticket(key)))
    told = change(handler, asking=False, calls=handler.calls + 1, call=(capture_key, call_id))
    return Step(with_handler(step.state, number, key, told), (), (*wrote.rules, *step.rules))


def _changes(cores: Cores, setting: Setting, state: State, action: Work, handler: Handler) -> Step:
    """A rollout starts its session at the resources server, or changes what is kept there."""
    (at,) = setting.of_kind(RESOURCES)
    number, key = setting.number[action.place], action.key
    name = f"change {key.rollout_id} {key.attempt}"
    kind = "mutation" if handler.revision else "start"
    request = f"c{handler.revision + 1}"
    asked = resources.Ask(name, kind, key, request_id=request, expected=handler.revision or None)
    step = acted(cores, setting, state, at, asked)
    rules = list(step.rules)
    while name in step.state.participants[at].calls:
        following = _next(cores, step.state.participants[at], name)
        step = acted(cores, setting, step.state, at, following)
        rules += step.rules
    reply = step.outputs[0].reply
    if reply.status != 200:
        refused = _parks(cores, setting, step.state, action, reply.code)
        return Step(refused.state, refused.outputs, (*rules, *refused.rules))
    changed = change(handler, revision=reply.body[2], changes=handler.changes + 1)
    return Step(with_handler(step.state, number, key, changed), step.outputs, tuple(rules))


def _next(cores: Cores, server: Any, name: str) -> Any:
    """The next step of a request at a resources server: its handler returns at once."""
    request = server.requests.get(name)
    if request is not None and request.stage == "running":
        return resources.Handled(name, Outcome(200, "done"))
    return next(
        own.action for own in cores.resources.own(server) if own.subject == name and own.must
    )
