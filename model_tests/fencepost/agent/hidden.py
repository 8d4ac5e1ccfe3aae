"""Steps of the participant that a trace does not show, taken only when a line may need them.

The end of a prepare and the steps of the storage change what other calls meet, so both sides of
each are kept. A wake, a park in place and the answer of a retire concern one key: they are taken
by the line that speaks about that key.
"""

from typing import Any

import attrs

from fencepost.agent.mismatch import as_object
from fencepost_reference.model import NotEnabled
from fencepost_reference.receipts import actions as a
from fencepost_reference.receipts.agent import AgentCore
from fencepost_reference.receipts.state import COUNTED, Directory, State
from fencepost_reference.receipts.work import may_never_begin, may_return
from fencepost_spec.rule import Rule
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


@attrs.frozen
class Start:
    """A state that a line may have met, and the rules of the hidden steps that lead to it."""

    state: State
    rules: tuple[Rule, ...] = ()


def alternatives(core: AgentCore, state: State) -> tuple[Start, ...]:
    """The state itself, and every state that ends of prepares and storage steps lead to."""
    if not _hidden_steps(state):
        return (Start(state),)
    found = [Start(state)]
    index = 0
    while index < len(found):
        start = found[index]
        for action in _hidden_steps(start.state):
            _add(core, found, start, action)
        parked = all_parked(core, start.state) if start.state.fence.waiting else None
        if parked is not None:
            _add(core, found, Start(parked.state, start.rules + parked.rules), a.Conclude())
        index += 1
    return tuple(found)


def _hidden_steps(state: State) -> list[Any]:
    """Steps that no line shows and that change what other calls meet."""
    found: list[Any] = [
        a.NeverBegin(key)
        for key, execution in state.executions.items()
        if not execution.begun and may_never_begin(state, execution)
    ]
    if state.fence.waiting:
        found.append(a.Conclude())
    if state.fence.storing is not None:
        found.append(a.Store())
    return found


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


def all_parked(core: AgentCore, state: State) -> Start | None:
    """The state in which everything that is held and asked to park stands parked, if any is."""
    start, changed = Start(state), False
    for key, execution in state.executions.items():
        if execution.status == "park_requested" and execution.held is not None:
            found = [start]
            _add(core, found, start, a.ParkInPlace(key))
            start, changed = found[-1], changed or len(found) > 1
    return start if changed else None


def crashed(state: State) -> State:
    """The state just before a crash; whether a running commit was published is left open."""
    storing = state.fence.storing
    if storing is None or storing.op != "commit" or storing.stage == "published":
        return state
    here = state.disk.get(storing.directory)
    if here is not None and here.kind != "partial":
        return state
    kind = "partial" if "commit" in state.holds else "uncertain"
    left = Directory(kind, storing.source, state.instance, storing.records)
    return attrs.evolve(state, disk=state.disk.set(storing.directory, left))


def certain(state: State, directory: str | None) -> list[State]:
    """The states in which it is known what lies in a directory."""
    here = state.disk.get(directory or "")
    if directory is None or here is None or here.kind != "uncertain":
        return [state]
    known = (Directory("partial"), attrs.evolve(here, kind="committed"))
    return [attrs.evolve(state, disk=state.disk.set(directory, one)) for one in known]


def let_go_early(core: AgentCore, state: State) -> State | None:
    """The state in which waits that resume lets go are open already; their return is still owed."""
    changed = None
    for key, execution in state.executions.items():
        held = execution.held
        if held is None or held.code is not None or held.event != "wait_entered":
            continue
        later = taken(core, changed or state, a.LetGo(key)) if may_return(execution) else None
        if later is not None:
            changed = attrs.evolve(later, orphans=later.orphans.set(held.token, ""))
    return changed


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
