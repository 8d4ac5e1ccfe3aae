"""The core of a policy model: a value, a step, and what it may do by itself.

>>> from fencepost_reference.receipts.policy_model import actions as a
>>> core = ModelCore()
>>> paused = core.step(core.initial(), a.Call("q1", "pause", a.Request("c1"))).state
>>> paused.fence.phase, paused.admission
('prepared', 'paused')
>>> core.step(paused, a.Admit("t1", None)).outputs[0].code
'checkpoint_parked'
"""

from collections.abc import Callable
from typing import Any

from immutables import Map

from fencepost_reference.model import NotEnabled, Own, Step
from fencepost_reference.receipts import befalling
from fencepost_reference.receipts.changes import change
from fencepost_reference.receipts.policy_model import actions as a
from fencepost_reference.receipts.policy_model import control, gate, storing
from fencepost_reference.receipts.policy_model.state import Lineage, State
from fencepost_spec.receipts.policy_model.facts import DrainFacts
from fencepost_spec.receipts.policy_model.properties import BY_ID
from fencepost_spec.receipts.policy_model.rules import CANCELS
from fencepost_spec.receipts.policy_model.spec import MODEL, ModelSpec

Transition = Callable[[ModelSpec, State, Any], Step]

_DRAINS = BY_ID["R-PML-1"].rule
_READS = BY_ID["R-PML-2"].rule
_STORES = BY_ID["R-PML-3"].rule
_LEAVES = BY_ID["R-PML-5"].rule


def _gone(_spec: ModelSpec, state: State, action: a.Gone) -> Step:
    """The caller goes away; what it started belongs to the participant too and goes on."""
    if action.id not in state.calls:
        raise NotEnabled(action, "no such call waits for an answer")
    fence, running = state.fence, state.fence.storing
    if running is not None and action.id in running.callers:
        left = tuple(caller for caller in running.callers if caller != action.id)
        fence = change(fence, storing=change(running, callers=left))
    return Step(change(state, fence=fence, calls=state.calls.delete(action.id)))


def _replace(_spec: ModelSpec, state: State, action: a.Replace) -> Step:
    """A new process: nothing is remembered but what lies on disk."""
    fresh = State(state.server, state.role, state.has_ledger)
    dead = state.dead | frozenset(state.calls)
    if not action.disk_kept:
        return Step(change(fresh, dead=dead))
    lineages: Map[str, Lineage] = state.lineages if action.ledger_kept else Map()
    kept = change(fresh, dead=dead, disk=state.disk, indexes=state.indexes, lineages=lineages)
    return Step(kept)


def _tick(_spec: ModelSpec, state: State, action: a.Tick) -> Step:
    """Time passes: what a waiting status may still wait becomes less."""
    calls = state.calls
    for name, waiting in calls.items():
        if waiting.left is not None and waiting.reply is None:
            left = max(0, waiting.left - action.microseconds)
            calls = calls.set(name, change(waiting, left=left))
    return Step(change(state, calls=calls))


def _set_index(_spec: ModelSpec, state: State, action: a.SetIndex) -> Step:
    indexes = state.indexes
    if action.index is not None:
        indexes = indexes.set(action.path, action.index)
    elif action.path in indexes:
        indexes = indexes.delete(action.path)
    return Step(change(state, indexes=indexes))


def _damage(_spec: ModelSpec, state: State, action: a.DamageLineage) -> Step:
    known = state.lineages.get(action.capture_key)
    if known is None:
        raise NotEnabled(action, "there is no such lineage")
    spoiled = state.lineages.set(action.capture_key, Lineage(known.rows, damaged=True))
    return Step(change(state, lineages=spoiled))


def _leave(_spec: ModelSpec, state: State, action: a.Leave) -> Step:
    """An answer that is decided leaves."""
    waiting = state.calls.get(action.call)
    if waiting is None or waiting.reply is None:
        raise NotEnabled(action, "no answer of this call is decided")
    seen = a.Answered(action.call, waiting.reply)
    return Step(change(state, calls=state.calls.delete(action.call)), (seen,))


_STEPS: dict[type, Transition] = {
    a.Call: control.call,
    a.Admit: gate.admit,
    a.Record: gate.record,
    a.Release: gate.release,
    a.Gone: _gone,
    a.Replace: _replace,
    a.Tick: _tick,
    a.HoldStorage: befalling.hold,
    a.FreeStorage: befalling.release,
    a.FailStorage: befalling.fail_storage,
    a.SetDirectory: befalling.set_directory,
    a.SetIndex: _set_index,
    a.DamageLineage: _damage,
    a.EndDrain: gate.end_drain,
    a.Read: control.read,
    a.CancelTask: gate.cancel_task,
    a.Store: storing.store,
    a.Leave: _leave,
}


class ModelCore:
    """A specification of a policy model, made runnable. Holds no state of its own."""

    def __init__(self, spec: ModelSpec = MODEL) -> None:
        self.spec = spec
        self.steps = _STEPS

    def initial(
        self, server: str = "policy", role: str = "policy", *, has_ledger: bool = True
    ) -> State:
        """A process that has just started, on an empty disk."""
        return State(server, role, has_ledger)

    def step(self, state: State, action: Any) -> Step:
        """Apply one action; one that is not enabled raises NotEnabled and changes nothing."""
        return self.steps[type(action)](self.spec, state, action)

    def own(self, state: State) -> tuple[Own, ...]:
        """What the participant may do by itself now, in a stable order."""
        found: list[Own] = []
        for call in sorted(state.calls):
            reply = state.calls[call].reply
            if reply is not None:
                found.append(Own(a.Leave(call), call, True, reply.rule or _LEAVES))
            elif control.may_read(state, call):
                found.append(Own(a.Read(call), call, True, _READS, hidden=True))
        for name in sorted(state.tickets):
            ticket = state.tickets[name]
            if ticket.status == "cancelled" and not ticket.told:
                found.append(Own(a.CancelTask(name), name, True, CANCELS))
        drained = DrainFacts(len(state.tickets))
        if self.spec.admission.find(state.admission, "drain_ended", drained) is not None:
            found.append(Own(a.EndDrain(), "drain", True, _DRAINS, hidden=True))
        running = state.fence.storing
        if running is not None and running.op not in state.holds:
            found.append(Own(a.Store(), "storage", True, _STORES, hidden=True))
        return tuple(found)
