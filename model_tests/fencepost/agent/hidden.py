"""Steps of the participant that a trace does not show, taken only when a line may need them.

The end of a prepare and the steps of the storage change what other calls meet, so both sides of
each are kept. A wake, a park in place and the answer of a retire concern one key: they are taken
by the line that speaks about that key.
"""

from typing import Any

import attrs

from fencepost.mismatch import as_object
from fencepost_reference.model import NotEnabled
from fencepost_reference.receipts import actions as a
from fencepost_reference.receipts.agent import AgentCore
from fencepost_reference.receipts.state import (
    COUNTED,
    FROZEN,
    Execution,
    State,
)
from fencepost_reference.receipts.storing import may_be_spared
from fencepost_reference.receipts.work import may_never_begin, may_return
from fencepost_spec.receipts.agent import AGENT
from fencepost_spec.receipts.guards import ExecutionFacts
from fencepost_spec.rule import Rule
from fencepost_spec.vocabulary import Key

PARKED_SINGLY = 4
STAYS = AGENT.execution.find(
    "external_wait_frozen", "prepare_withdrawn", ExecutionFacts(has_handler=False)
)
ASKED = next(
    row.rule
    for row in AGENT.execution.candidates("running", "prepare_called")
    if row.target == "park_requested"
)
_SHOWN = {
    "parked": COUNTED,
    "external_wait_frozen": COUNTED,
    "model_wait_frozen": COUNTED,
}


def taken(core: AgentCore, state: State, action: Any) -> State | None:
    """The state after an action, or None when it is not enabled."""
    try:
        state_after: State = core.step(state, action).state
    except NotEnabled:
        return None
    return state_after


@attrs.frozen
class Start:
    """A state that a line may have met, and the rules of the hidden steps that lead to it."""

    state: State
    rules: tuple[Rule, ...] = ()


def alternatives(core: AgentCore, state: State, *, half_done: bool) -> tuple[Start, ...]:
    """The state itself, and every state that ends of prepares and storage steps lead to.

    A commit or restore that has taken some of its steps answers calls as one that has taken none,
    and can still take the rest: it is told apart only where `half_done` asks for it, for lines that
    reach into the storage.
    """
    if not _hides_something(state):
        return (Start(state),)
    found = [Start(state)]
    index = 0
    while index < len(found):
        start = found[index]
        for action in _hidden_steps(start.state):
            _add(core, found, start, action)
        if start.state.fence.storing is not None:
            stores = _one_store if half_done else _whole_store
            for one in stores(core, start):
                if all(one.state != other.state for other in found):
                    found.append(one)
        parked = parked_somehow(core, start.state) if start.state.fence.waiting else ()
        for other in parked[1:]:
            _add(core, found, Start(other.state, start.rules + other.rules), a.Conclude())
        index += 1
    return tuple(found)


def _hides_something(state: State) -> bool:
    """Whether there is a hidden step at all; asked of every line, so it is asked first."""
    if state.fence.waiting or state.fence.storing is not None:
        return True
    if state.untracked and _never_begun_untracked(state):
        return True
    return any(not execution.begun for execution in state.executions.values())


def _hidden_steps(state: State) -> list[Any]:
    """Steps that no line shows and that change what other calls meet."""
    found: list[Any] = [
        a.NeverBegin(key)
        for key, execution in state.executions.items()
        if not execution.begun and may_never_begin(state, execution)
    ]
    found += [a.NeverBeginUntracked(call) for call in _never_begun_untracked(state)]
    if state.fence.waiting:
        found.append(a.Conclude())
    return found


def _never_begun_untracked(state: State) -> list[str]:
    """Runs without identity that have not started, and whose client has gone."""
    return [
        call for call, begun in state.untracked.items() if not begun and call not in state.calls
    ]


def _one_store(core: AgentCore, start: Start) -> list[Start]:
    """What the next step of the storage leads to: nothing while it is held."""
    actions = [a.Store()]
    if may_be_spared(start.state):
        actions.append(a.Store(spared=True))
    found: list[Start] = []
    for action in actions:
        _add(core, found, start, action)
    return found


def _whole_store(core: AgentCore, start: Start) -> list[Start]:
    """What the steps of the storage lead to when they are taken to the end."""
    going, ended = [start], list[Start]()
    while going:
        for one in _one_store(core, going.pop()):
            (ended if one.state.fence.storing is None else going).append(one)
    return ended


def _add(core: AgentCore, found: list[Start], start: Start | None, action: Any) -> None:
    """Add the state that an action leads to, when it is enabled and leads somewhere new."""
    if start is None:
        return
    try:
        step = core.step(start.state, action)
    except NotEnabled:
        return
    if all(step.state != other.state for other in found):
        found.append(Start(step.state, (*start.rules, *step.rules)))


def parked_somehow(core: AgentCore, state: State) -> tuple[Start, ...]:
    """The state, and those in which work that is held and asked to park stands parked.

    Each key by itself when they are few; all or none of them when they are many.
    """
    keys = [
        key
        for key, execution in state.executions.items()
        if execution.status == "park_requested" and execution.held is not None
    ]
    found = [Start(state)]
    for key in keys:
        if len(keys) <= PARKED_SINGLY:
            for start in tuple(found):
                _add(core, found, start, a.ParkInPlace(key))
        else:
            grown = [found[-1]]
            _add(core, grown, found[-1], a.ParkInPlace(key))
            found = [found[0], grown[-1]]
    return tuple(found)


def asked_to_park(before: State, after: State) -> list[State]:
    """The state in which waits with only a continuation are asked to park instead of frozen.

    The facts freeze a wait "with a boundary", and count a continuation as one when work parks.
    """
    changed = after
    for key, execution in after.executions.items():
        was = before.executions.get(key)
        frozen_now = execution.status in FROZEN and was is not None and was.status == "running"
        if frozen_now and execution.boundary is None:
            other = attrs.evolve(execution, status="park_requested", why=ASKED)
            changed = attrs.evolve(changed, executions=changed.executions.set(key, other))
    return [] if changed is after else [changed]


def let_go_early(core: AgentCore, state: State, hidden: frozenset[str]) -> list[State]:
    """The states in which held work that has a wait open, or opens one, went on before a prepare.

    The prepare then freezes the wait instead of asking it to park. Where wakes are shown, the
    return is still owed: it stands behind the prepare. Each key by itself when they are few; all
    of them when they are many.
    """
    keys = [
        key
        for key, execution in state.executions.items()
        if may_return(execution) and _waits_or_will(execution)
    ]
    found = [state]
    for key in keys:
        grown = found if len(keys) <= PARKED_SINGLY else found[-1:]
        found = [*found, *(_let_go_one(core, one, key, hidden) for one in grown)]
    return found[1:] if len(keys) <= PARKED_SINGLY else found[-1:]


def _waits_or_will(execution: Execution) -> bool:
    """Whether held work that will be answered ok has a wait open, or opens one."""
    held = execution.held
    if held is None or held.code is not None:
        return False
    return held.event == "wait_entered" or execution.wait is not None


def _let_go_one(core: AgentCore, state: State, key: Key, hidden: frozenset[str]) -> State:
    held = state.executions[key].held
    later = taken(core, state, a.LetGo(key))
    if later is None or held is None:
        return state
    if "wakes" not in hidden:
        later = attrs.evolve(later, orphans=later.orphans.set(held.token, ""))
    return later


def never_begun(core: AgentCore, state: State) -> State | None:
    """The state in which handlers that were cancelled before they started have ended."""
    changed = None
    for key, execution in state.executions.items():
        if not execution.begun and may_never_begin(state, execution):
            changed = taken(core, changed or state, a.NeverBegin(key)) or changed
    return changed


def parked_or_not(core: AgentCore, state: State, key: Key) -> list[State]:
    """The state, and the one in which a held key that is asked to park stands parked already."""
    parked = taken(core, state, a.ParkInPlace(key))
    return [state] if parked is None else [state, parked]


def displayed(state: State, body: Any) -> State:
    """The state as a status may show it where the facts leave the name of a standing open.

    Frozen work that a refusal or an outstanding wake has reached may be shown as parked; frozen
    work without a handler, after a missed deadline, as running.
    """
    doubtful = {key: e for key, e in state.executions.items() if _may_be_shown(e)}
    if not doubtful:
        return state
    executions = state.executions
    for entry in as_object(body).get("executions") or ():
        key = Key(entry["rollout_id"], entry["attempt_index"])
        shown = _may_be_shown(doubtful[key]) if key in doubtful else None
        if shown is not None and entry["state"] == shown[0]:
            other = attrs.evolve(doubtful[key], status=shown[1])
            executions = executions.set(key, other)
    return attrs.evolve(state, executions=executions)


def _may_be_shown(execution: Execution) -> tuple[str, str] | None:
    """Another name under which an execution may be shown, and the standing it stands for."""
    if execution.status in FROZEN and (execution.refusal or execution.held is not None):
        return "parked", "parked_with_boundary"
    stays = STAYS is not None and execution.why == STAYS.rule
    if execution.status == "parked_with_boundary" and stays:
        return "running", "running"
    return None


def shown_parked(core: AgentCore, state: State, body: Any, wakes_hidden: bool) -> State:
    """The state that agrees best with the entries of a status, one key at a time."""
    held = [
        (key, execution)
        for key, execution in state.executions.items()
        if execution.held is not None and may_return(execution)
    ]
    if not held:
        return state
    entries: dict[Key, Any] = {}
    for entry in as_object(body).get("executions") or ():
        entries[Key(entry["rollout_id"], entry["attempt_index"])] = entry["state"]
    for key, execution in held:
        if execution.status == "park_requested" and entries.get(key) in _SHOWN:
            state = taken(core, state, a.ParkInPlace(key)) or state
        elif wakes_hidden and execution.status not in COUNTED:
            state = taken(core, state, a.LetGo(key)) or state
    return state
