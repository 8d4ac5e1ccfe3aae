"""How much a check tries, and how much is the least that a verdict of "conforms" rests on.

Imports nothing of Fencepost, so that the command line can say it without loading an engine.
"""

import attrs

CASES_MIN = 10
"""A run of fewer cases is inconclusive."""

ENOUGH = 0.5
"""The share of the must rules within a participant's reach that a conforming run has used."""


@attrs.frozen
class Profile:
    """How much is tried: a number of actions, and the seconds after which no world begins."""

    actions: int
    seconds: float

    def __str__(self) -> str:
        return f"{self.actions:,} actions, begun within {self.seconds:,.0f} s"


PROFILES = {"quick": Profile(6_000, 18.0), "long": Profile(100_000, 3_600.0)}
