"""A controller that decides nothing: it makes the calls that it was given, one after the other.

For tests of a world without a controller of flesh and blood. It waits for each answer, whatever it
is, before it makes the next call; a run is not waited for.
"""

from typing import Any

import attrs
from immutables import Map

from fencepost_reference.model import NotEnabled, Own, Step
from fencepost_reference.receipts.controller.actions import Answered, Lost, Sent, Start
from fencepost_reference.receipts.ledger.state import State as Ledger
from fencepost_spec.receipts.properties import BY_ID
from fencepost_spec.vocabulary import Key

_GOES_ON = BY_ID["R-LIV-9"].rule


@attrs.frozen
class Next:
    """The next call is made."""


@attrs.frozen(slots=False)
class Progress:
    """How many calls were made, and the one that is waited for. No checkpoint is its own."""

    made: int = 0
    waits: str = ""
    ledger: Ledger = attrs.field(factory=Ledger)
    calls: Map[str, Any] = attrs.field(factory=Map)
    works: Map[Key, Any] = attrs.field(factory=Map)
    round: None = None
    number: int = 1
    gate: bool = True


class Scripted:
    """Makes some calls in order."""

    def __init__(self, calls: tuple[Sent, ...]) -> None:
        self.calls = calls

    def initial(self) -> Progress:
        """Nothing was called yet."""
        return Progress()

    def step(self, state: Progress, action: Any) -> Step:
        """Make the next call, or take an answer."""
        match action:
            case Next() if state.made < len(self.calls) and not state.waits:
                call = self.calls[state.made]
                waits = "" if call.op == "run" else call.call
                return Step(Progress(state.made + 1, waits), (call,))
            case Answered() | Lost():
                waits = "" if action.call == state.waits else state.waits
                return Step(Progress(state.made, waits))
            case Start():
                return Step(state)
            case _:
                raise NotEnabled(action, "the script does not say so")

    def own(self, state: Progress) -> tuple[Own, ...]:
        """The next call, when nothing is waited for."""
        if state.waits or state.made == len(self.calls):
            return ()
        return (Own(Next(), self.calls[state.made].call, True, _GOES_ON),)
