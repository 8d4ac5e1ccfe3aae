"""How the fairness that a promise of a server assumes is put together.

Whatever the participant owes by itself is assumed of it: that is what fairness to a participant
means. What its callers have to do stands with each promise, as the specification words it.
"""

from collections.abc import Callable, Iterable
from typing import Any

from fencepost.exploring.small_world import Eventually, Fair, Parts
from fencepost_spec.operation import Property

Owed = Callable[[Any], Iterable[str]]
"""The subjects to whom something is owed in a state."""


def eventually(
    prop: Property, state_of: Callable[[Parts], Any], owed: Owed, *begins: str
) -> Eventually:
    """A promise that assumes the classes that begin so, beside what the participant owes.

    Giving up is asked for again whenever it is possible, and what may go whenever it is asked goes;
    everything else is taken while it stays possible. No controller is hasty for ever.
    """
    assumed = ("own ", "forget ", *begins)

    def assumes(fair: str) -> Fair:
        if fair.startswith("hasty "):
            return Fair.NEVER
        if not fair.startswith(assumed):
            return Fair.NOT
        return Fair.STRONG if fair.startswith(("give up ", "own goes ")) else Fair.WEAK

    return Eventually(prop, lambda parts: frozenset(owed(state_of(parts))), assumes)
