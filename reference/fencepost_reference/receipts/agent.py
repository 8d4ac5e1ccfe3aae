"""The core of an agent participant: a value, a step, and what it may do by itself.

>>> from fencepost_reference.receipts import actions as a
>>> from fencepost_spec.vocabulary import Key
>>> core = AgentCore()
>>> step = core.step(core.initial(), a.Run("q1", Key("r1", 0)))
>>> [type(own.action).__name__ for own in core.own(step.state)]
['Begin']
"""

from collections.abc import Callable, Iterable
from typing import Any

from fencepost_reference.model import Own, Step
from fencepost_reference.receipts import actions as a
from fencepost_reference.receipts import (
    admitting,
    befalling,
    control,
    preparing,
    storing,
    surroundings,
    work,
)
from fencepost_reference.receipts.state import COUNTED, Outstanding, State
from fencepost_spec.receipts.agent import AGENT, AgentSpec
from fencepost_spec.receipts.properties import (
    BY_ID,
    PREPARE_ENDS_EARLY,
    RETIRE_WAITS,
)
from fencepost_spec.receipts.running import ADMITTED, UNTRACKED

Transition = Callable[[AgentSpec, State, Any], Step]

_STEPS: dict[type, Transition] = {
    a.Call: control.call,
    a.Run: admitting.run,
    a.Work: work.work,
    a.Gone: surroundings.gone,
    a.Replace: surroundings.replace,
    a.Tick: surroundings.tick,
    a.Hold: befalling.hold,
    a.Release: befalling.release,
    a.FailStorage: befalling.fail_storage,
    a.SetDirectory: befalling.set_directory,
    a.Begin: work.begin,
    a.NeverBegin: work.never_begin,
    a.BeginUntracked: work.begin_untracked,
    a.NeverBeginUntracked: work.never_begin_untracked,
    a.LetGo: work.let_go,
    a.ReturnOrphan: work.return_orphan,
    a.ParkInPlace: work.park_in_place,
    a.Conclude: preparing.conclude,
    a.Store: storing.store,
    a.AnswerRetire: surroundings.answer_retire,
    a.Leave: surroundings.leave,
}

_ENDS = BY_ID["R-LIV-2"].rule
_LEAVES = BY_ID["R-LIV-9"].rule
_RELEASES = BY_ID["R-LIV-4"].rule
_STORES = BY_ID["R-LIV-3"].rule


class AgentCore:
    """A specification of an agent, made runnable. Holds no state of its own."""

    def __init__(self, spec: AgentSpec = AGENT) -> None:
        self.spec = spec
        self.steps = _STEPS

    def initial(self, instance: str | None = None) -> State:
        """A process that has just started, on an empty disk."""
        return State(instance=instance)

    def step(self, state: State, action: Any) -> Step:
        """Apply one action; one that is not enabled raises NotEnabled and changes nothing."""
        return self.steps[type(action)](self.spec, state, action)

    def own(self, state: State) -> tuple[Own, ...]:
        """What the participant may do by itself now."""
        found: list[Own] = []
        found += self._own_answers(state)
        found += self._own_work(state)
        may, must = preparing.prepare_may_end(self.spec, state)
        if may:
            rule = _ENDS if must else PREPARE_ENDS_EARLY
            found.append(Own(a.Conclude(), "prepare", must, rule, hidden=True))
        storage = state.fence.storing
        if storage is not None and storage.op not in state.holds:
            found.append(Own(a.Store(), "storage", True, _STORES, hidden=True))
            if storing.may_be_spared(state):
                found.append(Own(a.Store(spared=True), "storage", False, _STORES, hidden=True))
        return tuple(found)

    def leaving(self, state: State, decided: Iterable[str]) -> tuple[Own, ...]:
        """Those of `own` with which an answer leaves, given the calls whose answer is decided."""
        answers = [_leave(state, call) for call in sorted(decided)]
        return (*answers, *_orphans(state))

    def _own_answers(self, state: State) -> list[Own]:
        found: list[Own] = []
        # The order of a map hangs on how this process hashes strings.
        waits = [call for call, one in state.calls.items() if one.reply or one.op == "retire"]
        for call in sorted(waits):
            waiting = state.calls[call]
            reply = waiting.reply
            if reply is not None:
                found.append(_leave(state, call))
            elif waiting.op == "retire":
                due = waiting.deadline is not None and waiting.deadline <= 0
                early = Own(a.AnswerRetire(call, True), call, False, RETIRE_WAITS, hidden=True)
                found.append(early)
                if due:
                    missed = a.AnswerRetire(call, False)
                    found.append(Own(missed, call, True, RETIRE_WAITS, hidden=True))
        return found

    def _own_work(self, state: State) -> list[Own]:
        found: list[Own] = []
        moves = [key for key, one in state.executions.items() if one.held or not one.begun]
        for key in sorted(moves):
            execution = state.executions[key]
            if not execution.begun and execution.handler:
                found.append(Own(a.Begin(key), key, True, ADMITTED))
                if work.may_never_begin(state, execution):
                    found.append(Own(a.NeverBegin(key), key, False, ADMITTED, hidden=True))
            if execution.held is None:
                continue
            if work.may_return(execution):
                counted = execution.status in COUNTED
                found.append(Own(a.LetGo(key), key, not counted, _RELEASES))
                asked = execution.status == "park_requested"
                if asked and execution.held.code is None and not execution.held.free:
                    found.append(Own(a.ParkInPlace(key), key, False, _RELEASES, hidden=True))
            elif surroundings.client_is_gone(state, execution):
                found.append(Own(a.LetGo(key, cancelled=True), key, False, _RELEASES))
        waiting = sorted(call for call, begun in state.untracked.items() if not begun)
        for call in waiting:
            found.append(Own(a.BeginUntracked(call), call, True, ADMITTED))
            if call not in state.calls:
                never = a.NeverBeginUntracked(call)
                found.append(Own(never, call, False, UNTRACKED, hidden=True))
        return found + _orphans(state)


def is_decided(waiting: Outstanding) -> bool:
    """Whether the answer of a call is decided."""
    return waiting.reply is not None


def _leave(state: State, call: str) -> Own:
    reply = state.calls[call].reply
    rule = None if reply is None else reply.rule
    return Own(a.Leave(call), call, True, rule or _LEAVES)


def _orphans(state: State) -> list[Own]:
    return [Own(a.ReturnOrphan(t), t, True, _RELEASES) for t in sorted(state.orphans)]
