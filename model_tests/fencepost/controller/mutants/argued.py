"""Mutants that nothing refuses and why that is right; rules that no mutant breaks, and why."""

from collections.abc import Mapping
from typing import Final

EQUIVALENT: Final[Mapping[str, str]] = {
    "seals first and records later": (
        "Nobody outside stands between the seal and the record: the core takes both before it "
        "rests, no prepare succeeds while an agent keeps the result, and a crash takes the agents "
        "with it. Whether the two are one step only shows inside."
    ),
    "ignores what holds up a prepare": (
        "Nothing holds up a prepare that the controller has no memory of: it forgets no attempt "
        "before its agent has let go of it, and participants start with their controller."
    ),
    "owes again what was released, when its cohort is sealed": (
        "The facts let it (ledger:K8): the agent answers that the receipt was given back before, "
        "and the obligation goes. It costs a row of one request, and holds nothing up."
    ),
}
"""Why a mutant that no case refuses is right."""

_EFFECTS: Final = (
    "R-CTL-24",
    "R-CTL-33",
    "R-CTL-37",
    "R-CTL-45",
    "R-CTL-57",
    "R-CTL-68",
    "R-CTL-72",
    "R-CTL-85",
    "R-CTL-92",
    "R-CTL-3",
    "R-CTL-107",
    "R-CTL-130",
    "R-CTL-136",
    "R-CTL-143",
    "R-CTL-147",
)
"""Rules by which a deed passes."""

_REMARKS: Final = ("R-CTL-44", "R-CTL-56", "R-CTL-142", "R-CTL-148")
"""Rules of level should that none of these controllers goes against."""

UNBROKEN: Final[Mapping[str, str]] = {
    **dict.fromkeys(_EFFECTS, "it lets a deed pass and refuses none"),
    **dict.fromkeys(_REMARKS, "of level should: it is noted, and refuses nothing"),
}
"""Rules that none of these controllers breaks. Each has a trace that it refuses, told in tests."""
