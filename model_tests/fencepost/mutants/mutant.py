"""A mutant: a participant with one fault, named after what it does wrong."""

from collections.abc import Callable
from typing import Any

import attrs

from fencepost_reference.model import Own, Step
from fencepost_reference.receipts.agent import AgentCore, Transition
from fencepost_reference.receipts.state import State
from fencepost_spec.receipts.agent import AGENT, AgentSpec

Fault = Callable[[Transition, AgentSpec, State, Any], Step]
"""What a faulty step does, given the right one: the step, the specification, state and action."""


@attrs.frozen(eq=False)
class Mutant:
    """One fault. `cites` are the bugs or facts it stands for, a mechanical one's rule first.

    `needs` are the tags of moves without which the fault cannot show; only the scopes whose
    alphabet has them are searched. `parts` are the parts of the specification that differ, when
    it is known that nothing else does.
    """

    name: str
    says: str
    cites: tuple[str, ...]
    make: Callable[[], AgentCore]
    needs: frozenset[str] = frozenset()
    parts: frozenset[tuple[str, ...]] | None = None
    mechanical: bool = False


def core_with(**changes: Any) -> AgentCore:
    """A core whose specification differs in the named parts."""
    return AgentCore(attrs.evolve(AGENT, **changes))


def faulty(faults: dict[type, Fault], **changes: Any) -> AgentCore:
    """A core with some steps replaced; each replacement is given the step it stands for."""
    core = core_with(**changes)
    core.steps = {
        **core.steps,
        **{kind: _around(core.steps[kind], faults[kind]) for kind in faults},
    }
    return core


class Idler(AgentCore):
    """A core that never takes some of the steps it owes."""

    def __init__(self, never: Callable[[State, Own], bool]) -> None:
        super().__init__()
        self._never = never

    def own(self, state: State) -> tuple[Own, ...]:
        """What the right core may do by itself, less what this one never does."""
        return tuple(own for own in super().own(state) if not self._never(state, own))


def _around(right: Transition, fault: Fault) -> Transition:
    return lambda spec, state, action: fault(right, spec, state, action)


def operation_with(name: str, **changes: Any) -> dict[str, Any]:
    """The operations of an agent, one of them changed."""
    return {**AGENT.operations, name: attrs.evolve(AGENT.operations[name], **changes)}


def less(entries: tuple[Any, ...], name: str) -> tuple[Any, ...]:
    """A list of the specification without the entry of that name."""
    kept = tuple(one for one in entries if one.name != name)
    assert len(kept) == len(entries) - 1, f"no entry is called {name}"
    return kept
