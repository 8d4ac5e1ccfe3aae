"""A mutant of a resources server: a core with one fault, named after what it does wrong."""

from collections.abc import Callable, Mapping
from typing import Any

import attrs

from fencepost_reference.model import Own, Step
from fencepost_reference.receipts.resources.server import ResourcesCore, Transition
from fencepost_reference.receipts.resources.state import State
from fencepost_spec.receipts.resources.server import RESOURCES, ResourcesSpec

Fault = Callable[[Transition, ResourcesSpec, State, Any], Step]
"""What a faulty step does, given the right one: the step, the specification, state and action."""


@attrs.frozen(eq=False)
class Mutant:
    """One fault. `cites` are the facts it stands for, a mechanical one's rule first."""

    name: str
    says: str
    cites: tuple[str, ...]
    make: Callable[[], ResourcesCore]


class Faulty(ResourcesCore):
    """A core that takes some steps otherwise, or does not see some that it owes."""

    def __init__(
        self,
        spec: ResourcesSpec,
        faults: Mapping[type, Fault],
        never: Callable[[State, Own], bool] | None = None,
    ) -> None:
        super().__init__(spec)
        right = self.steps
        self.steps = {**right, **{kind: _around(right[kind], faults[kind]) for kind in faults}}
        self._never = never

    def own(self, state: State) -> tuple[Own, ...]:
        """What the right core may do by itself, less what this one does not see."""
        right = super().own(state)
        never = self._never
        return right if never is None else tuple(own for own in right if not never(state, own))


def _around(right: Transition, fault: Fault) -> Transition:
    return lambda spec, state, action: fault(right, spec, state, action)


def core_with(**changes: Any) -> ResourcesCore:
    """A core whose specification differs in the named parts."""
    return ResourcesCore(attrs.evolve(RESOURCES, **changes))


def operation_with(name: str, **changes: Any) -> dict[str, Any]:
    """The operations, one of them changed."""
    changed = attrs.evolve(RESOURCES.operations[name], **changes)
    return {**RESOURCES.operations, name: changed}
