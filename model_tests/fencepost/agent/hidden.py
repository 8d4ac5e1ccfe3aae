"""Steps of the participant that a trace does not show, taken only when a line may need them.

The end of a prepare and the steps of the storage change what other calls meet, so both sides of
each are kept. A wake, a park in place and the answer of a retire concern one key: they are taken
by the line that speaks about that key.
"""

from typing import Any

from fencepost.agent.mismatch import as_object
from fencepost_reference.model import NotEnabled
from fencepost_reference.receipts import actions as a
from fencepost_reference.receipts.agent import AgentCore
from fencepost_reference.receipts.state import COUNTED, State
from fencepost_reference.receipts.work import may_return
from fencepost_spec.vocabulary import Key

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


def alternatives(core: AgentCore, state: State) -> tuple[State, ...]:
    """The state itself, and every state that ends of prepares and storage steps lead to."""
    if not state.fence.waiting and state.fence.storing is None:
        return (state,)
    found = [state]
    if state.fence.waiting:
        for start in (state, all_parked(core, state)):
            ended = None if start is None else taken(core, start, a.Conclude())
            if ended is not None and ended not in found:
                found.append(ended)
    index = 0
    while index < len(found):
        if found[index].fence.storing is not None:
            later = taken(core, found[index], a.Store())
            if later is not None and later not in found:
                found.append(later)
        index += 1
    return tuple(found)


def all_parked(core: AgentCore, state: State) -> State | None:
    """The state in which everything that is held and asked to park stands parked, if any is."""
    changed = None
    for key, execution in state.executions.items():
        if execution.status == "park_requested" and execution.held is not None:
            later = taken(core, changed or state, a.ParkInPlace(key))
            changed = later or changed
    return changed


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
        elif wakes_hidden:
            state = taken(core, state, a.LetGo(key)) or state
    return state
