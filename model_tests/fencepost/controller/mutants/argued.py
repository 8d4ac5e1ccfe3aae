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
)
"""Rules by which a deed passes."""

_TOLD: Final = (
    "R-CTL-2",
    "R-CTL-10",
    "R-CTL-11",
    "R-CTL-12",
    "R-CTL-13",
    "R-CTL-16",
    "R-CTL-19",
    "R-CTL-21",
    "R-CTL-22",
    "R-CTL-23",
    "R-CTL-31",
    "R-CTL-32",
    "R-CTL-36",
    "R-CTL-40",
    "R-CTL-42",
    "R-CTL-43",
    "R-CTL-44",
    "R-CTL-51",
    "R-CTL-52",
    "R-CTL-53",
    "R-CTL-56",
    "R-CTL-60",
    "R-CTL-62",
    "R-CTL-67",
    "R-CTL-61",
    "R-CTL-66",
    "R-CTL-70",
    "R-CTL-80",
    "R-CTL-81",
    "R-CTL-82",
    "R-CTL-84",
    "R-CTL-90",
    "R-CTL-91",
    "R-CTL-100",
    "R-CTL-103",
    "R-CTL-101",
    "R-CTL-102",
    "R-CTL-105",
    "R-CTL-112",
    "R-CTL-111",
    "R-CTL-129",
    "R-CTL-119",
    "R-CTL-116",
    "R-CTL-117",
    "R-CTL-121",
    "R-CTL-126",
    "R-CTL-124",
    "R-CTL-123",
    "R-CTL-125",
    "R-CTL-127",
    "R-CTL-128",
    "R-CTL-140",
    "R-CTL-141",
    "R-CTL-142",
    "R-CIN-2",
    "R-CIN-3",
    "R-CIN-5",
    "R-CEV-1",
    "R-CEV-2",
    "R-CEV-6",
    "R-CEV-10",
)
"""Rules that none of these controllers goes against."""

UNBROKEN: Final[Mapping[str, str]] = {
    **dict.fromkeys(_EFFECTS, "it lets a deed pass and refuses none"),
    **dict.fromkeys(_TOLD, "no controller of this list goes against it; a told trace does"),
}
"""Rules that none of these controllers breaks. Each has a trace that it refuses, told in tests."""
