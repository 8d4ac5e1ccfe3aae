"""A mutant: a participant with one fault, named after what it does wrong."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import attrs

from fencepost_reference.model import Own, Step
from fencepost_reference.receipts.agent import AgentCore, Transition
from fencepost_reference.receipts.state import State
from fencepost_spec.receipts.agent import AGENT, AgentSpec

Fault = Callable[[Transition, AgentSpec, State, Any], Step]
"""What a faulty step does, given the right one: the step, the specification, state and action."""

Owes = Callable[[State, Own], Own | None]
"""How a participant sees a step that it may take by itself; None when it does not see it."""


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


class Faulty(AgentCore):
    """A core that takes some steps otherwise, or is not ready to take some that it owes."""

    def __init__(self, spec: AgentSpec, faults: Mapping[type, Fault], owes: Owes | None) -> None:
        super().__init__(spec)
        right = self.steps
        self.steps = {**right, **{kind: _around(right[kind], faults[kind]) for kind in faults}}
        self._owes = owes

    def own(self, state: State) -> tuple[Own, ...]:
        """What the right core may do by itself, each as this one sees it."""
        return self._seen(state, super().own(state))

    def leaving(self, state: State, decided: Iterable[str]) -> tuple[Own, ...]:
        """The answers that the right core lets go, each as this one sees it."""
        return self._seen(state, super().leaving(state, decided))

    def _seen(self, state: State, right: tuple[Own, ...]) -> tuple[Own, ...]:
        if self._owes is None:
            return right
        seen = (self._owes(state, own) for own in right)
        return tuple(own for own in seen if own is not None)


def core_with(**changes: Any) -> AgentCore:
    """A core whose specification differs in the named parts."""
    return AgentCore(attrs.evolve(AGENT, **changes))


def faulty(faults: Mapping[type, Fault], owes: Owes | None = None, **changes: Any) -> AgentCore:
    """A core with some steps replaced; each replacement is given the step it stands for."""
    return Faulty(attrs.evolve(AGENT, **changes), faults, owes)


def idle(never: Callable[[State, Own], bool]) -> AgentCore:
    """A core that never takes some of the steps it owes."""
    return Faulty(AGENT, {}, lambda state, own: None if never(state, own) else own)


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
