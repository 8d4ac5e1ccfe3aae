"""The core of a resources server: a value, a step, and what it may do by itself.

>>> from fencepost_reference.receipts.resources import actions as a
>>> from fencepost_spec.vocabulary import Key
>>> core = ResourcesCore()
>>> step = core.step(core.initial(), a.Ask("q1", "start", Key("r1", 0), request_id="m1"))
>>> [type(own.action).__name__ for own in core.own(step.state)]
['TakeLock']
"""

from collections.abc import Callable
from typing import Any

from fencepost_reference.model import Own, Step
from fencepost_reference.receipts import actions as shared
from fencepost_reference.receipts import befalling
from fencepost_reference.receipts.resources import actions as a
from fencepost_reference.receipts.resources import (
    control,
    preparing,
    serving,
    storing,
    surroundings,
)
from fencepost_reference.receipts.resources.state import Settings, State
from fencepost_spec.receipts.resources.properties import BY_ID
from fencepost_spec.receipts.resources.server import RESOURCES, ResourcesSpec

Transition = Callable[[ResourcesSpec, State, Any], Step]

STEPS: dict[type, Transition] = {
    shared.Call: control.call,
    a.Ask: serving.ask,
    a.Handled: serving.handled,
    a.TakeLock: serving.take_lock,
    a.Publish: serving.publish,
    a.Export: preparing.export,
    shared.Conclude: preparing.conclude,
    a.Miss: preparing.miss,
    a.Drop: control.drop,
    a.MissRetire: control.miss_retire,
    shared.Store: storing.store,
    shared.Leave: surroundings.leave,
    shared.Gone: surroundings.gone,
    a.Replace: surroundings.replace,
    shared.Tick: surroundings.tick,
    shared.Hold: befalling.hold,
    shared.Release: befalling.release,
    shared.FailStorage: befalling.fail_storage,
    a.SetDirectory: befalling.set_directory,
    a.Evict: surroundings.evict,
}

_PREPARES = BY_ID["R-RLI-1"].rule
_STORES = BY_ID["R-RLI-2"].rule
_GOES_ON = BY_ID["R-RLI-4"].rule
_RETIRES = BY_ID["R-RLI-5"].rule


class ResourcesCore:
    """A specification of a resources server, made runnable. Holds no state of its own."""

    def __init__(self, spec: ResourcesSpec = RESOURCES) -> None:
        self.spec = spec
        self.steps = STEPS

    def initial(self, settings: Settings | None = None) -> State:
        """A process that has just started, on an empty disk."""
        return surroundings.fresh(settings or Settings())

    def step(self, state: State, action: Any) -> Step:
        """Apply one action; one that is not enabled raises NotEnabled and changes nothing."""
        return self.steps[type(action)](self.spec, state, action)

    def own(self, state: State) -> tuple[Own, ...]:
        """What the participant may do by itself now."""
        found = [*self._own_requests(state), *self._own_answers(state)]
        key = preparing.may_export(self.spec, state)
        if key is not None:
            found.append(Own(a.Export(key), "prepare", True, _PREPARES, hidden=True))
        if preparing.may_conclude(self.spec, state):
            found.append(Own(shared.Conclude(), "prepare", True, _PREPARES, hidden=True))
        may, must = preparing.may_miss(self.spec, state)
        if may:
            found.append(Own(a.Miss(), "prepare", must, _PREPARES, hidden=True))
        for key in sorted(state.sessions):
            if control.may_drop(self.spec, state, key):
                asked = bool(control.retirers(state, key))
                found.append(Own(a.Drop(key), key, asked, _RETIRES, hidden=True))
        running = state.fence.storing
        if running is not None and running.op not in state.holds:
            found.append(Own(shared.Store(), "storage", True, _STORES, hidden=True))
        return tuple(found)

    def _own_requests(self, state: State) -> list[Own]:
        found: list[Own] = []
        for name in sorted(state.requests):
            request = state.requests[name]
            if serving.may_take_lock(self.spec, state, request):
                found.append(Own(a.TakeLock(name), name, True, _GOES_ON, hidden=True))
            elif request.stage == "handled":
                found.append(Own(a.Publish(name), name, True, _GOES_ON, hidden=True))
        return found

    def _own_answers(self, state: State) -> list[Own]:
        found: list[Own] = []
        for call in sorted(state.calls):
            waiting = state.calls[call]
            reply = waiting.reply
            if reply is not None:
                found.append(Own(shared.Leave(call), call, True, reply.rule or _GOES_ON))
            elif waiting.op == "retire" and waiting.deadline is not None and waiting.deadline <= 0:
                late = a.MissRetire(call)
                found.append(Own(late, call, True, _RETIRES, hidden=True))
        return found
