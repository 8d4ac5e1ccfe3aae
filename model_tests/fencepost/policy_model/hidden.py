"""Steps of a model that no trace shows: drains that end, reads, steps of the storage."""

from typing import Any

import attrs

from fencepost_reference.receipts.policy_model import actions as a
from fencepost_reference.receipts.policy_model.core import ModelCore
from fencepost_reference.receipts.policy_model.state import State
from fencepost_spec.rule import Rule


@attrs.frozen
class Start:
    """A state that a line may have met, and the rules of the hidden steps that lead to it."""

    state: State
    rules: tuple[Rule, ...] = ()


def alternatives(core: ModelCore, state: State, *, half_done: bool) -> list[Start]:
    """The state itself, and every state that hidden steps lead to.

    Storage is shown untouched or at its end only, unless `half_done` asks for what lies between.
    """
    found = [Start(state)]
    seen = {state}
    index = 0
    while index < len(found):
        start = found[index]
        index += 1
        for own in core.own(start.state):
            if not own.hidden:
                continue
            after = _taken(core, start, own.action, to_the_end=not half_done)
            if after.state not in seen:
                seen.add(after.state)
                found.append(after)
    return found


def _taken(core: ModelCore, start: Start, action: Any, *, to_the_end: bool) -> Start:
    step = core.step(start.state, action)
    rules = (*start.rules, *step.rules)
    while to_the_end and type(action) is a.Store and step.state.fence.storing is not None:
        step = core.step(step.state, action)
        rules = (*rules, *step.rules)
    return Start(step.state, rules)


def moves_unseen(core: ModelCore, state: State) -> bool:
    """Whether something unseen has to happen before the model is at rest."""
    return any(own.must and own.hidden for own in core.own(state))
