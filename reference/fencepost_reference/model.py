"""What a model offers: an initial state, a step, the steps it may take by itself, and a view.

A core is a value and a function. Nothing here performs input or output, reads a clock or draws a
random number; whatever happens, happens as an action.
"""

from collections.abc import Hashable
from typing import Any, Protocol, TypeVar

import attrs

from fencepost_spec.rule import Rule

S = TypeVar("S", bound=Hashable)


@attrs.frozen
class Step:
    """What an action leads to: the next state, what becomes visible, the rules that were used."""

    state: Any
    outputs: tuple[Any, ...] = ()
    rules: tuple[Rule, ...] = ()


@attrs.frozen
class Own:
    """A step that the participant may take by itself.

    `must` says that it has to have been taken when the participant is at rest; `rule` says why.
    `subject` names what it is about: a call id, a key, or the storage.
    """

    action: Any
    subject: Any
    must: bool
    rule: Rule
    hidden: bool = False


class Model(Protocol[S]):
    """A specification made runnable."""

    def initial(self) -> S:
        """The state of a process that has just started."""
        ...

    def step(self, state: S, action: Any) -> Step:
        """Apply one action; an action that is not enabled raises NotEnabled."""
        ...

    def own(self, state: S) -> tuple[Own, ...]:
        """What the participant may do by itself now, in a stable order."""
        ...


class NotEnabled(Exception):
    """The action cannot happen in this state."""

    def __init__(self, action: Any, because: str) -> None:
        super().__init__(f"{action!r}: {because}")
        self.action = action
        self.because = because
