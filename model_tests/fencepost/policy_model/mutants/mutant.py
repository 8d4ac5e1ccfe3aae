"""A mutant of the policy model: the core with one fault, named after what it does wrong."""

from collections.abc import Callable, Mapping
from typing import Any

import attrs

from fencepost_reference.model import Own, Step
from fencepost_reference.receipts.policy_model.core import ModelCore, Transition
from fencepost_reference.receipts.policy_model.state import State
from fencepost_spec.receipts.policy_model.spec import MODEL, ModelSpec

Fault = Callable[[Transition, ModelSpec, State, Any], Step]
"""What a faulty step does, given the right one: the step, the specification, state and action."""

Never = Callable[[State, Own], bool]
"""Which of the steps that it owes a participant never takes."""


@attrs.frozen(eq=False)
class ModelMutant:
    """One fault. `cites` are the rules and facts that it offends, the nearest rule first."""

    name: str
    says: str
    cites: tuple[str, ...]
    make: Callable[[], ModelCore]
    mechanical: bool = False


class FaultyModel(ModelCore):
    """A core that takes some steps otherwise, or never takes some that it owes."""

    def __init__(self, spec: ModelSpec, faults: Mapping[type, Fault], never: Never | None) -> None:
        super().__init__(spec)
        right = self.steps
        self.steps = {**right, **{kind: _around(right[kind], faults[kind]) for kind in faults}}
        self._never = never

    def own(self, state: State) -> tuple[Own, ...]:
        """What the right core may do by itself, without what this one never does."""
        right = super().own(state)
        never = self._never
        return right if never is None else tuple(own for own in right if not never(state, own))


def core_with(**changes: Any) -> ModelCore:
    """A core whose specification differs in the named parts."""
    return ModelCore(attrs.evolve(MODEL, **changes))


def faulty(faults: Mapping[type, Fault], never: Never | None = None, **changes: Any) -> ModelCore:
    """A core with some steps replaced; each replacement is given the step it stands for."""
    return FaultyModel(attrs.evolve(MODEL, **changes), faults, never)


def _around(right: Transition, fault: Fault) -> Transition:
    return lambda spec, state, action: fault(right, spec, state, action)
