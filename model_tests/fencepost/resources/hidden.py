"""Steps of the server that a trace does not show, taken only where a line may need them."""

from collections.abc import Callable

import attrs

from fencepost_reference.model import NotEnabled, Own
from fencepost_reference.receipts.resources import actions as a
from fencepost_reference.receipts.resources.server import ResourcesCore
from fencepost_reference.receipts.resources.state import State
from fencepost_spec.rule import Rule
from fencepost_spec.vocabulary import Key

Wanted = Callable[[State, Own], bool]


@attrs.frozen
class Start:
    """A state that a line may have met, and the rules of the hidden steps that lead to it."""

    state: State
    rules: tuple[Rule, ...] = ()


def everything(_state: State, _own: Own) -> bool:
    """Any step may matter."""
    return True


def nothing(_state: State, _own: Own) -> bool:
    """No step matters."""
    return False


def about(key: Key | None) -> Wanted:
    """Only steps of one rollout matter, of the prepare that waits for it, and of a restore."""

    def wanted(state: State, own: Own) -> bool:
        if own.subject == "storage":
            return state.fence.phase == "restoring"
        if own.subject in (key, "prepare"):
            return True
        request = state.requests.get(own.subject) if isinstance(own.subject, str) else None
        if request is None:
            return False
        # A start that is published may supersede the older sessions of its rollout.
        return request.key is None or key is None or request.key.rollout_id == key.rollout_id

    return wanted


def alternatives(core: ResourcesCore, state: State, wanted: Wanted, most: int) -> tuple[Start, ...]:
    """The state itself, and every state that wanted hidden steps lead to; at most so many."""
    found = [Start(state)]
    seen = {state}
    for start in found:
        for own in core.own(start.state):
            if not own.hidden or not wanted(start.state, own):
                continue
            try:
                step = core.step(start.state, own.action)
            except NotEnabled:
                continue
            shown = any(type(one) is a.Began for one in step.outputs)
            if shown or step.state in seen:
                continue
            seen.add(step.state)
            found.append(Start(step.state, (*start.rules, *step.rules)))
            if len(found) > most:
                return tuple(found)
    return tuple(found)
